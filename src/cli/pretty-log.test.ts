import { expect, it } from 'vitest'
import { formatLogLine, makePrettyLog } from './run-service.ts'
import { makeTextStyler } from './terminal-output.ts'

const plain = makeTextStyler({ isTTY: false } as never)

it('a line of the log is a sentence with its facts', () => {
  const line = {
    level: 40,
    time: 0,
    name: 'orbweaver',
    msg: 'request failed',
    status: 500,
    code: 'SCRAPE_SITE_ERROR',
    host: 'a.test',
  }
  expect(formatLogLine(JSON.stringify(line), plain)).toMatch(
    /^\d\d:\d\d:\d\d request failed status=500 code=SCRAPE_SITE_ERROR host=a\.test$/,
  )
  expect(formatLogLine('no JSON', plain)).toBe('no JSON')
})

it('only where somebody looks', () => {
  expect(makePrettyLog({ isTTY: false } as never)).toBeUndefined()
})

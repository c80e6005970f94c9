// A real program as the extractor: what it says is taken for what it is, and nothing it does holds anybody up.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { emptyFolder } from '../../../test/e2e/service.ts'
import { until } from '../../../test/e2e/waiting.ts'
import { silentLog } from '../../base/log.ts'
import { parseMediaExtractorOutput, runMediaExtractor } from './run-media-extractor.ts'

const script = fileURLToPath(new URL('../../../test/site/extractor.mjs', import.meta.url))
const folder = emptyFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const ask = (name: string, maxMs = 20_000, signal = new AbortController().signal) =>
  runMediaExtractor(
    { command: [process.execPath, script, '-J'], log: silentLog, maxMs },
    { pageUrl: `https://example.com/x/${name}`, folder },
    signal,
  )

describe('the extractor', () => {
  it('is given the address, and nothing of our environment', async () => {
    const { candidates, poster } = await ask('right')
    expect(candidates.map(({ url, kind, form }) => [url, kind, form])).toEqual([
      ['https://example.com/media/clip.mp4', undefined, 'file'],
      ['https://example.com/media/silent.mp4', 'video', 'file'],
    ])
    expect(poster).toBe('https://example.com/media/poster.png')
    expect((await ask('stream')).candidates).toMatchObject([{ form: 'hls', from: 'extractor' }])
  })

  it.each([
    ['rubbish', /did not respond in JSON/],
    ['nothing', /found nothing/],
    ['fails', /ended with 3$/],
    ['huge', /more than 8 MB/],
  ])('that answers with %s is an honest reason', (name, why) => expect(ask(name)).rejects.toThrow(why))

  it('that cannot be run says so', () =>
    expect(
      runMediaExtractor(
        { command: ['/no/such/program'], log: silentLog },
        { pageUrl: 'https://example.com/', folder },
        AbortSignal.timeout(20_000),
      ),
    ).rejects.toThrow(/cannot be run/))

  const note = join(folder, 'grandchild')
  const hasBegun = () => existsSync(note) && readFileSync(note, 'utf8') !== ''
  // A killed process is still there until the kernel has taken it away.
  const isAlive = (pid: number) => {
    try {
      return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    } catch {
      return false
    }
  }
  beforeEach(() => rmSync(note, { force: true }))

  it('that hangs is ended with all that it started when its time is over', async () => {
    // On a slow machine it has not started anything by then: it gets longer.
    for (const seconds of [3, 12, 36]) {
      if (hasBegun()) break
      await expect(ask('hangs', seconds * 1000)).rejects.toThrow(`longer than ${seconds} s`)
    }
    expect(hasBegun()).toBe(true)
    await until(() => !isAlive(Number(readFileSync(note, 'utf8'))), 5000)
  })

  it('that is not wanted any more is ended with all that it started', async () => {
    const over = new AbortController()
    const ended = expect(ask('hangs', 60_000, over.signal)).rejects.toThrow()
    await until(hasBegun, 40_000)
    over.abort()
    await ended
    await until(() => !isAlive(Number(readFileSync(note, 'utf8'))), 5000)
  })
})

describe('its answer', () => {
  it('is read whatever it holds', () => {
    for (const text of ['null', '[]', '7', '"x"', '']) expect(parseMediaExtractorOutput(text)).toBeUndefined()
    for (const text of ['{}', '{"entries":7}', '{"formats":[[],null,{}]}', '{"url":"x","formats":{}}'])
      expect(parseMediaExtractorOutput(text)?.candidates).toEqual([])
    const many = Array.from({ length: 50_000 }, (_, n) => ({ url: `https://example.com/${n}.mp4`, height: 1e308 * n }))
    expect(parseMediaExtractorOutput(JSON.stringify({ formats: many }))?.candidates).toHaveLength(500)
  })

  it('names a DASH stream by its manifest, not by its parts', () => {
    const part = { protocol: 'http_dash_segments', url: 'https://example.com/1.m4s' }
    expect(parseMediaExtractorOutput(JSON.stringify({ formats: [part] }))?.candidates).toEqual([])
    const manifest_url = 'https://example.com/a.mpd'
    expect(
      parseMediaExtractorOutput(JSON.stringify({ formats: [{ ...part, manifest_url }] }))?.candidates,
    ).toMatchObject([{ url: manifest_url, form: 'dash' }])
  })
})

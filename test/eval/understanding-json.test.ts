// The json format without a model on labelled public pages: how many fields are right, and how many wrong.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parsePage } from '../../src/content/parsed-page.ts'
import { extractJson } from '../../src/understanding/extract/extract-json.ts'
import { readCases } from './understanding/cases.ts'
import { type JsonCase, scoreJson } from './understanding/json/score.ts'
import { hasSharedPages, sharedPages } from './understanding/shared-pages.ts'
import { faults, shares, total } from './understanding/tally.ts'

const floors = JSON.parse(readFileSync(new URL('understanding-floors.json', import.meta.url), 'utf8')) as Record<
  string,
  { right: number; wrong: number }
>

const opened = (html: string, url: string) =>
  parsePage(
    { bytes: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8', url },
    { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
  )

describe.skipIf(!hasSharedPages)('json without a model (skipped where ../shared/bench is absent)', () => {
  it.each(Object.entries(floors))('%s', async (name, floor) => {
    const pages = await sharedPages()
    const scores = readCases<JsonCase>(new URL(`understanding/json/${name}.json`, import.meta.url)).map((one) => {
      const page = pages.get(one.id)!
      return [one.id, scoreJson(one, extractJson(opened(page.html(), page.url), one.schema, one.prompt).value)] as const
    })
    const { right, wrong } = shares(total(scores.map(([, score]) => score)))
    const report = `${name}: right ${right.toFixed(3)}, wrong ${wrong.toFixed(3)}\n${faults(scores).join('\n')}`
    if (process.env.ORB_TEST_REPORT) console.log(report)
    expect(right, report).toBeGreaterThanOrEqual(floor.right)
    expect(wrong, report).toBeLessThanOrEqual(floor.wrong)
  })
})

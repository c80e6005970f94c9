// The json format without a model, on the sets that were written before it: how many fields are right, and how many wrong.
// Floors are raised by the commit that earns them.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openPage } from '../../src/content/page.ts'
import { extractJson } from '../../src/understanding/extract/extract.ts'
import { readCases, readPage } from './understanding/cases.ts'
import { type JsonCase, scoreJson } from './understanding/json/score.ts'
import { hasSharedPages, type SharedPage, sharedPages } from './understanding/shared-pages.ts'
import { faults, type Score, shares, total } from './understanding/tally.ts'

interface Floor {
  right: number
  wrong: number
}

const floors = JSON.parse(readFileSync(new URL('understanding-floors.json', import.meta.url), 'utf8')) as Record<
  string,
  Floor
>
const own = readCases<JsonCase>(new URL('understanding/json/own.json', import.meta.url))
const shared = readCases<JsonCase>(new URL('understanding/json/wceb.json', import.meta.url))

// Pages read while the extractor was made, and pages that nobody looked at until it was done.
const setsOf = (names: readonly string[]) =>
  names.map((name) => ({
    name,
    cases: readCases<JsonCase>(new URL(`understanding/json/${name}.json`, import.meta.url)),
  }))
const others = setsOf(['tune', 'fresh', 'unseen-a', 'unseen-b', 'unseen-c'])
// Our own pages again, of the plainest make; each lot was labelled before it was scored, and its faults mended then.
const everyday = setsOf([
  'everyday',
  'everyday-b',
  'everyday-c',
  'everyday-d',
  'everyday-e',
  'everyday-f',
  'everyday-g',
  'everyday-h',
])

const opened = (html: string, url: string) =>
  openPage(
    { bytes: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8', url },
    { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
  )

const extract = (one: JsonCase, html: string, url: string): Score =>
  scoreJson(one, extractJson(opened(html, url), one.schema, one.prompt).value)

const scoresOf = (cases: readonly JsonCase[], pages: ReadonlyMap<string, SharedPage>) =>
  cases.map((one) => [one.id, extract(one, pages.get(one.id)!.html(), pages.get(one.id)!.url)] as const)

function holds(name: string, scores: readonly (readonly [string, Score])[]): void {
  const { right, wrong } = shares(total(scores.map(([, score]) => score)))
  const report = `${name}: right ${right.toFixed(3)}, wrong ${wrong.toFixed(3)}\n${faults(scores).join('\n')}`
  if (process.env.ORB_TEST_REPORT) console.log(report)
  expect(right, report).toBeGreaterThanOrEqual(floors[name]!.right)
  expect(wrong, report).toBeLessThanOrEqual(floors[name]!.wrong)
}

describe('json without a model', () => {
  for (const structured of [true, false]) {
    const kind = structured ? 'structured' : 'plain'
    it(`own pages, ${kind}`, () => {
      const cases = own.filter((one) => one.structured === structured)
      holds(
        `own ${kind}`,
        cases.map((one) => {
          const html = readPage(new URL(`understanding/json/pages/${one.id}.html`, import.meta.url))
          return [one.id, extract(one, html, one.url ?? 'https://example.org/')] as const
        }),
      )
    })

    it.skipIf(!hasSharedPages)(`shared pages, ${kind} (skipped where ../shared/bench is absent)`, async () => {
      const pages = await sharedPages()
      const cases = shared.filter((one) => one.structured === structured)
      holds(`shared ${kind}`, scoresOf(cases, pages))
    })
  }

  it.each(everyday)('everyday pages, the plain shapes that most sites are built from: $name', ({ name, cases }) => {
    holds(
      name,
      cases.map((one) => {
        const html = readPage(new URL(`understanding/json/${name}/${one.id}.html`, import.meta.url))
        return [one.id, extract(one, html, one.url!)] as const
      }),
    )
  })

  it.skipIf(!hasSharedPages).each(others)(
    'shared pages, $name (skipped where ../shared/bench is absent)',
    async ({ name, cases }) => holds(name, scoresOf(cases, await sharedPages())),
  )
})

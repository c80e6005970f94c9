// Main content on whole pages of our own making, seven kinds, each with what a careful reader would keep of it. Unlike
// the shared pages these travel with the repository, so a loss of quality shows on every machine.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parsePage } from '../../src/content/parsed-page.ts'
import addresses from '../fixtures/pages/addresses.json' with { type: 'json' }
import floors from './pages-floors.json' with { type: 'json' }

const folder = new URL('../fixtures/pages/', import.meta.url)
const kinds = ['article', 'documentation', 'forum', 'product', 'listing', 'service', 'collection'] as const

interface Score {
  page: string
  /** Of the words that were kept, the share that should be. */
  precision: number
  /** Of the words that should be kept, the share that was. */
  recall: number
  f1: number
}

// --- the scorer -------------------------------------------------------------------------------------------------------

/** Markdown without its marks: what is left is what a reader reads. Images and addresses are not read. */
function plain(markdown: string): string {
  return markdown
    .replace(/^[ \t]*(```|~~~).*$/gm, ' ')
    .replace(/!\[[^\]]*\]\([^)\s]*\)/g, ' ')
    .replace(/\]\([^)\s]*(?: "[^"]*")?\)/g, '] ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\\(?=[^\p{L}\p{N}\s])/gu, '')
}

const character = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]'

/** How often each word occurs. A script without spaces counts by character. */
function words(markdown: string): Map<string, number> {
  const counts = new Map<string, number>()
  const token = new RegExp(`${character}|(?:(?!${character})[\\p{L}\\p{M}\\p{N}])+`, 'gu')
  for (const [word] of plain(markdown).toLowerCase().matchAll(token)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function compare(page: string, markdown: string, truth: string): Score {
  const given = words(markdown)
  const wanted = words(truth)
  const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0)
  const shared = sum([...given].map(([word, count]) => Math.min(count, wanted.get(word) ?? 0)))
  const precision = shared / Math.max(sum(given.values()), 1)
  const recall = shared / Math.max(sum(wanted.values()), 1)
  return { page, precision, recall, f1: shared === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}

// --- the pages --------------------------------------------------------------------------------------------------------

const pagesOf = (kind: string): string[] =>
  readdirSync(new URL(`${kind}/`, folder))
    .filter((file) => file.endsWith('.html'))
    .map((file) => `${kind}/${file.slice(0, -'.html'.length)}`)

function score(page: string): Score {
  const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  // The address may speak, so each page has one such as its site would give it, and never the name of its kind from us.
  const url = (addresses as Record<string, string>)[page]
  if (url === undefined) throw new Error(`${page} has no address in addresses.json`)
  // Without a charset, as many servers answer: what the page says of itself must be enough.
  const input = { contentType: 'text/html', url }
  const bytes = readFileSync(new URL(`${page}.html`, folder))
  const truth = readFileSync(new URL(`${page}.md`, folder), 'utf8')
  return compare(page, parsePage({ ...input, bytes }, choices).markdown, truth)
}

const mean = (scores: Score[]): number => scores.reduce((total, { f1 }) => total + f1, 0) / scores.length
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** Worst first, so that a fallen floor names its page. */
const account = (scores: Score[]): string =>
  [...scores]
    .sort((a, b) => a.f1 - b.f1)
    .map(
      ({ page, precision, recall, f1 }) =>
        `${page}: ${percent(f1)} (of the kept ${percent(precision)} wanted, of the wanted ${percent(recall)} kept)`,
    )
    .join('\n')

describe('main content of our own pages', () => {
  const scores = new Map(kinds.map((kind) => [kind, pagesOf(kind).map(score)]))

  it.each(kinds)('holds its floor on %s pages', (kind) => {
    const all = scores.get(kind) ?? []
    expect(all.length).toBeGreaterThanOrEqual(5)
    expect(mean(all), account(all)).toBeGreaterThanOrEqual(floors[kind])
  })

  it('holds its floor over all pages together', () => {
    const all = [...scores.values()].flat()
    expect(mean(all), account(all)).toBeGreaterThanOrEqual(floors.overall)
  })
})

describe('the scorer', () => {
  it('gives one to the same words in other marks, and nothing to other words', () => {
    expect(compare('', '## Über [den](https://x.example/a) *Hafen* \\[1\\]', 'über den hafen 1').f1).toBe(1)
    expect(compare('', 'fog', 'rain').f1).toBe(0)
    expect(compare('', '', 'rain').f1).toBe(0)
  })

  it('counts repeated words, and tells what was lost from what leaked', () => {
    expect(compare('', 'rain rain', 'rain')).toMatchObject({ precision: 0.5, recall: 1 })
    expect(compare('', 'rain', 'rain rain fog snow')).toMatchObject({ precision: 1, recall: 0.25 })
  })

  it('counts Chinese and Japanese by character', () => {
    expect(compare('', '図書館', '図書室')).toMatchObject({ precision: 2 / 3, recall: 2 / 3 })
  })
})

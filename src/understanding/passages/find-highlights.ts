// Finds the passages of a page that match a query, verbatim, in page order, and the relevant part of a long page.

import { countUntil } from '../../base/large-array-helpers.ts'
import { PassageIndex, parseQuestion, type RankedPassage } from './rank-passages.ts'
import { splitIntoBlocks } from './split-into-markdown-blocks.ts'
import { type Passage, splitIntoPassages } from './split-into-passages.ts'

/** Minimum share of the query that a passage covers, and minimum score relative to the best. */
const MIN_COVERAGE = 0.3
const NEAR_BEST = 0.5
const MAX_PASSAGES = 8
const MAX_LETTERS = 3000

/** Verbatim passages; empty when none matches. */
export const findHighlights = (markdown: string, query: string): string[] => findPassagesForQuery(markdown, query).found

/** The same, with the relevant excerpt of a long page. */
export function findPassagesForQuery(
  markdown: string,
  query: string,
): { found: string[]; relevant: string | undefined } {
  const ranked = new PassageIndex([{ url: '', title: '', passages: splitIntoPassages(markdown) }]).rank(
    parseQuestion(query),
  )
  return { found: verbatim(markdown, chosenFrom(ranked)), relevant: selectRelevantText(markdown, ranked) }
}

function chosenFrom(ranked: readonly RankedPassage[]): Passage[] {
  const [best] = ranked
  const chosen: Passage[] = []
  let letters = 0
  for (const { passage, score, coverage } of ranked) {
    if (chosen.length === MAX_PASSAGES || score < best!.score * NEAR_BEST) break
    const length = passage.end - passage.start
    if (coverage < MIN_COVERAGE || (chosen.length > 0 && letters + length > MAX_LETTERS)) continue
    chosen.push(passage)
    letters += length
  }
  return chosen
}

/** Joins adjacent passages. */
function verbatim(markdown: string, passages: Passage[]): string[] {
  const places: { start: number; end: number }[] = []
  for (const { start, end } of passages.sort((one, other) => one.start - other.start || one.end - other.end)) {
    const last = places.at(-1)
    const between = last ? markdown.slice(last.end, start) : ''
    if (last && last.end >= end) continue
    if (last && (start < last.end || (between.trim() === '' && !between.includes('\n\n')))) last.end = end
    else places.push({ start, end })
  }
  return places.map(({ start, end }) => markdown.slice(start, end).trim())
}

/** A page up to this length is read whole. */
const SHORT_PAGE_CHARS = 6000
/** Characters to select: about 8,000 tokens. */
const MAX_SELECTED_CHARS = 24_000
const GAP = '\n\n[…]\n\n'

/** Undefined when the page is short enough to be read whole. */
export function selectRelevantText(markdown: string, ranked: readonly RankedPassage[]): string | undefined {
  if (markdown.length <= SHORT_PAGE_CHARS) return undefined
  const blocks = splitIntoBlocks(markdown)
  const chosen = new Set<number>()
  let chars = 0
  const take = (at: number): void => {
    const block = blocks[at]
    if (!block || chosen.has(at) || chars + block.end - block.start > MAX_SELECTED_CHARS) return
    chosen.add(at)
    chars += block.end - block.start
  }
  // The beginning of a page states its subject.
  for (let at = 0; at < 3; at++) take(at)
  for (const { passage } of ranked) {
    if (chars > MAX_SELECTED_CHARS * 0.95) break
    let at = countUntil(blocks, ({ end }) => end <= passage.start)
    for (; at < blocks.length && blocks[at]!.start < passage.end; at++) {
      take(at)
      for (const near of [headingAbove(blocks, at), at - 1, at + 1]) take(near)
    }
  }
  const order = [...chosen].sort((one, other) => one - other)
  return order
    .map((at, n) => {
      const { start, end } = blocks[at]!
      const before = n === 0 ? '' : order[n - 1] === at - 1 ? '\n\n' : GAP
      return `${before}${markdown.slice(start, end).trim()}`
    })
    .join('')
}

function headingAbove(blocks: readonly { kind: string }[], at: number): number {
  for (let index = at - 1; index >= 0 && index > at - 200; index--) if (blocks[index]!.kind === 'heading') return index
  return -1
}

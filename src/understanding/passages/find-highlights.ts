// Finds the passages of a page that match a query, verbatim, in page order.

import { PassageIndex, parseQuestion, type RankedPassage } from './rank-passages.ts'
import { selectRelevantText } from './select-passages.ts'
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

// A query and a page → the passages that speak of it, verbatim, in the order they stand on the page.
import { rankFor, saysTheSame } from './answer.ts'
import { kindOf } from './cues.ts'
import type { UnitRanking } from './rank.ts'
import { relevantIn } from './relevant.ts'
import { type Text, type TextUnit, textOf } from './units.ts'

/** A passage must speak of this much of the query, and be this near to the best one. */
const ENOUGH = 0.38
const NEAR_BEST = 0.5
/** So much of the query a passage must say itself, or its heading: the title of the page says it of all of them. */
const SAID_ITSELF = 0.4
const MAX_PASSAGES = 8
const MAX_LOOKED = 200
const MAX_LETTERS = 3000

/** Verbatim passages of the markdown; none when nothing on the page speaks of the query. */
export const highlightsOf = (markdown: string, query: string): string[] => passagesFor(markdown, query).found

/** The same, and what a reader of a long page should look at. */
export function passagesFor(markdown: string, query: string): { found: string[]; relevant: string | undefined } {
  const text = textOf(markdown)
  const ranking = rankFor(text, query, kindOf(query))
  return { found: chosenFrom(text, ranking), relevant: relevantIn(text, ranking) }
}

function chosenFrom(text: Text, { ranked: all, missing, said }: UnitRanking): string[] {
  const ranked = all.slice(0, MAX_LOOKED).filter(({ unit }) => said(unit) >= SAID_ITSELF)
  const best = ranked[0]
  if (!best || best.coverage < ENOUGH || missing > 0.6) return []
  const chosen: TextUnit[] = []
  let letters = 0
  for (const { unit, score, coverage } of ranked.slice(0, MAX_PASSAGES * 4)) {
    if (chosen.length === MAX_PASSAGES || score < best.score * NEAR_BEST || coverage < ENOUGH) break
    const candidate = text.units[unit]!
    const { start, end } = candidate.whole ?? candidate
    // What was divided is quoted whole, or not at all.
    if (letters + end - start > MAX_LETTERS && (chosen.length > 0 || candidate.whole)) continue
    if (chosen.some((other) => saysTheSame(other, candidate))) continue
    chosen.push(candidate)
    letters += end - start
  }
  return joined(text, chosen)
}

/** Neighbours become one passage again: what stood between them is white space alone. */
function joined({ markdown }: Text, units: TextUnit[]): string[] {
  const passages: { start: number; end: number }[] = []
  const places = units.map((unit) => unit.whole ?? unit).sort((a, b) => a.start - b.start || a.end - b.end)
  for (const { start, end } of places) {
    const last = passages.at(-1)
    if (last && last.end >= end) continue
    if (last && markdown.slice(last.end, start).trim() === '' && !markdown.slice(last.end, start).includes('\n\n'))
      last.end = end
    else passages.push({ start, end })
  }
  return passages.map(({ start, end }) => markdown.slice(start, end).trim())
}

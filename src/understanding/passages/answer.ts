// Answers a request in the pages' own words: the best passage for each part of it, then further ones that add
// something. Every line is quoted from a page.
import { comparedRows } from './compared-rows.ts'
import { type Passage, passagesOf, rowText } from './passages.ts'
import { type PageToRank, PassageIndex, partsOf, type Question, questionOf, type Ranked } from './rank.ts'
import { relevantIn } from './select-passages.ts'
import { isStopWord, termsOf } from './terms.ts'

export interface Quote {
  page: PageToRank
  passage: Passage
  /** The line of the answer that it yielded. */
  text: string
}

export interface Answer {
  text: string
  quotes: readonly Quote[]
  /** Share of the request that the quoted passages cover; 0 to 1. */
  confidence: number
}

const MAX_ANSWER = 640
const MORE_PER_PART = 170
const MAX_LINES = 8
/** Minimum score of a further passage, relative to the best. */
const ALSO_GOOD = 0.4

/** Below this, the passages are only the nearest ones. */
export const LOW_CONFIDENCE = 0.3
/** Below this, a single page does not answer: it shares only insignificant words with the question. */
const NO_ANSWER = 0.2

/** The answer of one page, and the relevant excerpt of a long page. */
export function answerOn(markdown: string, question: string) {
  const page = { url: '', title: '', passages: passagesOf(markdown) }
  const found = answerFrom([page], question)
  const ranked = new PassageIndex([page]).rank(questionOf(question))
  const confidence = found?.confidence ?? 0
  const isLow = confidence < LOW_CONFIDENCE
  return {
    answer: !found || confidence < NO_ANSWER ? null : isLow ? `Closest on this page:\n${found.text}` : found.text,
    closest: found?.text,
    quotes: (found?.quotes ?? []).map(({ passage }) => markdown.slice(passage.start, passage.end).trim()),
    confidence,
    relevant: relevantIn(markdown, ranked),
  }
}

/** Undefined when no passage shares a content word with the request. */
export function answerFrom(pages: readonly PageToRank[], request: string): Answer | undefined {
  const index = new PassageIndex(pages)
  const whole = questionOf(request)
  const parts = partsOf(request)
  const rankings = parts.map((part) => index.rank(part))
  const overall = parts.length > 1 ? index.rank(whole) : rankings[0]!
  const compared = comparedRows(request, overall)
  const rest = (ranked: readonly Ranked[]) => ranked.filter(({ passage }) => !compared?.others.has(passage))
  const chosen = choose(
    [...(compared?.chosen.map((row) => [row]) ?? []), ...rankings.map(rest)],
    rest(overall),
    Math.max(parts.length, compared?.chosen.length ?? 0),
  )
  if (chosen.length === 0) return undefined
  const quotes = chosen.map(({ page, passage }) => ({ page, passage, text: worded(passage, whole) }))
  const confidence = Math.max(...chosen.map(({ coverage }) => coverage))
  return { text: quotes.map(({ text }) => text).join('\n'), quotes, confidence }
}

function choose(rankings: readonly (readonly Ranked[])[], overall: readonly Ranked[], parts: number): Ranked[] {
  const chosen: Ranked[] = []
  const most = MAX_ANSWER + MORE_PER_PART * (parts - 1)
  let letters = 0
  const take = (ranked: Ranked): void => {
    if (chosen.some((one) => saysTheSame(one.passage, ranked.passage))) return
    const length = ranked.passage.text.length + (ranked.passage.headings.at(-1)?.length ?? 0) + 3
    if (chosen.length >= MAX_LINES || (chosen.length > 0 && letters + length > most)) return
    chosen.push(ranked)
    letters += length
  }
  for (const [best] of rankings) if (best) take(best)
  for (const ranked of overall.slice(0, 30)) if (ranked.score >= overall[0]!.score * ALSO_GOOD) take(ranked)
  return chosen
}

function saysTheSame(one: Passage, other: Passage): boolean {
  if (one === other) return true
  const [a, b] = [new Set(termsOf(one.text)), new Set(termsOf(other.text))]
  let both = 0
  for (const term of b) if (a.has(term)) both++
  return both >= 0.9 * Math.min(a.size, b.size)
}

/**
 * A passage as a line of an answer: its heading first; for a row, the columns that the request names before the others.
 */
function worded({ text, headings, cells }: Passage, { terms }: Question): string {
  const asked = new Set(terms.map(({ term }) => term))
  const heading = headings.at(-1) ?? ''
  const line = cells && cells.length > 2 ? rowText(named(cells, asked)) : text
  const isSaid = heading === '' || text.toLowerCase().includes(heading.toLowerCase())
  return isSaid ? line : `${heading}: ${line}`
}

/** The row's name, then the cells whose header is requested. */
function named(cells: NonNullable<Passage['cells']>, asked: ReadonlySet<string>): NonNullable<Passage['cells']> {
  const [name, ...rest] = cells
  const wanted = (header: string) => termsOf(header).filter((term) => !isStopWord(term) && asked.has(term)).length
  return [name!, ...rest.toSorted((one, other) => wanted(other[0]) - wanted(one[0]))]
}

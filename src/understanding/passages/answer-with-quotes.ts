// Answers a request in the pages' own words: the best passage for each part of it, then further ones that add
// something.
import { SentenceIndex } from './find-answer-sentence.ts'
import { findRowsByComparison } from './find-rows-by-comparison.ts'
import {
  type PageToRank,
  type ParsedQuestion,
  PassageIndex,
  parseQuestion,
  type RankedPassage,
  splitQuestion,
} from './rank-passages.ts'
import { selectRelevantText } from './select-passages.ts'
import { type Passage, splitIntoPassages, writeRowText } from './split-into-passages.ts'
import { isStopWord, stemText } from './stem-terms.ts'

export interface PassageQuote {
  page: PageToRank
  passage: Passage
  /** The line of the answer that it yielded. */
  text: string
}

export interface QuotedAnswer {
  text: string
  quotes: readonly PassageQuote[]
  /** Share of the request that the quoted passages cover; 0 to 1. */
  confidence: number
}

const MAX_ANSWER = 640
const MORE_PER_PART = 170
const MAX_LINES = 8
const ALSO_GOOD = 0.4

/** Below this, the passages are only the nearest ones. */
export const LOW_CONFIDENCE = 0.3
/** Below this, no sentence of the page says what is asked about: a passage is only the closest. */
const MIN_ANSWER_COVERAGE = 0.66
/** Below this, a passage shares only insignificant words with the question. */
const MIN_CLOSEST = 0.2
const MAX_ROW = 300

const CLOSEST = 'Closest on this page:'

export function answerFromPage(markdown: string, question: string) {
  const page = { url: '', title: '', passages: splitIntoPassages(markdown) }
  const found = answerFromPages([page], question)
  const ranked = new PassageIndex([page]).rank(parseQuestion(question))
  const compared = findRowsByComparison(question, ranked)?.chosen ?? []
  const sentences = new SentenceIndex(page.passages)
  const parts = splitQuestion(question).flatMap((part) => sentences.best(part) ?? [])
  const best = Math.max(0, ...parts.map(({ coverage }) => coverage))
  const whole = parseQuestion(question)
  const proven = parts
    .filter(({ coverage }) => coverage >= MIN_ANSWER_COVERAGE)
    .map(({ text, passage }) => (passage.cells ? wordAnswer(passage, whole).slice(0, MAX_ROW) : text))
  const rows = compared.map(({ passage }) => wordAnswer(passage, whole).slice(0, MAX_ROW))
  const said = new Set(rows.length > 0 ? rows : proven)
  const closest = found && found.confidence >= MIN_CLOSEST ? `${CLOSEST}\n${found.text}` : null
  return {
    answer: said.size > 0 ? [...said].join('\n') : closest,
    closest: found?.text,
    quotes: (found?.quotes ?? []).map(({ passage }) => markdown.slice(passage.start, passage.end).trim()),
    confidence: rows.length > 0 ? (found?.confidence ?? 0) : Math.min(1, best),
    relevant: selectRelevantText(markdown, ranked),
  }
}

/** The name, such as `publishedTime`, whose words are the content words of the question. */
export function findAskedName(names: readonly string[], question: string): string | undefined {
  const { terms } = parseQuestion(question)
  return names.find((name) => {
    const own = new Set(stemText(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')))
    return own.size === terms.length && terms.every(({ term }) => own.has(term))
  })
}

/** Undefined when no passage shares a content word with the request. */
export function answerFromPages(pages: readonly PageToRank[], request: string): QuotedAnswer | undefined {
  const index = new PassageIndex(pages)
  const whole = parseQuestion(request)
  const parts = splitQuestion(request)
  const rankings = parts.map((part) => index.rank(part))
  const overall = parts.length > 1 ? index.rank(whole) : rankings[0]!
  const compared = findRowsByComparison(request, overall)
  const rest = (ranked: readonly RankedPassage[]) => ranked.filter(({ passage }) => !compared?.others.has(passage))
  const chosen = choose(
    [...(compared?.chosen.map((row) => [row]) ?? []), ...rankings.map(rest)],
    rest(overall),
    Math.max(parts.length, compared?.chosen.length ?? 0),
  )
  if (chosen.length === 0) return undefined
  const quotes = chosen.map(({ page, passage }) => ({ page, passage, text: wordAnswer(passage, whole) }))
  const confidence = Math.max(...chosen.map(({ coverage }) => coverage))
  return { text: quotes.map(({ text }) => text).join('\n'), quotes, confidence }
}

function choose(rankings: readonly (readonly RankedPassage[])[], overall: readonly RankedPassage[], parts: number) {
  const chosen: RankedPassage[] = []
  const most = MAX_ANSWER + MORE_PER_PART * (parts - 1)
  let letters = 0
  const take = (ranked: RankedPassage): void => {
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
  const [a, b] = [new Set(stemText(one.text)), new Set(stemText(other.text))]
  let both = 0
  for (const term of b) if (a.has(term)) both++
  return both >= 0.9 * Math.min(a.size, b.size)
}

/**
 * A passage as a line of an answer: its heading first; for a row, the columns that the request names before the others.
 */
function wordAnswer({ text, headings, cells }: Passage, { terms }: ParsedQuestion): string {
  const asked = new Set(terms.map(({ term }) => term))
  const heading = headings.at(-1) ?? ''
  const line = cells && cells.length > 2 ? writeRowText(orderCells(cells, asked)) : text
  const isSaid = heading === '' || text.toLowerCase().includes(heading.toLowerCase())
  return isSaid ? line : `${heading}: ${line}`
}

function orderCells(cells: NonNullable<Passage['cells']>, asked: ReadonlySet<string>): NonNullable<Passage['cells']> {
  const [name, ...rest] = cells
  const countWanted = (header: string) => stemText(header).filter((term) => !isStopWord(term) && asked.has(term)).length
  return [name!, ...rest.toSorted((one, other) => countWanted(other[0]) - countWanted(one[0]))]
}

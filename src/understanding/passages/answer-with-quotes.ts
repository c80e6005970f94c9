// Answers a request in the pages' own words: the best passage for each part of it, then further ones that add
// something.

import { containsValueKind, findAskedValueKinds } from './find-asked-value-kinds.ts'
import { selectRelevantText } from './find-highlights.ts'
import { findRowsByComparison } from './find-rows-by-comparison.ts'
import {
  type PageToRank,
  type ParsedQuestion,
  PassageIndex,
  parseQuestion,
  type RankedPassage,
  splitQuestion,
} from './rank-passages.ts'
import { type Passage, splitIntoPassages, writeRowText } from './split-into-passages.ts'
import { splitIntoSentences } from './split-into-sentences.ts'
import { isStopWord, stemText, synonymStemsOf } from './stem-terms.ts'

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

interface AnswerSentence {
  text: string
  passage: Passage
  /** Share of the question that the sentence and its headings say; 0 to 1. */
  coverage: number
}

const MAX_SENTENCE_ANSWER = 300
/** A row of a table or a short passage is read as one sentence. */
const MAX_WHOLE = 160

class SentenceIndex {
  readonly #index: PassageIndex
  /** The sentence that each entry of the index stands for. */
  readonly #sources = new Map<Passage, { text: string; passage: Passage }>()

  constructor(passages: readonly Passage[]) {
    const entries = passages.flatMap((passage) => {
      const sentences = sentencesOf(passage)
      return sentences.map((text, n) => {
        // Headings say what the sentence is about as well as it does itself; the sentence before less.
        const entry = { ...passage, text: [...passage.headings, text].join('\n'), headings: sentences.slice(n - 1, n) }
        this.#sources.set(entry, { text: text.slice(0, MAX_SENTENCE_ANSWER), passage })
        return entry
      })
    })
    this.#index = new PassageIndex([{ url: '', title: '', passages: entries }])
  }

  best(question: ParsedQuestion): AnswerSentence | undefined {
    const numbers = question.text.match(/\d+(?:[.,:]\d+)*/g) ?? []
    const kinds = specificKinds(question.kinds)
    const ranked = this.#index
      .rank({ ...question, terms: termsToSay(question), kinds })
      // The sentence itself holds the value: a name in a heading above it is no answer.
      .filter(({ passage }) => kinds.size === 0 || containsValueKind(this.#sources.get(passage)!.text, kinds))
      // "In 2024" is not answered by a sentence about 2025.
      .filter(({ passage }) => numbers.every((one) => passage.text.includes(one)))
    const best = ranked.reduce<(typeof ranked)[number] | undefined>(
      (most, one) => (most === undefined || one.coverage > most.coverage + 0.01 ? one : most),
      undefined,
    )
    return best && { ...this.#sources.get(best.passage)!, coverage: best.coverage }
  }
}

/** "How much does it cost" asks for an amount of money, which any number is not. */
const specificKinds = (kinds: ParsedQuestion['kinds']): ParsedQuestion['kinds'] =>
  kinds.size > 1 ? new Set([...kinds].filter((kind) => kind !== 'number')) : kinds

/** The value says "cost" or "price" itself; a number does not say whether it is a weight or a height. */
function termsToSay({ terms }: ParsedQuestion): ParsedQuestion['terms'] {
  const others = terms.filter(({ term, word }) => {
    const kinds = findAskedValueKinds(word ?? term)
    return kinds.size === 0 || (kinds.size === 1 && kinds.has('number') && synonymStemsOf(term).size > 0)
  })
  return others.length > 0 ? others : terms
}

function sentencesOf(passage: Passage): string[] {
  if (passage.cells || passage.text.length <= MAX_WHOLE) return [passage.text]
  return labelledLines(passage.text).flatMap((line) =>
    splitIntoSentences(line).map(({ start, end }) => line.slice(start, end)),
  )
}

/** A line that ends in a colon is the label of the next one. */
function labelledLines(text: string): string[] {
  const lines: string[] = []
  for (const line of text.split('\n'))
    if (/[:：]$/u.test(lines.at(-1) ?? '')) lines.push(`${lines.pop()} ${line}`)
    else lines.push(line)
  return lines
}

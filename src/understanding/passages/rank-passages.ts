// Ranks passages for a question: BM25 over stems with headings as context, reduced weight for similar or related words,
// a factor for passages with the requested kind of value, and the letters that question and passage share.
import { countEach } from '../../base/values.ts'
import { type AskedValueKind, containsValueKind, findAskedValueKinds } from './find-asked-value-kinds.ts'
import type { Passage } from './split-into-passages.ts'
import { isStopWord, stemQuestion, stemText, synonymStemsOf, weightOfTerm } from './stem-terms.ts'
import { vectorRowOf, vectorSimilarity } from './word-similarity.ts'
import words from './words.json' with { type: 'json' }

export type PageToRank = { url: string; title: string; passages: readonly Passage[] }

export interface RankedPassage {
  passage: Passage
  page: PageToRank
  score: number
  /** Share of the question that the passage and its headings cover; 0 to 1. */
  coverage: number
}

const K1 = 1.2
const LENGTH_WEIGHT = 0.5
const CONTEXT_WEIGHT = 0.6
const KIND_FACTOR = 1.35
/** Factor for a passage without the requested kind of value: it hardly answers. */
const FACTOR_WITHOUT_VALUE_KIND = 0.4
const PAGE_WEIGHT = 0.6
const LINKS_FACTOR = 0.5
/** Weight of the question's other parts. */
const OTHER_PARTS_WEIGHT = 0.5
/** Weights of a synonym, and of a word near in meaning. */
const SYNONYM_WEIGHT = 0.7
const NEAR_MEANING = 0.4
/** From this many pages on, a passage that most of them repeat is boilerplate. */
const MIN_PAGES_FOR_BOILERPLATE = 3
/** Weight of shared letters relative to shared words, and the best passages that are compared by them. */
const SHARED_LETTERS_WEIGHT = 2
const MAX_COMPARED = 200
const FURNITURE_FACTOR = 0.5

interface Entry {
  passage: Passage
  page: PageToRank
  text: ReadonlyMap<string, number>
  context: ReadonlySet<string>
  length: number
  factor: number
}

export class PassageIndex {
  readonly #entries: Entry[] = []
  readonly #frequency = new Map<string, number>()
  readonly #words = new Map<string, string>()
  #rows: Map<string, number> | undefined
  #average = 1

  constructor(pages: readonly PageToRank[]) {
    const common = commonLines(pages)
    const seen = new Set<string>()
    for (const page of pages)
      for (const passage of page.passages) {
        const lines = passage.text.split('\n')
        const own = lines.filter((line) => !common.has(line))
        if (own.length > 0)
          this.#add(own.length < lines.length ? { ...passage, text: own.join('\n') } : passage, page, false)
        // Text that every page repeats counts once, without its headings.
        const furniture = lines.filter((line) => common.has(line) && !seen.has(line)).join('\n')
        for (const line of lines) if (common.has(line)) seen.add(line)
        if (furniture !== '') this.#add({ ...passage, text: furniture, headings: [] }, page, true)
      }
    const total = this.#entries.reduce((sum, { length }) => sum + length, 0)
    this.#average = Math.max(1, total / Math.max(1, this.#entries.length))
  }

  #add(passage: Passage, page: PageToRank, isFurniture: boolean): void {
    const text = new Map<string, number>()
    const terms = stemText(passage.text, this.#words)
    for (const term of terms) text.set(term, (text.get(term) ?? 0) + 1)
    const above = isFurniture ? [] : [...passage.headings, page.title]
    const context = new Set(above.flatMap((one) => stemText(one, this.#words)))
    for (const term of new Set([...text.keys(), ...context]))
      this.#frequency.set(term, (this.#frequency.get(term) ?? 0) + 1)
    const factor = (passage.isLinks ? LINKS_FACTOR : 1) * (isFurniture ? FURNITURE_FACTOR : 1)
    this.#entries.push({ passage, page, text, context, length: terms.length, factor })
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  /** Rarity of a stem; an unseen one is the rarest. */
  #idf(term: string): number {
    const n = this.#entries.length
    const df = this.#frequency.get(term) ?? 0
    return Math.log(1 + (n - df + 0.5) / (df + 0.5))
  }

  /** The content words of all passages, with their rows in the vector table. */
  #vocabulary(): ReadonlyMap<string, number> {
    this.#rows ??= new Map(
      [...this.#words].flatMap(([term, word]) => (isStopWord(term) ? [] : [[term, vectorRowOf(word, term)] as const])),
    )
    return this.#rows
  }

  #matches(term: string, word: string | undefined): Map<string, number> {
    const matches = new Map<string, number>([[term, 1]])
    for (const same of synonymStemsOf(term))
      if (same !== term && this.#frequency.has(same)) matches.set(same, SYNONYM_WEIGHT)
    const row = word === undefined ? -1 : vectorRowOf(word, term)
    for (const [other, near] of this.#vocabulary()) {
      if (matches.has(other)) continue
      const meaning = row < 0 || near < 0 ? 0 : NEAR_MEANING * vectorSimilarity(row, near)
      const worth = Math.max(similarity(term, other), meaning)
      if (worth > 0.1) matches.set(other, worth)
    }
    return matches
  }

  /** All passages that share a content word with the question, best first. */
  rank(question: ParsedQuestion): RankedPassage[] {
    const { ranked, weights } = this.#score(question)
    const most = Math.max(...weights.values())
    // A page that covers more of the question is more likely the intended one.
    for (const one of ranked) one.score *= 1 - PAGE_WEIGHT + (PAGE_WEIGHT * weights.get(one.page)!) / most
    return byLetters(ranked.sort(bestFirst), question.text)
  }

  /** Share of the question that each page covers, relative to the best. */
  pageWeights(question: ParsedQuestion): Map<PageToRank, number> {
    const { weights } = this.#score(question)
    const most = Math.max(...weights.values())
    return new Map([...weights].map(([page, weight]) => [page, most > 0 ? weight / most : 1]))
  }

  #score(question: ParsedQuestion): { ranked: RankedPassage[]; weights: Map<PageToRank, number> } {
    const asked = question.terms.map(({ term, word, weight }) => ({
      matches: this.#matches(term, word),
      worth: weight * this.#idf(term),
    }))
    const whole = asked.reduce((sum, { worth }) => sum + worth, 0)
    const ranked: RankedPassage[] = []
    const byPage = new Map<PageToRank, number[]>()
    for (const entry of this.#entries) {
      const { passage, page, factor } = entry
      const onPage = byPage.get(page) ?? asked.map(() => 0)
      byPage.set(page, onPage)
      const norm = K1 * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * entry.length) / this.#average)
      let score = 0
      let covered = 0
      for (const [at, { matches, worth }] of asked.entries()) {
        const { count, best } = countSaid(entry, matches)
        if (count === 0) continue
        score += (worth * count * (K1 + 1)) / (count + norm)
        covered += worth * best
        onPage[at] = Math.max(onPage[at]!, worth * best)
      }
      if (score === 0) continue
      const isHeld = containsValueKind(passage.text, question.kinds)
      const coverage = (covered / whole) * (isHeld || question.kinds.size === 0 ? 1 : FACTOR_WITHOUT_VALUE_KIND)
      ranked.push({ passage, page, score: score * (isHeld ? KIND_FACTOR : 1) * factor, coverage })
    }
    const weights = new Map([...byPage].map(([page, worths]) => [page, worths.reduce((sum, one) => sum + one, 0)]))
    return { ranked, weights }
  }
}

const bestFirst = (one: RankedPassage, other: RankedPassage): number => other.score - one.score

/** Forms of words that no stemmer joins still share most of their letters, in any language. */
function byLetters(ranked: RankedPassage[], question: string): RankedPassage[] {
  const best = ranked[0]?.score ?? 1
  const asked = triplesOf(question)
  for (const [at, one] of ranked.entries()) {
    const shared = at < MAX_COMPARED ? cosine(asked, triplesOf(one.passage.text)) : 0
    one.score = (one.score / best + SHARED_LETTERS_WEIGHT * shared) / (1 + SHARED_LETTERS_WEIGHT)
  }
  return ranked.sort(bestFirst)
}

function triplesOf(text: string): Map<string, number> {
  const letters = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `
  return countEach(Array.from({ length: Math.max(0, letters.length - 2) }, (_, at) => letters.slice(at, at + 3)))
}

function cosine(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let product = 0
  for (const [triple, count] of one) product += count * (other.get(triple) ?? 0)
  return product === 0 ? 0 : product / (lengthOf(one) * lengthOf(other))
}

function lengthOf(counts: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const count of counts.values()) sum += count * count
  return Math.sqrt(sum)
}

/** Relevance of each page to a question, relative to the best; 0 without passages. */
export function scorePageRelevance<T extends PageToRank>(
  pages: readonly T[],
  question: ParsedQuestion,
): Map<T, number> {
  const weights = new PassageIndex(pages).pageWeights(question)
  return new Map(pages.map((page) => [page, weights.get(page) ?? 0]))
}

/** Share of the question's weight that the page's best passage covers. Rarity is left out: values of different pages must compare. */
export function coverageOfPage(page: PageToRank, { terms }: ParsedQuestion): number {
  const total = terms.reduce((sum, { weight }) => sum + weight, 0)
  let most = 0
  for (const { text, headings } of page.passages) {
    const own = new Set(stemText(text))
    const above = new Set([...headings, page.title].flatMap((one) => stemText(one)))
    const covered = terms.reduce((sum, { term, weight }) => {
      const same = [term, ...synonymStemsOf(term)]
      return (
        sum + weight * (same.some((one) => own.has(one)) ? 1 : same.some((one) => above.has(one)) ? CONTEXT_WEIGHT : 0)
      )
    }, 0)
    most = Math.max(most, covered)
  }
  return total === 0 ? 0 : most / total
}

/** Lines that most pages repeat: menus, footers, notices. */
function commonLines(pages: readonly PageToRank[]): Set<string> {
  const shown = new Map<string, number>()
  for (const { passages } of pages)
    for (const line of new Set(passages.flatMap(({ text }) => text.split('\n'))))
      shown.set(line, (shown.get(line) ?? 0) + 1)
  const least = Math.max(MIN_PAGES_FOR_BOILERPLATE, pages.length / 2)
  return new Set([...shown].flatMap(([line, times]) => (times >= least ? [line] : [])))
}

function countSaid({ text, context }: Entry, matches: ReadonlyMap<string, number>): { count: number; best: number } {
  let count = 0
  let best = 0
  for (const [term, worth] of matches) {
    const times = text.get(term) ?? 0
    const here = times > 0 ? 1 : context.has(term) ? CONTEXT_WEIGHT : 0
    if (here === 0) continue
    count += worth * (times > 0 ? times + (context.has(term) ? CONTEXT_WEIGHT : 0) : CONTEXT_WEIGHT)
    best = Math.max(best, worth * here)
  }
  return { count, best }
}

export const isSameWordForm = (one: string, other: string): boolean => one === other || similarity(one, other) >= 0.85

/** Forms of one word share a prefix, compounds contain each other, misspellings share most letter pairs. */
function similarity(one: string, other: string): number {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length < 4 || /\d/.test(one)) return 0
  if (long.startsWith(short)) return long.length - short.length <= 3 ? 0.85 : 0.6
  if (long.endsWith(short) && short.length >= 4) return 0.6
  if (one[0] !== other[0] || long.length - short.length > 3) return 0
  const shared = sharedPairs(short, long)
  return shared >= 0.75 ? 0.7 * shared : 0
}

/** Dice coefficient of letter pairs. */
function sharedPairs(one: string, other: string): number {
  const pairs = new Set<string>()
  for (let at = 0; at + 1 < one.length; at++) pairs.add(one.slice(at, at + 2))
  let both = 0
  for (let at = 0; at + 1 < other.length; at++) if (pairs.has(other.slice(at, at + 2))) both++
  return (2 * both) / (one.length + other.length - 2)
}

export interface ParsedQuestion {
  text: string
  kinds: ReadonlySet<AskedValueKind>
  terms: readonly { term: string; word: string | undefined; weight: number }[]
}

/** The content words of a text, with the kinds of value that it names. */
export function parseQuestion(text: string): ParsedQuestion {
  const seen = new Map<string, string>()
  stemText(text, seen)
  const terms = [...new Set(stemQuestion(text))].filter((term) => !isStopWord(term))
  return {
    text,
    kinds: findAskedValueKinds(text),
    terms: terms.map((term) => ({ term, word: seen.get(term), weight: weightOfTerm(term) })),
  }
}

const JOINERS = new RegExp(`[,;:?!]\\s+|\\s[–—-]\\s|\\s(?:${words.and.join('|')})\\s`, 'giu')
const MAX_PARTS = 6

/**
 * Splits a request into its questions: "who designed it and how long is it?" is two. A part names a kind of value or
 * has content words; the rest of the request counts at half weight.
 */
export function splitQuestion(text: string): ParsedQuestion[] {
  const whole = parseQuestion(text)
  const parts = text.split(JOINERS).map((part) => parseQuestion(part))
  const asking = parts.filter(({ kinds, terms }) => kinds.size > 0 || terms.length > 0)
  if (asking.length < 2) return [whole]
  return asking.slice(0, MAX_PARTS).map((part) => {
    const own = new Set(part.terms.map(({ term }) => term))
    const rest = whole.terms.filter(({ term }) => !own.has(term))
    return {
      ...part,
      // A part without its own kind may be the subject of the others.
      kinds: part.kinds.size > 0 ? part.kinds : whole.kinds,
      terms: [...part.terms, ...rest.map((one) => ({ ...one, weight: one.weight * OTHER_PARTS_WEIGHT }))],
    }
  })
}

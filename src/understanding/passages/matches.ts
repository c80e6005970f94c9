// The words of a page that mean a word of the question: the same, forms of it, related by our list, or near in meaning
// by how people write. It must not know where on the page they stand.
import { nearness, rowOf } from './nearness.ts'
import { related } from './related.ts'
import { saysNothing, stem, termsOf } from './terms.ts'

/** Every term of the page, with the units it stands in and how often. */
export type Vocabulary = Map<string, Map<number, number>>
/** Terms, and how well each means the word asked for; 0 to 1. */
export type Matches = Map<string, number>

/** What a word is worth at most that is only near: it may be the word's opposite, or its neighbour on a shelf. */
const NEAR = 0.4
const MIN_NEAR_LETTERS = 3

/** The page's words that mean a word of the question by their letters or by our list, and how well each does. */
export function matchesOf(term: string, vocabulary: Vocabulary, asked: readonly string[]): Matches {
  const matches: Matches = new Map([[term, 1], ...related(term)])
  const other = /^[a-z]{3}$/.test(term) ? `${term}s` : /^[a-z]{2}[^\Wsiu]s$/.test(term) ? term.slice(0, 3) : undefined
  // Short words keep the ends that longer ones lose: "dogs" and "dog" are two terms.
  if (other !== undefined && !asked.includes(other)) matches.set(other, 0.85)
  if (term.length >= 4 && !/[\d-]/.test(term))
    for (const word of vocabulary.keys()) {
      // A word that answers to its own name in the question does not answer to a part of it as well.
      if (matches.has(word) || asked.includes(word)) continue
      const likeness = alike(term, word)
      if (likeness > 0) matches.set(word, likeness)
    }
  return matches
}

/** One begins as the other does (inflections), or holds it whole (compounds). */
function alike(term: string, word: string): number {
  const shorter = Math.min(term.length, word.length)
  if (shorter < 4) return 0
  let same = 0
  while (same < shorter && term[same] === word[same]) same++
  if (same === shorter && Math.abs(term.length - word.length) <= 3) return 0.85
  if (same >= 4 && same >= 0.7 * Math.max(term.length, word.length)) return 0.7
  if (term.length >= 4 && word.length > term.length + 2 && word.endsWith(term)) return 0.6
  if (term.length >= 5 && word.length > term.length && word.startsWith(term)) return 0.6
  if (word.length >= 5 && term.length > word.length && (term.endsWith(word) || term.startsWith(word))) return 0.5
  return 0
}

/** The best that any of the terms does. */
export function bestMatch(matches: Matches, terms: ReadonlySet<string>): number {
  let best = 0
  for (const term of terms) {
    const likeness = matches.get(term)
    if (likeness !== undefined && likeness > best) best = likeness
  }
  return best
}

interface Page {
  vocabulary: Vocabulary
  /** The word that a term was first made of. */
  words: ReadonlyMap<string, string>
  /** How many units it has. */
  units: number
}

/** For a word of the question, the page's words that are near to it in meaning. English only: elsewhere there are none. */
export function nearMatches(question: string, page: Page): (term: string) => Matches {
  if (!isEnglish(page)) return () => new Map()
  const asked = new Map<string, string>()
  termsOf(question.slice(0, 10_000), asked)
  const rows: [string, number][] = []
  for (const [term, word] of page.words) {
    if (term.length < MIN_NEAR_LETTERS || saysNothing(term)) continue
    const row = rowOf(word, term)
    if (row >= 0) rows.push([term, row])
  }
  return (term) => {
    const near: Matches = new Map()
    const word = asked.get(term)
    const row = word === undefined || term.length < MIN_NEAR_LETTERS ? -1 : rowOf(word, stem(word))
    if (row < 0) return near
    for (const [other, at] of rows) {
      const likeness = NEAR * nearness(row, at)
      if (likeness > 0) near.set(other, likeness)
    }
    return near
  }
}

/** Words that English cannot do without and other languages have not. */
const ENGLISH = ['the', 'and', 'of', 'to', 'is', 'for', 'with']
const ENGLISH_SHARE = 0.15

/** Whether these words stand in enough of the page's units; four in ten of an English text's do. */
function isEnglish({ vocabulary, units }: Page): boolean {
  const said = new Set<number>()
  for (const word of ENGLISH) for (const unit of vocabulary.get(word)?.keys() ?? []) said.add(unit)
  return said.size >= ENGLISH_SHARE * units
}

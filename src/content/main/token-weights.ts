// Looks up token weights: class, id, role and tag names of ancestors, first words of blocks and words of headings.
import type { Element } from 'domhandler'
import { conceptBitOfToken, hiddenUntilOpenedBit } from './css-class-concepts.ts'
import { hashWord, type WordHashes } from './text-stats.ts'

/** Weights by token hash; the salts separate the dictionaries within one table. */
export type TokenWeights = ReadonlyMap<number, number>

export const TOKEN_HASH_SALTS = {
  word: 0x5bd1e995,
  heading: 0x1b873593,
  address: 0x2545f491,
  said: 0x7feb352d,
} as const

const MAX_ATTRIBUTE = 240
const MIN_TOKEN = 2
const MAX_TOKEN = 20
const NAMED_BY = ['id', 'role', 'itemprop', 'itemtype', 'data-testid', 'aria-label'] as const
const NAMED: ReadonlySet<string> = new Set(NAMED_BY)

/**
 * `site-navMain2` gives `site`, `nav`, `main`. On character codes, because building strings would dominate the cost.
 */
function eachToken(value: string, found: (hash: number) => void): void {
  const end = Math.min(value.length, MAX_ATTRIBUTE)
  let hash = 0x811c9dc5
  let length = 0
  let wasLower = false
  for (let i = 0; i <= end; i++) {
    const c = i < end ? value.charCodeAt(i) : 0x20
    const isUpper = c >= 0x41 && c <= 0x5a
    const isLetter = isUpper || (c >= 0x61 && c <= 0x7a) || c >= 0xc0
    if ((!isLetter || (isUpper && wasLower)) && length > 0) {
      if (length >= MIN_TOKEN && length <= MAX_TOKEN) found(hash | 1)
      hash = 0x811c9dc5
      length = 0
    }
    if (isLetter) {
      hash = Math.imul(hash ^ (isUpper ? c + 32 : c), 0x01000193)
      length++
    }
    wasLower = isLetter && !isUpper
  }
}

export type ElementNameScore = { score: number; concepts: number }

/** Reads element names. Class values recur on a page, so each is split once and cached. */
export function makeElementNameScorer(
  lexicon: TokenWeights,
  onToken: (hash: number) => void,
): (element: Element) => ElementNameScore {
  const byTag = new Map<string, ElementNameScore>()
  const byClass = new Map<string, ElementNameScore>()
  const seen = new Set<number>()
  const none: ElementNameScore = { score: 0, concepts: 0 }
  const add = (names: ElementNameScore, hash: number): void => {
    names.score += lexicon.get(hash) ?? 0
    names.concepts |= conceptBitOfToken(hash)
    if (seen.has(hash)) return
    seen.add(hash)
    onToken(hash)
  }
  const tagNames = (tag: string): ElementNameScore => {
    let names = byTag.get(tag)
    if (!names) {
      names = { score: 0, concepts: 0 }
      add(names, hashWord(`<${tag.slice(0, MAX_TOKEN)}`))
      byTag.set(tag, names)
    }
    return names
  }
  const classNames = (value: string): ElementNameScore => {
    let names = byClass.get(value)
    if (!names) {
      const made = { score: 0, concepts: hiddenUntilOpenedBit(value) }
      eachToken(value, (hash) => add(made, hash))
      byClass.set(value, made)
      names = made
    }
    return names
  }
  return ({ name, attribs }) => {
    const tag = tagNames(name)
    const own = attribs.class === undefined ? none : classNames(attribs.class)
    const names = { score: tag.score + own.score, concepts: tag.concepts | own.concepts }
    if (!isNamed(attribs)) return names
    for (const by of NAMED_BY) {
      const value = attribs[by]
      if (value) eachToken(value, (hash) => add(names, hash))
    }
    return names
  }
}

/** Most elements have none of these, and reading six absent attributes costs more than listing those present. */
function isNamed(attribs: Element['attribs']): boolean {
  for (const name in attribs) if (NAMED.has(name)) return true
  return false
}

export function hashElementNames(element: Element): number[] {
  const out: number[] = []
  makeElementNameScorer(new Map(), (hash) => out.push(hash))(element)
  return out
}

export function sumWordWeights(
  lexicon: TokenWeights,
  { hashes }: WordHashes,
  from: number,
  to: number,
  salt: number,
): number {
  let sum = 0
  for (let w = from; w < to; w++) sum += lexicon.get(hashes[w]! ^ salt) ?? 0
  return sum
}

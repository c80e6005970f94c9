// The words the model has an opinion on: tokens of class, id, role and tag names along a block's ancestors, words of
// short texts, words of the heading above, and what all names of a page together say about its kind.
import type { Element } from 'domhandler'
import { conceptOf, conceptOfClasses } from './concepts.ts'
import { hashWord, type WordList } from './text-scan.ts'

/** Weights by hash of the token; the salt keeps the dictionaries apart in one table. */
export type Lexicon = ReadonlyMap<number, number>

export const SALT = { word: 0x5bd1e995, heading: 0x1b873593, address: 0x2545f491, said: 0x7feb352d } as const

const MAX_ATTRIBUTE = 240
const MIN_TOKEN = 2
const MAX_TOKEN = 20
/** Besides the tag and `class`: attributes that authors and tools use to say what an element is. */
const NAMED_BY = ['id', 'role', 'itemprop', 'itemtype', 'data-testid', 'aria-label'] as const

/**
 * Calls back with the hash of each token of an attribute: `site-navMain2` gives `site`, `nav`, `main`. Works on
 * character codes: class names are most of the bytes of many pages, and strings made of them would be most of the cost.
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

export interface Names {
  /** Sum of the lexicon's weights. */
  score: number
  concepts: number
}

/** Reads elements' names. The same classes recur all over a page, so each spelling is taken apart once. */
export function nameReader(lexicon: Lexicon, onToken: (hash: number) => void): (element: Element) => Names {
  const byTag = new Map<string, Names>()
  const byClass = new Map<string, Names>()
  const seen = new Set<number>()
  const none: Names = { score: 0, concepts: 0 }
  const add = (names: Names, hash: number): void => {
    names.score += lexicon.get(hash) ?? 0
    names.concepts |= conceptOf(hash)
    if (seen.has(hash)) return
    seen.add(hash)
    onToken(hash)
  }
  const tagNames = (tag: string): Names => {
    let names = byTag.get(tag)
    if (!names) {
      names = { score: 0, concepts: 0 }
      add(names, hashWord(`<${tag.slice(0, MAX_TOKEN)}`))
      byTag.set(tag, names)
    }
    return names
  }
  const classNames = (value: string): Names => {
    let names = byClass.get(value)
    if (!names) {
      const made = { score: 0, concepts: conceptOfClasses(value) }
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
    for (const by of NAMED_BY) {
      const value = attribs[by]
      if (value) eachToken(value, (hash) => add(names, hash))
    }
    return names
  }
}

/** All tokens of one element, for training. */
export function nameHashes(element: Element): number[] {
  const out: number[] = []
  nameReader(new Map(), (hash) => out.push(hash))(element)
  return out
}

/** The weights of a block's first words together. */
export function sumWords(lexicon: Lexicon, { hashes }: WordList, from: number, to: number, salt: number): number {
  let sum = 0
  for (let w = from; w < to; w++) sum += lexicon.get(hashes[w]! ^ salt) ?? 0
  return sum
}

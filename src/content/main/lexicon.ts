// The words the model has an opinion on: tokens of class, id, role and tag names along a block's ancestors, words of
// short texts, and words of the heading above. Each has one learned weight; this file turns names and texts into sums.
import type { Element } from 'domhandler'
import { hashWord } from './text-scan.ts'

/** Weights by hash of the token; the salt keeps the three dictionaries apart in one table. */
export type Lexicon = ReadonlyMap<number, number>

export const SALT = { name: 0, word: 0x5bd1e995, heading: 0x1b873593 } as const

const MAX_ATTRIBUTE = 240
const MAX_TOKENS = 24
const NAMED_BY = ['class', 'id', 'role', 'itemprop', 'itemtype', 'data-testid', 'aria-label'] as const

/** The tokens of an element's names: `<nav class="site-navMain">` gives `<nav`, `site`, `nav`, `main`. */
export function nameTokens(element: Element): string[] {
  const out = [`<${element.name}`]
  for (const key of NAMED_BY) {
    const value = element.attribs[key]
    if (!value) continue
    const text = value.slice(0, MAX_ATTRIBUTE).replace(/([a-z])([A-Z])/g, '$1 $2')
    for (const token of text.toLowerCase().split(/[^\p{L}]+/u)) {
      if (token.length < 2 || token.length > 20) continue
      if (out.length >= MAX_TOKENS) return out
      if (!out.includes(token)) out.push(token)
    }
  }
  return out
}

export const nameHash = (token: string): number => hashWord(token) ^ SALT.name

/** Sums an element's name weights; the same names recur on most elements of a page, so sums are kept by spelling. */
export function nameScorer(lexicon: Lexicon): (element: Element) => number {
  const known = new Map<string, number>()
  return (element) => {
    const { name, attribs } = element
    let key = name
    for (const by of NAMED_BY) {
      const value = attribs[by]
      if (value) key += `\n${value.length > MAX_ATTRIBUTE ? value.slice(0, MAX_ATTRIBUTE) : value}`
    }
    const before = known.get(key)
    if (before !== undefined) return before
    let sum = 0
    for (const token of nameTokens(element)) sum += lexicon.get(nameHash(token)) ?? 0
    known.set(key, sum)
    return sum
  }
}

export function sumWords(lexicon: Lexicon, hashes: readonly number[], salt: number): number {
  let sum = 0
  for (const hash of hashes) sum += lexicon.get(hash ^ salt) ?? 0
  return sum
}

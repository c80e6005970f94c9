// Divides a page: governing headings, repeated siblings, the path to most of the running text and the title block.
import type { FlatPage } from './flatten-page.ts'

export function prefixSums(length: number, value: (i: number) => number): Float64Array {
  const out = new Float64Array(length + 1)
  for (let i = 0; i < length; i++) out[i + 1] = out[i]! + value(i)
  return out
}

export type ElementSignatures = { of: Int32Array; count: number }

export function computeElementSignatures({ elements }: FlatPage): ElementSignatures {
  const of = new Int32Array(elements.length)
  const byName = new Map<string, Map<string, number>>()
  let count = 0
  for (let e = 0; e < elements.length; e++) {
    const { name, attribs } = elements[e]!
    let byClass = byName.get(name)
    if (!byClass) {
      byClass = new Map()
      byName.set(name, byClass)
    }
    // Class values recur, so the whole value is the cache key and each is split once.
    const whole = attribs.class ?? ''
    let number = byClass.get(whole)
    if (number === undefined) {
      const first = firstWord(whole)
      number = byClass.get(first) ?? count++
      byClass.set(first, number)
      byClass.set(whole, number)
    }
    of[e] = number
  }
  return { of, count }
}

function firstWord(names: string): string {
  const from = names.search(/\S/)
  if (from < 0 || from > 40) return ''
  const to = names.slice(from, from + 40).search(/\s/)
  return to < 0 ? names.slice(from, from + 40) : names.slice(from, from + to)
}

export type SiblingGroups = { count: Int32Array; chars: Float64Array; leader: Int32Array }

export function groupSimilarSiblings(
  { elements, parent, firstBlock, endBlock }: FlatPage,
  spellings: ElementSignatures,
  chars: Float64Array,
): SiblingGroups {
  const n = elements.length
  const out = { count: new Int32Array(n), chars: new Float64Array(n), leader: new Int32Array(n) }
  const groups = new Map<number, number>()
  for (let e = 0; e < n; e++) {
    out.leader[e] = e
    if (endBlock[e]! === firstBlock[e]!) continue
    const key = (parent[e]! + 1) * spellings.count + spellings.of[e]!
    const first = groups.get(key)
    if (first === undefined) groups.set(key, e)
    else out.leader[e] = first
    const lead = out.leader[e]!
    out.count[lead]!++
    out.chars[lead]! += chars[endBlock[e]!]! - chars[firstBlock[e]!]!
  }
  for (let e = 0; e < n; e++) {
    out.count[e] = out.count[out.leader[e]!]!
    out.chars[e] = out.chars[out.leader[e]!]!
  }
  return out
}

export interface SimilarBlockGroups {
  /** Index of each block's role: blocks share a role if three levels of ancestors have equal spellings. */
  of: Int32Array
  count: Int32Array
  chars: Float64Array
  links: Float64Array
}

export function groupSimilarBlocks({ parent, blocks }: FlatPage, spellings: ElementSignatures): SimilarBlockGroups {
  const numbers = new Map<number, number>()
  const base = spellings.count + 1
  const spell = (e: number): number => (e < 0 ? 0 : spellings.of[e]! + 1)
  const of = new Int32Array(blocks.length)
  for (let i = 0; i < blocks.length; i++) {
    const e = blocks[i]!.element
    const up = e < 0 ? -1 : parent[e]!
    // Exact up to 200,000 spellings; beyond that two roles may share a number, which is harmless.
    const key = (spell(e) * base + spell(up)) * base + spell(up < 0 ? -1 : parent[up]!)
    let number = numbers.get(key)
    if (number === undefined) {
      number = numbers.size
      numbers.set(key, number)
    }
    of[i] = number
  }
  const out = {
    of,
    count: new Int32Array(numbers.size),
    chars: new Float64Array(numbers.size),
    links: new Float64Array(numbers.size),
  }
  for (let i = 0; i < blocks.length; i++) {
    const role = of[i]!
    out.count[role]!++
    out.chars[role]! += blocks[i]!.chars
    out.links[role]! += blocks[i]!.linkChars
  }
  return out
}

export interface PathToMainText {
  /** For each element, its innermost ancestor (or itself) on the path, or -1. */
  nearestOnPath: Int32Array
  best: number
  from: number
  to: number
}

/** Descends from the root to the child that holds most of the running text, as long as there is one. */
export function findPathToMainText(outline: FlatPage, prose: Float64Array): PathToMainText {
  const { elements, parent, end, firstBlock, endBlock, blocks } = outline
  const n = elements.length
  const total = prose[blocks.length]!
  const onPath = new Uint8Array(n)
  let best = -1
  let above = total
  let e = 0
  while (total > 0 && e < n) {
    const own = prose[endBlock[e]!]! - prose[firstBlock[e]!]!
    const inside = own > above * 0.6
    if (inside) {
      onPath[e] = 1
      best = e
      above = own
    }
    e = inside ? e + 1 : end[e]!
    if (best >= 0 && e >= end[best]!) break
  }
  const nearestOnPath = new Int32Array(n)
  for (let i = 0; i < n; i++) nearestOnPath[i] = onPath[i] ? i : parent[i]! < 0 ? -1 : nearestOnPath[parent[i]!]!
  return { nearestOnPath, best, from: best < 0 ? 0 : firstBlock[best]!, to: best < 0 ? blocks.length : endBlock[best]! }
}

export interface GoverningHeadings {
  /** For each block, its heading block and the next higher one, or -1. */
  inner: Int32Array
  outer: Int32Array
  h1: number
  h1s: number
  count: number
}

export const headingLevelOfTag = (name: string): number =>
  name.length === 2 && name[0] === 'h' && name[1]! >= '1' && name[1]! <= '6' ? name.charCodeAt(1) - 48 : 0

/** A heading governs what follows inside its parent; a heading alone in a wrapper governs what follows the wrapper. */
export function findGoverningHeadings({ elements, parent, blocks, endBlock }: FlatPage): GoverningHeadings {
  const n = blocks.length
  const out = { inner: new Int32Array(n).fill(-1), outer: new Int32Array(n).fill(-1), h1: -1, h1s: 0, count: 0 }
  const open: { block: number; level: number; until: number }[] = []
  for (let i = 0; i < n; i++) {
    const e = blocks[i]!.element
    const level = e < 0 ? 0 : headingLevelOfTag(elements[e]!.name)
    while (open.length > 0 && (open.at(-1)!.until <= i || (level > 0 && open.at(-1)!.level >= level))) open.pop()
    out.inner[i] = open.at(-1)?.block ?? -1
    out.outer[i] = open.at(-2)?.block ?? -1
    if (level === 0) continue
    out.count++
    if (level === 1) {
      out.h1s++
      if (out.h1 < 0) out.h1 = i
    }
    const up = parent[e]!
    const alone = up >= 0 && endBlock[up]! === i + 1 && parent[up]! >= 0
    const scope = alone ? parent[up]! : up
    open.push({ block: i, level, until: scope < 0 ? n : endBlock[scope]! })
  }
  return out
}

export function countSharedWords({ blocks, words }: FlatPage, set: ReadonlySet<number>): Uint8Array {
  const out = new Uint8Array(blocks.length)
  if (set.size === 0) return out
  const { hashes } = words
  for (let i = 0; i < blocks.length; i++) {
    const { firstWord, endWord } = blocks[i]!
    let hit = 0
    for (let w = firstWord; w < endWord; w++) if (set.has(hashes[w]!)) hit++
    out[i] = hit
  }
  return out
}

/** The block that best repeats the page's title, or -1; content usually begins there. */
export function findTitleBlock({ blocks }: FlatPage, shared: Uint8Array): number {
  let best = -1
  let most = 0.5
  for (let i = 0; i < blocks.length; i++) {
    const { firstWord, endWord, words } = blocks[i]!
    const listed = endWord - firstWord
    if (words > 30 || listed < 2) continue
    const score = (shared[i]! / listed) * Math.min(1, shared[i]! / 3)
    if (score > most) {
      most = score
      best = i
    }
  }
  return best
}

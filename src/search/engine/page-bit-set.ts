// Bit set of a segment's pages that satisfy tags, required terms and dates.
import type { Segment } from './segment-read.ts'
import { makeTagTerm } from './segment-write.ts'

export class PageBitSet {
  readonly #bits: Uint32Array
  readonly #size: number

  constructor(size: number) {
    this.#size = size
    this.#bits = new Uint32Array((size + 31) >> 5)
  }

  has(at: number): boolean {
    return ((this.#bits[at >> 5]! >>> (at & 31)) & 1) === 1
  }

  add(at: number): void {
    const word = at >> 5
    this.#bits[word] = this.#bits[word]! | (1 << (at & 31))
  }

  isEmpty(): boolean {
    return this.#bits.every((word) => word === 0)
  }

  keep(other: PageBitSet): void {
    for (let word = 0; word < this.#bits.length; word++) this.#bits[word] = this.#bits[word]! & other.#bits[word]!
  }

  remove(other: PageBitSet): void {
    for (let word = 0; word < this.#bits.length; word++) this.#bits[word] = this.#bits[word]! & ~other.#bits[word]!
  }

  all(): this {
    this.#bits.fill(0xffffffff)
    for (let at = this.#size; at < this.#bits.length * 32; at++) {
      const word = at >> 5
      this.#bits[word] = this.#bits[word]! & ~(1 << (at & 31))
    }
    return this
  }

  addTerm(segment: Segment, term: string): void {
    const found = segment.find(term)
    if (found) for (const page of segment.pagesOf(found)) this.add(page)
  }
}

export interface SegmentFilter {
  tags: readonly (readonly string[])[]
  withoutTags: readonly string[]
  terms: readonly (readonly string[])[]
  /** Minutes since 1970; pages without a date are excluded. */
  from?: number | undefined
  until?: number | undefined
}

export function findPagesPassingFilter(segment: Segment, limits: SegmentFilter): PageBitSet | undefined {
  const { tags, withoutTags, terms, from, until } = limits
  const groups = [...tags.map((group) => group.map(makeTagTerm)), ...terms]
  if (groups.length === 0 && withoutTags.length === 0 && from === undefined && until === undefined) return undefined
  const bits = new PageBitSet(segment.pages).all()
  for (const group of groups) {
    const some = new PageBitSet(segment.pages)
    for (const term of group) some.addTerm(segment, term)
    bits.keep(some)
  }
  if (withoutTags.length > 0) {
    const none = new PageBitSet(segment.pages)
    for (const tag of withoutTags) none.addTerm(segment, makeTagTerm(tag))
    bits.remove(none)
  }
  if (from !== undefined || until !== undefined) {
    const inTime = new PageBitSet(segment.pages)
    for (let page = 0; page < segment.pages; page++) {
      const minutes = segment.minutes[page]!
      if (minutes > 0 && minutes >= (from ?? 0) && minutes <= (until ?? Number.POSITIVE_INFINITY)) inTime.add(page)
    }
    bits.keep(inTime)
  }
  return bits
}

// Collects the terms of pages in typed arrays, page after page, and writes them as a segment.
import { decodedLengths, encodeLength, FIELDS } from './field-weights.ts'
import { countsWithoutAnchors, PACKED_ONE_IN_BODY, Postings, sumOfCounts } from './packed-term-counts.ts'
import { type IndexedPage, makeTagTerm, SegmentWriter } from './segment-write.ts'
import type { CountedWord } from './tokenize-text.ts'

export interface SegmentPage extends Omit<IndexedPage, 'lengths'> {
  lengths: readonly number[]
  tags: readonly string[]
}

/** Key terms stored per page, for query expansion. */
const KEY_TERMS_PER_PAGE = 24
const MOST_COUNTED = 4
/** Longer terms count as this long. */
const MAX_COUNTED_TERM_LENGTH = 63

let builders = 0

export class SegmentBuilder {
  readonly #id = ++builders
  readonly #pages: IndexedPage[] = []
  readonly #keys: [term: number, count: number][][] = []
  readonly #sums = FIELDS.map(() => 0)
  readonly #termIds = new Map<string, number>()
  readonly #terms: string[] = []
  /** Per term: its length, 0 when it cannot be a key term; its first and newest posting. */
  #lengths = new Uint8Array(1 << 12)
  #first = new Int32Array(1 << 12)
  #newest = new Int32Array(1 << 12)
  /** Per posting, in page order: page, counts, term, and the term's next posting. */
  readonly #postings = new Postings()
  #termOf = new Int32Array(1 << 14)
  #next = new Int32Array(1 << 14)
  /** First posting of the page that is being counted. */
  #pageFrom = 0

  /** `one`: a packed count; see packed-term-counts.ts. */
  countWord(word: CountedWord, one: number): void {
    if (word.builder !== this.#id) {
      word.builder = this.#id
      word.firstId = this.#idOf(word.terms[0]!)
      word.secondId = word.terms.length > 1 ? this.#idOf(word.terms[1]!) : -1
    }
    this.#count(word.firstId, one)
    if (word.secondId >= 0) this.#count(word.secondId, one)
  }

  countTerm(term: string, counts: number): void {
    this.#count(this.#idOf(term), counts)
  }

  /** Ends a page; the terms counted since the last one are its own. */
  add({ lengths, tags, ...page }: SegmentPage): void {
    const bytes = Uint8Array.from(lengths, encodeLength)
    // Uses lengths as rounded to bytes, as merging does, so that averages do not depend on merge history.
    for (const [field, byte] of bytes.entries()) this.#sums[field]! += decodedLengths[byte]!
    this.#keys.push(this.#keysOfPage())
    for (const tag of new Set(tags)) this.countTerm(makeTagTerm(tag), PACKED_ONE_IN_BODY)
    this.#pages.push({ ...page, lengths: bytes })
    this.#pageFrom = this.#postings.length
  }

  get pages(): number {
    return this.#pages.length
  }

  finish(): Uint8Array {
    const writer = new SegmentWriter(this.#pages, this.#sums)
    const postings = new Postings()
    const numbers = new Uint32Array(this.#terms.length)
    const bytes = Buffer.alloc(1 << 14)
    for (const id of this.#sortedIds()) {
      const size = writeTerm(this.#terms[id]!, bytes)
      this.#read(id, postings)
      numbers[id] = writer.add(bytes, size, postings)
    }
    return writer.finish(this.#keys.map((keys) => keys.map(([id, count]) => [numbers[id]!, count])))
  }

  #idOf(term: string): number {
    const known = this.#termIds.get(term)
    if (known !== undefined) return known
    const id = this.#terms.length
    if (id === this.#newest.length) {
      this.#lengths = growArray(this.#lengths)
      this.#first = growArray(this.#first)
      this.#newest = growArray(this.#newest)
    }
    this.#termIds.set(term, id)
    this.#terms.push(term)
    this.#lengths[id] = mayBeKey(term) ? Math.min(term.length, MAX_COUNTED_TERM_LENGTH) : 0
    this.#newest[id] = -1
    return id
  }

  #count(id: number, counts: number): void {
    const newest = this.#newest[id]!
    const postings = this.#postings
    if (newest >= this.#pageFrom) {
      postings.counts[newest]! += counts
      return
    }
    const at = postings.length
    postings.add(this.#pages.length, counts)
    if (at === this.#next.length) {
      this.#termOf = growArray(this.#termOf)
      this.#next = growArray(this.#next)
    }
    this.#termOf[at] = id
    this.#next[at] = -1
    if (newest < 0) this.#first[id] = at
    else this.#next[newest] = at
    this.#newest[id] = at
  }

  #read(id: number, into: Postings): void {
    into.clear()
    const { pages, counts } = this.#postings
    for (let at = this.#first[id]!; at >= 0; at = this.#next[at]!) into.add(pages[at]!, counts[at]!)
  }

  #sortedIds(): Uint32Array {
    const terms = this.#terms
    const heads = Float64Array.from(terms, orderOfHead)
    return Uint32Array.from(terms.keys()).sort((a, b) => heads[a]! - heads[b]! || (terms[a]! < terms[b]! ? -1 : 1))
  }

  /**
   * Key terms of a page: by frequency, then by length. They depend on the page alone, so they are the same in every
   * segment.
   */
  #keysOfPage(): [number, number][] {
    const { length } = this.#postings
    // A histogram of worths, so that only possible candidates are sorted.
    const many = new Uint32Array((MOST_COUNTED + 1) * (MAX_COUNTED_TERM_LENGTH + 1))
    for (let at = this.#pageFrom; at < length; at++) many[this.#worthOf(at)]!++
    let least = many.length
    for (let sum = 0; least > 1 && sum < KEY_TERMS_PER_PAGE; ) sum += many[--least]!
    const candidates: number[] = []
    for (let at = this.#pageFrom; at < length; at++) if (this.#worthOf(at) >= least) candidates.push(at)
    const termAt = (at: number) => this.#terms[this.#termOf[at]!]!
    const countAt = (at: number) => sumOfCounts(countsWithoutAnchors(this.#postings.counts[at]!))
    candidates.sort((a, b) => {
      const often = Math.min(countAt(b), MOST_COUNTED) - Math.min(countAt(a), MOST_COUNTED)
      return often || termAt(b).length - termAt(a).length || (termAt(a) < termAt(b) ? -1 : 1)
    })
    return candidates.slice(0, KEY_TERMS_PER_PAGE).map((at) => [this.#termOf[at]!, countAt(at)])
  }

  /** 0: not a key term. */
  #worthOf(at: number): number {
    const length = this.#lengths[this.#termOf[at]!]!
    const count = sumOfCounts(countsWithoutAnchors(this.#postings.counts[at]!))
    return length === 0 || count === 0 ? 0 : Math.min(count, MOST_COUNTED) * (MAX_COUNTED_TERM_LENGTH + 1) + length
  }
}

/** Most terms are short and plain, so that a loop is faster than a call out of JavaScript. */
function writeTerm(term: string, into: Buffer): number {
  const bytes: Uint8Array = into
  for (let at = 0; at < term.length; at++) {
    const code = term.charCodeAt(at)
    if (code > 127) return into.write(term)
    bytes[at] = code
  }
  return term.length
}

const mayBeKey = (term: string): boolean => term.length >= 2 && !(term.charCodeAt(0) < 58 && /^\d+$/.test(term))

/** The first characters as a number that orders most terms, up to one that is not ASCII: numbers compare faster. */
function orderOfHead(term: string): number {
  let order = 0
  let isAscii = true
  for (let at = 0; at < 7; at++) {
    const code: number = isAscii && at < term.length ? Math.min(term.charCodeAt(at), 127) : 0
    order = order * 128 + code
    isAscii &&= code < 127
  }
  return order
}

function growArray<A extends Uint8Array | Int32Array>(array: A): A {
  const twice = new (array.constructor as new (length: number) => A)(2 * array.length)
  twice.set(array)
  return twice
}

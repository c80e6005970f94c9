// Writes segments: immutable bytes with page numbers, a term dictionary and postings.
import { ByteWriter } from './bytes.ts'
import { BODY, boundByte, byteLengths, countTables, FIELDS, lengthByte } from './fields.ts'
import { countIn, ONCE_IN_BODY, ownCounts, Postings, sumOf } from './packed-counts.ts'

/** Postings per block, the unit of skipping. */
export const BLOCK = 128
export const DICTIONARY_STEP = 16
/** Key terms stored per page, for query expansion. */
const KEY_TERMS = 24
const MOST_COUNTED = 4

export interface SegmentPage {
  number: number
  version: number
  /** Packed counts by field; see packed-counts.ts. */
  terms: ReadonlyMap<string, number>
  lengths: readonly number[]
  tags: readonly string[]
  /** Minutes since 1970; 0: unknown. */
  minutes: number
  /** Orders pages of equal score consistently. */
  tie: number
  language: string
}

export interface SegmentHeader {
  pages: number
  terms: number
  lengths: number[]
  languages: Record<string, number>
  sections: Record<Section, [from: number, bytes: number]>
}
export type Section =
  | 'numbers'
  | 'versions'
  | 'minutes'
  | 'ties'
  | 'lengths'
  | 'heads'
  | 'dictionary'
  | 'postings'
  | 'keyAt'
  | 'keys'

/** The prefix cannot occur in a word. */
export const tagTerm = (tag: string): string => `\u0001${tag}`

export interface IndexedPage {
  number: number
  version: number
  minutes: number
  tie: number
  language: string
  lengths: Uint8Array
}

export class SegmentWriter {
  readonly #pages: readonly IndexedPage[]
  readonly #tables: Float32Array
  readonly #lengths: Uint8Array
  readonly #heads: number[] = []
  readonly #dictionary = new ByteWriter(1 << 16)
  readonly #postings = new ByteWriter(1 << 18)
  readonly #block = new ByteWriter(1024)
  readonly #blocks = new ByteWriter(1 << 12)
  readonly #sums: number[]
  #last = ''
  #terms = 0

  constructor(pages: readonly IndexedPage[], sums: readonly number[]) {
    this.#pages = pages
    this.#sums = [...sums]
    this.#lengths = new Uint8Array(pages.length * FIELDS.length)
    for (const [at, { lengths }] of pages.entries()) this.#lengths.set(lengths, at * FIELDS.length)
    this.#tables = countTables(averagesOf(sums, pages.length))
  }

  /** Terms must be added in JavaScript string order, postings in page order; returns the term's number. */
  add(term: string, postings: Postings): number {
    if (this.#terms % DICTIONARY_STEP === 0) {
      this.#heads.push(this.#dictionary.length)
      this.#last = ''
    }
    const shared = sharedPrefix(this.#last, term)
    const rest = Buffer.from(term.slice(shared))
    this.#dictionary.varint(shared)
    this.#dictionary.varint(rest.length)
    this.#dictionary.bytes(rest)
    this.#dictionary.varint(postings.length)
    this.#dictionary.varint(this.#postings.length)
    this.#last = term
    this.#write(postings)
    return this.#terms++
  }

  finish(keys: readonly (readonly (readonly [term: number, count: number])[])[]): Uint8Array {
    const keyBytes = new ByteWriter(1 << 14)
    const keyAt = new Uint32Array(this.#pages.length + 1)
    for (const [at, entries] of keys.entries()) {
      keyAt[at] = keyBytes.length
      for (const [term, count] of entries) {
        keyBytes.varint(term)
        keyBytes.byte(Math.min(255, count))
      }
    }
    keyAt[this.#pages.length] = keyBytes.length
    const numbers = (pick: (page: IndexedPage) => number) => bytesOf(Uint32Array.from(this.#pages, pick))
    return assemble(
      {
        pages: this.#pages.length,
        terms: this.#terms,
        lengths: this.#sums,
        languages: countBy(this.#pages.map(({ language }) => language)),
      },
      {
        numbers: numbers(({ number }) => number),
        versions: numbers(({ version }) => version),
        minutes: numbers(({ minutes }) => minutes),
        ties: numbers(({ tie }) => tie),
        lengths: this.#lengths,
        heads: bytesOf(Uint32Array.from(this.#heads)),
        dictionary: this.#dictionary.view(),
        postings: this.#postings.view(),
        keyAt: bytesOf(keyAt),
        keys: keyBytes.view(),
      },
    )
  }

  /** Short lists have a bound and entries; longer ones start with a block table. */
  #write(postings: Postings): void {
    const { length } = postings
    if (length <= BLOCK) {
      this.#postings.byte(this.#encode(postings, 0, length, -1))
      this.#postings.bytes(this.#block.view())
      return
    }
    this.#blocks.clear()
    let before = -1
    for (let from = 0; from < length; from += BLOCK) {
      const until = Math.min(length, from + BLOCK)
      const bound = this.#encode(postings, from, until, before)
      const last = postings.pages[until - 1]!
      this.#postings.varint(last - before)
      this.#postings.varint(this.#block.length)
      this.#postings.byte(bound)
      this.#blocks.bytes(this.#block.view())
      before = last
    }
    this.#postings.bytes(this.#blocks.view())
  }

  #encode({ pages, counts: all }: Postings, from: number, until: number, before: number): number {
    const out = this.#block
    out.clear()
    let last = before
    let most = 0
    for (let at = from; at < until; at++) {
      const page = pages[at]!
      const counts = all[at]!
      const delta = page - last
      last = page
      if (counts === ONCE_IN_BODY) {
        out.varint((delta << 1) | 1)
        most = Math.max(most, this.#count(page, BODY, 1))
        continue
      }
      out.varint(delta << 1)
      let mask = 0
      let fields = 0
      let sum = 0
      let only = 0
      for (let field = 0; field < FIELDS.length; field++) {
        const count = countIn(counts, field)
        if (count === 0) continue
        mask |= 1 << field
        fields++
        only = count
        sum += this.#count(page, field, count)
      }
      most = Math.max(most, sum)
      if (fields === 1 && only < 8) {
        out.byte(mask | (only << 5))
        continue
      }
      out.byte(mask)
      for (let field = 0; field < FIELDS.length; field++) if (mask & (1 << field)) out.varint(countIn(counts, field))
    }
    return boundByte(most)
  }

  #count(page: number, field: number, count: number): number {
    return count * this.#tables[field * 256 + this.#lengths[page * FIELDS.length + field]!]!
  }
}

export function writeSegment(pages: readonly SegmentPage[]): Uint8Array {
  // Uses lengths as rounded to bytes, as merging does, so that averages do not depend on merge history.
  const sums = FIELDS.map((_, field) =>
    pages.reduce((sum, { lengths }) => sum + byteLengths[lengthByte(lengths[field]!)]!, 0),
  )
  const facts = pages.map(({ lengths, ...page }) => ({ ...page, lengths: Uint8Array.from(lengths, lengthByte) }))
  const lists = new Lists()
  for (const [page, { terms, tags }] of pages.entries()) {
    for (const [term, counts] of terms) lists.add(term, page, counts)
    for (const tag of new Set(tags)) lists.add(tagTerm(tag), page, ONCE_IN_BODY)
  }
  const writer = new SegmentWriter(facts, sums)
  const postings = new Postings()
  const numbers = new Uint32Array(lists.size)
  for (const term of lists.terms()) {
    const place = lists.placeOf(term)
    lists.read(place, postings)
    numbers[place] = writer.add(term, postings)
  }
  return writer.finish(pages.map(({ terms }) => keysOf(terms, (term) => numbers[lists.placeOf(term)]!)))
}

/** Postings of many terms as linked lists in shared arrays, to avoid an array per term. */
class Lists {
  readonly #places = new Map<string, number>()
  readonly #first: number[] = []
  readonly #last: number[] = []
  readonly #all = new Postings()
  readonly #next: number[] = []

  add(term: string, page: number, counts: number): void {
    const at = this.#all.length
    this.#all.add(page, counts)
    this.#next.push(-1)
    const place = this.#places.get(term)
    if (place === undefined) {
      this.#places.set(term, this.#first.length)
      this.#first.push(at)
      this.#last.push(at)
      return
    }
    this.#next[this.#last[place]!] = at
    this.#last[place] = at
  }

  get size(): number {
    return this.#first.length
  }

  terms(): string[] {
    return [...this.#places.keys()].sort()
  }

  placeOf(term: string): number {
    return this.#places.get(term)!
  }

  read(place: number, into: Postings): void {
    into.clear()
    const { pages, counts } = this.#all
    for (let at = this.#first[place]!; at >= 0; at = this.#next[at]!) into.add(pages[at]!, counts[at]!)
  }
}

/** Longer terms count as this long. */
const LENGTHS = 64

/**
 * Key terms of a page: by frequency, then by length. They depend on the page alone, so they are the same in every
 * segment.
 */
function keysOf(terms: SegmentPage['terms'], numberOf: (term: string) => number): [number, number][] {
  // A histogram of worths, so that only possible candidates are sorted.
  const many = new Uint32Array((MOST_COUNTED + 1) * LENGTHS)
  for (const [term, counts] of terms) if (mayBeKey(term, counts)) many[worthOf(term, counts)]!++
  let least = many.length
  for (let sum = 0; least > 0 && sum < KEY_TERMS; ) sum += many[--least]!
  const weighed: [term: string, count: number, often: number][] = []
  for (const [term, counts] of terms) {
    if (!mayBeKey(term, counts) || worthOf(term, counts) < least) continue
    const count = sumOf(ownCounts(counts))
    weighed.push([term, count, Math.min(count, MOST_COUNTED)])
  }
  weighed.sort((a, b) => b[2] - a[2] || b[0].length - a[0].length || (a[0] < b[0] ? -1 : 1))
  return weighed.slice(0, KEY_TERMS).map(([term, count]) => [numberOf(term), count])
}

const worthOf = (term: string, counts: number): number =>
  Math.min(sumOf(ownCounts(counts)), MOST_COUNTED) * LENGTHS + Math.min(term.length, LENGTHS - 1)

const mayBeKey = (term: string, counts: number): boolean =>
  term.length >= 2 && ownCounts(counts) > 0 && !(term.charCodeAt(0) < 58 && /^\d+$/.test(term))

export const averagesOf = (sums: readonly number[], pages: number): number[] =>
  sums.map((sum) => sum / Math.max(1, pages) || 1)

function assemble(header: Omit<SegmentHeader, 'sections'>, sections: Record<Section, Uint8Array>): Uint8Array {
  const places = {} as SegmentHeader['sections']
  let at = 0
  for (const [name, bytes] of Object.entries(sections) as [Section, Uint8Array][]) {
    places[name] = [at, bytes.byteLength]
    at += (bytes.byteLength + 3) & ~3
  }
  const head = Buffer.from(JSON.stringify({ ...header, sections: places } satisfies SegmentHeader))
  const start = (4 + head.length + 3) & ~3
  const whole = new Uint8Array(start + at)
  new DataView(whole.buffer).setUint32(0, head.length, true)
  whole.set(head, 4)
  for (const [name, bytes] of Object.entries(sections) as [Section, Uint8Array][])
    whole.set(bytes, start + places[name][0])
  return whole
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

function sharedPrefix(a: string, b: string): number {
  let at = 0
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  // Do not split a surrogate pair.
  const code = b.charCodeAt(at - 1)
  return at > 0 && code >= 0xd800 && code <= 0xdbff ? at - 1 : at
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return Object.fromEntries(counts)
}

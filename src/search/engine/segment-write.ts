// Writes segments: immutable bytes with page numbers, a term dictionary and postings.
import { ByteWriter } from './byte-encoding.ts'
import { BODY_FIELD, encodeBound, FIELDS, makeFieldWeightTable } from './field-weights.ts'
import { countInField, PACKED_ONE_IN_BODY, type Postings } from './packed-term-counts.ts'

export const POSTINGS_PER_BLOCK = 128
export const DICTIONARY_STEP = 16

export interface SegmentHeader {
  pages: number
  terms: number
  lengths: number[]
  languages: Record<string, number>
  sections: Record<SegmentSection, [from: number, bytes: number]>
}
export type SegmentSection =
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
export const makeTagTerm = (tag: string): string => `\u0001${tag}`

export interface IndexedPage {
  number: number
  version: number
  /** Minutes since 1970; 0: unknown. */
  minutes: number
  /** Orders pages of equal score consistently. */
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
  #last = new Uint8Array(1024)
  #lastSize = 0
  #terms = 0

  constructor(pages: readonly IndexedPage[], sums: readonly number[]) {
    this.#pages = pages
    this.#sums = [...sums]
    this.#lengths = new Uint8Array(pages.length * FIELDS.length)
    for (const [at, { lengths }] of pages.entries()) this.#lengths.set(lengths, at * FIELDS.length)
    this.#tables = makeFieldWeightTable(averageLengths(sums, pages.length))
  }

  /**
   * Terms are UTF-8 and must be added in JavaScript string order, postings in page order; returns the term's number.
   */
  add(term: Uint8Array, size: number, postings: Postings): number {
    const dictionary = this.#dictionary
    if (this.#terms % DICTIONARY_STEP === 0) {
      this.#heads.push(dictionary.length)
      this.#lastSize = 0
    }
    const shared = this.#sharedBytes(term, size)
    dictionary.varint(countUtf16Units(term, shared))
    dictionary.varint(size - shared)
    dictionary.part(term, shared, size)
    dictionary.varint(postings.length)
    dictionary.varint(this.#postings.length)
    if (size > this.#last.length) this.#last = new Uint8Array(2 * size)
    for (let at = 0; at < size; at++) this.#last[at] = term[at]!
    this.#lastSize = size
    this.#write(postings)
    return this.#terms++
  }

  /** Bytes that the term begins with as the last one does, in whole characters. */
  #sharedBytes(term: Uint8Array, size: number): number {
    const last = this.#last
    const most = Math.min(this.#lastSize, size)
    let at = 0
    while (at < most && last[at] === term[at]) at++
    while (at > 0 && at < size && (term[at]! & 0xc0) === 0x80) at--
    return at
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
    if (length <= POSTINGS_PER_BLOCK) {
      const at = this.#postings.length
      this.#postings.byte(0)
      this.#postings.setByte(at, this.#encode(this.#postings, postings, 0, length, -1))
      return
    }
    this.#blocks.clear()
    let before = -1
    for (let from = 0; from < length; from += POSTINGS_PER_BLOCK) {
      const until = Math.min(length, from + POSTINGS_PER_BLOCK)
      this.#block.clear()
      const bound = this.#encode(this.#block, postings, from, until, before)
      const last = postings.pages[until - 1]!
      this.#postings.varint(last - before)
      this.#postings.varint(this.#block.length)
      this.#postings.byte(bound)
      this.#blocks.bytes(this.#block.view())
      before = last
    }
    this.#postings.bytes(this.#blocks.view())
  }

  #encode(out: ByteWriter, { pages, counts: all }: Postings, from: number, until: number, before: number): number {
    let last = before
    let most = 0
    for (let at = from; at < until; at++) {
      const page = pages[at]!
      const counts = all[at]!
      const delta = page - last
      last = page
      if (counts === PACKED_ONE_IN_BODY) {
        out.varint((delta << 1) | 1)
        most = Math.max(most, this.#count(page, BODY_FIELD, 1))
        continue
      }
      out.varint(delta << 1)
      let mask = 0
      let fields = 0
      let sum = 0
      let only = 0
      for (let field = 0; field < FIELDS.length; field++) {
        const count = countInField(counts, field)
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
      for (let field = 0; field < FIELDS.length; field++)
        if (mask & (1 << field)) out.varint(countInField(counts, field))
    }
    return encodeBound(most)
  }

  #count(page: number, field: number, count: number): number {
    return count * this.#tables[field * 256 + this.#lengths[page * FIELDS.length + field]!]!
  }
}

export const averageLengths = (sums: readonly number[], pages: number): number[] =>
  sums.map((sum) => sum / Math.max(1, pages) || 1)

function assemble(header: Omit<SegmentHeader, 'sections'>, sections: Record<SegmentSection, Uint8Array>): Uint8Array {
  const places = {} as SegmentHeader['sections']
  let at = 0
  for (const [name, bytes] of Object.entries(sections) as [SegmentSection, Uint8Array][]) {
    places[name] = [at, bytes.byteLength]
    at += (bytes.byteLength + 3) & ~3
  }
  const head = Buffer.from(JSON.stringify({ ...header, sections: places } satisfies SegmentHeader))
  const start = (4 + head.length + 3) & ~3
  const whole = new Uint8Array(start + at)
  new DataView(whole.buffer).setUint32(0, head.length, true)
  whole.set(head, 4)
  for (const [name, bytes] of Object.entries(sections) as [SegmentSection, Uint8Array][])
    whole.set(bytes, start + places[name][0])
  return whole
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

function countUtf16Units(bytes: Uint8Array, size: number): number {
  let units = 0
  for (let at = 0; at < size; at++) {
    const byte = bytes[at]!
    if ((byte & 0xc0) !== 0x80) units += byte < 0xf0 ? 1 : 2
  }
  return units
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return Object.fromEntries(counts)
}

// Reads a segment's bytes in place: pages, dictionary, and posting cursors that skip blocks.
import { ByteReader } from './byte-encoding.ts'
import { BODY_FIELD, decodedBounds, FIELDS, makeFieldWeightTable } from './field-weights.ts'
import { countsWithoutAnchors, PACKED_ONE_IN_BODY, PACKED_ONE_PER_FIELD, type Postings } from './packed-term-counts.ts'
import {
  averageLengths,
  DICTIONARY_STEP,
  POSTINGS_PER_BLOCK,
  type SegmentHeader,
  type SegmentSection,
} from './segment-write.ts'

interface IndexTerm {
  term: string
  number: number
  pages: number
  at: number
}

export const END_OF_POSTINGS = 0x7fffffff
const text = new TextDecoder()
const FOUND_KEPT = 4_096

const plainTerm = Buffer.alloc(512)

function isWritten(letters: string, length: number): boolean {
  if (letters.length !== length) return false
  for (let at = length - 1; at >= 0; at--) if (letters.charCodeAt(at) !== plainTerm[at]) return false
  return true
}

export class Segment {
  readonly header: SegmentHeader
  readonly bytes: Uint8Array
  readonly numbers: Uint32Array
  readonly versions: Uint32Array
  readonly minutes: Uint32Array
  readonly ties: Uint32Array
  readonly lengths: Uint8Array
  readonly postings: Uint8Array
  readonly #heads: Uint32Array
  readonly #headTerms: string[]
  readonly #dictionary: Buffer
  readonly #found = new Map<string, IndexTerm | null>()
  #ownTables: Float32Array | undefined
  readonly #keyAt: Uint32Array
  readonly #keys: Uint8Array

  constructor(whole: Uint8Array) {
    // Typed arrays must start at a multiple of four.
    const bytes = whole.byteOffset % 4 === 0 ? whole : whole.slice()
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const length = view.getUint32(0, true)
    this.bytes = bytes
    this.header = JSON.parse(text.decode(bytes.subarray(4, 4 + length))) as SegmentHeader
    const start = (4 + length + 3) & ~3
    const section = (name: SegmentSection): Uint8Array => {
      const [from, size] = this.header.sections[name]
      return bytes.subarray(start + from, start + from + size)
    }
    const words = (name: SegmentSection): Uint32Array => {
      const part = section(name)
      return new Uint32Array(part.buffer, part.byteOffset, part.byteLength / 4)
    }
    this.numbers = words('numbers')
    this.versions = words('versions')
    this.minutes = words('minutes')
    this.ties = words('ties')
    this.lengths = section('lengths')
    this.postings = section('postings')
    this.#heads = words('heads')
    const dictionary = section('dictionary')
    this.#dictionary = Buffer.from(dictionary.buffer, dictionary.byteOffset, dictionary.byteLength)
    this.#keyAt = words('keyAt')
    this.#keys = section('keys')
    this.#headTerms = Array.from(this.#heads, (at) => {
      const reader = new ByteReader(this.#dictionary, at)
      return this.#next(reader, '')
    })
  }

  get pages(): number {
    return this.header.pages
  }

  /** With this segment's averages, as its bounds were computed. */
  get ownTables(): Float32Array {
    this.#ownTables ??= makeFieldWeightTable(averageLengths(this.header.lengths, this.header.pages))
    return this.#ownTables
  }

  /** Cached: a query looks up the same terms several times. */
  find(term: string): IndexTerm | undefined {
    const known = this.#found.get(term)
    if (known !== undefined) return known ?? undefined
    const found = this.#find(term)
    if (this.#found.size >= FOUND_KEPT) this.#found.clear()
    this.#found.set(term, found ?? null)
    return found
  }

  #find(term: string): IndexTerm | undefined {
    let low = 0
    let high = this.#headTerms.length - 1
    if (high < 0) return undefined
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#headTerms[middle]! <= term) low = middle
      else high = middle - 1
    }
    return this.#walk(low, -1, term)
  }

  term(number: number): IndexTerm {
    const found = this.#walk(Math.floor(number / DICTIONARY_STEP), number, undefined)
    if (!found) throw new RangeError(`no term ${number}`)
    return found
  }

  terms(): TermCursor {
    return new TermCursor(this.#dictionary, this.header.terms)
  }

  /**
   * Scans one dictionary block for a number or term. ASCII terms are compared as bytes, so that only the match becomes
   * a string.
   */
  #walk(step: number, wanted: number, letters: string | undefined): IndexTerm | undefined {
    const reader = new ByteReader(this.#dictionary, this.#heads[step])
    const until = Math.min(this.header.terms, (step + 1) * DICTIONARY_STEP)
    for (let number = step * DICTIONARY_STEP; number < until; number++) {
      const shared = reader.varint()
      const size = reader.varint()
      const length = shared + size
      if (length > plainTerm.length) return this.#walkText(step, wanted, letters)
      for (let at = shared; at < length; at++) {
        const byte = reader.byte()
        if (byte > 127) return this.#walkText(step, wanted, letters)
        plainTerm[at] = byte
      }
      const pages = reader.varint()
      const at = reader.varint()
      if (number === wanted || (letters !== undefined && isWritten(letters, length)))
        return { term: letters ?? plainTerm.toString('latin1', 0, length), number, pages, at }
    }
    return undefined
  }

  #walkText(step: number, wanted: number, letters: string | undefined): IndexTerm | undefined {
    const reader = new ByteReader(this.#dictionary, this.#heads[step])
    const until = Math.min(this.header.terms, (step + 1) * DICTIONARY_STEP)
    let term = ''
    for (let number = step * DICTIONARY_STEP; number < until; number++) {
      term = this.#next(reader, term)
      const pages = reader.varint()
      const at = reader.varint()
      if (number === wanted || term === letters) return { term, number, pages, at }
    }
    return undefined
  }

  #next(reader: ByteReader, before: string): string {
    const shared = reader.varint()
    const size = reader.varint()
    const rest = this.#dictionary.toString('utf8', reader.at, reader.at + size)
    reader.at += size
    return shared === 0 ? rest : before.slice(0, shared) + rest
  }

  keys(page: number): [term: number, count: number][] {
    const reader = new ByteReader(this.#keys, this.#keyAt[page])
    const until = this.#keyAt[page + 1]!
    const found: [number, number][] = []
    while (reader.at < until) {
      const term = reader.varint()
      found.push([term, reader.byte()])
    }
    return found
  }

  /** `places` maps pages to new indexes (-1: dropped); `bare` marks pages whose anchor counts are removed. */
  postingsOf(
    { at, pages }: Pick<IndexTerm, 'at' | 'pages'>,
    into: Postings,
    places?: Int32Array,
    bare?: Uint8Array,
  ): void {
    const bytes = this.postings
    const reader = new ByteReader(bytes, this.#entriesOf(at, pages))
    let page = -1
    for (let n = 0; n < pages; n++) {
      const code = reader.varint()
      page += code >>> 1
      let counts = PACKED_ONE_IN_BODY
      if (!(code & 1)) {
        const mask = reader.byte()
        const only = mask >> 5
        counts = 0
        for (let field = 0; field < FIELDS.length; field++)
          if (mask & (1 << field)) counts += (only > 0 ? only : reader.varint()) * PACKED_ONE_PER_FIELD[field]!
      }
      const place = places ? places[page]! : page
      if (bare?.[page]) counts = countsWithoutAnchors(counts)
      if (place >= 0 && counts > 0) into.add(place, counts)
    }
  }

  pagesOf({ at, pages }: IndexTerm): Int32Array {
    const bytes = this.postings
    const found = new Int32Array(pages)
    let from = this.#entriesOf(at, pages)
    let page = -1
    for (let n = 0; n < pages; n++) {
      let code = bytes[from++]!
      for (let shift = 7, last = code; last > 127; shift += 7) {
        last = bytes[from++]!
        code = (code & ((1 << shift) - 1)) | ((last & 127) << shift)
      }
      page += code >>> 1
      found[n] = page
      if (code & 1) continue
      const mask = bytes[from++]!
      if (mask >> 5 > 0) continue
      for (let fields = mask; fields > 0; fields >>= 1) if (fields & 1) while (bytes[from++]! > 127);
    }
    return found
  }

  #entriesOf(at: number, pages: number): number {
    if (pages <= POSTINGS_PER_BLOCK) return at + 1
    const reader = new ByteReader(this.postings, at)
    for (let block = 0; block < Math.ceil(pages / POSTINGS_PER_BLOCK); block++) {
      reader.varint()
      reader.varint()
      reader.at++
    }
    return reader.at
  }
}

/** Makes the order of UTF-8 bytes that of JavaScript strings: characters above U+FFFF come before U+E000. */
const BYTE_ORDER = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0xee ? byte : byte < 0xf0 ? byte + 5 : byte - 2,
)
const HEAD_BYTES = 6

/** Walks a dictionary in order, without making strings. */
class TermCursor {
  /** UTF-8, valid up to `size`. */
  bytes: Buffer = Buffer.alloc(1024)
  size = 0
  number = -1
  pages = 0
  at = 0
  /** The first bytes as one number in the order of terms; infinite after the last term. */
  head = 0
  readonly #reader: ByteReader
  readonly #terms: number
  #asciiBytes = 0

  constructor(dictionary: Uint8Array, terms: number) {
    this.#reader = new ByteReader(dictionary)
    this.#terms = terms
    this.next()
  }

  next(): void {
    if (++this.number >= this.#terms) {
      this.head = Number.POSITIVE_INFINITY
      return
    }
    const reader = this.#reader
    const from = this.#bytesOf(reader.varint())
    const size = from + reader.varint()
    if (size > this.bytes.length) this.bytes = Buffer.concat([this.bytes, Buffer.alloc(size)])
    const bytes: Uint8Array = this.bytes
    let ascii = Math.min(this.#asciiBytes, from)
    for (let at = from; at < size; at++) {
      const byte = reader.byte()
      bytes[at] = byte
      if (byte < 128 && ascii === at) ascii++
    }
    this.#asciiBytes = ascii
    this.size = size
    let head = 0
    for (let at = 0; at < HEAD_BYTES; at++) head = head * 256 + (at < size ? BYTE_ORDER[bytes[at]!]! : 0)
    this.head = head
    this.pages = reader.varint()
    this.at = reader.varint()
  }

  compare(other: TermCursor): number {
    if (this.head !== other.head) return this.head < other.head ? -1 : 1
    const [a, b]: Uint8Array[] = [this.bytes, other.bytes]
    const most = Math.min(this.size, other.size)
    for (let at = HEAD_BYTES; at < most; at++) if (a![at] !== b![at]) return BYTE_ORDER[a![at]!]! - BYTE_ORDER[b![at]!]!
    return this.size - other.size
  }

  /** The dictionary counts shared characters in UTF-16 units. */
  #bytesOf(units: number): number {
    if (units <= this.#asciiBytes) return units
    const bytes: Uint8Array = this.bytes
    let at = this.#asciiBytes
    for (let passed = at; passed < units; ) {
      const byte = bytes[at]!
      passed += byte < 0xf0 ? 1 : 2
      at += byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    }
    return at
  }
}

const buffers: { pages: Int32Array; counts: Float32Array }[] = []
const ONE_LAST = Int32Array.of(END_OF_POSTINGS - 1)

/** Iterates a term's pages in ascending order; `page` is END at the end. */
export class PostingCursor {
  page = -1
  readonly most: number
  readonly #segment: Segment
  readonly #tables: Float32Array
  readonly #pagesOf: Int32Array
  readonly #counts: Float32Array
  /** Per block: last page, offset, bound. */
  readonly #lasts: Int32Array
  readonly #starts: Uint32Array
  readonly #bounds: Float32Array
  readonly #total: number
  #block = -1
  #near = 0
  #at = 0
  #filled = 0

  /** `capacity`: index of its decode buffer; cursors in use must not share one. */
  constructor(segment: Segment, { at, pages }: IndexTerm, tables: Float32Array, looseness: number, capacity: number) {
    this.#segment = segment
    this.#tables = tables
    this.#total = pages
    buffers[capacity] ??= { pages: new Int32Array(POSTINGS_PER_BLOCK), counts: new Float32Array(POSTINGS_PER_BLOCK) }
    this.#pagesOf = buffers[capacity].pages
    this.#counts = buffers[capacity].counts
    if (pages <= POSTINGS_PER_BLOCK) {
      this.most = decodedBounds[segment.postings[at]!]! * looseness
      this.#lasts = ONE_LAST
      this.#starts = Uint32Array.of(at + 1)
      this.#bounds = Float32Array.of(this.most)
    } else {
      const blocks = Math.ceil(pages / POSTINGS_PER_BLOCK)
      this.#lasts = new Int32Array(blocks)
      this.#starts = new Uint32Array(blocks)
      this.#bounds = new Float32Array(blocks)
      const reader = new ByteReader(segment.postings, at)
      let most = 0
      let last = -1
      let offset = 0
      for (let block = 0; block < blocks; block++) {
        last += reader.varint()
        this.#lasts[block] = last
        this.#starts[block] = offset
        offset += reader.varint()
        const bound = decodedBounds[reader.byte()]! * looseness
        this.#bounds[block] = bound
        if (bound > most) most = bound
      }
      for (let block = 0; block < blocks; block++) this.#starts[block] = this.#starts[block]! + reader.at
      this.most = most
    }
  }

  get count(): number {
    return this.#counts[this.#at]!
  }

  next(): void {
    if (++this.#at < this.#filled) this.page = this.#pagesOf[this.#at]!
    else if (this.#block + 1 < this.#lasts.length) this.#open(this.#block + 1)
    else this.page = END_OF_POSTINGS
  }

  /** Last page of the block containing `page`, without decoding; calls must be ascending. */
  blockEnd(page: number): number {
    const lasts = this.#lasts
    while (this.#near < lasts.length && lasts[this.#near]! < page) this.#near++
    return this.#near < lasts.length ? lasts[this.#near]! : END_OF_POSTINGS
  }

  boundIn(from: number, until: number): number {
    const lasts = this.#lasts
    let bound = 0
    for (let end = this.blockEnd(from), block = this.#near; block < lasts.length; end = lasts[++block]!) {
      if (this.#bounds[block]! > bound) bound = this.#bounds[block]!
      if (end >= until) break
    }
    return bound
  }

  seek(page: number): void {
    if (this.page >= page) return
    if (this.#block < 0 || this.#lasts[this.#block]! < page) {
      let block = Math.max(this.#block + 1, this.#near)
      // `#near` is beyond the page: search from the current block.
      if (block > 0 && this.#lasts[block - 1]! >= page) block = this.#block + 1
      while (block < this.#lasts.length && this.#lasts[block]! < page) block++
      if (block >= this.#lasts.length) {
        this.page = END_OF_POSTINGS
        return
      }
      this.#open(block)
      if (this.page >= page) return
    }
    const pages = this.#pagesOf
    while (++this.#at < this.#filled) {
      if (pages[this.#at]! >= page) {
        this.page = pages[this.#at]!
        return
      }
    }
    this.page = END_OF_POSTINGS
  }

  #open(block: number): void {
    const { postings: bytes, lengths } = this.#segment
    const tables = this.#tables
    const many = Math.min(POSTINGS_PER_BLOCK, this.#total - block * POSTINGS_PER_BLOCK)
    let at = this.#starts[block]!
    let page = block === 0 ? -1 : this.#lasts[block - 1]!
    for (let n = 0; n < many; n++) {
      let code = bytes[at++]!
      if (code > 127) {
        code &= 127
        let shift = 7
        for (;;) {
          const byte = bytes[at++]!
          code |= (byte & 127) << shift
          if (byte < 128) break
          shift += 7
        }
      }
      page += code >>> 1
      this.#pagesOf[n] = page
      const row = page * FIELDS.length
      if (code & 1) {
        this.#counts[n] = tables[BODY_FIELD * 256 + lengths[row + BODY_FIELD]!]!
        continue
      }
      const mask = bytes[at++]!
      const only = mask >> 5
      let sum = 0
      for (let field = 0; field < FIELDS.length; field++) {
        if (!(mask & (1 << field))) continue
        let count = only
        if (only === 0) {
          let shift = 0
          for (;;) {
            const byte = bytes[at++]!
            count |= (byte & 127) << shift
            if (byte < 128) break
            shift += 7
          }
        }
        sum += count * tables[field * 256 + lengths[row + field]!]!
      }
      this.#counts[n] = sum
    }
    this.#block = block
    this.#filled = many
    this.#at = 0
    this.page = this.#pagesOf[0]!
  }
}

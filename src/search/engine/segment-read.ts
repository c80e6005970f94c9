// A segment's bytes, read in place: pages, the dictionary, and cursors over postings that jump over what they need not see.
import { ByteReader } from './bytes.ts'
import { BODY, byteBounds, FIELDS } from './fields.ts'
import { BLOCK, DICTIONARY_STEP, type Posting, type Section, type SegmentHeader } from './segment-write.ts'

export interface Term {
  term: string
  /** Its number in this segment. */
  number: number
  pages: number
  /** Where its postings begin. */
  at: number
}

export const END = 0x7fffffff
const text = new TextDecoder()

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
  readonly #dictionary: Uint8Array
  readonly #keyAt: Uint32Array
  readonly #keys: Uint8Array

  constructor(whole: Uint8Array) {
    // Arrays of numbers must begin at a multiple of four.
    const bytes = whole.byteOffset % 4 === 0 ? whole : whole.slice()
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const length = view.getUint32(0, true)
    this.bytes = bytes
    this.header = JSON.parse(text.decode(bytes.subarray(4, 4 + length))) as SegmentHeader
    const start = (4 + length + 3) & ~3
    const section = (name: Section): Uint8Array => {
      const [from, size] = this.header.sections[name]
      return bytes.subarray(start + from, start + from + size)
    }
    const words = (name: Section): Uint32Array => {
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
    this.#dictionary = section('dictionary')
    this.#keyAt = words('keyAt')
    this.#keys = section('keys')
    this.#headTerms = Array.from(this.#heads, (at) => {
      const reader = new ByteReader(this.#dictionary, at)
      reader.varint()
      const size = reader.varint()
      return text.decode(this.#dictionary.subarray(reader.at, reader.at + size))
    })
  }

  get pages(): number {
    return this.header.pages
  }

  find(term: string): Term | undefined {
    let low = 0
    let high = this.#headTerms.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#headTerms[middle]! <= term) low = middle
      else high = middle - 1
    }
    if (this.#headTerms.length === 0) return undefined
    for (const found of this.#step(low)) {
      if (found.term === term) return found
      if (found.term > term) return undefined
    }
    return undefined
  }

  /** The term with this number. */
  term(number: number): Term {
    const step = Math.floor(number / DICTIONARY_STEP)
    for (const found of this.#step(step)) if (found.number === number) return found
    throw new RangeError(`no term ${number}`)
  }

  /** All terms, in order. */
  *terms(): Generator<Term> {
    for (let step = 0; step < this.#heads.length; step++) yield* this.#step(step)
  }

  *#step(step: number): Generator<Term> {
    const reader = new ByteReader(this.#dictionary, this.#heads[step])
    const until = Math.min(this.header.terms, (step + 1) * DICTIONARY_STEP)
    let term = ''
    for (let number = step * DICTIONARY_STEP; number < until; number++) {
      const shared = reader.varint()
      const size = reader.varint()
      term = term.slice(0, shared) + text.decode(this.#dictionary.subarray(reader.at, reader.at + size))
      reader.at += size
      const pages = reader.varint()
      yield { term, number, pages, at: reader.varint() }
    }
  }

  /** The terms that tell most about a page, by number, with how often they stand there. */
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

  /** Every posting of a term, as it was written: for merging. */
  postingsOf({ at, pages }: Term): Posting[] {
    const reader = new ByteReader(this.postings, at)
    if (pages <= BLOCK) reader.byte()
    else
      for (let block = 0; block < Math.ceil(pages / BLOCK); block++) {
        reader.varint()
        reader.varint()
        reader.byte()
      }
    const list: Posting[] = []
    let page = -1
    for (let n = 0; n < pages; n++) {
      const code = reader.varint()
      page += code >>> 1
      if (code & 1) {
        list.push({ page, counts: undefined })
        continue
      }
      const mask = reader.byte()
      const counts = new Array<number>(FIELDS.length).fill(0)
      const only = mask >> 5
      for (let field = 0; field < FIELDS.length; field++)
        if (mask & (1 << field)) counts[field] = only > 0 ? only : reader.varint()
      list.push({ page, counts })
    }
    return list
  }
}

/** Walks the pages of one term upwards. `page` is END when there are no more. */
export class Cursor {
  page = -1
  /** The most that any of its pages counts, before saturation. */
  readonly most: number
  readonly #segment: Segment
  readonly #tables: Float32Array
  readonly #pagesOf: Int32Array
  readonly #counts: Float32Array
  /** Of each block: its last page, where it begins, its bound. */
  readonly #lasts: Int32Array
  readonly #starts: Uint32Array
  readonly #bounds: Float32Array
  readonly #total: number
  #block = -1
  #at = 0
  #filled = 0

  constructor(segment: Segment, { at, pages }: Term, tables: Float32Array, looseness: number) {
    this.#segment = segment
    this.#tables = tables
    this.#total = pages
    const blocks = Math.ceil(pages / BLOCK)
    const room = Math.min(pages, BLOCK)
    this.#pagesOf = new Int32Array(room)
    this.#counts = new Float32Array(room)
    this.#lasts = new Int32Array(blocks)
    this.#starts = new Uint32Array(blocks)
    this.#bounds = new Float32Array(blocks)
    const reader = new ByteReader(segment.postings, at)
    let most = 0
    if (blocks === 1) {
      most = byteBounds[reader.byte()]! * looseness
      this.#lasts[0] = END - 1
      this.#starts[0] = reader.at
      this.#bounds[0] = most
    } else {
      let last = -1
      let offset = 0
      for (let block = 0; block < blocks; block++) {
        last += reader.varint()
        this.#lasts[block] = last
        this.#starts[block] = offset
        offset += reader.varint()
        const bound = byteBounds[reader.byte()]! * looseness
        this.#bounds[block] = bound
        if (bound > most) most = bound
      }
      for (let block = 0; block < blocks; block++) this.#starts[block] = this.#starts[block]! + reader.at
    }
    this.most = most
    this.#open(0)
  }

  /** What the page it stands on counts, before saturation. */
  get count(): number {
    return this.#counts[this.#at]!
  }

  next(): void {
    if (++this.#at < this.#filled) this.page = this.#pagesOf[this.#at]!
    else if (this.#block + 1 < this.#lasts.length) this.#open(this.#block + 1)
    else this.page = END
  }

  /** The bound of the block that would hold this page; nothing is read of it. */
  boundAt(page: number): number {
    let block = Math.max(0, this.#block)
    while (block < this.#lasts.length && this.#lasts[block]! < page) block++
    return block < this.#lasts.length ? this.#bounds[block]! : 0
  }

  /** Goes to the first page at or after this one. */
  seek(page: number): void {
    if (this.page >= page) return
    if (this.#lasts[this.#block]! < page) {
      let block = this.#block + 1
      while (block < this.#lasts.length && this.#lasts[block]! < page) block++
      if (block >= this.#lasts.length) {
        this.page = END
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
    this.page = END
  }

  #open(block: number): void {
    const { postings: bytes, lengths } = this.#segment
    const tables = this.#tables
    const many = Math.min(BLOCK, this.#total - block * BLOCK)
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
        this.#counts[n] = tables[BODY * 256 + lengths[row + BODY]!]!
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

// Packs a term's counts per field into one number, to avoid allocations. The body is lowest, so most values are small.
import { ANCHORS_FIELD, FIELDS } from './field-weights.ts'

/** Limits per field: title, headings, body, place, anchors. */
export const MAX_COUNT_PER_FIELD: readonly number[] = [255, 4_095, 60_000, 63, 255]
export const PACKED_ONE_PER_FIELD: readonly number[] = [2 ** 16, 2 ** 30, 1, 2 ** 24, 2 ** 42]
const ROOM: readonly number[] = [2 ** 8, 2 ** 12, 2 ** 16, 2 ** 6, 2 ** 8]
export const PACKED_ONE_IN_BODY = 1
/** Below this only body, title and place are set, and bit operations suffice. */
const MIN_LARGE_COUNTS = 2 ** 30

export function countInField(counts: number, field: number): number {
  if (counts >= MIN_LARGE_COUNTS) return Math.floor(counts / PACKED_ONE_PER_FIELD[field]!) % ROOM[field]!
  if (field === 2) return counts & 0xffff
  if (field === 0) return (counts >>> 16) & 0xff
  return field === 3 ? counts >>> 24 : 0
}

export function sumOfCounts(counts: number): number {
  if (counts < 2 ** 16) return counts
  let sum = 0
  for (let field = 0; field < FIELDS.length; field++) sum += countInField(counts, field)
  return sum
}

const PACKED_ONE_IN_ANCHORS = PACKED_ONE_PER_FIELD[ANCHORS_FIELD]!
/** Anchors are highest; the rest are the page's own counts. */
export const countsWithoutAnchors = (counts: number): number =>
  counts < PACKED_ONE_IN_ANCHORS ? counts : counts % PACKED_ONE_IN_ANCHORS

export class Postings {
  pages = new Int32Array(256)
  counts = new Float64Array(256)
  length = 0

  clear(): void {
    this.length = 0
  }

  add(page: number, counts: number): void {
    if (this.length === this.pages.length) {
      const [pages, before] = [this.pages, this.counts]
      this.pages = new Int32Array(2 * this.length)
      this.counts = new Float64Array(2 * this.length)
      this.pages.set(pages)
      this.counts.set(before)
    }
    this.pages[this.length] = page
    this.counts[this.length++] = counts
  }
}

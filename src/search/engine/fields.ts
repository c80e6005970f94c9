// Where on a page a word stands, what that is worth, and how lengths and weights become bytes.

export const FIELDS = ['title', 'headings', 'body', 'place', 'anchors'] as const
export type IndexField = (typeof FIELDS)[number]
export const TITLE = 0
export const HEADINGS = 1
export const BODY = 2
export const PLACE = 3
export const ANCHORS = 4

export interface RankingConstants {
  /** How soon more of the same word adds nothing. */
  k1: number
  /** What a word is worth in each field. */
  weights: readonly number[]
  /** How much a long field takes away, in each field: 0 nothing, 1 all. */
  lengthiness: readonly number[]
}

/** Texts of this many words are full pages. */
const FULL_PAGE = 140

/**
 * How pages of such average lengths are ranked. In short texts how often a word stands there and how long the text is are
 * mostly chance, in long ones they tell: swept on MSMARCO's passages and SciFact's abstracts (docs/search.md).
 */
export function rankingFor(averages: readonly number[]): RankingConstants {
  const fullness = Math.min(1, (averages[BODY] ?? 0) / FULL_PAGE)
  return {
    k1: 1 + 1.2 * fullness,
    weights: [2, 1.2, 1, 1, 1],
    // Most pages have no links to them: how many words those of one have says nothing about it.
    lengthiness: [0.7, 0.6, 0.45 + 0.35 * fullness, 0.5, 0],
  }
}

/** Lengths as one byte: exact up to 40, then steps of about 5 %. */
const STEP = Math.log(1.05)
const EXACT = 40
export const lengthByte = (length: number): number =>
  length <= EXACT ? length : Math.min(255, EXACT + Math.round(Math.log(length / EXACT) / STEP))
export const byteLengths: readonly number[] = Array.from({ length: 256 }, (_, byte) =>
  byte <= EXACT ? byte : EXACT * Math.exp((byte - EXACT) * STEP),
)

/** Upper bounds as one byte, rounded up: twenty steps to the double. */
export const boundByte = (value: number): number =>
  Math.max(0, Math.min(255, Math.ceil(20 * Math.log2(Math.max(value, 1e-9)) + 100)))
export const byteBounds: readonly number[] = Array.from({ length: 256 }, (_, byte) => 2 ** ((byte - 100) / 20))

/** For each field and each length as a byte, what one occurrence of a word counts. */
export function countTables(averages: readonly number[]): Float32Array {
  const { weights, lengthiness } = rankingFor(averages)
  const table = new Float32Array(FIELDS.length * 256)
  for (let field = 0; field < FIELDS.length; field++) {
    const b = lengthiness[field]!
    const average = averages[field] || 1
    for (let byte = 0; byte < 256; byte++)
      table[field * 256 + byte] = weights[field]! / (1 - b + (b * byteLengths[byte]!) / average)
  }
  return table
}

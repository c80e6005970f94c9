// Fields of a page, their ranking weights, and the byte encoding of lengths and bounds.

export const FIELDS = ['title', 'headings', 'body', 'place', 'anchors'] as const
export const TITLE_FIELD = 0
export const HEADINGS_FIELD = 1
export const BODY_FIELD = 2
export const URL_WORDS_FIELD = 3
export const ANCHORS_FIELD = 4

interface RankingConstants {
  k1: number
  weights: readonly number[]
  /** BM25 length normalisation per field: 0 none, 1 full. */
  lengthiness: readonly number[]
}

/** Average body length, in words, of full pages. */
const FULL_PAGE_WORDS = 140

/**
 * Short texts get less saturation and length normalisation, because counts there are mostly chance. Tuned on MSMARCO
 * passages and SciFact abstracts (docs/search.md).
 */
export function makeRankingConstants(averages: readonly number[]): RankingConstants {
  const fullness = Math.min(1, (averages[BODY_FIELD] ?? 0) / FULL_PAGE_WORDS)
  return {
    k1: 1 + 1.2 * fullness,
    weights: [2, 1.2, 1, 1, 1],
    // Most pages have no anchors, so anchor length has no meaning.
    lengthiness: [0.7, 0.6, 0.45 + 0.35 * fullness, 0.5, 0],
  }
}

/** Lengths as one byte: exact up to 40, then steps of about 5 %. */
const LENGTH_STEP = Math.log(1.05)
const MAX_EXACT_LENGTH = 40
export const encodeLength = (length: number): number =>
  length <= MAX_EXACT_LENGTH
    ? length
    : Math.min(255, MAX_EXACT_LENGTH + Math.round(Math.log(length / MAX_EXACT_LENGTH) / LENGTH_STEP))
export const decodedLengths: readonly number[] = Array.from({ length: 256 }, (_, byte) =>
  byte <= MAX_EXACT_LENGTH ? byte : MAX_EXACT_LENGTH * Math.exp((byte - MAX_EXACT_LENGTH) * LENGTH_STEP),
)

/** Upper bounds as one byte, rounded up: twenty steps per doubling. */
export const encodeBound = (value: number): number =>
  Math.max(0, Math.min(255, Math.ceil(20 * Math.log2(Math.max(value, 1e-9)) + 100)))
export const decodedBounds: readonly number[] = Array.from({ length: 256 }, (_, byte) => 2 ** ((byte - 100) / 20))

export function makeFieldWeightTable(averages: readonly number[]): Float32Array {
  const { weights, lengthiness } = makeRankingConstants(averages)
  const table = new Float32Array(FIELDS.length * 256)
  for (let field = 0; field < FIELDS.length; field++) {
    const b = lengthiness[field]!
    const average = averages[field] || 1
    for (let byte = 0; byte < 256; byte++)
      table[field * 256 + byte] = weights[field]! / (1 - b + (b * decodedLengths[byte]!) / average)
  }
  return table
}

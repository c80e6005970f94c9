// Fields of a page, their ranking weights, and the byte encoding of lengths and bounds.

export const FIELDS = ['title', 'headings', 'body', 'place', 'anchors'] as const
export const TITLE = 0
export const HEADINGS = 1
export const BODY = 2
export const PLACE = 3
export const ANCHORS = 4

interface RankingConstants {
  k1: number
  weights: readonly number[]
  /** BM25 length normalisation per field: 0 none, 1 full. */
  lengthiness: readonly number[]
}

/** Average body length, in words, of full pages. */
const FULL_PAGE = 140

/**
 * Short texts get less saturation and length normalisation, because counts there are mostly chance. Tuned on MSMARCO
 * passages and SciFact abstracts (docs/search.md).
 */
export function rankingFor(averages: readonly number[]): RankingConstants {
  const fullness = Math.min(1, (averages[BODY] ?? 0) / FULL_PAGE)
  return {
    k1: 1 + 1.2 * fullness,
    weights: [2, 1.2, 1, 1, 1],
    // Most pages have no anchors, so anchor length has no meaning.
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

/** Upper bounds as one byte, rounded up: twenty steps per doubling. */
export const boundByte = (value: number): number =>
  Math.max(0, Math.min(255, Math.ceil(20 * Math.log2(Math.max(value, 1e-9)) + 100)))
export const byteBounds: readonly number[] = Array.from({ length: 256 }, (_, byte) => 2 ** ((byte - 100) / 20))

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

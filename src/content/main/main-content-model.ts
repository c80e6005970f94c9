// Unpacks the trained model: lexicon, page kinds and two rounds of trees. scripts/train-main-content.mjs writes
// model.json in this form.

import { type DecisionTrees, type PackedTrees, unpackTrees } from './decision-trees.ts'
import { PAGE_KINDS, type PageKindModel } from './predict-page-kind.ts'
import type { TokenWeights } from './token-weights.ts'

/** Arrays are little-endian bytes in base64. */
export interface PackedMainContentModel {
  lexicon: { hashes: string; weights: string }
  /** Token hashes as int32; per token one int8 weight per kind, in units of `unit`. */
  kinds: { hashes: string; weights: string; unit: number; bias: number[] }
  first: PackedTrees
  second: PackedTrees
}

export interface MainContentModel {
  lexicon: TokenWeights
  kinds: PageKindModel
  first: DecisionTrees
  second: DecisionTrees
}

export function unpackMainContentModel({ lexicon, kinds, first, second }: PackedMainContentModel): MainContentModel {
  const words = new Map<number, number>()
  const weights = new Int16Array(bytes(lexicon.weights))
  new Int32Array(bytes(lexicon.hashes)).forEach((hash, i) => {
    words.set(hash, weights[i]! / 100)
  })
  const index = new Map<number, number>()
  new Int32Array(bytes(kinds.hashes)).forEach((hash, i) => {
    index.set(hash, i * PAGE_KINDS.length)
  })
  const kindWeights = Float32Array.from(new Int8Array(bytes(kinds.weights)), (w) => w * kinds.unit)
  return {
    lexicon: words,
    kinds: { index, weights: kindWeights, bias: kinds.bias },
    first: unpackTrees(first),
    second: unpackTrees(second),
  }
}

function bytes(base64: string): ArrayBuffer {
  return new Uint8Array(Buffer.from(base64, 'base64')).buffer
}

// The trained model as data: the lexicon's weights and the trees. scripts/train-main-content.mjs writes model.json.
import type { Lexicon } from './lexicon.ts'
import { type PackedTrees, type Trees, unpackTrees } from './trees.ts'

export interface PackedModel {
  lexicon: {
    /** Hashes of tokens as int32, their weights as int16 hundredths, both in base64. */
    hashes: string
    weights: string
  }
  trees: PackedTrees
}

export interface Model {
  lexicon: Lexicon
  trees: Trees
}

export function unpackModel({ lexicon, trees }: PackedModel): Model {
  const hashes = new Int32Array(bytes(lexicon.hashes))
  const weights = new Int16Array(bytes(lexicon.weights))
  const table = new Map<number, number>()
  hashes.forEach((hash, i) => {
    table.set(hash, weights[i]! / 100)
  })
  return { lexicon: table, trees: unpackTrees(trees) }
}

function bytes(base64: string): ArrayBuffer {
  return new Uint8Array(Buffer.from(base64, 'base64')).buffer
}

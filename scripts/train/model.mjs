// A trained model in the shape that src/content/main/model.ts reads.
import { pack } from './boost.mjs'

const text = (array) => Buffer.from(array.buffer).toString('base64')

export const packModel = (lexicon, trees) => ({
  lexicon: {
    hashes: text(Int32Array.from(lexicon.keys())),
    weights: text(Int16Array.from(lexicon.values(), (w) => Math.round(w * 100))),
  },
  trees: pack(trees),
})

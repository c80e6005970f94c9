// A trained model in the shape that src/content/main/main-content-model.ts reads.

const text = (array) => Buffer.from(array.buffer).toString('base64')

export const packModel = ({ lexicon, kinds, first, second }) => ({
  lexicon: {
    hashes: text(Int32Array.from(lexicon.keys())),
    weights: text(Int16Array.from(lexicon.values(), (w) => Math.round(w * 100))),
  },
  kinds: {
    hashes: text(Int32Array.from(kinds.index.keys())),
    weights: text(Int8Array.from(kinds.weights, (w) => Math.round(w / kinds.unit))),
    unit: kinds.unit,
    bias: kinds.bias,
  },
  first,
  second,
})

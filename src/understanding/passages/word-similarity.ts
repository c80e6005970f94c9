// Semantic similarity of English words by trained vectors (scripts/train-word-vectors.mjs). Words of other languages
// have none.
import { once } from '../../base/values.ts'
import packed from './word-vectors.json' with { type: 'json' }

/**
 * Cosines. Below the first, words merely occur in the same texts; from the second, they are forms of one another. In a
 * sweep on 1,008 questions from page headings, 0.3/0.8 to 0.45/0.9 changed results by at most a hundredth.
 */
const UNRELATED_COSINE = 0.35
const SAME = 0.85

/** A word's row, or -1. */
export function vectorRowOf(word: string, stem: string): number {
  const { rows } = table()
  return rows.get(word) ?? rows.get(stem) ?? -1
}

/** 0 (unrelated) to 1 (the same), by rows. */
export function vectorSimilarity(a: number, b: number): number {
  const { axes, vectors, lengths } = table()
  let sum = 0
  for (let axis = 0, at = a * axes, other = b * axes; axis < axes; axis++) sum += vectors[at++]! * vectors[other++]!
  return Math.max(0, Math.min(1, (sum / (lengths[a]! * lengths[b]!) - UNRELATED_COSINE) / (SAME - UNRELATED_COSINE)))
}

type Table = { rows: ReadonlyMap<string, number>; axes: number; vectors: Int8Array; lengths: Float32Array }

/** Unpacked on first use: it takes 20 ms, which a page without a question need not spend. */
const table = once(() => unpack())

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Each letter encodes one of 64 levels around zero: odd numbers, since there is no zero level. */
function unpack(): Table {
  const { axes } = packed
  const steps = new Int8Array(128)
  for (let step = 0; step < 64; step++) steps[LETTERS.charCodeAt(step)] = 2 * step - 63
  const vectors = new Int8Array(packed.vectors.length)
  for (let at = 0; at < vectors.length; at++) vectors[at] = steps[packed.vectors.charCodeAt(at)]!
  const words = packed.words.split(' ')
  const lengths = Float32Array.from(words, (_, row) => {
    let sum = 0
    for (let at = row * axes; at < (row + 1) * axes; at++) sum += vectors[at]! ** 2
    return Math.sqrt(sum)
  })
  return { rows: new Map(words.map((word, row) => [word, row])), axes, vectors, lengths }
}

// The lexicon: one weight for each token, by logistic regression over the tokens of a block, its ancestors and heading.
import { random } from './boost.mjs'

const MIN_SITES = 8
const EPOCHS = 4
const RATE = 0.15
const DECAY = 3e-4

/** Learns from the pages given; `excluded` folds do not count towards a token's support. Returns Map hash → weight. */
export function learnLexicon(pages, vocabulary, excluded, { keep = 4000, seed = 1 } = {}) {
  const n = vocabulary.length
  const allowed = new Uint8Array(n)
  vocabulary.forEach((v, id) => {
    let support = 0
    for (let f = 0; f < v.sites.length; f++) if (!excluded.includes(f)) support += v.sites[f]
    allowed[id] = support >= MIN_SITES ? 1 : 0
  })
  const weight = new Float32Array(n)
  const square = new Float32Array(n).fill(1e-2)
  let bias = 0
  const rng = random(seed)
  const order = pages.map((_, i) => i)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(rng() * (i + 1))
      const x = order[i]
      order[i] = order[j]
      order[j] = x
    }
    for (const index of order) {
      const { lists, labels, weights } = pages[index]
      for (let b = 0; b < lists.length; b++) {
        const y = labels[b]
        if (Number.isNaN(y)) continue
        const ids = lists[b]
        let z = bias
        for (const id of ids) if (allowed[id]) z += weight[id]
        // Small blocks matter for their words as much as long ones, so weights are flattened here.
        const w = Math.sqrt(weights[b]) * 3
        const g = (1 / (1 + Math.exp(-z)) - y) * w
        bias -= 0.002 * g
        for (const id of ids) {
          if (!allowed[id]) continue
          const grad = g / Math.sqrt(1 + ids.length / 8) + DECAY * weight[id]
          square[id] += grad * grad
          weight[id] -= (RATE * grad) / Math.sqrt(square[id])
        }
      }
    }
  }
  const ranked = []
  for (let id = 0; id < n; id++) if (allowed[id] && Math.abs(weight[id]) > 0.02) ranked.push(id)
  ranked.sort((a, b) => Math.abs(weight[b]) - Math.abs(weight[a]))
  return new Map(ranked.slice(0, keep).map((id) => [vocabulary[id].hash, Math.round(weight[id] * 100) / 100]))
}

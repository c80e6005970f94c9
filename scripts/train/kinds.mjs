// The kind of page from its tokens: multinomial logistic regression, small because tokens must recur on several sites.
import { random } from './boost.mjs'

const MIN_SITES = 5
const EPOCHS = 40
const RATE = 0.3
const DECAY = 1e-3
const KEEP = 2500

/** pages: { kindTokens, type, site }; returns the PageKindModel of src/content/main/predict-page-kind.ts. */
export function learnKinds(pages, KINDS, seed = 1) {
  const sites = new Map()
  for (const { kindTokens, site } of pages)
    for (const token of kindTokens) {
      let set = sites.get(token)
      if (!set) {
        set = new Set()
        sites.set(token, set)
      }
      if (set.size < MIN_SITES) set.add(site)
    }
  const index = new Map()
  for (const [token, set] of sites) if (set.size >= MIN_SITES) index.set(token, index.size * KINDS.length)
  const K = KINDS.length
  const weights = new Float32Array(index.size * K)
  const squares = new Float32Array(index.size * K).fill(0.05)
  const bias = new Float32Array(K)
  const examples = pages.map(({ kindTokens, type }) => ({
    at: kindTokens.map((t) => index.get(t)).filter((i) => i !== undefined),
    scale: 1 / Math.sqrt(Math.max(1, kindTokens.length)),
    kind: KINDS.indexOf(type),
  }))
  const rng = random(seed)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let i = examples.length - 1; i > 0; i--) {
      const j = Math.floor(rng() * (i + 1))
      const x = examples[i]
      examples[i] = examples[j]
      examples[j] = x
    }
    for (const { at, scale, kind } of examples) {
      const z = Array.from(bias)
      for (const i of at) for (let k = 0; k < K; k++) z[k] += weights[i + k] * scale
      const top = Math.max(...z)
      const e = z.map((x) => Math.exp(x - top))
      const total = e.reduce((a, b) => a + b, 0)
      for (let k = 0; k < K; k++) {
        const g = e[k] / total - (k === kind ? 1 : 0)
        bias[k] -= 0.02 * g
        for (const i of at) {
          const grad = g * scale + DECAY * weights[i + k] * scale
          squares[i + k] += grad * grad
          weights[i + k] -= (RATE * grad) / Math.sqrt(squares[i + k])
        }
      }
    }
  }
  return strongest({ index, weights, bias: Array.from(bias, (b) => Math.round(b * 1000) / 1000) }, K)
}

function strongest({ index, weights, bias }, K) {
  const ranked = [...index].map(([token, at]) => {
    let norm = 0
    for (let k = 0; k < K; k++) norm += weights[at + k] ** 2
    return { token, at, norm }
  })
  ranked.sort((a, b) => b.norm - a.norm)
  const kept = ranked.slice(0, KEEP)
  // Rounded to what a byte holds, so that training sees exactly what ships.
  const top = kept.reduce((m, { at }) => Math.max(m, ...weights.subarray(at, at + K).map(Math.abs)), 1e-6)
  const unit = top / 127
  const out = new Float32Array(kept.length * K)
  const small = new Map()
  kept.forEach(({ token, at }, i) => {
    small.set(token, i * K)
    for (let k = 0; k < K; k++) out[i * K + k] = Math.round(weights[at + k] / unit) * unit
  })
  return { index: small, weights: out, bias, unit }
}

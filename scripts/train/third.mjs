// What the third look learns from: for each page several cuts, and how far each falls short of the best of them.
import { tokens } from './bench.mjs'

/** How steeply a shortfall in F1 counts against a cut. */
const STEEPNESS = 3

/** Word F1 of the text that each threshold would leave. */
export function cutScores(page, probabilities, thresholds, dropCopies) {
  const truth = new Map()
  let wanted = 0
  for (const word of tokens(page.truth.text.toLowerCase())) {
    truth.set(word, (truth.get(word) ?? 0) + 1)
    wanted++
  }
  page.blockTokens ??= page.texts.map((text) => tokens(text.toLowerCase()))
  return thresholds.map((threshold) => {
    const keep = Uint8Array.from(probabilities, (p) => (p > threshold ? 1 : 0))
    dropCopies(page.outline, keep)
    const left = new Map(truth)
    let hit = 0
    let taken = 0
    page.blockTokens.forEach((words, i) => {
      if (!keep[i]) return
      taken += words.length
      for (const word of words) {
        const more = left.get(word)
        if (!more) continue
        left.set(word, more - 1)
        hit++
      }
    })
    return hit === 0 ? 0 : (2 * hit) / (taken + wanted)
  })
}

export function shortfalls(scores) {
  const best = Math.max(...scores)
  return scores.map((score) => Math.max(0, 1 - STEEPNESS * (best - score)))
}

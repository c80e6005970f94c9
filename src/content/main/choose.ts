// From probabilities to a choice: which blocks to keep so that precision and recall of the kept text balance best.

/**
 * Keeps the blocks above the threshold that gives the page its highest expected F1, given each block's probability of
 * being content and its size. On a clear page that threshold is near one half; on a page where everything is doubtful
 * it is lower, since leaving out half of a doubtful page costs more than keeping it.
 */
export function chooseBlocks(probabilities: ArrayLike<number>, sizes: ArrayLike<number>): Uint8Array {
  const n = probabilities.length
  const keep = new Uint8Array(n)
  if (n === 0) return keep
  const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => probabilities[b]! - probabilities[a]! || a - b)
  let wanted = 0
  for (let i = 0; i < n; i++) wanted += probabilities[i]! * sizes[i]!
  let hit = 0
  let taken = 0
  let best = -1
  let cut = 0
  for (let k = 0; k < n; k++) {
    const i = order[k]!
    hit += probabilities[i]! * sizes[i]!
    taken += sizes[i]!
    const f1 = (2 * hit) / (taken + wanted)
    if (f1 > best) {
      best = f1
      cut = k + 1
    }
  }
  for (let k = 0; k < cut; k++) keep[order[k]!] = 1
  return keep
}

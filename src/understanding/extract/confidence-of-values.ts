// Confidence of values found by rules: the share of right ones among labelled pages, by how they were found.

/** For a good score, and for a lower one. */
const SHARE_RIGHT: Readonly<Record<string, readonly [good: number, low: number]>> = {
  data: [0.95, 0.88],
  label: [0.95, 0.85],
  table: [0.85, 0.85],
  heading: [0.88, 0.8],
  head: [0.88, 0.85],
  cards: [0.8, 0.7],
  state: [0.8, 0.7],
  fetched: [0.8, 0.7],
  text: [0.85, 0.78],
  list: [0.5, 0.5],
}
const GOOD_SCORE = 0.84

export function confidenceOf({ source, score }: { source: string; score: number }): number {
  const [good, low] = SHARE_RIGHT[source] ?? [0.5, 0.5]
  return score >= GOOD_SCORE ? good : low
}

// Counting for every set: right, wrong, or left empty, by field. A field of a list counts by the share of its elements,
// so that a table of forty rows weighs as much as one title.

export interface Tally {
  /** The answer is what a careful reader would give; also: rightly empty. */
  right: number
  /** There is an answer, and it is not that one. */
  wrong: number
  /** There is no answer although the page has one. */
  empty: number
}

export type Score = Map<string, Tally>

export const noTally = (): Tally => ({ right: 0, wrong: 0, empty: 0 })

/** One field of a score gets `share` more of one outcome. */
export function count(score: Score, field: string, outcome: keyof Tally, share = 1): void {
  const tally = score.get(field) ?? noTally()
  tally[outcome] += share
  score.set(field, tally)
}

/** The sum over all fields of all scores given. */
export function total(scores: Iterable<Score>): Tally {
  const sum = noTally()
  for (const score of scores)
    for (const { right, wrong, empty } of score.values()) {
      sum.right += right
      sum.wrong += wrong
      sum.empty += empty
    }
  return sum
}

/** Shares of one: `right` is the figure with a floor, `wrong` the one with a ceiling. */
export function shares({ right, wrong, empty }: Tally): Tally {
  const all = Math.max(right + wrong + empty, Number.MIN_VALUE)
  return { right: right / all, wrong: wrong / all, empty: empty / all }
}

/** What to read when a figure falls: `case field` for every field that is not wholly right, worst first. */
export function faults(scores: Iterable<readonly [string, Score]>): string[] {
  const rows = [...scores].flatMap(([id, score]) => [...score].map(([field, tally]) => ({ id, field, ...tally })))
  return rows
    .filter(({ wrong, empty }) => wrong + empty > 1e-9)
    .sort((a, b) => b.wrong - a.wrong || b.empty - a.empty)
    .map(({ id, field, wrong, empty }) => `${id} ${field}: ${wrong.toFixed(2)} wrong, ${empty.toFixed(2)} empty`)
}

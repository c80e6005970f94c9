// "Did you mean": the nearest known name by edit distance. `only_main_content` is `onlyMainContent`.

const normaliseName = (name: string): string => name.toLowerCase().replace(/[-_\s]/g, '')

const MAX_LENGTH = 60

export function findNearestName(asked: string, known: Iterable<string>): string | undefined {
  // Before it is copied: a key of a request may have megabytes.
  if (asked.length > 2 * MAX_LENGTH) return undefined
  const wanted = normaliseName(asked)
  if (wanted === '' || wanted.length > MAX_LENGTH) return undefined
  // A third of the letters may differ, at least one: `url` is near `urls`, `foo` is near nothing.
  const allowed = Math.max(1, Math.floor(wanted.length / 3))
  let best: { name: string; slips: number } | undefined
  for (const name of known) {
    const candidate = normaliseName(name)
    const slips =
      candidate === wanted
        ? 0
        : Math.abs(candidate.length - wanted.length) > allowed
          ? begins(candidate, wanted)
          : slipsBetween(wanted, candidate)
    if (slips <= allowed && slips < (best?.slips ?? Number.POSITIVE_INFINITY)) best = { name, slips }
  }
  return best?.name
}

/** One is a prefix of the other, at least four letters: `format` of `formatsWanted`. */
const begins = (one: string, other: string): number => {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= 4 && long.startsWith(short) ? 1.5 : Number.POSITIVE_INFINITY
}

function slipsBetween(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      if (swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    before = last
    last = row
  }
  return last[other.length] ?? 0
}

// Small models fall into loops and write the same words to their length limit. Keeps the first of the repetitions.

const [TAIL, MIN_REPEATED_CHARS, MIN_TIMES, MIN_ITEMS] = [6000, 400, 4, 12]

/** The text up to the end of the first repetition; the same text when its end repeats nothing. */
export function cutRepetition(text: string): string {
  if (text.length < MIN_REPEATED_CHARS) return text
  const period = periodOfEnd(text.slice(-TAIL))
  if (period === undefined) return text
  let from = text.length - period
  while (from > 0 && text[from - 1] === text[from - 1 + period]) from -= 1
  const [ending = ''] = /^.?[.!?\n]/.exec(text.slice(from + period, from + period + 2)) ?? []
  return (text.slice(0, from + period) + ending).trimEnd()
}

/** The shortest unit that fills the end of a text, by the failure function of the reversed text. */
function periodOfEnd(tail: string): number | undefined {
  const borders = new Int32Array(tail.length)
  const sign = (at: number) => tail[tail.length - 1 - at]
  for (let at = 1, border = 0; at < tail.length; at++) {
    while (border > 0 && sign(at) !== sign(border)) border = borders[border - 1]!
    if (sign(at) === sign(border)) border += 1
    borders[at] = border
    const [length, period] = [at + 1, at + 1 - border]
    if (length >= MIN_REPEATED_CHARS && length >= period * MIN_TIMES) return period
  }
  return undefined
}

/** Cuts repetitions in all texts of a value, and list items that repeat without end. */
export function cutRepetitionsIn(value: unknown, onCut: () => void, depth = 0): unknown {
  if (depth > 40) return value
  if (typeof value === 'string') {
    const cut = cutRepetition(value)
    if (cut !== value) onCut()
    return cut
  }
  if (Array.isArray(value))
    return withoutRepeatedItems(value, onCut).map((one) => cutRepetitionsIn(one, onCut, depth + 1))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cutRepetitionsIn(one, onCut, depth + 1)]))
}

function withoutRepeatedItems(items: readonly unknown[], onCut: () => void): readonly unknown[] {
  if (items.length < MIN_ITEMS || items.some((item) => item === null || typeof item !== 'object')) return items
  const known = new Map(items.map((item) => [JSON.stringify(item), item]))
  if (known.size * MIN_TIMES > items.length) return items
  onCut()
  return [...known.values()]
}

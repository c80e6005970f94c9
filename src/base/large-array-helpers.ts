// For arrays of any length; spread into a call such as `push(...list)` or `Math.max(...list)`, they overflow the stack.

export function appendAll<T>(target: T[], more: readonly T[]): void {
  for (const one of more) target.push(one)
}

/** -Infinity for an empty list, as Math.max. */
export const maxOf = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)

/** Infinity for an empty list, as Math.min. */
export const minOf = (values: readonly number[]): number =>
  values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)

/** How many values at the start of a sorted list `holds` is true of, by binary search. */
export function countUntil<T>(sorted: ArrayLike<T>, holds: (one: T) => boolean): number {
  let [least, most] = [0, sorted.length]
  while (least < most) {
    const middle = (least + most) >> 1
    if (holds(sorted[middle]!)) least = middle + 1
    else most = middle
  }
  return least
}

// For arrays of any length: spread into a call such as `push(...list)` or `Math.max(...list)`, they overflow the stack.

export function appendAll<T>(target: T[], more: readonly T[]): void {
  for (const one of more) target.push(one)
}

/** -Infinity for an empty list, as Math.max. */
export const maxOf = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)

/** Infinity for an empty list, as Math.min. */
export const minOf = (values: readonly number[]): number =>
  values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)

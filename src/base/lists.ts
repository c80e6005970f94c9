// Lists as long as a page or file makes them: spread into a call, they overflow the stack.

export function appendAll<T>(target: T[], more: readonly T[]): void {
  for (const one of more) target.push(one)
}

/** -Infinity for an empty list, as Math.max. */
export const largest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)

/** Infinity for an empty list, as Math.min. */
export const smallest = (values: readonly number[]): number =>
  values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)

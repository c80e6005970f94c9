// Small checks of values that many modules need.

export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Host with port, or undefined for what is no URL. */
export const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined)

export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

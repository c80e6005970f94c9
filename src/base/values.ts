// Small checks of values that many modules need.

export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Words that a list names, for a test of each word of a text. */
export const setOfWords = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Host with port, or undefined for what is no URL. */
export const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined)

/** The port of a URL, or that of its scheme. */
export const portOf = ({ port, protocol }: URL): number => Number(port) || (/^(?:http|ws):$/.test(protocol) ? 80 : 443)

/** Computed at the first use: every thread loads all modules, and most threads need few of their tables. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Remembers what `make` returns for an object, for as long as the object lives. */
export function rememberByObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>()
  return (key) => {
    const found = known.get(key) ?? { value: make(key) }
    known.set(key, found)
    return found.value
  }
}

/** Appends to the list of a key, up to `most` values. */
export function appendTo<Key, One>(lists: Map<Key, One[]>, key: Key, one: One, most = Number.POSITIVE_INFINITY): void {
  const list = lists.get(key)
  if (!list) lists.set(key, [one])
  else if (list.length < most) list.push(one)
}

/** How often each value occurs. */
export function countEach<One>(values: Iterable<One>): Map<One, number> {
  const times = new Map<One, number>()
  for (const one of values) times.set(one, (times.get(one) ?? 0) + 1)
  return times
}

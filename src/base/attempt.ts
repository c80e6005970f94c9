// Values of calls that may throw, where a failure only means another value.

export function valueOr<Value, Other>(other: Other, work: () => Value): Value | Other {
  try {
    return work()
  } catch {
    return other
  }
}

export const parseJson = (text: string): unknown => valueOr(undefined, () => JSON.parse(text) as unknown)

/** The text itself where its escapes are damaged. */
export const decodePercent = (text: string): string => valueOr(text, () => decodeURIComponent(text))

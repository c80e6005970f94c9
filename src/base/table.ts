// Tables that are asked for words from outside: of callers, pages and files. They have no prototype, so that `constructor`
// and `toString` are words like any other.

export const tableOf = <Row>(rows: Readonly<Record<string, Row>>): Readonly<Record<string, Row>> =>
  Object.assign(Object.create(null), rows)

/** An object whose keys come from outside: `__proto__` is a key like any other. */
export const emptyRecord = <Value>(): Record<string, Value> => Object.create(null)

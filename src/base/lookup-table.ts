// Lookup tables without a prototype, so that `constructor` and `toString` are ordinary keys.

export const tableOf = <Row>(rows: Readonly<Record<string, Row>>): Readonly<Record<string, Row>> =>
  Object.assign(Object.create(null), rows)

/** For keys from outside: `__proto__` is an ordinary key. */
export const emptyRecord = <Value>(): Record<string, Value> => Object.create(null)

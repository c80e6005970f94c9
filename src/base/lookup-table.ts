// Lookup tables without a prototype, so that `constructor` and `toString` are ordinary keys.

export const makeLookupTable = <Row>(rows: Readonly<Record<string, Row>>): Readonly<Record<string, Row>> =>
  Object.assign(Object.create(null), rows)

/** For keys from outside: `__proto__` is an ordinary key. */
export const makeRecordWithoutPrototype = <Value>(): Record<string, Value> => Object.create(null)

// Tables that are computed at their first use: every thread loads all modules, and most threads need few of the tables.

export function lazy<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

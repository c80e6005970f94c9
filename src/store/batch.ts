// How much of what has to go goes at once, for every sweep. Freeing the pages of large bodies is what takes time, so a
// batch ends at a number of bytes as well as of rows.

export const BATCH_ROWS = 500
export const BATCH_BYTES = 4 * 1024 * 1024

/** The first of the rows, until they weigh `maxBytes`; always at least one. */
export function upToBytes(rows: readonly { id: string; bytes: number }[], maxBytes: number): string[] {
  const ids: string[] = []
  let bytes = 0
  for (const row of rows) {
    if (bytes >= maxBytes) break
    ids.push(row.id)
    bytes += row.bytes
  }
  return ids
}

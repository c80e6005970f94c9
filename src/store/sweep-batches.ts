// Batch limits of every sweep, in bytes as well as rows, because freeing large bodies takes most of the time.
import { sql } from 'kysely'
import type { Db, Tables } from './tables.ts'

export const BATCH_ROWS = 500
export const BATCH_BYTES = 4 * 1024 * 1024

export function takeUpToBytes(rows: readonly { id: string; bytes: number }[], maxBytes: number): string[] {
  const ids: string[] = []
  let bytes = 0
  for (const row of rows) {
    if (bytes >= maxBytes) break
    ids.push(row.id)
    bytes += row.bytes
  }
  return ids
}

interface Aging {
  table: keyof Tables & string
  time: string
  before: number
  maxBytes: number
}

export async function deleteOldestRows(db: Db, { table, time, before, maxBytes }: Aging): Promise<number> {
  const from = sql.table(table)
  const listOldest = async (age: number) => {
    const { rows } = await sql<{ id: string; bytes: number | string }>`select id, bytes from ${from}
      where ${sql.ref(time)} <= ${age} order by ${sql.ref(time)} limit ${BATCH_ROWS}`.execute(db)
    return rows.map(({ id, bytes }) => ({ id, bytes: Number(bytes) }))
  }
  const drop = async (ids: readonly string[]) => {
    await sql`delete from ${from} where id in (${sql.join(ids)})`.execute(db)
    return ids.length
  }
  const aged = await listOldest(before)
  if (aged.length > 0) return drop(takeUpToBytes(aged, BATCH_BYTES))
  const { rows } = await sql<{ bytes: number | string }>`select coalesce(sum(bytes), 0) as bytes from ${from}`.execute(
    db,
  )
  const excess = Number(rows[0]?.bytes ?? 0) - maxBytes
  return excess > 0 ? drop(takeUpToBytes(await listOldest(Number.MAX_SAFE_INTEGER), Math.min(excess, BATCH_BYTES))) : 0
}

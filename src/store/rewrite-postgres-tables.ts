// Rewrites PostgreSQL's files so that no deleted data remains in tables, statistics or WAL.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { isForbidden } from './postgres-errors.ts'
import { retryAfterDeadlock } from './retry-deadlock.ts'
import type { RewriteExtent } from './sweep.ts'
import type { Db } from './tables.ts'

/** A full vacuum locks its table for about a tenth of a second up to this size. */
const MAX_FULL_VACUUM_BYTES = 16 * 1024 * 1024

const SNAPSHOTS_MS = 30_000
const LOOK_MS = 50

/** `freed` leaves out large tables. Returns whether no deleted row is left in any table. */
export async function rewritePostgresTables(
  db: Db,
  extent: RewriteExtent,
  patienceMs = SNAPSHOTS_MS,
): Promise<boolean> {
  const clean = await olderSnapshotsEnd(db, patienceMs)
  const { rows } = await sql<{ table: string; bytes: number }>`
    select tablename as table, pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass) as bytes
    from pg_tables where schemaname = current_schema() order by tablename`.execute(db)
  const tables = rows.filter(({ bytes }) => extent === 'whole' || bytes <= MAX_FULL_VACUUM_BYTES)
  for (const { table } of tables) {
    await retryAfterDeadlock(() => sql`vacuum (full, analyze) ${sql.id(table)}`.execute(db))
    await forgetValues(db, table)
  }
  const statisticsClean = await olderSnapshotsEnd(db, patienceMs)
  await retryAfterDeadlock(() => sql`vacuum full pg_statistic`.execute(db))
  await endLog(db)
  return clean && statisticsClean && tables.length === rows.length
}

/** A full vacuum copies deleted rows that an older snapshot still sees, so wait until every snapshot is newer. */
async function olderSnapshotsEnd(db: Db, patienceMs: number): Promise<boolean> {
  const { rows } = await sql<{ xid: string }>`select pg_current_xact_id()::xid::text as xid`.execute(db)
  const deadline = performance.now() + patienceMs
  for (;;) {
    const { rows: older } = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and greatest(age(backend_xid), age(backend_xmin)) > age(${rows[0]!.xid}::xid) limit 1`.execute(db)
    if (older.length === 0) return true
    if (performance.now() > deadline) return false
    await sleep(LOOK_MS)
  }
}

/**
 * The server keeps the most common values of a column even when the table is empty. Setting the column's type, even
 * to the same one, drops them.
 */
async function forgetValues(db: Db, table: string): Promise<void> {
  const { rows: some } = await sql`select 1 from ${sql.id(table)} limit 1`.execute(db)
  if (some.length > 0) return
  const { rows } = await sql<{ column: string; type: string }>`
    select attname as column, format_type(atttypid, atttypmod) as type from pg_attribute
    join pg_stats using (attname)
    where schemaname = current_schema() and tablename = ${table}
      and attrelid = format('%I.%I', schemaname, tablename)::regclass`.execute(db)
  for (const { column, type } of rows)
    await retryAfterDeadlock(() =>
      sql`alter table ${sql.id(table)} alter column ${sql.id(column)} type ${sql.raw(type)}`.execute(db),
    )
}

/**
 * A checkpoint removes or recycles (`wal_recycle`) the WAL with the deleted rows. Without the permission, wait for
 * the automatic one.
 */
async function endLog(db: Db): Promise<void> {
  for (const step of [sql`select pg_switch_wal()`, sql`checkpoint`])
    await step.execute(db).catch((error: unknown) => {
      if (!isForbidden(error)) throw error
    })
}

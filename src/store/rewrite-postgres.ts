// Rewrites PostgreSQL's files so that no deleted data remains in tables, statistics or WAL. The queue holds only
// ids and is not touched.
import { sql } from 'kysely'
import { againAfterDeadlock } from './deadlock.ts'
import type { Db } from './tables.ts'

const FORBIDDEN = '42501'

export async function rewritePostgres(db: Db): Promise<void> {
  const { rows } = await sql<{ table: string }>`
    select tablename as table from pg_tables where schemaname = current_schema() order by tablename`.execute(db)
  for (const { table } of rows) {
    await againAfterDeadlock(() => sql`vacuum (full, analyze) ${sql.id(table)}`.execute(db))
    await forgetValues(db, table)
  }
  await againAfterDeadlock(() => sql`vacuum full pg_statistic`.execute(db))
  await endLog(db)
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
    await againAfterDeadlock(() =>
      sql`alter table ${sql.id(table)} alter column ${sql.id(column)} type ${sql.raw(type)}`.execute(db),
    )
}

/**
 * A checkpoint removes or recycles (`wal_recycle`) the WAL with the deleted rows. Without the permission, wait for
 * the automatic one.
 */
async function endLog(db: Db): Promise<void> {
  for (const step of [sql`select pg_switch_wal()`, sql`checkpoint`])
    await step.execute(db).catch((error: { code?: string }) => {
      if (error.code !== FORBIDDEN) throw error
    })
}

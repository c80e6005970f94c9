// Writes PostgreSQL's files anew, so that nothing is left in them of rows that are gone: our own tables, what the server noted
// of their values, and its log. Whoever else is on the server is not touched, nor is the queue, which knows ids alone.
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
 * The server notes the commonest values of each column, and keeps its notes on a table that has become empty. A column that
 * is given a type, even its own, loses them.
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
 * After a checkpoint the server throws away the part of its log that told of the rows, or keeps the file to write over it
 * (`wal_recycle`). Not every role may ask for one; then it comes by itself.
 */
async function endLog(db: Db): Promise<void> {
  for (const step of [sql`select pg_switch_wal()`, sql`checkpoint`])
    await step.execute(db).catch((error: { code?: string }) => {
      if (error.code !== FORBIDDEN) throw error
    })
}

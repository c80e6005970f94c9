// Reads and copies a SQLite database beside a running service, without migrating it, for backup, restore and `orb
// doctor`.
import { chmodSync, existsSync } from 'node:fs'
import { Kysely, SqliteDialect } from 'kysely'
import { readMigrationHistory } from './migrate.ts'
import type { MigrationStep } from './migrations/migration-step.ts'
import { BLOCKING_WAIT_MS, connectSqlite } from './sqlite-connection.ts'
import { sqliteErrorCode } from './sqlite-errors.ts'
import type { Tables } from './tables.ts'

export interface DatabaseFacts {
  steps: string[]
  instanceId: string | undefined
}

export const findUnknownSteps = (steps: readonly string[], knownSteps: readonly MigrationStep[]): string[] =>
  steps.filter((name) => !knownSteps.some((step) => step.name === name))

/** Throws with a message for the operator when the file is damaged or not ours. */
export async function readSqliteFacts(path: string): Promise<DatabaseFacts> {
  if (!existsSync(path)) throw new Error(`there is no database file ${path}`)
  const connection = connectSqlite(path)
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: connection.database }) })
  try {
    connection.exec(`pragma busy_timeout = ${BLOCKING_WAIT_MS}`)
    const verdict = connection.value('pragma quick_check(1)')
    if (verdict !== 'ok') throw new Error(`the database file ${path} is damaged (${String(verdict)})`)
    const steps = await readMigrationHistory(db)
    if (!steps) throw new Error(`the database file ${path} belongs to another program`)
    const row = await db.selectFrom('settings').select('value').where('name', '=', 'instance_id').executeTakeFirst()
    return { steps, instanceId: row?.value }
  } catch (error) {
    const code = sqliteErrorCode(error)
    if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT')
      throw new Error(`the database file ${path} is damaged, or not a database (${code})`, { cause: error })
    throw error
  } finally {
    connection.close()
  }
}

export function copySqlite(path: string, target: string): void {
  const connection = connectSqlite(path)
  try {
    connection.exec(`pragma busy_timeout = ${BLOCKING_WAIT_MS}`)
    connection.exec(`vacuum into '${target.replaceAll("'", "''")}'`)
    chmodSync(target, 0o600)
  } finally {
    connection.close()
  }
}

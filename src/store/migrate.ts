// Migrates a database, and refuses one that a newer build has changed. Each dialect takes its own lock, so several
// processes may start at once.
import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import type { MigrationStep } from './migrations/columns.ts'
import type { Db, Dialect } from './tables.ts'

interface MigrateOptions {
  db: Db
  dialect: Dialect
  /** Name for error messages: a path, or an address without its password. */
  called: string
  steps: readonly MigrationStep[]
}

/** Undefined when never migrated. */
export async function history(db: Db): Promise<string[] | undefined> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return undefined
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map((row) => row.name)
}

export function pendingSteps(done: readonly string[], steps: readonly MigrationStep[]): MigrationStep[] {
  return steps.filter((step) => !done.includes(step.name))
}

export async function migrate({ db, dialect, called, steps }: MigrateOptions): Promise<void> {
  const done = (await history(db)) ?? []
  const newer = done.filter((name) => !steps.some((step) => step.name === name))
  if (newer.length > 0) {
    throw new Error(
      `The database ${called} was written by a newer version of Orbweaver (it has ${newer.join(', ')}). ` +
        'Start that version or a later one, or restore the backup that was made before the upgrade.',
    )
  }
  if (pendingSteps(done, steps).length === 0) return
  const migrator = new Migrator({
    db,
    // The caller wraps SQLite's upgrade in a transaction; PostgreSQL's runs in the migrator's.
    disableTransactions: dialect === 'sqlite',
    provider: {
      getMigrations: async () => Object.fromEntries(steps.map((step) => [step.name, asMigration(step, dialect)])),
    },
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined)
    throw new Error(`The database ${called} could not be upgraded: ${messageOf(error)}`, { cause: error })
}

const asMigration = (step: MigrationStep, dialect: Dialect): Migration => ({
  up: (db: Kysely<unknown>) => step.up(db, dialect),
})

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

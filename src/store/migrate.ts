// Migrates a database, and refuses one that a newer build has changed. Each dialect takes its own lock, so several
// processes may start at once.
import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import { BASELINE_STEP } from './migrations/baseline.ts'
import type { MigrationStep } from './migrations/migration-step.ts'
import type { Db, Dialect } from './tables.ts'

interface MigrateOptions {
  db: Db
  dialect: Dialect
  called: string
  steps: readonly MigrationStep[]
}

export async function readMigrationHistory(db: Db): Promise<string[] | undefined> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return undefined
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map((row) => row.name)
}

export function pendingSteps(done: readonly string[], steps: readonly MigrationStep[]): MigrationStep[] {
  return steps.filter((step) => !done.includes(step.name))
}

export const isSchemaCurrent = async (db: Db, steps: readonly MigrationStep[]): Promise<boolean> => {
  const done = (await readMigrationHistory(db)) ?? []
  return done.length === steps.length && pendingSteps(done, steps).length === 0
}

/** Setting with the newest contracting step; a version that has this step can run on the migrated database. */
const NEWEST_CONTRACTING_STEP_SETTING = 'least_step'

async function mayRunBeside(db: Db, done: readonly string[], steps: readonly MigrationStep[]): Promise<boolean> {
  if (pendingSteps(done, steps).length > 0) return false
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', NEWEST_CONTRACTING_STEP_SETTING)
    .executeTakeFirst()
  return row !== undefined && (row.value === '' || steps.some(({ name }) => name === row.value))
}

async function setLeastStep(db: Db, steps: readonly MigrationStep[]): Promise<void> {
  const value = steps.findLast(({ contracts }) => contracts)?.name ?? ''
  await db
    .insertInto('settings')
    .values({ name: NEWEST_CONTRACTING_STEP_SETTING, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

export function assertNotTooOld(done: readonly string[], called: string): void {
  if (done.length === 0 || done.includes(BASELINE_STEP)) return
  throw new Error(
    `The database ${called} is too old for this version of Orbweaver: its last step is ${done.at(-1)}, and upgrades begin at ` +
      `${BASELINE_STEP}. Start a version in between once, which upgrades it, and then this one.`,
  )
}

export async function runMigrations({ db, dialect, called, steps }: MigrateOptions): Promise<void> {
  const done = (await readMigrationHistory(db)) ?? []
  const newer = done.filter((name) => !steps.some((step) => step.name === name))
  if (newer.length > 0) {
    // Several processes are upgraded one after the other; one of the older ones may restart meanwhile.
    if (dialect === 'postgres' && (await mayRunBeside(db, done, steps))) return
    throw new Error(
      `The database ${called} was written by a newer version of Orbweaver (it has ${newer.join(', ')}). ` +
        'Start that version or a later one, or restore the backup that was made before the upgrade.',
    )
  }
  assertNotTooOld(done, called)
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
  if (dialect === 'postgres') await setLeastStep(db, steps)
}

const asMigration = (step: MigrationStep, dialect: Dialect): Migration => ({
  up: (db: Kysely<unknown>) => step.up(db, dialect),
})

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

// Opens the embedded database in WAL mode. It refuses a damaged or foreign file without changing it, and copies it
// before a migration.
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { withinTime } from '../base/deadline.ts'
import type { Log } from '../base/log.ts'
import { checkSqliteIntegrity, checkSqliteIntegrityInWorker } from './check-sqlite-integrity.ts'
import { registerDirectSqlite } from './direct-sqlite.ts'
import { assertNotTooOld, pendingSteps, readMigrationHistory, runMigrations } from './migrate.ts'
import { collectMigrationSteps } from './migrations/index.ts'
import type { MigrationStep } from './migrations/migration-step.ts'
import { BLOCKING_WAIT_MS, connectSqlite, type LibsqlConnection, type LibsqlOptions } from './sqlite-connection.ts'
import { sqliteErrorCode } from './sqlite-errors.ts'
import type { Db, Tables } from './tables.ts'
import { WaitingSqliteDialect } from './wait-for-write-lock.ts'

const HEADER = 'SQLite format 3\0'
const BACKUPS_KEPT = 2
/** Up to this size the file is checked before the start continues (60 ms). */
const FULL_CHECK_BYTES = 64 * 1024 * 1024
/** A start waits this long for the thread; `trouble` reports later findings, and so does /health. */
const MAX_CHECK_WAIT_MS = 2000

export const databasePath = (dataDir: string): string => join(dataDir, 'orb.db')

export interface SqliteOptions extends LibsqlOptions {
  dataDir: string
  log: Log
  steps?: readonly MigrationStep[]
}

export type OpenSqlite = Awaited<ReturnType<typeof openSqlite>>

export async function openSqlite(options: SqliteOptions) {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const path = databasePath(options.dataDir)
  const fresh = !existsSync(path) || statSync(path).size === 0
  if (!fresh) refuseForeign(path)
  let damage: string | undefined
  const check = fresh
    ? Promise.resolve()
    : refuseDamaged(path, (error) => {
        damage = error.message
        options.log.error({ because: error.message }, 'the database is damaged')
      })
  await inTime(check)
  const connection = connectSqlite(path, { ...options, tidy: true })
  const db = new Kysely<Tables>({ dialect: new WaitingSqliteDialect({ database: connection.database }) })
  registerDirectSqlite(db, connection)
  try {
    if (fresh) connection.exec('pragma auto_vacuum = incremental')
    tune(connection)
    await upgrade(db, connection, path, options, check)
    // From here on requests are served: the dialect waits for locks, without stopping the event loop.
    connection.exec('pragma busy_timeout = 0')
    return { db, connection, trouble: () => damage ?? connection.trouble() }
  } catch (error) {
    connection.close()
    throw error
  }
}

export function openSecondConnection(path: string): { db: Db; connection: LibsqlConnection } {
  const connection = connectSqlite(path)
  tune(connection)
  return {
    db: new Kysely<Tables>({ dialect: new WaitingSqliteDialect({ database: connection.database }) }),
    connection,
  }
}

function tune(connection: LibsqlConnection): void {
  connection.exec(`pragma busy_timeout = ${BLOCKING_WAIT_MS}`)
  connection.exec('pragma journal_mode = wal')
  connection.exec('pragma synchronous = normal')
  connection.exec('pragma foreign_keys = on')
  // Deleted data must not stay in free pages: a rewrite of the whole file would hold up every team.
  connection.exec('pragma secure_delete = on')
  // The janitor checkpoints the WAL, so that no request pays for it.
  connection.exec('pragma wal_autocheckpoint = 0')
}

const refusal = (path: string, why: string, cause?: unknown): Error =>
  new Error(
    `The database file ${path} ${why}. It was left as it is. Move it away to start empty, or put a backup ` +
      `(\`orb restore\`, or a backup-before-….db of the same folder) in its place and remove ${path}-wal and ${path}-shm.`,
    cause === undefined ? {} : { cause },
  )

function refuseForeign(path: string): void {
  const refuse = (why: string, cause?: unknown) => refusal(path, why, cause)
  if (readHead(path) !== HEADER) throw refuse('is not a SQLite database')
  let connection: LibsqlConnection | undefined
  try {
    connection = connectSqlite(path)
    connection.exec(`pragma busy_timeout = ${BLOCKING_WAIT_MS}`)
    const tables = Number(connection.value("select count(*) from sqlite_master where type = 'table'"))
    const ours = Number(connection.value("select count(*) from sqlite_master where name = 'kysely_migration'"))
    if (tables > 0 && ours === 0) throw refuse('belongs to another program')
    const pages = Number(connection.value('pragma page_count')) * Number(connection.value('pragma page_size'))
    const size = statSync(path).size
    if (size < pages && !existsSync(`${path}-wal`)) throw refuse(`is cut short (${size} of ${pages} bytes)`)
  } catch (error) {
    const code = sqliteErrorCode(error)
    if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') throw refuse(`is damaged (${code})`, error)
    throw error
  } finally {
    connection?.close()
  }
}

/** After the timeout, `late` receives the error instead. */
async function refuseDamaged(path: string, late: (error: Error) => void): Promise<void> {
  const { size } = statSync(path)
  const started = performance.now()
  const verdict = size <= FULL_CHECK_BYTES ? checkSqliteIntegrity(path) : await checkSqliteIntegrityInWorker(path)
  if (verdict.sound) return
  const error = refusal(path, `is damaged (${verdict.because})`)
  if (performance.now() - started > MAX_CHECK_WAIT_MS) late(error)
  throw error
}

function inTime(check: Promise<void>): Promise<void> {
  check.catch(() => {})
  return withinTime(MAX_CHECK_WAIT_MS, check)
}

function readHead(path: string): string {
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(HEADER.length)
    readSync(file, head, 0, head.length, 0)
    return head.toString('latin1')
  } finally {
    closeSync(file)
  }
}

async function upgrade(
  db: Db,
  connection: LibsqlConnection,
  path: string,
  options: SqliteOptions,
  check: Promise<void>,
): Promise<void> {
  const steps = options.steps ?? collectMigrationSteps([])
  const done = await readMigrationHistory(db)
  const [next] = pendingSteps(done ?? [], steps)
  const newer = (done ?? []).some((name) => !steps.some((step) => step.name === name))
  // Commands beside a service that writes must not wait for it.
  if (!next && !newer) return
  assertNotTooOld(done ?? [], path)
  // A damaged file must not be changed.
  if (next) await check
  if (done && done.length > 0 && next && !newer) backUp(connection, options, next.name)
  // One transaction: a failed step leaves nothing behind, and a second process waits.
  connection.exec('begin immediate')
  try {
    await runMigrations({ db, dialect: 'sqlite', called: path, steps })
    connection.exec('commit')
  } catch (error) {
    connection.database.prepare('rollback').run([])
    throw error
  }
}

function backUp(connection: LibsqlConnection, { dataDir, log }: SqliteOptions, stepName: string): void {
  const target = join(dataDir, `backup-before-${stepName}.db`)
  const partial = `${target}.partial`
  rmSync(partial, { force: true })
  connection.exec(`vacuum into '${partial.replaceAll("'", "''")}'`)
  renameSync(partial, target)
  log.info({ backup: target }, 'copied the database before upgrading it')
  const byAge = readdirSync(dataDir)
    .filter((name) => /^backup-before-.*\.db$/.test(name))
    .map((name) => ({ path: join(dataDir, name), madeAt: statSync(join(dataDir, name)).mtimeMs }))
    .sort((a, b) => b.madeAt - a.madeAt)
  for (const old of byAge.slice(BACKUPS_KEPT)) rmSync(old.path, { force: true })
}

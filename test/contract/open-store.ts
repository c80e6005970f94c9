// Opens stores for tests: each with a folder (and, in PostgreSQL, a database) of its own, and a clock wound by hand.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { ManualClock } from '../../src/base/clock.ts'
import { silentLog } from '../../src/base/log.ts'
import { storages } from '../../src/capabilities/index.ts'
import { openStore, type Store, type StoreOptions } from '../../src/store/index.ts'
import { collectMigrationSteps } from '../../src/store/migrations/index.ts'
import { databasePath, openSqlite } from '../../src/store/sqlite.ts'

export interface TestStore {
  store: Store
  clock: ManualClock
  dataDir: string
  /** Undefined: SQLite. */
  databaseUrl: string | undefined
  /** Opens the same data a second time, as another process would. */
  openAgain(): Promise<Store>
  end(): Promise<void>
}

export type OpenTestStore = (options?: Partial<StoreOptions>) => Promise<TestStore>

export const openTestSqlite: OpenTestStore = (options) => openIn(undefined, options, async () => undefined)

/**
 * `adminUrl` is a server in which databases may be made. One that was used is emptied and used again: that is quick.
 */
export function openTestPostgres(adminUrl: string): OpenTestStore {
  const free: string[] = []
  return async (options) => {
    const url = free.pop() ?? (await newDatabase(adminUrl))
    return openIn(url, options, async () => {
      await execute(url, EMPTY)
      free.push(url)
    })
  }
}

// To truncate fifty tables makes new files for them and their indexes, which takes longer than most tests do: deleting a few
// rows does not. References are not checked meanwhile.
const EMPTY = `do $$ declare one record; begin
  set local session_replication_role = replica;
  for one in select tablename as name from pg_tables
    where schemaname = 'public' and tablename not like 'kysely_migration%'
  loop execute format('delete from %I', one.name); end loop;
  for one in select sequencename as name from pg_sequences where schemaname = 'public' and last_value is not null
  loop execute format('alter sequence %I restart', one.name); end loop;
end $$`

let migrated: Promise<string> | undefined

/** The path of an SQLite database without rows: to copy it is four times quicker than all steps of the history. */
export function emptyDatabase(): Promise<string> {
  migrated ??= (async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'orb-store-'))
    process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
    const { db } = await openSqlite({ dataDir, log: silentLog, steps: collectMigrationSteps(storages) })
    await db.destroy()
    return databasePath(dataDir)
  })()
  return migrated
}

/** The address of a new database: empty, or a copy of one of this server that nobody is connected to. */
export async function newDatabase(adminUrl: string, copyOf?: string): Promise<string> {
  const name = `orb_${randomBytes(6).toString('hex')}`
  const template = copyOf === undefined ? '' : ` template ${new URL(copyOf).pathname.slice(1)}`
  await execute(adminUrl, `create database ${name}${template}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

async function openIn(
  databaseUrl: string | undefined,
  request: Partial<StoreOptions> = {},
  after: () => Promise<void>,
): Promise<TestStore> {
  const dataDir = request.dataDir ?? (await mkdtemp(join(tmpdir(), 'orb-store-')))
  if (databaseUrl === undefined && request.dataDir === undefined)
    await copyFile(await emptyDatabase(), databasePath(dataDir))
  const clock = new ManualClock()
  const cache = { cacheMaxBytes: 100_000_000, cacheMaxAgeMs: 7 * 86_400_000 }
  const options: StoreOptions = { databaseUrl, dataDir, clock, log: silentLog, storages, ...cache, ...request }
  const opened: Store[] = []
  const open = async () => {
    const store = await openStore(options)
    opened.push(store)
    return store
  }
  const store = await open()
  const end = async () => {
    for (const each of opened) await each.close()
    await after()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { store, clock, dataDir, databaseUrl, openAgain: open, end }
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

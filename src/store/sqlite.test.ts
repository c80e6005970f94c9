import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { booksContract } from '../../test/contract/books.ts'
import { sightingsContract } from '../../test/contract/hosts-seen.ts'
import { jobsContract } from '../../test/contract/jobs.ts'
import { openTestSqlite } from '../../test/contract/open-store.ts'
import { pagesContract } from '../../test/contract/pages.ts'
import { searchLinksContract } from '../../test/contract/search-links.ts'
import { searchOutboxContract } from '../../test/contract/search-outbox.ts'
import { snapshotsContract } from '../../test/contract/snapshots.ts'
import { storeContract } from '../../test/contract/store.ts'
import { upgradeContract } from '../../test/contract/upgrade.ts'
import { ManualClock } from '../base/clock.ts'
import { silentLog } from '../base/log.ts'
import { storages } from '../capabilities/index.ts'
import { openStore, type Store } from './index.ts'
import { BASELINE_STEP } from './migrations/baseline.ts'
import { collectMigrationSteps } from './migrations/index.ts'
import type { MigrationStep } from './migrations/migration-step.ts'
import { databasePath, openSqlite } from './sqlite.ts'
import { connectSqlite } from './sqlite-connection.ts'

const steps = collectMigrationSteps(storages)
/** The steps that make a new database, and then one after the other. */
const base = steps.findIndex(({ name }) => name === BASELINE_STEP) + 1
let dataDir: string
const opened: Store[] = []
const open = async () => {
  const limits = { cacheMaxBytes: 1e9, cacheMaxAgeMs: 1e9 }
  const store = await openStore({
    databaseUrl: undefined,
    dataDir,
    storages,
    clock: new ManualClock(),
    log: silentLog,
    ...limits,
  })
  opened.push(store)
  return store
}
const openOld = async (old: readonly MigrationStep[]) => (await openSqlite({ dataDir, log: silentLog, steps: old })).db

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'orb-sqlite-'))
})
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  await rm(dataDir, { recursive: true, force: true })
})

describe('the store on SQLite', () => {
  describe('holds the store contract', () => storeContract(openTestSqlite))
  describe('holds the books contract', () => booksContract(openTestSqlite))
  describe('holds the pages contract', () => pagesContract(openTestSqlite))
  describe('holds the sightings contract', () => sightingsContract(openTestSqlite))
  describe('holds the contract of links in the search index', () => searchLinksContract(openTestSqlite))
  describe('holds the contract of what is to be found', () => searchOutboxContract(openTestSqlite))
  describe('holds the snapshots contract', () => snapshotsContract(openTestSqlite))
  describe('holds the jobs contract', () => jobsContract(openTestSqlite))
  describe('holds the upgrade contract', () =>
    upgradeContract(async () => {
      const folder = await mkdtemp(join(tmpdir(), 'orb-upgrade-'))
      return {
        openOld: async (old) => (await openSqlite({ dataDir: folder, log: silentLog, steps: old })).db,
        openCopy: async () => {
          await cp(folder, dataDir, { recursive: true })
          const store = await open()
          // Closed after each test, with the others.
          return { store, end: async () => undefined }
        },
        end: () => rm(folder, { recursive: true, force: true }),
      }
    }))
})

describe('a backup before an upgrade', () => {
  const backups = async () => (await readdir(dataDir)).filter((name) => name.startsWith('backup-')).sort()

  it('is a whole database from which the older build can go on', async () => {
    const old = await openOld(steps.slice(0, base))
    await old.insertInto('teams').values(aTeam).execute()
    await old.destroy()
    await open()
    expect(await backups()).toEqual([`backup-before-${steps[base]!.name}.db`])
    for (const store of opened.splice(0)) await store.close()
    const backup = await readFile(join(dataDir, `backup-before-${steps[base]!.name}.db`))
    await writeFile(databasePath(dataDir), backup)
    const back = await openOld(steps.slice(0, base))
    expect(await back.selectFrom('teams').select('name').execute()).toEqual([{ name: 'kept' }])
    await back.destroy()
  })

  it('is made only when there is something to upgrade, and only the newest two are kept', async () => {
    for (const more of [0, 0, 1, 2, 3, 3]) await (await openOld(steps.slice(0, base + more))).destroy()
    expect(await backups()).toEqual([base + 1, base + 2].map((at) => `backup-before-${steps[at]!.name}.db`))
  })

  it('is not made of a database from before the steps that upgrades begin with, which is refused', async () => {
    await (await openOld(steps.slice(0, 2))).destroy()
    await expect(open()).rejects.toThrow(
      /too old for this version.*its last step is 0002-ledger.*begin at 0920-extractors/,
    )
    expect(await backups()).toEqual([])
  })

  it('leaves the database as it was when a step fails half-way', async () => {
    const old = await openOld(steps)
    await old.insertInto('teams').values(aTeam).execute()
    await old.destroy()
    const broken: MigrationStep = {
      name: '9999-broken',
      async up(db) {
        await db.schema.createTable('half').addColumn('id', 'text').execute()
        throw new Error('no further')
      },
    }
    await expect(openOld([...steps, broken])).rejects.toThrow(/could not be upgraded: no further/)
    const store = await open()
    expect(await store.teams.byName('kept')).toBeDefined()
    const connection = connectSqlite(databasePath(dataDir))
    expect(connection.value("select count(*) from sqlite_master where name = 'half'")).toBe(0)
    connection.close()
  })
})

const aTeam = { id: 't', name: 'kept', plan: 'unlimited', zero_data_retention: 'allowed', created_at: 1 } as const

describe('a database file that cannot be used', () => {
  /** The refusal names the file and the way out, and not a byte of it has changed. */
  async function refused(bytes: Uint8Array | string, why: RegExp): Promise<void> {
    const path = databasePath(dataDir)
    await writeFile(path, bytes)
    const failure = await open().then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(Error)
    const { message } = failure as Error
    expect(message).toMatch(why)
    expect(message).toContain(path)
    expect(message).toMatch(/Move it away .*backup-before-/)
    expect(Buffer.compare(await readFile(path), Buffer.from(bytes))).toBe(0)
  }

  /** A closed database of ours with some rows in it. */
  async function goodFile(): Promise<Buffer> {
    const store = await open()
    for (let at = 0; at < 200; at += 1) await store.settings.set(`name ${at}`, 'x'.repeat(500))
    await store.close()
    opened.length = 0
    return readFile(databasePath(dataDir))
  }

  it('is refused when it is no database', () =>
    refused('these are not the bytes you want'.repeat(200), /is not a SQLite database/))

  it('is refused when it is shorter than it says', async () => {
    const good = await goodFile()
    await refused(good.subarray(0, Math.floor(good.length / 2 / 4096) * 4096), /is (cut short|damaged)/)
  })

  it('is refused when its pages are overwritten', async () => {
    const bad = Buffer.from(await goodFile())
    bad.fill(0xa5, 4096 * 3)
    await refused(bad, /is damaged/)
  })

  it('is refused when it belongs to another program', async () => {
    const other = connectSqlite(join(dataDir, 'other.db'))
    other.exec('create table recipes (id integer primary key)')
    other.close()
    await refused(await readFile(join(dataDir, 'other.db')), /belongs to another program/)
  })

  it('is refused, and not backed up, when a newer version has written it', async () => {
    const future: MigrationStep = { name: '0099-future', up: async () => undefined }
    await (await openOld([...steps, future])).destroy()
    await expect(open()).rejects.toThrow(/written by a newer version of Orbweaver \(it has 0099-future\)/)
    expect((await readdir(dataDir)).filter((name) => name.startsWith('backup-'))).toEqual([])
  })

  it('is simply filled when it is empty', async () => {
    await writeFile(databasePath(dataDir), '')
    await (await open()).ping()
  })
})

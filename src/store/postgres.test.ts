import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { booksContract } from '../../test/contract/books.ts'
import { sightingsContract } from '../../test/contract/hosts-seen.ts'
import { jobsContract } from '../../test/contract/jobs.ts'
import { newDatabase, openTestPostgres } from '../../test/contract/open-store.ts'
import { pagesContract } from '../../test/contract/pages.ts'
import { searchLinksContract } from '../../test/contract/search-links.ts'
import { searchOutboxContract } from '../../test/contract/search-outbox.ts'
import { snapshotsContract } from '../../test/contract/snapshots.ts'
import { storeContract } from '../../test/contract/store.ts'
import { upgradeContract } from '../../test/contract/upgrade.ts'
import { until } from '../../test/e2e/waiting.ts'
import { ManualClock, systemClock } from '../base/clock.ts'
import { silentLog } from '../base/log.ts'
import { storages } from '../capabilities/index.ts'
import { openHostPoliteness } from '../jobs/host-politeness.ts'
import { newId } from './id.ts'
import { openStore, type StoreOptions } from './index.ts'
import { collectMigrationSteps } from './migrations/index.ts'
import type { MigrationStep } from './migrations/migration-step.ts'
import { openPostgres } from './postgres.ts'
import { retryAfterDeadlock } from './retry-deadlock.ts'
import { rewritePostgresTables } from './rewrite-postgres-tables.ts'
import type { SharedHostDelays } from './shared-host-delays.ts'

const url = inject('postgresUrl')

describe.skipIf(url === undefined)('the store on PostgreSQL (skipped when none could be started)', () => {
  const open = openTestPostgres(url!)
  describe('holds the store contract', () => storeContract(open))
  describe('holds the books contract', () => booksContract(open))
  describe('holds the pages contract', () => pagesContract(open))
  describe('holds the sightings contract', () => sightingsContract(open))
  describe('holds the contract of links in the search index', () => searchLinksContract(open))
  describe('holds the contract of what is to be found', () => searchOutboxContract(open))
  describe('holds the snapshots contract', () => snapshotsContract(open))
  describe('holds the jobs contract', () => jobsContract(open))
  describe('holds the upgrade contract', () =>
    upgradeContract(async () => {
      const own = await newDatabase(url!)
      const dataDir = await mkdtemp(join(tmpdir(), 'orb-upgrade-'))
      return {
        openOld: (steps) => openPostgres({ url: own, log: silentLog, steps }),
        openCopy: async () => {
          const databaseUrl = await newDatabase(url!, own)
          const limits = { cacheMaxBytes: 1e9, cacheMaxAgeMs: 1e9 }
          const store = await openStore({
            storages,
            databaseUrl,
            dataDir,
            clock: new ManualClock(),
            log: silentLog,
            ...limits,
          })
          return { store, end: () => store.close() }
        },
        end: () => rm(dataDir, { recursive: true, force: true }),
      }
    }))

  it('compresses large values with lz4 where the server has it', async () => {
    const { store, end } = await open()
    const { rows } = await sql<{ enumvals: string[]; setting: string }>`
      select enumvals, setting from pg_settings where name = 'default_toast_compression'`.execute(store.database.db)
    for (const { enumvals, setting } of rows) expect(setting).toBe(enumvals.includes('lz4') ? 'lz4' : 'pglz')
    await end()
  })

  it('keeps blobs for machines with folders of their own, whole and in part, and sweeps what no row knows', async () => {
    const test = await open({ blobsInDatabase: true })
    const { store, clock } = test
    const bytes = randomBytes(2_500_000)
    const expiresAt = clock.now() + 3_600_000
    const { id } = await store.blobs.put(Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]), {
      contentType: 'image/png',
      expiresAt,
    })
    const dataDir = await mkdtemp(join(tmpdir(), 'orb-elsewhere-'))
    // Follows those that share the work.
    const limits = { cacheMaxBytes: 1e9, cacheMaxAgeMs: 1e9 }
    const other = await openStore({
      ...limits,
      databaseUrl: test.databaseUrl,
      dataDir,
      clock,
      log: silentLog,
      storages,
    })
    expect(bytes.equals((await other.blobs.read(id))!)).toBe(true)
    const part = { start: 1_048_570, end: 2_097_160 }
    const opened = await other.blobs.open(store.blobs.sign(id, expiresAt), () => part)
    expect((await buffer(opened!.stream)).equals(bytes.subarray(part.start, part.end + 1))).toBe(true)
    const empty = await store.blobs.put(new Uint8Array(), { contentType: 'x/y', expiresAt })
    expect(await other.blobs.read(empty.id)).toHaveLength(0)
    const short = { contentType: 'x/y', expiresAt, maxBytes: 10 }
    await expect(store.blobs.put(bytes, short)).rejects.toMatchObject({ kind: 'too_large' })
    const { db } = store.database
    const stored = async () => {
      const rows = await db.selectFrom('blob_chunks').select('id').distinct().orderBy('id').execute()
      return rows.map((row) => row.id)
    }
    expect(await stored()).toEqual([id, empty.id].sort())
    const stray = newId(clock.now() - 2 * 3_600_000)
    await db.insertInto('blob_chunks').values({ id: stray, n: 0, body: bytes }).execute()
    expect(await store.sweep()).toMatchObject({ orphans: 1 })
    expect(await stored()).toEqual([id, empty.id].sort())
    await other.blobs.remove(id)
    expect(await store.blobs.read(id)).toBeUndefined()
    await other.close()
    await rm(dataDir, { recursive: true, force: true })
    await test.end()
  })

  it('lets processes take turns at a host, and shares how long it rests', async () => {
    const test = await open()
    const again = await test.openAgain()
    const [one, two] = [test.store.hostTurns!, again.hostTurns!]
    const shared = (turns: SharedHostDelays) =>
      openHostPoliteness({ clock: systemClock, shared: turns, processes: () => 2 })
    const { signal } = new AbortController()
    // Twelve visits at once from two processes, ten seconds apart: each gets a turn of its own.
    const waits = await Promise.all(
      Array.from({ length: 12 }, (_, n) => (n % 2 ? one : two).take('e.com', 10_000, 500_000)),
    )
    expect(waits.every(({ taken }) => taken)).toBe(true)
    const sorted = waits.map(({ waitMs }) => waitMs).sort((a, b) => a - b)
    expect(sorted.at(-1)! - sorted[0]!).toBeGreaterThan(40_000)
    expect(await one.take('slow.com', 60_000, 2_000)).toEqual({ taken: true, waitMs: 0 })
    expect(await two.take('slow.com', 60_000, 2_000)).toMatchObject({ taken: false })
    expect(await shared(two).enter('slow.com', 60_000, signal)).toBeGreaterThan(30_000)
    const [here, there] = [shared(one), shared(two)]
    expect(await here.busy('busy.com', 120)).toBe(120_000)
    expect(await there.enter('busy.com', 0, signal)).toBeGreaterThan(60_000)
    expect(await there.enter('busy.com', 1_000, signal)).toBeGreaterThan(60_000)
    await here.fine('busy.com')
    expect(await shared(two).enter('busy.com', 0, signal)).toBe(0)
    await test.end()
  })

  it('is not ready while another process upgrades the database', async () => {
    const test = await open()
    await test.store.ping()
    const holder = new pg.Client({ connectionString: test.databaseUrl })
    await holder.connect()
    await holder.query('select pg_advisory_lock(7026001)')
    await expect(test.store.ping()).rejects.toThrow('the database is being upgraded')
    await holder.end()
    // The server ends the session a moment after its client.
    await until(() =>
      test.store.ping().then(
        () => true,
        () => false,
      ),
    )
    await test.end()
  })

  it('an older build may start beside a newer one until a step contracts, and refuses from then on', async () => {
    const own = await newDatabase(url!)
    const step = (name: string, more = {}): MigrationStep => ({
      name,
      up: (db) => db.schema.createTable(name.replace('-', '_')).addColumn('id', 'text').execute(),
      ...more,
    })
    const older = collectMigrationSteps([])
    const expanded = [...older, step('9000-wide')]
    const contracted = [...expanded, step('9010-narrow', { contracts: true })]
    const start = async (steps: readonly MigrationStep[]) =>
      (await openPostgres({ url: own, log: silentLog, steps })).destroy()
    await start(older)
    await start(expanded)
    await start(older)
    await start(contracted)
    await start(contracted)
    await expect(start(expanded)).rejects.toThrow(/was written by a newer version .*9010-narrow/)
    await expect(start(older)).rejects.toThrow(/was written by a newer version/)
  })

  it('refuses to start without the bucket in which its files lie', async () => {
    const bucket = {
      ...{ endpoint: 'http://127.0.0.1:1', bucket: 'ours', region: 'x', accessKey: 'a', secretKey: 'b' },
      virtualHost: false,
    }
    const test = await open({ bucket })
    const again = (options: Partial<StoreOptions>) =>
      openStore({
        ...{ databaseUrl: test.databaseUrl, dataDir: test.dataDir, clock: test.clock, log: silentLog, storages },
        ...{ cacheMaxBytes: 1e9, cacheMaxAgeMs: 1e9 },
        ...options,
      })
    await expect(again({})).rejects.toThrow(/are in the bucket ours, and this process names none/)
    const theirs = { ...bucket, bucket: 'theirs' }
    await expect(again({ bucket: theirs })).rejects.toThrow(/this process names the bucket theirs/)
    await (await again({ bucket })).close()
    await (await again({ leaveBucket: true })).close()
    await (await again({})).close()
    await test.end()
  })

  it('lets several processes start at once on an empty database', async () => {
    const own = await newDatabase(url!)
    const opened = await Promise.all(Array.from({ length: 4 }, () => openPostgres({ url: own, log: silentLog })))
    const names = await Promise.all(opened.map((db) => db.selectFrom('settings').selectAll().execute()))
    // Written once by the one that upgraded: no step contracts.
    const all = [{ name: 'least_step', value: '' }]
    expect(names).toEqual([all, all, all, all])
    for (const db of opened) await db.destroy()
  })

  it('rewrites a table after the snapshots that still see its deleted rows', async () => {
    const db = await openPostgres({ url: await newDatabase(url!), log: silentLog })
    await db.insertInto('settings').values({ name: 'secret', value: 'deleted' }).execute()
    const bytes = async () =>
      Number((await sql<{ size: string }>`select pg_relation_size('settings') as size`.execute(db)).rows[0]!.size)
    const reader = await db.startTransaction().setIsolationLevel('repeatable read').execute()
    await sql`select 1`.execute(reader)
    await db.deleteFrom('settings').execute()
    expect(await rewritePostgresTables(db, 'whole', 100)).toBe(false)
    expect(await bytes()).toBeGreaterThan(0)
    const rewritten = rewritePostgresTables(db, 'whole')
    // Longer than a rewrite that does not wait takes.
    await sleep(1000)
    await reader.commit().execute()
    expect([await rewritten, await bytes()]).toEqual([true, 0])
    await db.destroy()
  })

  it('begins again what the server ended because two waited for each other', async () => {
    const db = await openPostgres({ url: await newDatabase(url!), log: silentLog })
    for (const name of ['a', 'b']) await db.insertInto('settings').values({ name, value: '' }).execute()
    let tries = 0
    let begun = 0
    const both = (first: string, second: string) =>
      retryAfterDeadlock(() =>
        db.transaction().execute(async (tx) => {
          tries++
          const add = (name: string) => sql`update settings set value = value || 'x' where name = ${name}`.execute(tx)
          await add(first)
          begun++
          await until(() => begun >= 2)
          await add(second)
        }),
      )
    await Promise.all([both('a', 'b'), both('b', 'a')])
    expect(tries).toBe(3)
    const rows = await db.selectFrom('settings').select('value').where('name', 'in', ['a', 'b']).execute()
    expect(rows).toEqual([{ value: 'xx' }, { value: 'xx' }])
    await db.destroy()
  })

  it('says that the database does not respond when there is none, without its password', async () => {
    const failure = openPostgres({ url: 'postgres://orb:hidden@127.0.0.1:1/x', log: silentLog })
    await expect(failure).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(failure).rejects.not.toThrow(/hidden/)
  })
})

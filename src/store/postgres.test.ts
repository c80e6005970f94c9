import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
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
import { silentLog } from '../base/log.ts'
import { ManualClock } from '../base/time.ts'
import { storages } from '../capabilities/index.ts'
import { againAfterDeadlock } from './deadlock.ts'
import { openStore } from './index.ts'
import { openPostgres } from './postgres.ts'
import { rewritePostgres } from './rewrite-postgres.ts'

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

  it('lets several processes start at once on an empty database', async () => {
    const own = await newDatabase(url!)
    const opened = await Promise.all(Array.from({ length: 4 }, () => openPostgres({ url: own, log: silentLog })))
    const names = await Promise.all(opened.map((db) => db.selectFrom('settings').selectAll().execute()))
    expect(names).toEqual([[], [], [], []])
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
    expect(await rewritePostgres(db, 'whole', 100)).toBe(false)
    expect(await bytes()).toBeGreaterThan(0)
    const rewritten = rewritePostgres(db, 'whole')
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
    const both = (first: string, second: string) =>
      againAfterDeadlock(() =>
        db.transaction().execute(async (tx) => {
          tries++
          const add = (name: string) => sql`update settings set value = value || 'x' where name = ${name}`.execute(tx)
          await add(first)
          await sleep(200)
          await add(second)
        }),
      )
    await Promise.all([both('a', 'b'), both('b', 'a')])
    expect(tries).toBe(3)
    const rows = await db.selectFrom('settings').select('value').where('name', 'in', ['a', 'b']).execute()
    expect(rows).toEqual([{ value: 'xx' }, { value: 'xx' }])
    await db.destroy()
  })

  it('says that the database does not answer when there is none, without its password', async () => {
    const failure = openPostgres({ url: 'postgres://orb:hidden@127.0.0.1:1/x', log: silentLog })
    await expect(failure).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(failure).rejects.not.toThrow(/hidden/)
  })
})

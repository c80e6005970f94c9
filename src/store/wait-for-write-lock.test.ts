// Another connection holds the write lock of the database, as a second process would.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { patient } from '../../test/patience.ts'
import { systemClock } from '../base/clock.ts'
import { silentLog } from '../base/log.ts'
import { asProblem } from '../base/problem.ts'
import { storages } from '../capabilities/index.ts'
import { openStore, type Store } from './index.ts'
import { databasePath } from './sqlite.ts'
import { BLOCKING_WAIT_MS, connectSqlite, type LibsqlConnection } from './sqlite-connection.ts'
import { WRITE_LOCK_WAIT_MS } from './wait-for-write-lock.ts'

let dataDir: string
let store: Store
let other: LibsqlConnection

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'orb-lock-'))
  const limits = { cacheMaxBytes: 1e9, cacheMaxAgeMs: 1e9 }
  store = await openStore({ databaseUrl: undefined, dataDir, storages, clock: systemClock, log: silentLog, ...limits })
  other = connectSqlite(databasePath(dataDir))
  other.exec('begin immediate')
})
afterEach(async () => {
  other.close()
  await store.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** Longest time in which no timer of this thread ran, while `work` is under way. */
async function longestStop(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const tick = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(tick, 5)
  try {
    await work()
    tick()
    return longest
  } finally {
    clearInterval(timer)
  }
}

const release = () => other.exec('rollback')
const set = (name: string, value: string) => store.settings.set(name, value)
const setInTransaction = (name: string) =>
  store.transaction(async (tx) => {
    await tx.insertInto('settings').values({ name, value: 'written' }).execute()
  })

describe('while another process holds the write lock', () => {
  it('the event loop runs on, and writes wait until the lock is free', async () => {
    let writes: Promise<unknown> = Promise.resolve()
    const stop = await longestStop(async () => {
      writes = Promise.all([set('one', 'value'), setInTransaction('two'), setInTransaction('three')])
      await sleep(1000)
    })
    // A statement that blocks would do so for five seconds: the lock is released in this thread.
    expect(stop).toBeLessThan(BLOCKING_WAIT_MS / 2)
    release()
    await writes
    expect(await Promise.all(['one', 'two', 'three'].map((name) => store.settings.get(name)))).toEqual([
      'value',
      'written',
      'written',
    ])
  })

  it('readers do not wait', async () => {
    const writes = Promise.all([set('one', 'value'), setInTransaction('two')])
    let areWritten = false
    const note = () => {
      areWritten = true
    }
    void writes.then(note, note)
    await sleep(50)
    expect(await store.settings.get('one')).toBeUndefined()
    await store.ping()
    expect(areWritten).toBe(false)
    release()
    await writes
  })

  it('a write that waits too long fails with a code of its own and a time for the next try', async () => {
    const began = performance.now()
    const [one, two] = await Promise.all([
      set('one', 'value').catch(asProblem),
      setInTransaction('two').catch(asProblem),
    ])
    expect(performance.now() - began).toBeLessThan(WRITE_LOCK_WAIT_MS + patient(4000))
    for (const problem of [one, two]) expect(problem).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 5 })
    expect((one as Error).message).toContain(`${WRITE_LOCK_WAIT_MS / 1000} s`)
    release()
    await set('one', 'later')
    expect(await store.settings.get('one')).toBe('later')
    expect(await store.settings.get('two')).toBeUndefined()
  })
})

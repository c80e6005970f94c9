import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestSqlite, type TestStore } from '../../test/contract/open-store.ts'
import { silentLog } from '../base/log.ts'
import type { ActivityRow } from './store/activity-log.ts'
import { teamStore } from './store/index.ts'
import { openUsageMeter } from './usage-meter.ts'

describe('the meter', () => {
  let test: TestStore
  let teamId: string
  beforeEach(async () => {
    test = await openTestSqlite()
    teamId = (await test.store.teams.create({ name: 'web' })).id
  })
  afterEach(() => test.end())
  const row = (over: Partial<ActivityRow> = {}): ActivityRow => ({
    jobId: null,
    teamId,
    keyId: 'k',
    endpoint: 'scrape',
    apiVersion: 'v2',
    at: test.clock.now(),
    target: null,
    username: null,
    status: 200,
    ms: 1,
    engine: null,
    error: null,
    ...over,
  })
  const sums = async () =>
    (await teamStore(test.store).usage.sums({ teamId, fromMs: 0, toMs: test.clock.now() + 1, by: ['endpoint'] }))[0]
  const books = () => teamStore(test.store)
  const rows = () => teamStore(test.store).activities.list({ teamId, since: 0, limit: 1000 })

  it('counts calls, failures and where pages came from, and keeps no row of what was refused by a limit', async () => {
    const meter = openUsageMeter({ ...test, store: books(), log: silentLog, everyMs: 1e6 })
    meter.call(row({ engine: 'http' }))
    meter.call(row({ engine: 'cache' }))
    meter.call(row({ status: 500, error: 'UNKNOWN_ERROR' }))
    meter.call(row({ status: 429 }))
    meter.call(row({ engine: 'something new' }))
    meter.page({ teamId, keyId: 'k', endpoint: 'scrape' }, 'browser')
    meter.page({ teamId, keyId: 'k', endpoint: 'scrape' }, undefined)
    await meter.flush()
    expect(await sums()).toMatchObject({ requests: 5, errors: 3, pages: { http: 1, cache: 1, browser: 1, upload: 0 } })
    expect(await rows()).toHaveLength(4)
  })

  it('writes by itself after a while, and all of it at the end', async () => {
    const meter = openUsageMeter({ ...test, store: books(), log: silentLog, everyMs: 5 })
    meter.call(row())
    await expect.poll(async () => (await rows()).length).toBe(1)
    for (let at = 0; at < 250; at += 1) meter.call(row())
    await meter.stop()
    expect(await rows()).toHaveLength(251)
    expect((await sums())?.requests).toBe(251)
  })

  it('loses nothing and counts nothing twice while the store does not take it, within bounds', async () => {
    const { activities, usage } = books()
    let failing = true
    const store = {
      activities: {
        add: (batch: readonly ActivityRow[]) => (failing ? Promise.reject(new Error('full')) : activities.add(batch)),
      },
      usage,
    }
    const meter = openUsageMeter({ store, clock: test.clock, log: silentLog, everyMs: 1e6 })
    for (let at = 0; at < 120; at += 1) meter.call(row())
    await meter.flush()
    meter.call(row())
    await meter.flush()
    expect(await rows()).toHaveLength(0)
    failing = false
    await meter.flush()
    expect(await rows()).toHaveLength(121)
    expect((await sums())?.requests).toBe(121)
  })
})

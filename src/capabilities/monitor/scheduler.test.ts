// The scheduler on a real store and a clock wound by hand: every tick once, over restarts, several processes, clocks that
// jump, summer time and long sleep.

import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { openTestPostgres, openTestSqlite, type TestStore } from '../../../test/contract/open-store.ts'
import { ManualClock } from '../../base/clock.ts'
import { silentLog } from '../../base/log.ts'
import type { WorkQueue } from '../../jobs/work-queue.ts'
import { newId } from '../../store/id.ts'
import type { Store } from '../../store/index.ts'
import { createScheduler, type SchedulerParts } from './scheduler.ts'
import { createMonitorBody } from './schema.ts'
import type { Check } from './store/checks.ts'
import { monitorStore } from './store/index.ts'
import { makeStoredMonitor } from './stored-monitor.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START = Date.UTC(2026, 0, 1)

let test: TestStore
let clock: ManualClock
let parts: SchedulerParts
let teamId: string
let wakeUps: { id: string; runAt: number }[]

/** Records work messages; handlers are no part of these tests. */
const recordingQueue = (): WorkQueue => ({
  enqueue: async (_tx, _kind, ids, options) =>
    void wakeUps.push(...ids.map((id) => ({ id, runAt: options?.runAt ?? clock.now() }))),
  work: () => ({ stop: async () => undefined }),
  close: async () => undefined,
})

async function open(opened: TestStore): Promise<void> {
  test = opened
  wakeUps = []
  parts = { store: test.store, queue: recordingQueue(), clock, log: silentLog }
  teamId = (await test.store.teams.create({ name: 'watchers' })).id
}

beforeEach(async () => {
  clock = new ManualClock(START)
  await open(await openTestSqlite({ clock }))
})
afterEach(() => test.end())

async function add(schedule: object, watch?: object): Promise<string> {
  const id = newId(clock.now())
  const targets = [{ type: 'scrape' as const, urls: ['https://example.com'] }]
  const body = createMonitorBody.parse({
    ...{ name: 'x', schedule, targets },
    ...(watch ? { watch } : {}),
  })
  const monitor = makeStoredMonitor(
    { ...body, targets },
    { id, teamId, keyId: null },
    { now: clock.now(), smallestMs: 5 * MINUTE },
  )
  await test.store.transaction((tx) => monitorStore(test.store).monitors.add(tx, monitor))
  return id
}

/** Ends the check under way, as if it had run. */
async function finish(store: Store, id: string): Promise<void> {
  await store.transaction(async (tx) => {
    const monitor = await monitorStore(store).monitors.hold(tx, id)
    if (monitor?.currentCheckId)
      await monitorStore(store).checks.change(tx, monitor.currentCheckId, { status: 'completed' })
    await monitorStore(store).monitors.change(tx, id, { currentCheckId: null })
  })
}

const checksOf = (id: string): Promise<Check[]> =>
  monitorStore(test.store).checks.list(id, { limit: 10_000, offset: 0 })

/** Lets time pass, beating every so often and ending every check. */
async function live(id: string, ms: number, stepMs: number, scheduler = createScheduler(parts)): Promise<void> {
  for (const end = clock.now() + ms; clock.now() < end; ) {
    clock.wind(Math.min(stepMs, end - clock.now()))
    await scheduler.beat()
    await finish(test.store, id)
  }
}

describe('ticks', () => {
  it('come once each, on time, whoever restarts in between', async () => {
    const id = await add({ cron: '*/30 * * * *' })
    for (let day = 0; day < 3; day++) await live(id, DAY, 5 * MINUTE)
    const checks = await checksOf(id)
    expect(checks).toHaveLength(3 * 48)
    expect(new Set(checks.map(({ scheduledFor }) => scheduledFor)).size).toBe(3 * 48)
    expect(Math.max(...checks.map((check) => check.createdAt - check.scheduledFor!))).toBe(0)
  })

  it('that come while a check runs are written down as skipped', async () => {
    const id = await add({ cron: '0 * * * *' })
    const scheduler = createScheduler(parts)
    for (let hour = 0; hour < 3; hour++) {
      clock.wind(HOUR)
      await scheduler.beat()
    }
    expect((await checksOf(id)).map(({ status }) => status)).toEqual(['skipped_overlap', 'skipped_overlap', 'queued'])
  })

  it('of a team without credits are written down as skipped', async () => {
    const id = await add({ cron: '0 * * * *' })
    await test.store.ledger.limit(teamId, 0)
    clock.wind(HOUR)
    await createScheduler(parts).beat()
    expect((await checksOf(id))[0]).toMatchObject({ status: 'skipped_no_credits', billing: 'not_applicable' })
  })

  it('missed in a week of sleep are made up for once each, spread out', async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, () => add({ text: 'hourly' })))
    clock.wind(7 * DAY)
    await createScheduler(parts).beat()
    const delays = wakeUps.map(({ runAt }) => runAt - clock.now())
    for (const id of ids) expect((await checksOf(id)).length).toBeLessThanOrEqual(1)
    expect(Math.max(...delays)).toBeLessThan(HOUR)
    expect(new Set(delays.map((delay) => Math.floor(delay / (10 * MINUTE)))).size).toBeGreaterThan(2)
    // Whoever has no check of its own for it is due within the hour anyway.
    const monitors = await Promise.all(ids.map((id) => monitorStore(test.store).monitors.get(id)))
    for (const monitor of monitors) expect(monitor!.nextRunAt! - clock.now()).toBeLessThanOrEqual(HOUR)
  })

  it('are not lost when the clock is set back a day, and not doubled when it is set right again', async () => {
    const id = await add({ cron: '0 * * * *' })
    const scheduler = createScheduler(parts)
    await live(id, 5 * HOUR, 10 * MINUTE, scheduler)
    clock.wind(-DAY)
    await live(id, 5 * HOUR, 10 * MINUTE, scheduler)
    expect(await checksOf(id)).toHaveLength(10)
    clock.wind(DAY)
    await live(id, 5 * HOUR, 10 * MINUTE, scheduler)
    // The day that was jumped over is one missed tick; the clock then shows five more hours.
    expect((await checksOf(id)).length).toBeGreaterThanOrEqual(15)
    expect((await checksOf(id)).length).toBeLessThanOrEqual(16)
  })

  it.each([
    ['Europe/Berlin', Date.UTC(2026, 2, 28), Date.UTC(2026, 9, 24)],
    ['America/New_York', Date.UTC(2026, 2, 7), Date.UTC(2026, 9, 31)],
    ['Australia/Lord_Howe', Date.UTC(2026, 9, 3), Date.UTC(2026, 3, 4)],
  ])('come once a day in %s when the clock changes', async (timezone, spring, autumn) => {
    for (const from of [spring, autumn]) {
      clock.wind(from - clock.now())
      const id = await add({ cron: '30 2 * * *', timezone })
      await live(id, 3 * DAY, 30 * MINUTE)
      expect(await checksOf(id)).toHaveLength(3)
    }
  })

  it('are fewer for a monitor that adapts and finds nothing', async () => {
    const plain = await add({ cron: '0 * * * *' })
    const calm = await add({ cron: '0 * * * *' }, { adaptive: true })
    const scheduler = createScheduler(parts)
    for (let at = 0; at < 5 * 24; at++) {
      clock.wind(HOUR)
      await scheduler.beat()
      for (const id of [plain, calm]) {
        const monitor = await monitorStore(test.store).monitors.get(id)
        if (monitor?.currentCheckId === null) continue
        await finish(test.store, id)
        await test.store.transaction((tx) =>
          monitorStore(test.store).monitors.change(tx, id, { calm: monitor!.calm + 1 }),
        )
      }
    }
    expect((await checksOf(plain)).length).toBe(120)
    expect((await checksOf(calm)).length).toBeLessThan(30)
  })
})

it('ticks that nobody takes are noticed', async () => {
  await add({ cron: '*/10 * * * *' })
  clock.wind(15 * MINUTE)
  expect((await monitorStore(test.store).monitors.stalled()).monitors).toBe(0)
  clock.wind(25 * MINUTE)
  expect(await monitorStore(test.store).monitors.stalled()).toMatchObject({ monitors: 1, since: START + 10 * MINUTE })
})

const url = inject('postgresUrl')
describe.skipIf(url === undefined)('on PostgreSQL (skipped without one)', () => {
  it('several processes take every tick once', async () => {
    await test.end()
    await open(await openTestPostgres(url!)({ clock }))
    const ids = await Promise.all(Array.from({ length: 20 }, () => add({ cron: '*/30 * * * *' })))
    const schedulers = [1, 2, 3].map(() => createScheduler(parts))
    for (let at = 0; at < 6; at++) {
      clock.wind(30 * MINUTE)
      await Promise.all(schedulers.map((scheduler) => scheduler.beat()))
      await Promise.all(ids.map((id) => finish(test.store, id)))
    }
    for (const id of ids) {
      const checks = await checksOf(id)
      expect(checks.map(({ status }) => status)).toEqual(Array(6).fill('completed'))
    }
  })
})

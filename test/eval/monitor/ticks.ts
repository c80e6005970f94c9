// Time in fast motion: the scheduler on a real store with a clock wound by hand. What should have come is reckoned here from
// the calendar and the zones' own offsets, and not by the library that the schedules are read with.

import { ManualClock } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import { nextScheduledTime } from '../../../src/capabilities/monitor/schedule.ts'
import { createScheduler, nextRunOfMonitor, type SchedulerParts } from '../../../src/capabilities/monitor/scheduler.ts'
import { createMonitorBody } from '../../../src/capabilities/monitor/schema.ts'
import { monitorStore } from '../../../src/capabilities/monitor/store/index.ts'
import { makeStoredMonitor } from '../../../src/capabilities/monitor/stored-monitor.ts'
import { newId } from '../../../src/store/id.ts'
import { openTestSqlite, type TestStore } from '../../contract/open-store.ts'
import { random } from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** All checks of a year are there to be counted at its end. */
const KEPT_DAYS = 400

export const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'Asia/Tokyo',
  'Asia/Kolkata',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Pacific/Auckland',
]

interface Plan {
  cron: string
  timezone: string
  hours: number[]
  minute: number
  /** Days of the month, or of the week; neither: every day. */
  dom?: number
  dow?: number
}

/** Mostly once a month, some weekly, few daily, fewer every six hours: a quarter of a million ticks in a year of ten thousand. */
function planAt(n: number, next: () => number): Plan {
  const timezone = ZONES[n % ZONES.length]!
  const [hour, minute] = [Math.floor(next() * 24), Math.floor(next() * 60)]
  const share = (n % 1000) / 10
  if (share < 92) {
    const dom = 1 + Math.floor(next() * 28)
    return { cron: `${minute} ${hour} ${dom} * *`, timezone, hours: [hour], minute, dom }
  }
  if (share < 98) {
    const dow = Math.floor(next() * 7)
    return { cron: `${minute} ${hour} * * ${dow}`, timezone, hours: [hour], minute, dow }
  }
  if (share < 99.7) return { cron: `${minute} ${hour} * * *`, timezone, hours: [hour], minute }
  const first = hour % 6
  const hours = [first, first + 6, first + 12, first + 18]
  return { cron: `${minute} ${first}-23/6 * * *`, timezone, hours, minute }
}

/** How far a zone is from UTC, by the half hour: no zone changes at another moment. */
function offsetsOf(timezone: string, from: number, to: number): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: timezone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric' },
  })
  const step = 30 * MINUTE
  const start = from - 2 * DAY
  const known: number[] = []
  for (let at = start; at <= to + 2 * DAY; at += step) {
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    known.push(Date.UTC(part.year!, part.month! - 1, part.day!, part.hour!, part.minute!) - at)
  }
  return (at) => known[Math.floor((at - start) / step)]!
}

/** The moments of a plan between two; `sure` is false where the clock of its zone changed at that very time. */
function expected(
  plan: Plan,
  offsetAt: (at: number) => number,
  from: number,
  to: number,
): { at: number; sure: boolean }[] {
  const found: { at: number; sure: boolean }[] = []
  for (let day = Math.floor(from / DAY) * DAY - DAY; day < to + DAY; day += DAY) {
    const date = new Date(day)
    if (plan.dom !== undefined && date.getUTCDate() !== plan.dom) continue
    if (plan.dow !== undefined && date.getUTCDay() !== plan.dow) continue
    for (const hour of plan.hours) {
      const local = day + hour * HOUR + plan.minute * MINUTE
      const both = [...new Set([offsetAt(local - DAY), offsetAt(local + DAY)])].map((offset) => local - offset)
      const fits = both.filter((at) => at + offsetAt(at) === local)
      const at = Math.min(...(fits.length > 0 ? fits : both))
      if (at > from && at <= to) found.push({ at, sure: fits.length === 1 && both.length === 1 })
    }
  }
  return found
}

interface Watch {
  test: TestStore
  clock: ManualClock
  parts: SchedulerParts
  wakeUps: { id: string; runAt: number }[]
  add(schedules: readonly { cron: string; timezone?: string; everyMs?: number }[]): Promise<string[]>
  /** Ends the checks that were woken since. */
  finish(): Promise<void>
}

async function open(start: number): Promise<Watch> {
  const clock = new ManualClock(start)
  const test = await openTestSqlite({ clock })
  const { store } = test
  const wakeUps: Watch['wakeUps'] = []
  const queue = {
    enqueue: async (_tx: unknown, _kind: string, ids: readonly string[], options?: { runAt?: number }) =>
      void wakeUps.push(...ids.map((id) => ({ id, runAt: options?.runAt ?? clock.now() }))),
    work: () => ({ stop: async () => undefined }),
    close: async () => undefined,
  }
  const parts: SchedulerParts = { store, queue, clock, log: silentLog }
  const teamId = (await store.teams.create({ name: 'watchers' })).id
  let ended = 0
  return {
    ...{ test, clock, parts, wakeUps },
    async add(schedules) {
      const now = clock.now()
      const targets = [{ type: 'scrape' as const, urls: ['https://example.com'] }]
      const body = createMonitorBody.parse({ name: 'x', schedule: { text: 'hourly' }, targets })
      const made = makeStoredMonitor(
        { ...body, targets },
        { id: newId(now), teamId, keyId: null },
        { now, smallestMs: 5 * MINUTE },
      )
      const ids: string[] = []
      for (let at = 0; at < schedules.length; at += 500)
        await store.transaction(async (tx) => {
          for (const { cron, timezone = 'UTC', everyMs = DAY } of schedules.slice(at, at + 500)) {
            const id = newId(now)
            const nextRunAt = nextScheduledTime({ cron, timezone }, now)
            const own = { id, feedToken: id, cron, timezone, intervalMs: everyMs, nextRunAt }
            await monitorStore(store).monitors.add(tx, { ...made, ...own, retentionDays: KEPT_DAYS })
            ids.push(id)
          }
        })
      return ids
    },
    async finish() {
      const checks = wakeUps.slice(ended)
      ended = wakeUps.length
      if (checks.length === 0) return
      await store.transaction(async (tx) => {
        for (const { id } of checks) {
          const check = await monitorStore(store).checks.hold(tx, id)
          if (!check) continue
          await monitorStore(store).checks.change(tx, id, { status: 'completed', finishedAt: clock.now() })
          await monitorStore(store).monitors.change(tx, check.monitorId, { currentCheckId: null })
        }
      })
    },
  }
}

export interface Year {
  monitors: number
  ticks: number
  missed: number
  doubled: number
  /** Milliseconds. */
  p99: number
  most: number
}

export async function year(monitors: number, days: number, seed: number): Promise<Year> {
  const start = Date.UTC(2026, 0, 1)
  const end = start + days * DAY
  const watch = await open(start)
  const { test, clock, parts } = watch
  const next = random(seed)
  try {
    const plans = Array.from({ length: monitors }, (_, n) => planAt(n, next))
    const ids = await watch.add(plans.map(({ cron, timezone }) => ({ cron, timezone })))
    const offsets = new Map(ZONES.map((zone) => [zone, offsetsOf(zone, start, end)]))
    const wanted = plans.map((plan) => expected(plan, offsets.get(plan.timezone)!, start, end))
    const moments = new Set<number>()
    for (const list of wanted) for (const { at } of list) moments.add(Math.floor(at / MINUTE))
    const scheduler = createScheduler(parts)
    for (let minute = start / MINUTE; minute < end / MINUTE + 120; minute++) {
      // A beat wherever something should come, up to a minute late, and every ten minutes in between.
      if (!moments.has(minute) && minute % 10 !== 0) continue
      const at = minute * MINUTE + Math.floor(next() * (MINUTE - 1000))
      clock.wind(Math.max(0, at - clock.now()))
      await scheduler.beat()
      // A check takes half an hour at most: the shortest wait between two of one monitor is six.
      if (minute % 30 === 0) await watch.finish()
      if (minute % (7 * 1440) === 0) await test.store.sweep()
    }
    const total: Year = { monitors, ticks: 0, missed: 0, doubled: 0, p99: 0, most: 0 }
    const late: number[] = []
    for (const [n, id] of ids.entries()) {
      const checks = await monitorStore(test.store).checks.list(id, { limit: 2000, offset: 0 })
      const came = checks.filter(({ scheduledFor }) => scheduledFor !== null && scheduledFor <= end)
      const moments = came.map(({ scheduledFor }) => scheduledFor!)
      for (const { createdAt, scheduledFor } of came) late.push(createdAt - scheduledFor!)
      total.ticks += wanted[n]!.length
      const isThere = ({ at, sure }: { at: number; sure: boolean }) =>
        moments.some((one) => (sure ? one === at : Math.abs(one - at) <= HOUR))
      total.missed += wanted[n]!.filter((one) => !isThere(one)).length
      total.doubled += Math.max(0, moments.length - wanted[n]!.length) + (moments.length - new Set(moments).size)
    }
    late.sort((a, b) => a - b)
    return { ...total, p99: late[Math.floor(late.length * 0.99)] ?? 0, most: late.at(-1) ?? 0 }
  } finally {
    await test.end()
  }
}

/** After a time in which nobody beat: how many checks the unluckiest monitor got for it, and how they are spread. */
export async function asleep(monitors: number, ms: number): Promise<{ most: number; made: number; spread: number[] }> {
  const watch = await open(Date.UTC(2026, 5, 1))
  const { test, clock, parts, wakeUps } = watch
  try {
    const ids = await watch.add(
      Array.from({ length: monitors }, (_, n) => ({ cron: `${(n * 7) % 60} * * * *`, everyMs: HOUR })),
    )
    clock.wind(ms)
    const from = clock.now()
    await createScheduler(parts).beat()
    const caught = wakeUps.length
    const each = await Promise.all(
      ids.map(async (id) => (await monitorStore(test.store).checks.list(id, { limit: 10, offset: 0 })).length),
    )
    const spread = Array.from({ length: 6 }, () => 0)
    for (const { runAt } of wakeUps) spread[Math.min(5, Math.floor((runAt - from) / (10 * MINUTE)))]!++
    return { most: Math.max(...each), made: caught, spread }
  } finally {
    await test.end()
  }
}

/** Hourly ticks over a clock that is set back a day and, hours later, set right; ticks that came, and how many there should be. */
export async function jumps(): Promise<{ came: number; wanted: string; ok: boolean }> {
  const watch = await open(Date.UTC(2026, 5, 1))
  const { test, clock, parts } = watch
  try {
    const [id] = await watch.add([{ cron: '0 * * * *', everyMs: HOUR }])
    const scheduler = createScheduler(parts)
    const live = async (ms: number) => {
      for (const end = clock.now() + ms; clock.now() < end; ) {
        clock.wind(MINUTE)
        await scheduler.beat()
        await watch.finish()
      }
    }
    const count = async () => (await monitorStore(test.store).checks.list(id!, { limit: 1000, offset: 0 })).length
    await live(5 * HOUR)
    clock.wind(-DAY)
    await live(5 * HOUR)
    const back = await count()
    clock.wind(DAY)
    await live(5 * HOUR)
    const all = await count()
    // The day that is jumped over is made up for once, or by the regular tick when that comes first.
    return {
      came: all,
      wanted: '10 after the way back, 15 or 16 in the end',
      ok: back === 10 && (all === 15 || all === 16),
    }
  } finally {
    await test.end()
  }
}

/** Ticks of a daily and an hourly schedule over both changes of a zone's clock. */
export async function changes(timezone: string): Promise<{ days: number; came: number[] }> {
  const all = offsetsOf(timezone, Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1))
  const moments: number[] = []
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 30 * MINUTE)
    if (all(at) !== all(at - 30 * MINUTE)) moments.push(at)
  const came: number[] = []
  for (const moment of moments) {
    const watch = await open(Math.floor((moment - 1.5 * DAY) / DAY) * DAY + 12 * HOUR)
    const [id] = await watch.add([{ cron: '30 2 * * *', timezone }])
    const scheduler = createScheduler(watch.parts)
    for (const end = watch.clock.now() + 3 * DAY; watch.clock.now() < end; ) {
      watch.clock.wind(10 * MINUTE)
      await scheduler.beat()
      await watch.finish()
    }
    came.push((await monitorStore(watch.test.store).checks.list(id!, { limit: 100, offset: 0 })).length)
    await watch.test.end()
  }
  return { days: 3, came }
}

export interface Looked {
  visits: number
  /** Milliseconds from an edit to the look that saw it. */
  delay: number
}

/** Edits of a page as they come in practice: never, now and then, or many at once after long silence. */
function editsOf(n: number, days: number): number[] {
  const next = random(n * 104_729 + 7)
  const end = days * DAY
  if (n % 3 === 0) return []
  const edits: number[] = []
  const gap = n % 3 === 1 ? 9 * DAY : 6 * DAY
  for (let at = next() * gap; at < end; at += gap * (0.3 + 1.4 * next())) {
    const more = n % 3 === 1 ? 1 : 12
    for (let k = 0, when = at; k < more && when < end; k++, when += (0.2 + 1.6 * next()) * HOUR) edits.push(when)
  }
  return edits.sort((a, b) => a - b)
}

/** Looks at pages for some days, every so many minutes, with or without the adaptive interval. */
export function lookOuts(pages: number, days: number, everyMinutes: number, adaptive: boolean): Looked {
  let [visits, delays, seen] = [0, 0, 0]
  for (let n = 0; n < pages; n++) {
    const edits = editsOf(n, days)
    const cron = everyMinutes < 60 ? `*/${everyMinutes} * * * *` : `0 */${everyMinutes / 60} * * *`
    const intervalMs = everyMinutes * MINUTE
    let calm = 0
    let at = 0
    for (let now = nextScheduledTime({ cron, timezone: 'UTC' }, 0); now !== null && now < days * DAY; ) {
      visits++
      let changed = false
      for (; at < edits.length && edits[at]! <= now; at++) {
        changed = true
        delays += now - edits[at]!
        seen++
      }
      calm = changed ? 0 : calm + 1
      const monitor = { cron, timezone: 'UTC', watch: { adaptive }, calm, intervalMs }
      now = nextRunOfMonitor(monitor, now, nextScheduledTime(monitor, now))
    }
  }
  return { visits, delay: delays / Math.max(1, seen) }
}

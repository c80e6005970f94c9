// Takes due ticks: the row update makes each tick run once across processes. A missed tick is made up for once, spread
// over the interval.

import { DAY_MS, HOUR_MS } from '../../base/clock.ts'
import { newId } from '../../store/id.ts'
import type { Tx } from '../../store/tables.ts'
import { CHECK_QUEUE_NAME, type HandlerServices } from './own-services.ts'
import { queueCheckWebhook } from './queue-monitor-webhooks.ts'
import { hashToOffset, nextScheduledTime } from './schedule.ts'
import { EMPTY_SUMMARY } from './store/check-pages-and-watched-pages.ts'
import { monitorStore } from './store/index.ts'
import type { DueMonitor, Monitor } from './store/monitors.ts'
import type { CheckStatus, CheckTrigger } from './store/tables.ts'
import { estimateCreditsPerCheck, type StoredTarget } from './stored-monitor.ts'

/** What is due until the next beat gets a timer; only new and resumed monitors can be this late. */
const BEAT_MS = 5_000
/** A tick that cannot be taken is not tried again at once. */
const MIN_BEAT_MS = 1_000
const BATCH = 200
/** A tick this late was missed: the service was down or the machine asleep. */
const MISSED_TICK_MS = 5 * 60_000
/** Missed ticks are made up for within this time. */
const MAX_SPREAD_MS = HOUR_MS
/** The clock went back by more than a correction. */
const MIN_CLOCK_SET_BACK_MS = 60_000
const CLOCK_NOTE_MS = 10_000
/** A check without progress for this long has lost its work message. */
const STALLED_CHECK_MS = 120_000
const STILL_LOOK_MS = 30_000
const STALL_LOOK_MS = 60_000
const CLOCK_SETTING = 'monitor_clock'

export type SchedulerParts = Pick<HandlerServices, 'store' | 'queue' | 'clock' | 'log'>

export function createScheduler(parts: SchedulerParts) {
  const { store, clock, log } = parts
  let notedAt = Number.NEGATIVE_INFINITY
  let sameAt = clock.now()

  /** Reschedules ticks that lie too far ahead after the clock was set back. */
  async function mindClock(): Promise<void> {
    const now = clock.now()
    if (now >= notedAt && now - notedAt < CLOCK_NOTE_MS) return
    const last = Number((await store.settings.get(CLOCK_SETTING)) ?? now)
    if (now < last - MIN_CLOCK_SET_BACK_MS) {
      log.warn({ from: new Date(last).toISOString(), to: new Date(now).toISOString() }, 'the clock was set back')
      await reschedule(now)
    }
    await store.settings.set(CLOCK_SETTING, String(now))
    notedAt = now
  }

  async function reschedule(now: number): Promise<void> {
    for (let after = ''; ; ) {
      const batch = await monitorStore(store).monitors.scheduled(after, BATCH)
      for (const monitor of batch) {
        const next = nextScheduledTime(monitor, now)
        if (next === null || next >= monitor.nextRunAt) continue
        await store.transaction((tx) => monitorStore(store).monitors.takeTick(tx, monitor.id, monitor.nextRunAt, next))
      }
      if (batch.length < BATCH) return
      after = batch.at(-1)!.id
    }
  }

  async function lostWakeUps(): Promise<void> {
    const now = clock.now()
    if (now >= sameAt && now - sameAt < STILL_LOOK_MS) return
    sameAt = now
    const lost = await monitorStore(store).checks.still(now - STALLED_CHECK_MS, BATCH)
    if (lost.length > 0) await store.transaction((tx) => parts.queue.enqueue(tx, CHECK_QUEUE_NAME, lost))
  }

  return {
    async beat() {
      await mindClock()
      await lostWakeUps()
      let taken = 0
      for (;;) {
        const due = await monitorStore(store).monitors.due(BATCH)
        for (const monitor of due) if (await takeTick(parts, monitor)) taken++
        if (due.length < BATCH) return taken
      }
    },
  }
}

async function takeTick(parts: SchedulerParts, due: DueMonitor): Promise<boolean> {
  const { store, clock } = parts
  const now = clock.now()
  const regular = nextScheduledTime(due, now)
  const isMissed = now - due.nextRunAt > MISSED_TICK_MS
  const spread = hashToOffset(due.id, Math.min(due.intervalMs, MAX_SPREAD_MS))
  const runAt = isMissed ? now + spread : now
  // The next regular tick comes first and covers the missed one.
  const isCovered = isMissed && regular !== null && regular <= runAt
  return store.transaction(async (tx) => {
    const monitor = await monitorStore(store).monitors.hold(tx, due.id)
    if (!monitor) return false
    const next = isCovered ? regular : nextRunOfMonitor(monitor, now, regular)
    if (!(await monitorStore(store).monitors.takeTick(tx, due.id, due.nextRunAt, next))) return false
    if (isCovered) return true
    await startCheck(parts, tx, monitor, { trigger: 'scheduled', scheduledFor: due.nextRunAt, runAt })
    return true
  })
}

const MAX_CALM = 4

/** The next tick; an adaptive monitor waits longer the longer nothing has changed. */
export function nextRunOfMonitor(
  monitor: Pick<Monitor, 'cron' | 'timezone' | 'watch' | 'calm' | 'intervalMs'>,
  now: number,
  regular: number | null,
): number | null {
  const { adaptive = false } = (monitor.watch ?? {}) as { adaptive?: boolean }
  if (!adaptive || monitor.calm < 2 || regular === null) return regular
  const skipped = 2 ** Math.min(MAX_CALM, Math.floor(monitor.calm / 2)) - 1
  const latest = now + Math.min(skipped * monitor.intervalMs, Math.max(DAY_MS, monitor.intervalMs))
  return nextScheduledTime(monitor, latest) ?? regular
}

type TickOptions = { trigger: CheckTrigger; scheduledFor: number | null; runAt: number }

/**
 * Writes the check of a tick and its work message; a check that cannot run is written with the reason as its status.
 */
export async function startCheck(
  parts: SchedulerParts,
  tx: Tx,
  monitor: Monitor,
  options: TickOptions,
): Promise<string> {
  const { store, clock } = parts
  const now = clock.now()
  const id = newId(now)
  const overlaps = monitor.currentCheckId !== null
  const isBroke = !overlaps && (await store.ledger.left(tx, monitor.teamId)) === 0
  const status: CheckStatus = overlaps ? 'skipped_overlap' : isBroke ? 'skipped_no_credits' : 'queued'
  const isOpen = status === 'queued'
  await monitorStore(store).checks.add(tx, {
    id,
    monitorId: monitor.id,
    teamId: monitor.teamId,
    status,
    trigger: options.trigger,
    scheduledFor: options.scheduledFor,
    startedAt: null,
    finishedAt: isOpen ? null : now,
    estimatedCredits: estimateCreditsPerCheck(monitor.targets as StoredTarget[], monitor.judgeEnabled),
    reservedCredits: null,
    actualCredits: isOpen ? null : 0,
    billing: 'not_applicable',
    summary: EMPTY_SUMMARY,
    targets: [],
    notified: null,
    error: isBroke ? 'The team has no credits left' : overlaps ? 'The previous check was still running' : null,
    expiresAt: now + monitor.retentionDays * DAY_MS,
  })
  if (isOpen) {
    await monitorStore(store).monitors.change(tx, monitor.id, { currentCheckId: id })
    await parts.queue.enqueue(tx, CHECK_QUEUE_NAME, [id], { runAt: options.runAt })
  } else
    await queueCheckWebhook(parts as HandlerServices, tx, monitor, { id, status, summary: EMPTY_SUMMARY, error: null })
  return id
}

export function startScheduler(parts: SchedulerParts) {
  const scheduler = createScheduler(parts)
  let running: Promise<unknown> | undefined
  let timer: NodeJS.Timeout
  let stopped = false
  const beat = async () => {
    let inMs = BEAT_MS
    try {
      await scheduler.beat()
      const next = await monitorStore(parts.store).monitors.nextDueAt()
      if (next !== undefined) inMs = Math.min(Math.max(next - parts.clock.now(), MIN_BEAT_MS), BEAT_MS)
    } catch (error) {
      parts.log.warn({ error: messageOf(error) }, 'could not read the monitors that are due')
    }
    if (!stopped) wait(inMs)
  }
  const wait = (inMs: number) => {
    timer = setTimeout(() => {
      running = beat()
    }, inMs).unref()
  }
  wait(MIN_BEAT_MS)
  return {
    ...scheduler,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

/** Reports overdue ticks in the log and in /health, independently of the scheduler. */
export function startStallWatch({ store, log }: Pick<SchedulerParts, 'store' | 'log'>) {
  let found: string | undefined
  const poll = async () => {
    const { monitors, since } = await monitorStore(store).monitors.stalled()
    const was = found
    found =
      monitors === 0
        ? undefined
        : `${monitors} monitors are overdue by more than twice their interval, the longest since ${new Date(since ?? 0).toISOString()}: no worker runs their checks`
    if (found && !was) log.error({ monitors }, found)
    if (!found && was) log.info({}, 'monitors are being looked at again')
  }
  const timer = setInterval(() => void poll().catch(() => undefined), STALL_LOOK_MS)
  timer.unref()
  return { stalled: () => found, stop: () => clearInterval(timer) }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

// Converts a request to a stored monitor: cron schedule, targets with ids, expected cost. Pure except for new ids.
import { randomBytes, randomUUID } from 'node:crypto'
import { priceOfPage } from '../../base/prices.ts'
import { Problem } from '../../base/problem.ts'
import { nextScheduledTime, phraseToCron, runsPerMonth, type Schedule, validateSchedule } from './schedule.ts'
import {
  type MonitorTarget,
  type NewMonitorBody,
  type ScheduleOption,
  type UpdateMonitorBody,
  watchOption,
} from './schema.ts'
import type { Monitor, MonitorChange, NewMonitor } from './store/monitors.ts'

export const DEFAULT_CRAWL_LIMIT = 100

export type StoredTarget = MonitorTarget & { id: string }

type ScheduleLimits = { now: number; smallestMs: number }

export function makeStoredMonitor(
  body: Omit<NewMonitorBody, 'targets'> & { targets: readonly MonitorTarget[] },
  owner: { teamId: string; keyId: string | null; id: string },
  moment: ScheduleLimits,
): NewMonitor {
  const targets = withIds(body.targets)
  const goal = body.goal?.trim() || null
  const judgeEnabled = body.judgeEnabled ?? goal !== null
  assertGoal(targets, goal, body.judgeEnabled)
  const { schedule, intervalMs } = scheduleFor(body.schedule, owner.id, undefined, moment)
  return {
    ...owner,
    name: body.name,
    status: 'active',
    ...schedule,
    intervalMs,
    targets,
    webhook: body.webhook ?? null,
    notification: body.notification ?? {},
    watch: body.watch ?? watchOption.parse({}),
    retentionDays: body.retentionDays,
    goal,
    judgeEnabled,
    estimatedCredits: estimate(targets, judgeEnabled),
    nextRunAt: nextScheduledTime(schedule, moment.now),
    feedToken: randomBytes(18).toString('base64url'),
  }
}

type MonitorUpdate = Omit<UpdateMonitorBody, 'targets'> & { targets?: readonly MonitorTarget[] | undefined }

const AS_GIVEN = ['name', 'webhook', 'notification', 'watch', 'retentionDays', 'judgeEnabled', 'status'] as const

export function applyMonitorUpdate(monitor: Monitor, body: MonitorUpdate, moment: ScheduleLimits): MonitorChange {
  const kept = AS_GIVEN.filter((field) => body[field] !== undefined)
  const change = Object.fromEntries(kept.map((field) => [field, body[field]])) as MonitorChange
  const targets = body.targets ? withIds(body.targets) : (monitor.targets as StoredTarget[])
  const goal = body.goal === undefined ? monitor.goal : body.goal?.trim() || null
  const judgeEnabled = body.judgeEnabled ?? monitor.judgeEnabled
  assertGoal(targets, goal, judgeEnabled)
  if (body.targets || body.judgeEnabled !== undefined) change.estimatedCredits = estimate(targets, judgeEnabled)
  if (body.targets) change.targets = targets
  if (body.goal !== undefined) change.goal = goal
  const schedule: Schedule = { cron: monitor.cron, timezone: monitor.timezone }
  if (body.schedule) {
    const next = scheduleFor(body.schedule, monitor.id, schedule, moment)
    Object.assign(schedule, next.schedule)
    Object.assign(change, next.schedule, { intervalMs: next.intervalMs })
  }
  const status = body.status ?? monitor.status
  if (body.schedule || status !== monitor.status)
    change.nextRunAt = status === 'active' ? nextScheduledTime(schedule, moment.now) : null
  return change
}

function scheduleFor(
  asked: ScheduleOption,
  id: string,
  before: Schedule | undefined,
  { now, smallestMs }: ScheduleLimits,
) {
  const cron = asked.cron?.trim() ?? (asked.text === undefined ? before?.cron : phraseToCron(asked.text, id))
  const schedule = { cron: cron ?? '', timezone: asked.timezone ?? before?.timezone ?? 'UTC' }
  return { schedule, intervalMs: validateSchedule(schedule, smallestMs, now) }
}

const withIds = (targets: readonly MonitorTarget[]): StoredTarget[] =>
  targets.map((target) => ({ ...target, id: target.id?.toLowerCase() ?? randomUUID() }))

function assertGoal(targets: readonly MonitorTarget[], goal: string | null, judge: boolean | undefined): void {
  if (goal === null && judge !== false && targets.some(({ type }) => type === 'search'))
    throw new Problem('bad_request', { instead: 'A search target requires a non-empty goal' })
}

function estimate(targets: readonly MonitorTarget[], judged: boolean): number {
  return targets.reduce((sum, target) => {
    if (target.type === 'search') return sum + 2 * Math.ceil(target.maxResults / 10) + (judged ? target.maxResults : 0)
    const page = priceOfPage({
      formats: target.scrapeOptions?.formats ?? [],
      pages: 1,
      redactPii: Boolean(target.scrapeOptions?.redactPII),
      checkInjection: Boolean(target.scrapeOptions?.checkPromptInjection),
      zeroDataRetention: false,
      lockdown: undefined,
    })
    return (
      sum + page * (target.type === 'scrape' ? target.urls.length : (target.crawlOptions?.limit ?? DEFAULT_CRAWL_LIMIT))
    )
  }, 0)
}

/** The part charged when the check ends; a crawl is charged separately. */
export const estimateCreditsPerCheck = (targets: readonly StoredTarget[], judged: boolean): number =>
  estimate(
    targets.filter(({ type }) => type !== 'crawl'),
    judged,
  )

export const estimateCreditsPerMonth = (monitor: Monitor, now: number): number =>
  monitor.estimatedCredits * runsPerMonth({ cron: monitor.cron, timezone: monitor.timezone }, now)

// Converts a request to a stored monitor: cron schedule, targets with ids, expected cost. Pure except for new ids.
import { randomBytes, randomUUID } from 'node:crypto'
import { pagePrice } from '../../base/prices.ts'
import { Problem } from '../../base/problem.ts'
import { checkSchedule, cronOf, nextTick, type Schedule, ticksPerMonth } from './schedule.ts'
import { type NewMonitorBody, type ScheduleOption, type Target, type UpdateBody, watchOption } from './schema.ts'
import type { Monitor, MonitorChange, NewMonitor } from './store/monitors.ts'

export const CRAWL_LIMIT = 100

export type StoredTarget = Target & { id: string }

interface Moment {
  now: number
  smallestMs: number
}

export function newMonitor(
  body: Omit<NewMonitorBody, 'targets'> & { targets: readonly Target[] },
  owner: { teamId: string; keyId: string | null; id: string },
  moment: Moment,
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
    nextRunAt: nextTick(schedule, moment.now),
    feedToken: randomBytes(18).toString('base64url'),
  }
}

type MonitorUpdate = Omit<UpdateBody, 'targets'> & { targets?: readonly Target[] | undefined }

export function changed(monitor: Monitor, body: MonitorUpdate, moment: Moment): MonitorChange {
  const change: MonitorChange = {}
  const targets = body.targets ? withIds(body.targets) : (monitor.targets as StoredTarget[])
  const goal = body.goal === undefined ? monitor.goal : body.goal?.trim() || null
  const judgeEnabled = body.judgeEnabled ?? monitor.judgeEnabled
  assertGoal(targets, goal, judgeEnabled)
  if (body.targets || body.judgeEnabled !== undefined) change.estimatedCredits = estimate(targets, judgeEnabled)
  if (body.targets) change.targets = targets
  if (body.name !== undefined) change.name = body.name
  if (body.webhook !== undefined) change.webhook = body.webhook
  if (body.notification !== undefined) change.notification = body.notification
  if (body.watch !== undefined) change.watch = body.watch
  if (body.retentionDays !== undefined) change.retentionDays = body.retentionDays
  if (body.goal !== undefined) change.goal = goal
  if (body.judgeEnabled !== undefined) change.judgeEnabled = judgeEnabled
  if (body.status !== undefined) change.status = body.status
  const schedule: Schedule = { cron: monitor.cron, timezone: monitor.timezone }
  if (body.schedule) {
    const next = scheduleFor(body.schedule, monitor.id, schedule, moment)
    Object.assign(schedule, next.schedule)
    Object.assign(change, next.schedule, { intervalMs: next.intervalMs })
  }
  const status = body.status ?? monitor.status
  if (body.schedule || status !== monitor.status)
    change.nextRunAt = status === 'active' ? nextTick(schedule, moment.now) : null
  return change
}

function scheduleFor(asked: ScheduleOption, id: string, before: Schedule | undefined, { now, smallestMs }: Moment) {
  const cron = asked.cron?.trim() ?? (asked.text === undefined ? before?.cron : cronOf(asked.text, id))
  const schedule = { cron: cron ?? '', timezone: asked.timezone ?? before?.timezone ?? 'UTC' }
  return { schedule, intervalMs: checkSchedule(schedule, smallestMs, now) }
}

const withIds = (targets: readonly Target[]): StoredTarget[] =>
  targets.map((target) => ({ ...target, id: target.id?.toLowerCase() ?? randomUUID() }))

function assertGoal(targets: readonly Target[], goal: string | null, judge: boolean | undefined): void {
  if (goal === null && judge !== false && targets.some(({ type }) => type === 'search'))
    throw new Problem('bad_request', { instead: 'A search target requires a non-empty goal' })
}

function estimate(targets: readonly Target[], judged: boolean): number {
  return targets.reduce((sum, target) => {
    if (target.type === 'search') return sum + 2 * Math.ceil(target.maxResults / 10) + (judged ? target.maxResults : 0)
    const page = pagePrice({
      formats: target.scrapeOptions?.formats ?? [],
      pages: 1,
      redactPii: Boolean(target.scrapeOptions?.redactPII),
      checkInjection: Boolean(target.scrapeOptions?.checkPromptInjection),
      zeroDataRetention: false,
      lockdown: undefined,
    })
    return sum + page * (target.type === 'scrape' ? target.urls.length : (target.crawlOptions?.limit ?? CRAWL_LIMIT))
  }, 0)
}

/** The part charged when the check ends; a crawl is charged separately. */
export const estimateHere = (targets: readonly StoredTarget[], judged: boolean): number =>
  estimate(
    targets.filter(({ type }) => type !== 'crawl'),
    judged,
  )

export const creditsPerMonth = (monitor: Monitor, now: number): number =>
  monitor.estimatedCredits * ticksPerMonth({ cron: monitor.cron, timezone: monitor.timezone }, now)

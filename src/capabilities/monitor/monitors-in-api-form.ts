// Monitors, checks and pages in API form.

import { isoTimeOrNull } from '../../base/clock.ts'
import { describeSchedule } from './schedule.ts'
import type { CheckPage } from './store/check-pages-and-watched-pages.ts'
import type { Check } from './store/checks.ts'
import type { Monitor } from './store/monitors.ts'
import { estimateCreditsPerMonth } from './stored-monitor.ts'

type Subscription = { email: string; status: string; source: string }

export function toShownMonitor(
  monitor: Monitor,
  now: number,
  feedBase: string,
  subscriptions?: readonly Subscription[],
) {
  const { cron, timezone } = monitor
  return {
    id: monitor.id,
    name: monitor.name,
    status: monitor.status,
    schedule: { cron, timezone },
    scheduleInWords: `${describeSchedule({ cron, timezone })} (${timezone})`,
    nextRunAt: isoTimeOrNull(monitor.nextRunAt),
    lastRunAt: isoTimeOrNull(monitor.lastRunAt),
    currentCheckId: monitor.currentCheckId,
    targets: monitor.targets,
    webhook: monitor.webhook,
    notification: monitor.notification,
    ...(subscriptions && subscriptions.length > 0 ? { emailRecipientSubscriptions: subscriptions } : {}),
    watch: monitor.watch,
    retentionDays: monitor.retentionDays,
    estimatedCreditsPerMonth: estimateCreditsPerMonth(monitor, now),
    lastCheckSummary: monitor.lastSummary,
    goal: monitor.goal,
    judgeEnabled: monitor.judgeEnabled,
    feedUrl: `${feedBase}/v2/monitor/feeds/${monitor.feedToken}`,
    createdAt: isoTimeOrNull(monitor.createdAt),
    updatedAt: isoTimeOrNull(monitor.updatedAt),
  }
}

const PRIVATE = new Set(['done', 'credits'])

/** Checks of earlier versions stored a number, which released clients cannot read. */
const isOldCount = (name: string, value: unknown): boolean => name === 'expectedJobs' && !Array.isArray(value)

export function toShownCheck(check: Check) {
  const targetResults = (check.targets as Record<string, unknown>[]).map((target) =>
    Object.fromEntries(
      Object.entries(target).filter(([name, value]) => !PRIVATE.has(name) && !isOldCount(name, value)),
    ),
  )
  return {
    id: check.id,
    monitorId: check.monitorId,
    status: check.status,
    trigger: check.trigger,
    scheduledFor: isoTimeOrNull(check.scheduledFor),
    startedAt: isoTimeOrNull(check.startedAt),
    finishedAt: isoTimeOrNull(check.finishedAt),
    estimatedCredits: check.estimatedCredits,
    reservedCredits: check.reservedCredits,
    actualCredits: check.actualCredits,
    billingStatus: check.billing,
    summary: check.summary,
    targetResults,
    notificationStatus: check.notified,
    error: check.error,
    createdAt: isoTimeOrNull(check.createdAt),
    updatedAt: isoTimeOrNull(check.updatedAt),
  }
}

export function toShownCheckPage(page: CheckPage) {
  return {
    id: page.id,
    targetId: page.targetId,
    url: page.url,
    status: page.status,
    previousScrapeId: page.previousScrapeId,
    currentScrapeId: page.currentScrapeId,
    statusCode: page.statusCode,
    error: page.error,
    metadata: page.metadata,
    judgment: page.judgment,
    diff: page.diff,
    ...(page.snapshot === null ? {} : { snapshot: page.snapshot }),
    ...(page.suppressed === null ? {} : { suppressed: page.suppressed }),
    createdAt: isoTimeOrNull(page.createdAt),
  }
}

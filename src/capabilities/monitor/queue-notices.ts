// Decides which notifications to send, in the transaction that ends a check.

import { HOUR_MS } from '../../base/clock.ts'
import { hostOf } from '../../base/values.ts'
import { newId } from '../../store/id.ts'
import type { Tx } from '../../store/tables.ts'
import { channelFor } from './channels/index.ts'
import type { NotificationOption } from './notification-options.ts'
import { type HandlerServices, NOTICE_QUEUE_NAME } from './own-services.ts'
import type { CheckPage } from './store/check-pages-and-watched-pages.ts'
import type { Check } from './store/checks.ts'
import { monitorStore } from './store/index.ts'
import type { Monitor } from './store/monitors.ts'
import type { Recipient } from './store/recipients-and-notices.ts'

const MAX_PAGES = 20

/** Returns the check's `notificationStatus`. It may only read and write on `tx`. */
export async function queueNotices(
  parts: HandlerServices,
  tx: Tx,
  monitor: Monitor,
  check: Check,
  pages: readonly CheckPage[],
  recipients: readonly Recipient[],
): Promise<object> {
  const options = (monitor.notification ?? {}) as NotificationOption
  const notable = notablePages(monitor, pages)
  if (notable.length === 0) return {}
  const message = messageOf(monitor, check, notable, options.email?.includeDiffs ?? false, parts.clock.now())
  const nextAt = nextSendTime(options, monitor.timezone, parts.clock.now())
  const confirmed = options.email?.enabled ? recipients.filter(({ status }) => status === 'confirmed') : []
  const addresses = [
    ...confirmed.map(({ email }) => ({ channel: 'email', address: email })),
    ...(options.channels ?? []).map((address) => ({ channel: channelFor(address)?.name ?? 'unknown', address })),
  ]
  for (const { channel, address } of addresses) {
    const id = newId(parts.clock.now())
    const { id: monitorId, teamId } = monitor
    await monitorStore(parts.store).notices.add(tx, [
      { id, monitorId, teamId, checkId: check.id, channel, address, state: 'pending', nextAt, message },
    ])
    await parts.queue.enqueue(tx, NOTICE_QUEUE_NAME, [id], { runAt: nextAt })
  }
  return {
    ...(options.email?.enabled
      ? {
          email: {
            attempted: confirmed.length > 0 && parts.monitoring.mail !== undefined,
            queued: confirmed.length > 0,
            recipients: confirmed.length,
            ...(parts.monitoring.mail === undefined
              ? { error: 'No mail server is set up (ORB_SMTP_URL): messages are only logged.' }
              : confirmed.length === 0
                ? { error: 'Nobody has confirmed yet.' }
                : {}),
          },
        }
      : {}),
    ...((options.channels ?? []).length > 0 ? { channels: { queued: true, addresses: options.channels!.length } } : {}),
  }
}

/** The first check of named pages is their baseline, and changes judged meaningless are not sent. */
function notablePages(monitor: Monitor, pages: readonly CheckPage[]): CheckPage[] {
  const isBaseline = monitor.lastRunAt === null
  const news = pages.filter(({ status }) => status !== 'same' && !(isBaseline && status === 'new'))
  const judges = monitor.judgeEnabled && monitor.goal !== null
  const isMeaningless = (page: CheckPage) =>
    judges && page.status === 'changed' && (page.judgment as { meaningful?: boolean } | null)?.meaningful === false
  return news.every(isMeaningless) ? [] : news.filter((page) => !isMeaningless(page))
}

function messageOf(monitor: Monitor, check: Check, pages: readonly CheckPage[], diffs: boolean, at: number) {
  const [first] = pages
  const what =
    pages.length === 1 && first
      ? `${titleOf(first) ?? hostOf(first.url) ?? first.url} ${verb(first.status)}`
      : `${pages.length} pages with news`
  return {
    title: `${monitor.name}: ${what}`.replace(/\s+/g, ' '),
    monitor: monitor.name,
    monitorId: monitor.id,
    at,
    summary: check.summary,
    pages: pages.slice(0, MAX_PAGES).map((page) => ({
      url: page.url,
      status: page.status,
      title: titleOf(page),
      reason: reasonOf(page),
      diff: diffs ? ((page.diff as { text?: string } | null)?.text ?? null) : shortDiff(page),
      error: page.error,
    })),
    more: Math.max(0, pages.length - MAX_PAGES),
  }
}

/** Without diffs, the first changed lines describe the change. */
function shortDiff(page: CheckPage): string | null {
  const text = (page.diff as { text?: string } | null)?.text
  if (!text) return null
  const lines = text.split('\n').filter((line) => /^[+-](?![+-])/.test(line))
  return lines.slice(0, 4).join('\n') || null
}

const verb = (status: string): string =>
  status === 'new' ? 'is new' : status === 'error' ? 'could not be looked at' : `was ${status}`

const titleOf = ({ metadata }: CheckPage): string | null => {
  const { title } = (metadata ?? {}) as { title?: unknown }
  return typeof title === 'string' ? title : null
}

function reasonOf({ judgment, metadata }: CheckPage): string | null {
  const { met } = (metadata ?? {}) as { met?: string[] }
  return met?.join('; ') ?? (judgment as { reason?: string } | null)?.reason ?? null
}

export function nextSendTime(
  { quietHours, digest = 'off' }: NotificationOption,
  timezone: string,
  now: number,
): number {
  const at = digest === 'hourly' ? ceil(now, HOUR_MS) : digest === 'daily' ? nextLocal('08:00', timezone, now) : now
  if (!quietHours) return at
  return isWithin(quietHours, timezone, at) ? nextLocal(quietHours.to, timezone, at) : at
}

const ceil = (now: number, step: number): number => Math.ceil((now + 1) / step) * step

function isWithin({ from, to }: { from: string; to: string }, timezone: string, at: number): boolean {
  const clock = localClock(timezone, at)
  return from <= to ? clock >= from && clock < to : clock >= from || clock < to
}

function localClock(timezone: string, at: number): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return format.format(at)
}

/** The next moment at which local clocks show this; searched minute by minute because of clock changes. */
function nextLocal(clock: string, timezone: string, after: number): number {
  const start = ceil(after, 60_000)
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  const [nowHours = 0, nowMinutes = 0] = localClock(timezone, start).split(':').map(Number)
  const wait = (hours * 60 + minutes - nowHours * 60 - nowMinutes + 1440) % 1440
  for (const shift of [0, 60, -60, 30, -30]) {
    const at = start + (wait + shift) * 60_000
    if (at >= start && localClock(timezone, at) === clock) return at
  }
  return start + wait * 60_000
}

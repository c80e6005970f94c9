// Usage over time by day, week or month. Pure: daily sums are an input.
import { DAY_MS } from '../../base/clock.ts'

export type UsagePeriod = 'day' | 'week' | 'month'

type TimeSpan = { from: number; to: number }

/** Periods shown: a month of days, half a year of weeks, two years of months. */
const PERIODS_SHOWN: Readonly<Record<UsagePeriod, number>> = { day: 31, week: 26, month: 24 }

/** The periods up to now, oldest first. Weeks begin on Monday; all are UTC. */
export function listPeriodsUpTo(now: number, range: UsagePeriod): TimeSpan[] {
  const spans: TimeSpan[] = []
  for (let start = startOf(now, range), count = 0; count < PERIODS_SHOWN[range]; count += 1) {
    spans.unshift({ from: start, to: nextStart(start, range) })
    start = startOf(start - 1, range)
  }
  return spans
}

function startOf(at: number, range: UsagePeriod): number {
  const day = at - (at % DAY_MS)
  if (range === 'day') return day
  const date = new Date(day)
  if (range === 'week') return day - ((date.getUTCDay() + 6) % 7) * DAY_MS
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

function nextStart(start: number, range: UsagePeriod): number {
  if (range !== 'month') return start + (range === 'day' ? 1 : 7) * DAY_MS
  const date = new Date(start)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

type DayUse = { day?: number; keyId?: string; credits: number }

export interface PeriodUsage extends TimeSpan {
  keyId: string | null
  credits: number
}

/** Usage per period; periods without use are omitted, except the current one when nothing was used at all. */
export function sumUsageByPeriod(spans: readonly TimeSpan[], days: readonly DayUse[], byKey: boolean): PeriodUsage[] {
  const used = spans.flatMap((span) => {
    const inside = days.filter(({ day = 0, credits }) => credits > 0 && day >= span.from && day < span.to)
    const byName = new Map<string | null, number>()
    for (const { keyId, credits } of inside) {
      const name = byKey ? (keyId ?? '') : null
      byName.set(name, (byName.get(name) ?? 0) + credits)
    }
    return [...byName].map(([keyId, credits]) => ({ ...span, keyId, credits }))
  })
  const last = spans.at(-1)
  return used.length > 0 || !last ? used : [{ ...last, keyId: null, credits: 0 }]
}

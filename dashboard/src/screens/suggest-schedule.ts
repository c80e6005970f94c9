// How often to look at a page, by the dates that it carries: those of its entries, articles or releases, or of itself. A
// page is looked at some times between two of its changes. Pure: the moment comes in as an argument.

export const SCHEDULES = ['every 5 minutes', 'every 30 minutes', 'hourly', 'every 6 hours', 'daily', 'weekly'] as const

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Longest first. More often than every half hour is for those who ask for it. */
const STEPS: readonly [schedule: (typeof SCHEDULES)[number], everyMs: number][] = [
  ['weekly', 7 * DAY_MS],
  ['daily', DAY_MS],
  ['every 6 hours', 6 * HOUR_MS],
  ['hourly', HOUR_MS],
]
/** Looks between two changes. */
const LOOKS = 3
const NEWEST = 12
const MAX_CHARS = 2_000_000
/** Times of HTML, of feeds and sitemaps, of JSON-LD, and what pages say of themselves in their head. */
const DATES =
  /\bdatetime="([^"]{8,40})"|<(?:pubDate|updated|published|lastmod|dc:date)>([^<]{8,40})<|"date(?:Modified|Published)"\s*:\s*"([^"]{8,40})"|"article:(?:modified|published)_time"\s+content="([^"]{8,40})"/gi

export interface Suggestion {
  schedule: (typeof SCHEDULES)[number]
  because: string
}

export function suggestedSchedule(html: string, now: number): Suggestion {
  const found = [...html.slice(0, MAX_CHARS).matchAll(DATES)].map((match) => Date.parse(match.slice(1).find(Boolean)!))
  const newest = [...new Set(found.filter((at) => at > 0 && at <= now))].sort((a, b) => b - a).slice(0, NEWEST)
  if (newest.length === 0) return { schedule: 'hourly', because: 'The page contains no dates.' }
  // From now back to the newest, and on from each to the one before.
  const gaps = newest.map((at, n) => (n === 0 ? now : newest[n - 1]!) - at).sort((a, b) => a - b)
  const rhythm = gaps[Math.floor(gaps.length / 2)]!
  const [schedule] = STEPS.find(([, everyMs]) => everyMs * LOOKS <= rhythm) ?? ['every 30 minutes' as const]
  const because =
    newest.length === 1
      ? `The page was last dated ${formatInterval(rhythm)} ago.`
      : `Its dates are ${formatInterval(rhythm)} apart.`
  return { schedule, because }
}

function formatInterval(ms: number): string {
  const [count, unit] = ms < 2 * DAY_MS ? [ms / HOUR_MS, 'hour'] : [ms / DAY_MS, 'day']
  const whole = Math.max(1, Math.round(count))
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}

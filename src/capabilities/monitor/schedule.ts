// Converts a schedule (words or cron) to cron in a time zone and computes its ticks. Pure: the current time is an
// argument.

import { createHash } from 'node:crypto'
import { Cron } from 'croner'
import cronstrue from 'cronstrue'
import { LRUCache } from 'lru-cache'
import { valueOr } from '../../base/attempt.ts'
import { Problem } from '../../base/problem.ts'

export type Schedule = { cron: string; timezone: string }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const PROBED = 60
const KEPT = 2_000
/** Largest clock change of any time zone. */
const MAX_CLOCK_CHANGE_MS = 3 * HOUR_MS

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const EXAMPLES = '"every 30 minutes", "hourly", "daily at 9am", "weekly"'

const makeScheduleProblem = (because: string) => new Problem('bad_request', { instead: `schedule: ${because}` })

/** A phrase as cron. Unspecified parts (the minute of `hourly`) derive from the id, so that monitors spread out. */
export function phraseToCron(phrase: string, id: string): string {
  const text = phrase.trim().toLowerCase().replace(/\s+/g, ' ')
  const spread = (part: string, below: number) => hashToOffset(`${id} ${part}`, below)
  const minute = () => spread('minute', 60)
  const minutes = /^every (?:(\d{1,4}) )?(?:minutes?|mins?)(?: starting at :(\d{2}))?$/.exec(text)
  if (minutes) return everyMinutes(Number(minutes[1] ?? 1), minutes[2], minute)
  const hours = /^every (?:(\d{1,3}) )?hours?(?: starting at :(\d{2}))?$/.exec(text)
  if (text === 'hourly' || hours) {
    const start = hours?.[2] === undefined ? minute() : minuteOf(hours[2])
    return everyHours(Number(hours?.[1] ?? 1), start, (below) => spread('hour', below))
  }
  const daily =
    /^(?:daily|every day|(every )?weekdays?|(?:weekly|every week)(?: on (\w+))?|every (\w+?)s?)(?: at (.+))?$/.exec(
      text,
    )
  if (!daily) throw makeScheduleProblem(`"${phrase}" is not understood. Say it as ${EXAMPLES}, or give \`cron\``)
  const [, , weekly, day, at] = daily
  const onDay = dayField(text, weekly ?? day, () => spread('day', 7))
  if (onDay === undefined)
    throw makeScheduleProblem(`"${phrase}" is not understood. Say it as ${EXAMPLES}, or give \`cron\``)
  if (at === undefined) return `${minute()} ${spread('hour', 24)} * * ${onDay}`
  const time = timeOf(at)
  if (!time) throw makeScheduleProblem(`"${at}" is not a time of day. Say it as 9am, 5:30 PM or 17:30`)
  return `${time.minute} ${time.hour} * * ${onDay}`
}

function dayField(text: string, named: string | undefined, any: () => number): string | undefined {
  if (/^(?:every )?weekday/.test(text)) return '1-5'
  if (named !== undefined && named !== 'day') {
    const day = DAYS.findIndex((name) => name === named || (named.length >= 3 && name.startsWith(named)))
    return day === -1 ? undefined : String(day)
  }
  return /^(?:weekly|every week)/.test(text) ? String(any()) : '*'
}

function everyMinutes(step: number, start: string | undefined, any: () => number): string {
  if (step > 0 && step % 60 === 0)
    return everyHours(step / 60, start === undefined ? any() : minuteOf(start), (below) => any() % below)
  if (step < 1 || 60 % step !== 0)
    throw makeScheduleProblem(
      `every ${step} minutes does not divide the hour evenly; ${findNearestDivisors(step, 60)} does`,
    )
  const from = (start === undefined ? any() : minuteOf(start)) % step
  return step === 1 ? '* * * * *' : `${from}-59/${step} * * * *`
}

function everyHours(step: number, minute: number, any: (below: number) => number): string {
  if (step === 1) return `${minute} * * * *`
  if (step < 1 || step > 24 || 24 % step !== 0)
    throw makeScheduleProblem(
      `every ${step} hours does not divide the day evenly; ${findNearestDivisors(step, 24)} does`,
    )
  return step === 24 ? `${minute} ${any(24)} * * *` : `${minute} ${any(step)}-23/${step} * * *`
}

function findNearestDivisors(step: number, whole: number): string {
  const divisors = Array.from({ length: whole }, (_, at) => at + 1).filter((one) => whole % one === 0)
  const below = divisors.filter((one) => one < step).at(-1)
  const above = divisors.find((one) => one > step)
  return [below, above].filter((one) => one !== undefined).join(' or ')
}

function minuteOf(text: string): number {
  const minute = Number(text)
  if (minute > 59) throw makeScheduleProblem(`:${text} is not a minute of the hour`)
  return minute
}

function timeOf(text: string): { hour: number; minute: number } | undefined {
  if (text === 'noon') return { hour: 12, minute: 0 }
  if (text === 'midnight') return { hour: 0, minute: 0 }
  const found = /^(\d{1,2})(?:[:.](\d{2}))?\s?(am|pm|a\.m\.|p\.m\.)?$/.exec(text)
  if (!found) return undefined
  const [, hours = '', minutes = '0', half] = found
  const [given, minute] = [Number(hours), Number(minutes)]
  if (minute > 59 || (half ? given < 1 || given > 12 : given > 23)) return undefined
  // A bare number is too ambiguous for a time of day.
  if (!half && found[2] === undefined) return undefined
  return { hour: half ? (given % 12) + (half.startsWith('p') ? 12 : 0) : given, minute }
}

export function hashToOffset(text: string, below: number): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) % Math.max(1, below)
}

const known = new LRUCache<string, Cron>({ max: KEPT })

function compileCron({ cron, timezone }: Schedule): Cron {
  const name = `${timezone} ${cron}`
  const found = known.get(name)
  if (found) return found
  const made = new Cron(cron, { timezone, mode: '5-part', paused: true })
  known.set(name, made)
  return made
}

export function nextScheduledTime(schedule: Schedule, after: number): number | null {
  const next = firstAfter(schedule, after)
  if (next === null || schedule.timezone === 'UTC') return next
  const times = timesOf(schedule.cron)
  if (times.length < 2 || !isClockChanged(schedule.timezone, after - MAX_CLOCK_CHANGE_MS, next)) return next
  // Across a clock change, a repeated time fires once and a skipped one right after. Each time is computed alone,
  // because the library differs for several a day.
  const each = times.map((cron) => firstAfter({ ...schedule, cron }, after)).filter((one) => one !== null)
  return each.length > 0 ? Math.min(...each) : null
}

const firstAfter = (schedule: Schedule, after: number): number | null =>
  compileCron(schedule).nextRun(new Date(after))?.getTime() ?? null

/** One cron per time of day, when the schedule names hours and one minute; empty: it runs by the hour. */
function timesOf(cron: string): string[] {
  const [minute = '', hours = '', ...days] = cron.trim().split(/\s+/)
  if (!/^\d+$/.test(minute)) return []
  const named = new Set<number>()
  for (const part of hours.split(',')) {
    const found = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part)
    if (!found) return []
    const [, from, to, step] = found
    const last = to ?? (from === undefined || step !== undefined ? '23' : from)
    for (let hour = Number(from ?? 0); hour <= Number(last); hour += Math.max(1, Number(step ?? 1))) named.add(hour)
  }
  return named.size === 24 ? [] : [...named].map((hour) => [minute, hour, ...days].join(' '))
}

const zones = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 })

function isClockChanged(timezone: string, before: number, after: number): boolean {
  const format =
    zones.get(timezone) ?? new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' })
  zones.set(timezone, format)
  const offsetAt = (at: number) => format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value
  return offsetAt(before) !== offsetAt(after)
}

/** Rejects invalid or too frequent schedules. Returns the shortest interval. */
export function validateSchedule(schedule: Schedule, smallestMs: number, now: number): number {
  assertTimezone(schedule.timezone)
  if (schedule.cron.trim().split(/\s+/).length !== 5)
    throw makeScheduleProblem('`cron` has five fields: minute, hour, day of the month, month, day of the week')
  let ticks: Date[]
  try {
    ticks = compileCron(schedule).nextRuns(PROBED, new Date(now))
  } catch (error) {
    throw makeScheduleProblem(`\`cron\` cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (ticks.length === 0) throw makeScheduleProblem('`cron` never comes due')
  const waits = ticks.slice(1).map((tick, at) => tick.getTime() - ticks[at]!.getTime())
  const shortest = Math.min(...waits, 366 * DAY_MS)
  if (shortest < smallestMs)
    throw makeScheduleProblem(
      `runs every ${formatInterval(shortest)}; the smallest interval is ${formatInterval(smallestMs)}`,
    )
  return shortest
}

function assertTimezone(timezone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
  } catch {
    throw makeScheduleProblem(`"${timezone}" is not a time zone; give its IANA name, such as Europe/Berlin`)
  }
}

const formatInterval = (ms: number): string => {
  const minutes = Math.round(ms / MINUTE_MS)
  return minutes === 1 ? 'minute' : `${minutes} minutes`
}

export function runsPerMonth(schedule: Schedule, now: number): number {
  const cron = compileCron(schedule)
  const probe = cron.nextRuns(PROBED, new Date(now))
  const month = 30 * DAY_MS
  const within = probe.filter((tick) => tick.getTime() <= now + month).length
  if (within < PROBED) return within
  const spanMs = probe.at(-1)!.getTime() - probe[0]!.getTime()
  return Math.round((month / spanMs) * (PROBED - 1))
}

export const describeSchedule = ({ cron }: Schedule): string =>
  valueOr(cron, () => cronstrue.toString(cron, { use24HourTimeFormat: true }))

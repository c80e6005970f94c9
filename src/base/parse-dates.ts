// Parses dates and durations to ISO. An ambiguous date is read by the page's language, and not at all when that does
// not help.
import { parseMonthName } from './month-names.ts'

interface DateParts {
  year: number
  month: number
  day: number
  /** `HH:MM` or `HH:MM:SS`. */
  time?: string
  /** `Z` or `+02:00`. */
  zone?: string
  /** Position in the text. */
  at: number
  end: number
}

const WORD = String.raw`\p{L}[\p{L}\p{M}]{1,13}`
const ISO =
  /(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.:]\d{1,9})?\s?(Z|[+-]\d{2}:?\d{2})?)?/u
const COMPACT = /(?<!\d)(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{2}:?\d{2})?/u
const SLASHED = /(?<!\d)(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\d)/u
const EAST = /(\d{4})[年년]\s?(\d{1,2})[月월]\s?(\d{1,2})[日일]/u
const DAY_FIRST = new RegExp(
  String.raw`(?<!\d)(\d{1,2})(?:\s?(?:st|nd|rd|th)\b|\.|er|º)?\s?(?:de |of |d['’])?\s?[-/ ]?(${WORD})\.?,?\s?(?:de |del )?[-/ ]?\s?(\d{4})(?!\d)`,
  'iu',
)
const MONTH_FIRST = new RegExp(
  String.raw`(?<!\p{L})(${WORD})\.?\s(\d{1,2})(?:\s?(?:st|nd|rd|th))?\s?,?\s(\d{4})(?!\d)`,
  'iu',
)
const YEAR_FIRST = new RegExp(String.raw`(?<!\d)(\d{4})(?: m)?[\s,.]{1,2}(${WORD})\.?\s(\d{1,2})(?!\d)`, 'iu')
/**
 * A two-digit year only at the end of a date or before a time: `9/6/16 1:25 p.m.` is a date, `1/2/10` in a text may be
 * a score.
 */
const NUMERIC_DATE = /(?<![\d/.-])(\d{1,2})([./-]|\.\s)(\d{1,2})\2(\d{4}|\d{2}(?=$|,?\s\d{1,2}:\d{2}))(?!\d|[/.-]\d)/u
const CLOCK = /(?<!\d)(\d{1,2})(?::|h)(\d{2})(?::(\d{2}))?\s?([ap])?\.?(?:m\b)?|(?<!\d)(\d{1,2})\s?([ap])\.?m\b/iu

/** After the clock: `+0200`, or a name whose offset is known. */
const ZONE = /\d{2}(?:\s?[ap]\.?m\.?)?\s?\(?(?:([+-]\d{2}:?\d{2})|(Z|UTC|GMT|CES?T|MES?Z|[ECMP][SD]T)\b)/iu
const ZONE_NAMES: Readonly<Record<string, string>> = {
  CET: '+01:00',
  MEZ: '+01:00',
  CEST: '+02:00',
  MESZ: '+02:00',
  EDT: '-04:00',
  EST: '-05:00',
  CDT: '-05:00',
  CST: '-06:00',
  MDT: '-06:00',
  MST: '-07:00',
  PDT: '-07:00',
  PST: '-08:00',
}
const LAST_YEAR = 2400
/** Thai dates count from the year 543 before ours. */
const BUDDHIST_OFFSET = 543

/** What every date has, tested before the eight patterns of dates. */
const TWO_NUMBERS = /\d\D+\d/

/** Arabic, Persian and Indian digits: each run of ten starts at a code that is divisible by 16 or ends in 6. */
const toAsciiDigits = (text: string): string =>
  /[٠-٩۰-۹०-९๐-๙]/.test(text)
    ? text
        .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
        .replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x966))
        .replace(/[๐-๙]/g, (digit) => String(digit.charCodeAt(0) - 0xe50))
    : text

export function parseDate(given: string, language = ''): DateParts | undefined {
  const text = toAsciiDigits(given.slice(0, 500))
  if (!TWO_NUMBERS.test(text)) return undefined
  const found = isoIn(text) ?? namedIn(text) ?? numericIn(text, language)
  if (!found) return undefined
  if (found.year > LAST_YEAR) found.year -= BUDDHIST_OFFSET
  if (!isReal(found)) return undefined
  if (found.time === undefined) {
    const after = text.slice(found.end, found.end + 25)
    const time = clockIn(after) ?? clockIn(text.slice(Math.max(0, found.at - 12), found.at))
    const zone = time && ZONE.exec(text.slice(found.end, found.end + 35))
    if (time) found.time = time
    if (zone) found.zone = zone[1] ?? ZONE_NAMES[zone[2]!] ?? 'Z'
  }
  return found
}

function isoIn(text: string): DateParts | undefined {
  const compact = COMPACT.exec(text)
  if (compact) {
    const time = [compact[4], compact[5], compact[6] ?? '00'].join(':')
    return {
      ...parts(compact, compact[1]!, compact[2]!, compact[3]!),
      time,
      ...(compact[7] ? { zone: compact[7] } : {}),
    }
  }
  const match = ISO.exec(text) ?? SLASHED.exec(text) ?? EAST.exec(text)
  return match
    ? {
        ...parts(match, match[1]!, match[2]!, match[3]!),
        ...(match[4] ? { time: match[4] } : {}),
        ...(match[5] ? { zone: match[5] } : {}),
      }
    : undefined
}

function namedIn(text: string): DateParts | undefined {
  const dayFirst = DAY_FIRST.exec(text)
  const month = dayFirst && parseMonthName(dayFirst[2]!)
  if (dayFirst && month) return parts(dayFirst, dayFirst[3]!, month, dayFirst[1]!)
  const monthFirst = MONTH_FIRST.exec(text)
  const named = monthFirst && parseMonthName(monthFirst[1]!)
  if (monthFirst && named) return parts(monthFirst, monthFirst[3]!, named, monthFirst[2]!)
  const yearFirst = YEAR_FIRST.exec(text)
  const third = yearFirst && parseMonthName(yearFirst[2]!)
  return yearFirst && third ? parts(yearFirst, yearFirst[1]!, third, yearFirst[3]!) : undefined
}

function numericIn(text: string, language: string): DateParts | undefined {
  const match = NUMERIC_DATE.exec(text)
  if (!match) return undefined
  const [first, second] = [Number(match[1]), Number(match[3])]
  const monthFirst =
    second > 12
      ? true
      : first > 12 || match[2]!.startsWith('.')
        ? false
        : /^en(?:-us)?$/i.test(language) || language === ''
  const year = match[4]!.length === 2 ? `${match[4]! < '70' ? 20 : 19}${match[4]}` : match[4]!
  return monthFirst ? parts(match, year, first, second) : parts(match, year, second, first)
}

const parts = (
  match: RegExpExecArray,
  year: number | string,
  month: number | string,
  day: number | string,
): DateParts => ({
  year: Number(year),
  month: Number(month),
  day: Number(day),
  at: match.index,
  end: match.index + match[0].length,
})

function isReal({ year, month, day }: DateParts): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return year >= 1000 && year < 3000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** Every time of day in a text, as `HH:MM`. */
export function findTimes(text: string): string[] {
  const found: string[] = []
  for (let from = 0; from < text.length && found.length < 10; ) {
    CLOCK.lastIndex = 0
    const match = CLOCK.exec(text.slice(from))
    if (!match) break
    const clock = clockIn(match[0])
    if (clock) found.push(clock)
    from += match.index + match[0].length
  }
  return found
}

/** `HH:MM` of the first time of day in a text. */
function clockIn(text: string): string | undefined {
  const match = CLOCK.exec(text)
  if (!match) return undefined
  const half = (match[4] ?? match[6])?.toLowerCase()
  const hour = Number(match[1] ?? match[5])
  const shifted = half === 'p' && hour < 12 ? hour + 12 : half === 'a' && hour === 12 ? 0 : hour
  const minutes = match[2] ?? '00'
  if (shifted > 23 || Number(minutes) > 59) return undefined
  return `${two(shifted)}:${minutes}${match[3] ? `:${match[3]}` : ''}`
}

const two = (value: number): string => String(value).padStart(2, '0')

export const toIsoDate = ({ year, month, day }: DateParts): string => `${year}-${two(month)}-${two(day)}`

export function toIsoDateTime(date: DateParts): string {
  const time = date.time === undefined ? '00:00:00' : date.time.length === 5 ? `${date.time}:00` : date.time
  const zone = date.zone ?? 'Z'
  return `${toIsoDate(date)}T${time}${/^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`
}

/** Milliseconds since 1970; without a stated zone in UTC. */
export const toTimestamp = (date: DateParts): number => Date.parse(toIsoDateTime(date))

const DURATION =
  /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/

/** Seconds of an ISO 8601 duration without years and months. */
export function parseDuration(text: string): number | undefined {
  const match = DURATION.exec(text.trim())
  if (!match || match[1] || match[2] || match[0].length < 3) return undefined
  const [weeks, days, hours, minutes, seconds] = match.slice(3).map((part) => Number(part ?? 0))
  return weeks! * 604_800 + days! * 86_400 + hours! * 3600 + minutes! * 60 + seconds!
}

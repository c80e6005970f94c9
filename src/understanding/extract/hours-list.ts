// Opening hours as rows of a day and its hours, however the page sets them: a table without headings, lines of "Mon–Fri: 9–5",
// two lines each, or the page's own data. It knows the words for days, not the schema.

import { flatText } from '../../content/tree.ts'
import type { Line } from '../facts/lines.ts'
import { clocksIn } from '../values/dates.ts'
import type { Data } from './asking.ts'
import type { PagePart } from './page-part.ts'
import { isData } from './things.ts'

const DAY =
  'mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|mo|di|mi|do|fr|sa|so|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo|luned[iì]|marted[iì]|mercoled[iì]|gioved[iì]|venerd[iì]|sabato|domenica|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|daily|weekdays?|weekends?|holidays|feiertags?'
const DAYS = `(?:${DAY})(?:days?|nesdays?|urdays?|s)?\\.?`
const SPAN = new RegExp(
  `^(${DAYS}(?:\\s?(?:[-–—,&/]|to|bis|and|und|à|a|al|et|y|e)\\s?${DAYS}){0,6})\\s?[:：|]?\\s*(.*)$`,
  'iu',
)
const CLOSED = /^(?:closed|geschlossen|ruhetag|fermé|cerrado|chiuso|gesloten)\b/iu
const HOURS =
  /^(?:(?:ab|from|von|de|dalle)\s)?\d{1,2}(?:[:.h]\d{2})?\s?(?:[ap]\.?m\.?|uhr|h)?(?:\s?(?:[-–—,&]|to|bis|until|à|a|et|und|and)\s?|$)/iu
const MAX_LINE = 100
const MAX_ROWS = 20

export interface DayHours {
  day: string
  hours: string
}

/** The days and hours of a page; one place is read, the first with two rows or more. */
export function hoursIn(scope: PagePart): DayHours[] {
  return scope.memo('day hours', () => {
    for (const { rows, headers } of scope.tables) {
      if (headers.length > 2) continue
      const found = rows.slice(0, MAX_ROWS).flatMap((cells) => {
        const [day, hours] = cells.map((cell) => flatText(cell, MAX_LINE))
        return cells.length === 2 ? rowOf(`${day}: ${hours}`) : []
      })
      if (found.length > 1 && found.length >= Math.min(rows.length, MAX_ROWS) * 0.6) return found
    }
    return linesOf(scope.lines)
  })
}

function rowOf(text: string): DayHours[] {
  const [, day = '', hours = ''] = text.length <= MAX_LINE ? (SPAN.exec(text) ?? []) : []
  return CLOSED.test(hours) || (HOURS.test(hours) && /\d/.test(hours)) ? [{ day, hours }] : []
}

function linesOf(lines: readonly Line[]): DayHours[] {
  let best: DayHours[] = []
  let run: DayHours[] = []
  for (let n = 0; n < lines.length; n++) {
    const [text, next] = [lines[n]!.text, lines[n + 1]?.text ?? '']
    const [alone] = rowOf(text)
    // The day and its hours may stand in two lines.
    const [parted] = alone || text.length > 30 ? [] : rowOf(`${text}: ${next}`)
    const row = alone ?? parted
    if (row) {
      run.push(row)
      if (!alone) n += 1
    }
    if (!row || n === lines.length - 1) {
      if (run.length > best.length) best = run
      run = []
    }
  }
  return best.length > 1 ? best.slice(0, MAX_ROWS) : []
}

/** A row under the names that people ask with. */
export function hoursData({ day, hours }: DayHours): Data {
  const clocks = clocksIn(hours)
  const isClosed = CLOSED.test(hours)
  const [open, close] = clocks.length === 2 ? clocks : [undefined, undefined]
  const times = { open, opens: open, from: open, close, closes: close, to: close, openTime: open, closeTime: close }
  return {
    day,
    days: day,
    dayOfWeek: day,
    weekday: day,
    hours,
    time: hours,
    times: hours,
    openingHours: hours,
    isClosed,
    closed: isClosed,
    isOpen: !isClosed,
    ...(isClosed || open === undefined
      ? {}
      : { ...times, openingTime: open, closingTime: close, start: open, end: close, startTime: open, endTime: close }),
  }
}

/** Data write one row for several days; who asks for a day wants each. */
export function eachDay(list: readonly unknown[]): unknown[] {
  return list.flatMap((one) => {
    const days = isData(one) && Array.isArray(one.dayOfWeek) ? one.dayOfWeek : []
    return days.length > 1 ? days.map((dayOfWeek) => ({ ...(one as Data), dayOfWeek })) : [one]
  })
}

// Dates and times in whatever a page offers for them: native fields, plain text fields, and calendars with months to
// leaf through.

import { parseMonthName } from '../base/month-names.ts'
import { parseDate } from '../base/parse-dates.ts'
import {
  ancestorsOf,
  type DomSnapshot,
  descendantsOf,
  isShown,
  labelOfElement,
  type SnapshotElement,
  textOfElement,
} from '../fetch/chrome/snapshot/dom-snapshot.ts'
import type { PageDriver } from './page-driver.ts'

const two = (number: number): string => String(number).padStart(2, '0')
const MAX_LEAVES = 240

export interface CalendarDay {
  year: number
  /** 1 to 12. */
  month: number
  day: number
}

/** A day without a year is the next one. */
export function parseDay(text: string, now = new Date()): CalendarDay | undefined {
  const written = parseDate(text)
  if (written) return written
  const isPast = ({ month, day }: CalendarDay) => month * 31 + day < (now.getMonth() + 1) * 31 + now.getDate()
  const coming = parseDate(`${text} ${now.getFullYear()}`)
  return coming && { ...coming, year: coming.year + (isPast(coming) ? 1 : 0) }
}

export const parseMonth = (word: string): number | undefined => parseMonthName(word.trim().replace(/\.$/, ''))

/** True when the field shows the day afterwards. */
export async function setDateField(
  driver: PageDriver,
  element: SnapshotElement,
  day: CalendarDay,
  said: string,
): Promise<boolean> {
  const { year } = day
  if (element.type === 'date') return driver.fill(element, `${year}-${two(day.month)}-${two(day.day)}`)
  if (element.type === 'month') return driver.fill(element, `${year}-${two(day.month)}`)
  if (element.type === 'datetime-local') return driver.fill(element, `${year}-${two(day.month)}-${two(day.day)}T00:00`)
  const written = inFormat(day, `${element.placeholder ?? ''} ${element.name ?? ''} ${element.beside ?? ''}`) ?? said
  const before = element.value ?? ''
  await driver.press(element)
  if (!calendarOf(driver.snapshot)) {
    const opener = openerNear(driver.snapshot, element)
    if (opener && element.readonly) await driver.press(opener)
  }
  if (await driver.until((snapshot) => calendarOf(snapshot) !== undefined, element.readonly ? 1000 : 120)) {
    if (await pickInCalendar(driver, day)) return showsDay(driver.again(element)?.value ?? '', before, day)
  }
  if (element.readonly) return false
  return driver.type(driver.again(element) ?? element, written)
}

/** The field changed, and shows the day's number. */
const showsDay = (value: string, before: string, { day }: CalendarDay): boolean =>
  new RegExp(`(?<!\\d)0?${day}(?!\\d)`).test(value) && (value !== before || before !== '')

/** In the order that a hint such as `dd/mm/yyyy` gives. */
function inFormat(day: CalendarDay, hint: string): string | undefined {
  const shape = /\b(d{1,2}|m{1,2}|y{2,4})( ?[/.-] ?)(d{1,2}|m{1,2})\2(d{1,2}|y{2,4})\b/i.exec(hint)
  if (!shape) return undefined
  const part = (letters: string) => {
    const letter = letters[0]!.toLowerCase()
    return letter === 'y' ? String(day.year) : letter === 'm' ? two(day.month) : two(day.day)
  }
  return [shape[1]!, shape[3]!, shape[4]!].map(part).join(shape[2])
}

const openerNear = (snapshot: DomSnapshot, element: SnapshotElement): SnapshotElement | undefined =>
  descendantsOf(snapshot, snapshot.elements[element.up]!).find(
    (one) =>
      one !== element &&
      one.does === 1 &&
      isShown(one) &&
      /calend|date|day|📅|🗓/i.test(`${labelOfElement(one)} ${one.cls}`),
  )

interface Calendar {
  holder: SnapshotElement
  /** 1 to 12. */
  month: number
  year: number
}

function calendarOf(snapshot: DomSnapshot): Calendar | undefined {
  for (const mid of snapshot.elements) {
    if (!isShown(mid) || (mid.text ?? '').trim() !== '15') continue
    for (const holder of ancestorsOf(snapshot, mid).slice(0, 9)) {
      const words = textOfElement(snapshot, holder, 2500)
      if (words.length > 2400) break
      if (!/\b28\b/.test(words)) continue
      const selects = descendantsOf(snapshot, holder).filter(({ type }) => type === 'select')
      const text = `${words} ${selects.map(({ value }) => value).join(' ')}`
      const month = (text.match(/\p{L}{3,}/gu) ?? []).map(parseMonth).find((found) => found !== undefined)
      const year = /\b(19|20)\d\d\b/.exec(text)
      if (month && year) return { holder, month, year: Number(year[0]) }
    }
  }
  return undefined
}

async function pickInCalendar(driver: PageDriver, day: CalendarDay): Promise<boolean> {
  let last = ''
  for (let leaf = 0; leaf < MAX_LEAVES; leaf++) {
    const calendar = calendarOf(driver.snapshot)
    if (!calendar) return false
    const apart = (day.year - calendar.year) * 12 + day.month - calendar.month
    if (apart === 0) return pressDay(driver, calendar, day.day)
    const place = `${calendar.year}-${calendar.month}`
    if (place === last) return false
    last = place
    if (await leapBySelect(driver, calendar, day)) continue
    const parts = descendantsOf(driver.snapshot, calendar.holder).filter(
      (element) => isShown(element) && element.does && !element.disabled,
    )
    const way =
      apart > 0
        ? /^(next|›|»|>|▶|→|forward|later|chevron_right)|next/i
        : /^(prev|‹|«|<|◀|←|back|earlier|chevron_left)|prev/i
    const button = parts.find((element) =>
      [labelOfElement(element), element.text, element.cls].some((text) => way.test(text ?? '')),
    )
    if (!button) return false
    await driver.press(button)
  }
  return false
}

/** Months and years that are lists are chosen at once. */
async function leapBySelect(driver: PageDriver, { holder, month, year }: Calendar, day: CalendarDay): Promise<boolean> {
  const selects = descendantsOf(driver.snapshot, holder).filter(({ type }) => type === 'select')
  const years = selects.find(({ options }) => options?.some(([text]) => text === String(day.year)))
  if (years && year !== day.year) return driver.select(years, String(day.year))
  const months = selects.find(({ options }) => options?.some(([text]) => parseMonth(text) === day.month))
  const name = months?.options?.find(([text]) => parseMonth(text) === day.month)?.[0]
  return months && name && month !== day.month ? driver.select(months, name) : false
}

async function pressDay(driver: PageDriver, { holder }: Calendar, day: number): Promise<boolean> {
  const parts = descendantsOf(driver.snapshot, holder)
  const cells = parts.filter(
    (element) =>
      isShown(element) &&
      !element.disabled &&
      (element.text ?? '').trim() === String(day) &&
      !/other|outside|muted|disabled/i.test(`${element.cls} ${driver.snapshot.elements[element.up]?.cls}`),
  )
  // A number of a day before the first is of the month before.
  const first = parts.find((element) => isShown(element) && (element.text ?? '').trim() === '1')
  const cell = cells.find((element) => !first || element.at >= first.at) ?? cells[0]
  if (!cell) return false
  return driver.press(cell)
}

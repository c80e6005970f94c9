// Dates and times in whatever a page offers for them: native fields, plain text fields, and calendars with months to
// leaf through.

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
import { type ParsedDay, parseMonth } from './parse-numbers-and-dates.ts'

const two = (number: number): string => String(number).padStart(2, '0')
const MAX_LEAVES = 240

/** True when the field shows the day afterwards. */
export async function setDateField(
  driver: PageDriver,
  element: SnapshotElement,
  day: ParsedDay,
  said: string,
): Promise<boolean> {
  const year = day.year ?? comingYear(day, new Date())
  if (element.type === 'date') return driver.fill(element, `${year}-${two(day.month)}-${two(day.day)}`)
  if (element.type === 'month') return driver.fill(element, `${year}-${two(day.month)}`)
  if (element.type === 'datetime-local') return driver.fill(element, `${year}-${two(day.month)}-${two(day.day)}T00:00`)
  const written =
    inFormat(day, year, `${element.placeholder ?? ''} ${element.name ?? ''} ${element.beside ?? ''}`) ?? said
  const before = element.value ?? ''
  await driver.press(element)
  if (!calendarOf(driver.snapshot)) {
    const opener = openerNear(driver.snapshot, element)
    if (opener && element.readonly) await driver.press(opener)
  }
  if (await driver.until((snapshot) => calendarOf(snapshot) !== undefined, element.readonly ? 1000 : 120)) {
    if (await pickInCalendar(driver, { ...day, year })) return showsDay(driver.again(element)?.value ?? '', before, day)
  }
  if (element.readonly) return false
  return driver.type(driver.again(element) ?? element, written)
}

/** A day without a year is the next one. */
const comingYear = ({ month, day }: ParsedDay, now: Date): number =>
  now.getFullYear() + (month < now.getMonth() + 1 || (month === now.getMonth() + 1 && day < now.getDate()) ? 1 : 0)

/** The field changed, and shows the day's number. */
const showsDay = (value: string, before: string, { day }: ParsedDay): boolean =>
  new RegExp(`(?<!\\d)0?${day}(?!\\d)`).test(value) && (value !== before || before !== '')

/** In the order that a hint such as `dd/mm/yyyy` gives. */
function inFormat(day: ParsedDay, year: number, hint: string): string | undefined {
  const shape = /\b(d{1,2}|m{1,2}|y{2,4})( ?[/.-] ?)(d{1,2}|m{1,2})\2(d{1,2}|y{2,4})\b/i.exec(hint)
  if (!shape) return undefined
  const part = (letters: string) => {
    const letter = letters[0]!.toLowerCase()
    return letter === 'y' ? String(year) : letter === 'm' ? two(day.month) : two(day.day)
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
      const month = (text.match(/\p{L}{3,}/gu) ?? []).map((word) => parseMonth(word)).find((found) => found > 0)
      const year = /\b(19|20)\d\d\b/.exec(text)
      if (month && year) return { holder, month, year: Number(year[0]) }
    }
  }
  return undefined
}

async function pickInCalendar(driver: PageDriver, day: ParsedDay & { year: number }): Promise<boolean> {
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
async function leapBySelect(
  driver: PageDriver,
  { holder, month, year }: Calendar,
  day: ParsedDay & { year: number },
): Promise<boolean> {
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

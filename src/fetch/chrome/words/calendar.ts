// Dates and times in whatever a page offers for them: native fields, plain text fields, and calendars with months to
// leaf through.
import type { FormField } from './choices.ts'
import type { PageDriver } from './page-driver.ts'
import { above, inside, isShown, labelOf, type Scene, type SceneThing, wordsIn } from './scene.ts'
import { type Day, MONTHS, monthOf, type TimeOfDay } from './tokens.ts'

const two = (number: number): string => String(number).padStart(2, '0')
const MAX_LEAVES = 240

/** True when the field shows the day afterwards. */
export async function setDay(hands: PageDriver, field: FormField, day: Day, said: string): Promise<boolean> {
  const { thing } = field
  const year = day.year ?? new Date().getFullYear()
  if (thing.type === 'date') return hands.fill(thing, `${year}-${two(day.month)}-${two(day.day)}`)
  if (thing.type === 'month') return hands.fill(thing, `${year}-${two(day.month)}`)
  if (thing.type === 'datetime-local') return hands.fill(thing, `${year}-${two(day.month)}-${two(day.day)}T00:00`)
  const written = inFormat(day, year, `${thing.placeholder ?? ''} ${thing.name ?? ''} ${thing.beside ?? ''}`) ?? said
  const before = thing.value ?? ''
  if (!calendarOf(hands.scene)) await hands.press(thing)
  if (!calendarOf(hands.scene)) {
    const opener = openerNear(hands.scene, thing)
    if (opener && thing.readonly) await hands.press(opener)
  }
  if (await hands.until((scene) => calendarOf(scene) !== undefined, thing.readonly ? 1000 : 120)) {
    if (await pickInCalendar(hands, { ...day, year }))
      return (hands.again(thing)?.value ?? '') !== before || before !== ''
  }
  if (thing.readonly) return false
  return hands.type(hands.again(thing) ?? thing, written)
}

/** In the order that a hint such as `dd/mm/yyyy` gives. */
function inFormat(day: Day, year: number, hint: string): string | undefined {
  const shape = /\b(d{1,2}|m{1,2}|y{2,4})( ?[/.-] ?)(d{1,2}|m{1,2})\2(d{1,2}|y{2,4})\b/i.exec(hint)
  if (!shape) return undefined
  const part = (letters: string) => {
    const letter = letters[0]!.toLowerCase()
    return letter === 'y' ? String(year) : letter === 'm' ? two(day.month) : two(day.day)
  }
  return [shape[1]!, shape[3]!, shape[4]!].map(part).join(shape[2])
}

const openerNear = (scene: Scene, thing: SceneThing): SceneThing | undefined =>
  inside(scene, scene.things[thing.up]!).find(
    (one) =>
      one !== thing && one.does === 1 && isShown(one) && /calend|date|day|📅|🗓/i.test(`${labelOf(one)} ${one.cls}`),
  )

export interface Calendar {
  holder: SceneThing
  /** 1 to 12. */
  month: number
  year: number
}

/** The shown thing that holds a month's days and its name. */
export function calendarOf(scene: Scene): Calendar | undefined {
  for (const mid of scene.things) {
    if (!isShown(mid) || (mid.text ?? '').trim() !== '15') continue
    for (const holder of above(scene, mid).slice(0, 9)) {
      const words = wordsIn(scene, holder, 2500)
      if (words.length > 2400) break
      if (!/\b28\b/.test(words)) continue
      const selects = inside(scene, holder).filter(({ type }) => type === 'select')
      const text = `${words} ${selects.map(({ value }) => value).join(' ')}`
      const month = (text.match(/\p{L}{3,}/gu) ?? []).map((word) => monthOf(word)).find((found) => found > 0)
      const year = /\b(19|20)\d\d\b/.exec(text)
      if (month && year) return { holder, month, year: Number(year[0]) }
    }
  }
  return undefined
}

async function pickInCalendar(hands: PageDriver, day: Day & { year: number }): Promise<boolean> {
  let last = ''
  for (let leaf = 0; leaf < MAX_LEAVES; leaf++) {
    const calendar = calendarOf(hands.scene)
    if (!calendar) return false
    const apart = (day.year - calendar.year) * 12 + day.month - calendar.month
    if (apart === 0) return pressDay(hands, calendar, day.day)
    const place = `${calendar.year}-${calendar.month}`
    if (place === last) return false
    last = place
    if (await leapBySelect(hands, calendar, day)) continue
    const parts = inside(hands.scene, calendar.holder).filter(
      (thing) => isShown(thing) && thing.does && !thing.disabled,
    )
    const way =
      apart > 0 ? /^(next|›|»|>|▶|→|forward|chevron_right)|next/i : /^(prev|‹|«|<|◀|←|back|chevron_left)|prev/i
    const button = parts.find((thing) => way.test(labelOf(thing)) || way.test(thing.cls ?? ''))
    if (!button) return false
    await hands.press(button)
  }
  return false
}

/** Months and years that are lists are chosen at once. */
async function leapBySelect(
  hands: PageDriver,
  { holder, month, year }: Calendar,
  day: Day & { year: number },
): Promise<boolean> {
  const selects = inside(hands.scene, holder).filter(({ type }) => type === 'select')
  const years = selects.find(({ options }) => options?.some(([text]) => text === String(day.year)))
  if (years && year !== day.year) return hands.select(years, [String(day.year)])
  const months = selects.find(({ options }) => options?.some(([text]) => monthOf(text) === day.month))
  const name = months?.options?.find(([text]) => monthOf(text) === day.month)?.[0]
  return months && name && month !== day.month ? hands.select(months, [name]) : false
}

async function pressDay(hands: PageDriver, { holder }: Calendar, day: number): Promise<boolean> {
  const parts = inside(hands.scene, holder)
  const cells = parts.filter(
    (thing) =>
      isShown(thing) &&
      !thing.disabled &&
      (thing.text ?? '').trim() === String(day) &&
      !/other|outside|muted|disabled/i.test(`${thing.cls} ${hands.scene.things[thing.up]?.cls}`),
  )
  // A number of a day before the first is of the month before.
  const first = parts.find((thing) => isShown(thing) && (thing.text ?? '').trim() === '1')
  const cell = cells.find((thing) => !first || thing.at >= first.at) ?? cells[0]
  if (!cell) return false
  return hands.press(cell)
}

export async function setClock(
  hands: PageDriver,
  { thing }: FormField,
  clock: TimeOfDay,
  said: string,
): Promise<boolean> {
  const plain = `${two(clock.hour)}:${two(clock.minute)}`
  if (thing.type === 'time') return hands.fill(thing, plain)
  const hint = `${thing.placeholder ?? ''}`
  return hands.type(thing, /[ap]m/i.test(said) && /h:?mm\b(?! ?[ap])|24/i.test(hint) ? plain : said)
}

export const monthName = (month: number): string => MONTHS[month - 1] ?? ''

// Sets a value in any kind of form control, and checks that the control has it afterwards.
import { findTimes } from '../base/parse-dates.ts'
import { parseNumber } from '../base/parse-number-words.ts'
import {
  type DomSnapshot,
  isShown,
  labelOfElement,
  type SnapshotElement,
} from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { foldText } from './match-label-words.ts'
import { type ControlChoice, checkedStateOf, type FormField, listPageControls } from './page-controls.ts'
import type { PageDriver } from './page-driver.ts'
import { revealElement } from './reveal-hidden.ts'
import { type CalendarDay, parseDay, parseMonth, setDateField } from './set-date-field.ts'
import { quoteShort, type StepOutcome } from './step-outcome.ts'

export type ControlSetting =
  | { type: 'field'; field: FormField; value: string }
  | { type: 'choice'; choice: ControlChoice; on: boolean | undefined }

/** For a list that has to come, and for one that may. */
const LIST_MS = 5000
const SUGGESTIONS_MS = 1500
const MAX_PRESSES = 60

export async function applyControlSetting(
  driver: PageDriver,
  setting: ControlSetting,
  on: boolean,
): Promise<StepOutcome> {
  const { element } = setting.type === 'field' ? setting.field : setting.choice
  const now = driver.again(element)
  const isNative = element.tag === 'input' && !isShown(element) && element.hidden !== 2
  if (now && !isShown(now) && !isNative && !(await revealElement(driver, now)))
    return { ok: false, text: `Could not bring ${settingLabel(setting)} into view.` }
  if (setting.type === 'field') return applyField(driver, setting.field, setting.value)
  return applyChoice(driver, setting.choice, setting.on ?? on)
}

const settingLabel = (setting: ControlSetting): string =>
  quoteShort(setting.type === 'field' ? (setting.field.labels[0] ?? setting.field.element.tag) : setting.choice.text)

async function applyField(driver: PageDriver, field: FormField, value: string): Promise<StepOutcome> {
  const name = quoteShort(field.labels[0] ?? field.element.tag)
  const shown = field.kind === 'password' ? '•••' : value
  const ok = await putValue(driver, field, value)
  return ok
    ? { ok, text: `Put ${quoteShort(shown)} into ${name}.` }
    : { ok, text: `Could not put ${quoteShort(shown)} into ${name}: it does not stand there.` }
}

async function putValue(driver: PageDriver, field: FormField, value: string): Promise<boolean> {
  const element = driver.again(field.element) ?? field.element
  switch (field.kind) {
    case 'select': {
      const option = element.options?.find(([text]) => foldText(text) === foldText(value))
      return option ? driver.select(element, option[0]) : false
    }
    case 'list':
      return pickFromList(driver, element, value)
    case 'date': {
      const day = parseDay(value)
      if (!day) return false
      return field.month && field.year ? setDayParts(driver, field, day) : setDateField(driver, element, day, value)
    }
    case 'time': {
      const [clock] = findTimes(value)
      return element.type === 'time' && clock ? driver.fill(element, clock.slice(0, 5)) : driver.type(element, value)
    }
    case 'slider':
      return slideTo(driver, element, parseNumber(value) ?? Number.NaN)
    case 'stepper':
      return stepTo(driver, field, parseNumber(value) ?? Number.NaN)
    case 'number':
      return driver.type(element, String(parseNumber(value) ?? value))
    default:
      return field.suggests ? typeAndPick(driver, element, value) : driver.type(element, value)
  }
}

async function setDayParts(driver: PageDriver, field: FormField, day: CalendarDay): Promise<boolean> {
  const { month, year } = field
  const names = month!.element.options?.map(([text]) => text) ?? []
  const name = names.find((text) => parseMonth(text) === day.month) ?? String(day.month)
  const put = ({ element: part }: FormField, value: string) => {
    const now = driver.again(part) ?? part
    return now.options ? driver.select(now, value) : driver.type(now, value)
  }
  return (await put(field, String(day.day))) && (await put(month!, name)) && (await put(year!, String(day.year)))
}

/** Arrows and ticks that a page adds to a text are not part of it. */
const bareText = (text: string): string =>
  foldText(text)
    .replace(/[\s▾▼▲▸✓✔⌄]+/g, ' ')
    .trim()
const sameText = (a: string, b: string): boolean => bareText(a) === bareText(b)

/** Opens a list that is no native one and presses the option. */
async function pickFromList(driver: PageDriver, element: SnapshotElement, value: string): Promise<boolean> {
  const option = (snapshot: DomSnapshot) =>
    listPageControls(snapshot).choices.find(
      (choice) => choice.kind === 'option' && isShown(choice.element) && sameText(choice.text, value),
    )
  if (!option(driver.snapshot)) await driver.press(element)
  if (!(await driver.until((snapshot) => option(snapshot) !== undefined, LIST_MS))) return false
  await driver.press(option(driver.snapshot)!.element)
  const now = driver.again(element)
  return (
    now !== undefined &&
    [now.text, now.value, now.name].some((text) => text !== undefined && foldText(text).includes(foldText(value)))
  )
}

/** Types into a field with suggestions and takes the one of that name; a list that does not offer it is a failure. */
async function typeAndPick(driver: PageDriver, element: SnapshotElement, value: string): Promise<boolean> {
  const known = new Set(suggestionsIn(driver.snapshot).map(({ ref }) => ref))
  if (!(await driver.type(element, value))) return false
  const listSuggestions = (snapshot: DomSnapshot) => suggestionsIn(snapshot).filter(({ ref }) => !known.has(ref))
  // Some fields suggest nothing for a text that they take as it is.
  const takesAny = element.auto === undefined && element.role !== 'combobox'
  const hasSuggestions = (snapshot: DomSnapshot) => listSuggestions(snapshot).length > 0
  const came = await driver.until(hasSuggestions, takesAny ? SUGGESTIONS_MS : LIST_MS)
  if (!came) return takesAny
  const match = listSuggestions(driver.snapshot).find((one) => sameText(labelOfElement(one), value))
  // A part of a word is typed to see the suggestions; one of them is named later.
  if (!match)
    return listSuggestions(driver.snapshot).some((one) => foldText(labelOfElement(one)).includes(foldText(value)))
  await driver.press(match)
  return foldText(driver.again(element)?.value ?? '').includes(foldText(value))
}

const suggestionsIn = (snapshot: DomSnapshot): SnapshotElement[] =>
  snapshot.elements.filter((one) => isShown(one) && one.role === 'option' && one.tag !== 'option')

async function slideTo(driver: PageDriver, element: SnapshotElement, value: number): Promise<boolean> {
  if (element.tag === 'input') return driver.fill(element, String(value))
  await (await driver.handle(element)).focus()
  for (let turn = 0; turn < MAX_PRESSES; turn++) {
    const now = Number(driver.again(element)?.now)
    if (now === value) return true
    if (!(await driver.key(now < value ? 'ArrowRight' : 'ArrowLeft'))) return false
    if ((now - value) * (Number(driver.again(element)?.now) - value) < 0) return false
  }
  return false
}

async function stepTo(driver: PageDriver, { element, less, more }: FormField, value: number): Promise<boolean> {
  const now = () => {
    const one = driver.again(element)
    return Number(one?.now ?? one?.text)
  }
  for (let turn = 0; turn < MAX_PRESSES && now() !== value; turn++) {
    const before = now()
    await driver.press(before < value ? more! : less!)
    if (now() === before || (before - value) * (now() - value) < 0) break
  }
  return now() === value
}

async function applyChoice(driver: PageDriver, choice: ControlChoice, on: boolean): Promise<StepOutcome> {
  const name = quoteShort(choice.text)
  const element = driver.again(choice.element) ?? choice.element
  const ok = await choose(driver, { ...choice, element }, on)
  const done = choice.kind === 'check' ? (on ? 'Ticked' : 'Unticked') : 'Chose'
  return ok
    ? { ok, text: `${done} ${name}.` }
    : { ok, text: `Could not choose ${name}: the page does not show it as chosen.` }
}

async function choose(driver: PageDriver, { kind, element, text }: ControlChoice, on: boolean): Promise<boolean> {
  if (kind === 'native') return on && driver.select(element, text)
  if (kind === 'check' || kind === 'radio') return driver.check(element, on)
  if (kind === 'option' && checkedStateOf(element) === true) return true
  if (!(await driver.press(element))) return false
  if (kind === 'cell') return true
  const now = driver.again(element)
  if (!now || !isShown(now)) return isShownSomewhere(driver.snapshot, text)
  return checkedStateOf(now) !== false
}

/** A custom list closes after a choice, so success is that the field shows the choice. */
const isShownSomewhere = (snapshot: DomSnapshot, text: string): boolean =>
  snapshot.elements.some(
    (one) =>
      isShown(one) &&
      one.role !== 'option' &&
      [one.text, one.value, one.name].some((own) => own !== undefined && sameText(own, text)),
  )

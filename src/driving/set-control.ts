// Puts a value into a control of any make, and checks that it stands there.
import { type DomSnapshot, isShown, labelOf, type SnapshotElement } from '../fetch/chrome/snapshot/snapshot.ts'
import { setDay } from './calendar.ts'
import { type Choice, controlsOf, type FormField, stateOf } from './controls.ts'
import { plain } from './label-words.ts'
import type { PageDriver } from './page-driver.ts'
import { reveal } from './reveal-hidden.ts'
import { clockOf, dayOf, numberOf } from './written-values.ts'

export type ControlSetting =
  | { type: 'field'; field: FormField; value: string; from: number }
  | { type: 'choice'; choice: Choice; on: boolean | undefined; from: number }

const SUGGESTIONS_MS = 1500
const MAX_PRESSES = 60

export interface StepOutcome {
  ok: boolean
  text: string
}

export async function applySetting(driver: PageDriver, setting: ControlSetting, on: boolean): Promise<StepOutcome> {
  const { element } = setting.type === 'field' ? setting.field : setting.choice
  const now = driver.again(element)
  const isNative = element.tag === 'input' && !isShown(element) && element.hidden !== 2
  if (now && !isShown(now) && !isNative && !(await reveal(driver, now)))
    return { ok: false, text: `Could not bring ${nameOf(setting)} into view.` }
  if (setting.type === 'field') return applyField(driver, setting.field, setting.value)
  return applyChoice(driver, setting.choice, setting.on ?? on)
}

const short = (text: string): string => `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`

export const nameOf = (setting: ControlSetting): string =>
  short(setting.type === 'field' ? (setting.field.labels[0] ?? setting.field.element.tag) : setting.choice.text)

async function applyField(driver: PageDriver, field: FormField, value: string): Promise<StepOutcome> {
  const name = short(field.labels[0] ?? field.element.tag)
  const shown = field.kind === 'password' ? '•••' : value
  const ok = await putValue(driver, field, value)
  return ok
    ? { ok, text: `Put ${short(shown)} into ${name}.` }
    : { ok, text: `Could not put ${short(shown)} into ${name}: it does not stand there.` }
}

async function putValue(driver: PageDriver, field: FormField, value: string): Promise<boolean> {
  const element = driver.again(field.element) ?? field.element
  switch (field.kind) {
    case 'select': {
      const option = element.options?.find(([text]) => plain(text) === plain(value))
      return option ? driver.select(element, option[0]) : false
    }
    case 'list':
      return pickFromList(driver, element, value)
    case 'date': {
      const day = dayOf(value)
      return day ? setDay(driver, element, day, value) : false
    }
    case 'time': {
      const clock = clockOf(value)
      const two = (number: number) => String(number).padStart(2, '0')
      return element.type === 'time' && clock
        ? driver.fill(element, `${two(clock.hour)}:${two(clock.minute)}`)
        : driver.type(element, value)
    }
    case 'slider':
      return slideTo(driver, element, numberOf(value) ?? Number.NaN)
    case 'stepper':
      return stepTo(driver, field, numberOf(value) ?? Number.NaN)
    case 'number':
      return driver.type(element, String(numberOf(value) ?? value))
    default:
      return field.suggests ? typeAndPick(driver, element, value) : driver.type(element, value)
  }
}

const sameText = (a: string, b: string): boolean =>
  plain(a).replace(/\s+/g, ' ').trim() === plain(b).replace(/\s+/g, ' ').trim()

/** Opens a list that is no native one and presses the option. */
async function pickFromList(driver: PageDriver, element: SnapshotElement, value: string): Promise<boolean> {
  const option = (snapshot: DomSnapshot) =>
    controlsOf(snapshot).choices.find(
      (choice) => choice.kind === 'option' && isShown(choice.element) && sameText(choice.text, value),
    )
  if (!option(driver.snapshot)) await driver.press(element)
  if (!(await driver.until((snapshot) => option(snapshot) !== undefined, SUGGESTIONS_MS))) return false
  await driver.press(option(driver.snapshot)!.element)
  const now = driver.again(element)
  return (
    now !== undefined &&
    [now.text, now.value, now.name].some((text) => text !== undefined && plain(text).includes(plain(value)))
  )
}

/** Types into a field with suggestions and takes the one of that name; a list that does not offer it is a failure. */
async function typeAndPick(driver: PageDriver, element: SnapshotElement, value: string): Promise<boolean> {
  const known = new Set(suggestionsIn(driver.snapshot).map(({ ref }) => ref))
  if (!(await driver.type(element, value))) return false
  const offered = (snapshot: DomSnapshot) => suggestionsIn(snapshot).filter(({ ref }) => !known.has(ref))
  const came = await driver.until((snapshot) => offered(snapshot).length > 0, SUGGESTIONS_MS)
  // Some fields suggest nothing for a text that they take as it is.
  if (!came) return element.auto === undefined && element.role !== 'combobox'
  const match = offered(driver.snapshot).find((one) => sameText(labelOf(one), value))
  // A part of a word is typed to see the suggestions; one of them is named later.
  if (!match) return offered(driver.snapshot).some((one) => plain(labelOf(one)).includes(plain(value)))
  await driver.press(match)
  return plain(driver.again(element)?.value ?? '').includes(plain(value))
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

async function applyChoice(driver: PageDriver, choice: Choice, on: boolean): Promise<StepOutcome> {
  const name = short(choice.text)
  const element = driver.again(choice.element) ?? choice.element
  const ok = await choose(driver, { ...choice, element }, on)
  const done = choice.kind === 'check' ? (on ? 'Ticked' : 'Unticked') : 'Chose'
  return ok
    ? { ok, text: `${done} ${name}.` }
    : { ok, text: `Could not choose ${name}: the page does not show it as chosen.` }
}

async function choose(driver: PageDriver, { kind, element, text }: Choice, on: boolean): Promise<boolean> {
  if (kind === 'native') return on && driver.select(element, text)
  if (kind === 'check' || kind === 'radio') return driver.check(element, on)
  if (!(await driver.press(element))) return false
  if (kind === 'cell') return true
  const now = driver.again(element)
  if (!now || !isShown(now)) return isShownSomewhere(driver.snapshot, text)
  return stateOf(now) !== false
}

/** A list closes over its choice: the choice must stand in the field then. */
const isShownSomewhere = (snapshot: DomSnapshot, text: string): boolean =>
  snapshot.elements.some(
    (one) =>
      isShown(one) &&
      one.role !== 'option' &&
      [one.text, one.value].some((own) => own !== undefined && sameText(own, text)),
  )

export async function attachFile(driver: PageDriver, field: FormField, name: string, text: string): Promise<boolean> {
  const handle = await driver.handle(field.element)
  await handle.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  await driver.waitForIdle()
  return (driver.again(field.element)?.value ?? '').endsWith(name)
}

// Puts a value into a field of any kind: typed, chosen, slid, stepped or picked, and checked afterwards.
import { setClock, setDay } from './calendar.ts'
import { choicesOf, type FieldChoice, type FormField, sameText } from './choices.ts'
import { likeness, plain } from './likeness.ts'
import type { PageDriver } from './page-driver.ts'
import { inside, isShown, type Scene, type SceneThing } from './scene.ts'
import { clockOf, dayOf, numberOf } from './tokens.ts'

const SUGGEST_MS = 1500
const MAX_STEPS = 300

/** True when the field holds the value afterwards. */
export async function setField(hands: PageDriver, field: FormField, value: string): Promise<boolean> {
  const { thing, kind } = field
  switch (kind) {
    case 'select':
      return selectNative(hands, thing, value)
    case 'custom':
      return chooseCustom(hands, thing, value)
    case 'slider':
      return slide(hands, thing, value)
    case 'stepper':
      return stepTo(hands, field, value)
    case 'date': {
      const day = dayOf(value)
      return day ? setDay(hands, field, day, value) : typed(hands, thing, value)
    }
    case 'time': {
      const clock = clockOf(value)
      return clock ? setClock(hands, field, clock, value) : typed(hands, thing, value)
    }
    case 'color':
      return hands.fill(thing, value)
    case 'file':
      return false
    case 'number':
      return setNumber(hands, field, value)
    default:
      return typed(hands, thing, value)
  }
}

async function setNumber(hands: PageDriver, { thing }: FormField, value: string): Promise<boolean> {
  const number = numberOf(value)
  const text = number === undefined ? value : String(number)
  if (thing.readonly) return spinByKeys(hands, thing, Number(text))
  return hands.type(thing, text)
}

/** Types, and takes the suggestion that says the same where the page offers some. */
async function typed(hands: PageDriver, thing: SceneThing, value: string): Promise<boolean> {
  if (thing.readonly) return false
  const before = new Set(hands.scene.things.filter(isShown).map(({ ref }) => ref))
  if (!(await hands.type(thing, value)) && !hands.again(thing)) return false
  const suggests =
    thing.auto !== undefined ||
    thing.role === 'combobox' ||
    thing.popup === 'listbox' ||
    /autocomplete|typeahead|suggest/i.test(`${thing.cls}`)
  const wanted = (scene: Scene) => suggestion(scene, thing, before, value)
  if (suggests) await hands.until((scene) => wanted(scene) !== undefined, SUGGEST_MS)
  const found = wanted(hands.scene)
  if (found) {
    await hands.press(found)
    const now = hands.again(thing)
    return (
      now === undefined ||
      sameText(now.value ?? '', found.name ?? found.text ?? value) ||
      sameText(now.value ?? '', value)
    )
  }
  return !suggests || thing.options !== undefined || hands.again(thing)?.value?.trim() === value.trim()
}

/** A thing that appeared with the typing and says what was typed. */
export function suggestion(
  scene: Scene,
  field: SceneThing,
  before: ReadonlySet<string>,
  value: string,
): SceneThing | undefined {
  const fresh = scene.things.filter((thing) => isShown(thing) && !before.has(thing.ref) && thing.ref !== field.ref)
  const lists = fresh.filter(
    (thing) => thing.role === 'option' || thing.role === 'menuitem' || thing.role === 'listitem' || thing.does,
  )
  const says = (thing: SceneThing) => thing.name || thing.text || ''
  return (
    lists.find((thing) => sameText(says(thing), value)) ??
    fresh.find((thing) => thing.text && sameText(thing.text, value) && thing.role === 'option')
  )
}

/** The option whose words are those of the value. */
export function bestOption(options: readonly string[], value: string): string | undefined {
  const exact = options.find((text) => text === value) ?? options.find((text) => sameText(text, value))
  if (exact !== undefined) return exact
  const ranked = options
    .map((text) => ({ text, like: likeness(value, text) }))
    .sort((a, b) => b.like.score - a.like.score)
  const [first, second] = ranked
  if (!first || (first.like.score < 0.75 && first.like.covers < 0.95)) return undefined
  return second && second.like.score > first.like.score - 0.02 ? undefined : first.text
}

async function selectNative(hands: PageDriver, thing: SceneThing, value: string): Promise<boolean> {
  const option = bestOption(
    (thing.options ?? []).map(([text]) => text),
    value,
  )
  return option === undefined ? false : hands.select(thing, [option])
}

/** Opens a list that the page draws itself, and presses the option. */
export async function chooseCustom(hands: PageDriver, thing: SceneThing, value: string): Promise<boolean> {
  const offered = () => choicesOf(hands.scene).filter(({ kind, hidden }) => kind === 'option' && !hidden)
  let choice = pick(offered(), value)
  if (!choice) {
    await hands.press(thing)
    await hands.until(() => pick(offered(), value) !== undefined, 1200)
    choice = pick(offered(), value)
  }
  if (!choice) {
    // Some lists are of plain elements.
    const plainOne = hands.scene.things.find(
      (one) => isShown(one) && one.at > thing.at && one.ref !== thing.ref && sameText(one.text ?? '', value),
    )
    if (!plainOne) return false
    return hands.press(plainOne)
  }
  return hands.press(choice.thing)
}

const pick = (choices: readonly FieldChoice[], value: string): FieldChoice | undefined => {
  const text = bestOption(
    choices.map((choice) => choice.text),
    value,
  )
  return choices.find((choice) => choice.text === text)
}

async function slide(hands: PageDriver, thing: SceneThing, value: string): Promise<boolean> {
  const wanted = numberOf(plain(value))
  if (wanted === undefined) return false
  if (thing.tag === 'input') return hands.fill(thing, String(wanted))
  if (!Number.isNaN(shownNumber(thing))) return spinByKeys(hands, thing, wanted)
  const display = await displayOf(hands, thing)
  if (!display) return false
  return spinByKeys(hands, thing, wanted, () => Number.parseFloat(hands.again(display)?.text ?? ''))
}

/** The number on the page that moves with a slider that does not tell its own. */
async function displayOf(hands: PageDriver, thing: SceneThing): Promise<SceneThing | undefined> {
  await (await hands.handle(thing)).focus()
  for (const key of ['ArrowRight', 'ArrowLeft']) {
    const before = new Map(hands.scene.things.map(({ ref, text }) => [ref, text]))
    await hands.key(key)
    const moved = hands.scene.things.find(
      ({ ref, text }) => /^\s*-?\d+(\.\d+)?\s*$/.test(text ?? '') && before.get(ref) !== text,
    )
    if (moved) return moved
  }
  return undefined
}

const shownNumber = (thing: SceneThing | undefined): number => Number.parseFloat(thing?.now ?? thing?.value ?? '')

/** Arrow keys until the number is there; they are what sliders and spinners of any make know. */
export async function spinByKeys(
  hands: PageDriver,
  thing: SceneThing,
  wanted: number,
  read = shownNumber,
): Promise<boolean> {
  await (await hands.handle(thing)).focus()
  for (let step = 0; step < MAX_STEPS; step++) {
    const now = read(hands.again(thing))
    if (now === wanted) return true
    if (Number.isNaN(now)) return false
    const horizontal = thing.role !== 'spinbutton'
    await hands.key(now < wanted ? (horizontal ? 'ArrowRight' : 'ArrowUp') : horizontal ? 'ArrowLeft' : 'ArrowDown')
    const after = read(hands.again(thing))
    if (after === now || Math.abs(after - wanted) >= Math.abs(now - wanted)) return after === wanted
  }
  return false
}

async function stepTo(hands: PageDriver, { thing, less, more }: FormField, value: string): Promise<boolean> {
  const wanted = numberOf(plain(value))
  if (wanted === undefined || !less || !more) return false
  for (let step = 0; step < MAX_STEPS; step++) {
    const at = hands.again(thing)
    const now = Number(at?.text ?? at?.value)
    if (now === wanted) return true
    if (Number.isNaN(now)) return false
    await hands.press(now < wanted ? more : less)
    const after = hands.again(thing)
    if (Number(after?.text ?? after?.value) === now) return false
  }
  return false
}

/** Number fields and lists for how many, inside a card or a row. */
export const amountFields = (scene: Scene, holder: SceneThing, fields: readonly FormField[]): FormField[] =>
  fields.filter(
    ({ thing, kind, less }) =>
      (kind === 'number' ||
        kind === 'stepper' ||
        (kind === 'select' && (thing.options ?? []).every(([text]) => /^\d+$/.test(text.trim())))) &&
      inside(scene, holder).some((one) => one.ref === thing.ref || one.ref === less?.ref),
  )

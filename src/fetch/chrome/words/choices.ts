// What a page offers to choose from and to fill in: fields, options of any make, steppers, and cells of grids that two
// headings name. Pure.
import { keyWords, plain } from './likeness.ts'
import { above, endOf, inside, isShown, type Scene, type SceneThing, wordsIn } from './scene.ts'
import { isCheckable, kindOf } from './targets.ts'

export type FieldKind =
  | 'text'
  | 'email'
  | 'password'
  | 'number'
  | 'date'
  | 'time'
  | 'search'
  | 'select'
  | 'custom'
  | 'slider'
  | 'stepper'
  | 'color'
  | 'file'
  | 'editor'

export interface FormField {
  thing: SceneThing
  kind: FieldKind
  labels: string[]
  /** A stepper's buttons and the number between them. */
  less?: SceneThing
  more?: SceneThing
}

export interface FieldChoice {
  text: string
  /** The option itself, or the select that has it. */
  thing: SceneThing
  kind: 'native' | 'radio' | 'check' | 'option' | 'tab' | 'item'
  /** Label of the group it belongs to. */
  group: string
  on: boolean
  hidden: boolean
}

const DATE_WORDS = /\b(date|day|dd|mm|yyyy|birthday|when|check-?in|check-?out|departure|arrival)\b/i
const TIME_WORDS = /\b(time|hh|hour)\b/i

export function fieldsOf(scene: Scene): FormField[] {
  const fields: FormField[] = []
  for (const thing of scene.things) {
    if (!isShown(thing) || thing.disabled) continue
    const kind = fieldKind(thing)
    if (kind) fields.push({ thing, kind, labels: fieldLabels(scene, thing) })
  }
  return [...fields, ...steppersOf(scene)]
}

function fieldKind(thing: SceneThing): FieldKind | undefined {
  const { role, type } = thing
  if (type === 'select') return 'select'
  if (
    role === 'slider' ||
    (thing.does && /slider-?(handle|thumb|knob)|range-?(handle|thumb)|noUi-handle/i.test(thing.cls ?? ''))
  )
    return 'slider'
  if (role === 'file' || role === 'color') return role
  if (role === 'combobox' && thing.tag !== 'input') return 'custom'
  if (role === 'listbox') return 'custom'
  if (type === 'editable') return 'editor'
  if (!/^(textbox|searchbox|spinbutton|combobox)$/.test(role ?? '')) return undefined
  const words = `${thing.name ?? ''} ${thing.placeholder ?? ''} ${thing.beside ?? ''} ${thing.dom ?? ''} ${thing.field ?? ''}`
  if (type === 'password' || /\bpassw/i.test(words)) return 'password'
  if (type === 'email' || (type !== 'search' && /e-?mail/i.test(words))) return 'email'
  if (/^(date|month|week|datetime-local)$/.test(type ?? '') || /datepicker/i.test(`${thing.cls} ${thing.dom}`))
    return 'date'
  if (type === 'time') return 'time'
  if (type === 'number' || role === 'spinbutton') return 'number'
  if (type === 'search' || role === 'searchbox') return 'search'
  if (type === 'text' && DATE_WORDS.test(words)) return 'date'
  if (type === 'text' && TIME_WORDS.test(words)) return 'time'
  return 'text'
}

function fieldLabels(scene: Scene, thing: SceneThing): string[] {
  const own = [thing.name, thing.beside, thing.placeholder, thing.field, thing.dom]
  // A group's legend tells what its one field is.
  const group = above(scene, thing)
    .slice(0, 3)
    .find(({ role }) => role === 'group' || role === 'radiogroup')
  return [...own, group?.name]
    .filter((label): label is string => !!label)
    .map((label) => label.replace(/[:*]+\s*$/, ''))
}

const LESS = /^(-|−|–|‹|◀|▼|less|fewer|decrease|minus|down|lower|remove one|decrement)\b|^[-−–▼◀]$/i
const MORE = /^(\+|›|▶|▲|more|increase|plus|up|higher|add one|increment)\b|^[+▲▶]$/i

/** Two buttons for less and more around a number that stands as text. */
export function steppersOf(scene: Scene): FormField[] {
  const steppers: FormField[] = []
  const buttons = scene.things.filter((thing) => isShown(thing) && /^(button|clickable|link)$/.test(kindOf(thing)))
  for (const less of buttons) {
    if (!LESS.test(labelWords(less))) continue
    const holder = above(scene, less)
      .slice(0, 3)
      .find((one) => inside(scene, one).some((other) => other !== less && MORE.test(labelWords(other)) && other.does))
    if (!holder) continue
    const parts = inside(scene, holder)
    const more = parts.find((other) => other !== less && other.does && MORE.test(labelWords(other)))
    const number = parts.find(
      (one) =>
        one !== less &&
        one !== more &&
        ((one.text !== undefined && /^\s*-?\d+(\.\d+)?\s*$/.test(one.text)) ||
          (one.tag === 'input' && /^\d*$/.test(one.value ?? 'x'))),
    )
    if (!more || !number || parts.length > 30 || number.type === 'number') continue
    const named = `${less.name ?? ''} ${more.name ?? ''}`.replace(
      /\b(less|fewer|decrease|minus|down|more|increase|plus|up|of|the|one)\b|[-+−]/gi,
      ' ',
    )
    const line = above(scene, holder)[0]
    steppers.push({
      thing: number,
      kind: 'stepper',
      labels: [
        named.trim().split(/\s+/)[0] ?? '',
        wordsIn(scene, holder, 120)
          .replace(/[-+−\d]/g, ' ')
          .trim(),
        line ? wordsIn(scene, line, 120) : '',
      ].filter(Boolean),
      less,
      more,
    })
  }
  return steppers
}

const labelWords = (thing: SceneThing): string => (thing.name || thing.text || '').trim()

/** Everything that can be chosen, with the group it is of. */
export function choicesOf(scene: Scene): FieldChoice[] {
  const out: FieldChoice[] = []
  for (const thing of scene.things) {
    if (thing.disabled) continue
    const shown = isShown(thing)
    if (thing.type === 'select' && shown) {
      const group = fieldLabels(scene, thing)[0] ?? ''
      for (const [text, on] of thing.options ?? []) out.push({ text, thing, kind: 'native', group, on, hidden: false })
      continue
    }
    const role = thing.role ?? ''
    if (/^(radio|checkbox|switch|menuitemradio|menuitemcheckbox)$/.test(role)) {
      if (!shown && !isCheckable(thing)) continue
      const text = thing.name || afterWords(scene, thing) || thing.beside || ''
      const kind = role === 'radio' || role === 'menuitemradio' ? 'radio' : 'check'
      out.push({
        text,
        thing,
        kind,
        group: groupOf(scene, thing),
        on: thing.checked === true,
        hidden: !shown && thing.hidden === 2,
      })
    } else if (role === 'option' && (shown || thing.hidden)) {
      out.push({
        text: thing.name ?? thing.text ?? '',
        thing,
        kind: 'option',
        group: groupOf(scene, thing),
        on: thing.selected === true,
        hidden: !shown,
      })
    } else if (role === 'tab' && shown)
      out.push({ text: thing.name ?? '', thing, kind: 'tab', group: '', on: thing.selected === true, hidden: false })
  }
  return out.filter(({ text }) => text.trim() !== '')
}

/** Words right after a box without a label, as `<input type=checkbox> Olives`. */
function afterWords(scene: Scene, thing: SceneThing): string {
  const parent = scene.things[thing.up]
  const next = scene.things[endOf(scene, thing)]
  if (next && next.up === thing.up && !next.does && next.text) return next.text
  return parent?.text ?? ''
}

/** The legend, label or heading over a group. */
export function groupOf(scene: Scene, thing: SceneThing): string {
  for (const one of above(scene, thing).slice(0, 6)) {
    if (/^(group|radiogroup|listbox|menu|region|tablist)$/.test(one.role ?? '') && one.name) return one.name
    if (one.role === 'listbox') {
      const owner = scene.things.find(
        ({ role, at, type }) => role === 'combobox' && type !== 'select' && Math.abs(at - one.at) < 6,
      )
      if (owner) return owner.name ?? owner.beside ?? ''
    }
    const legend = one.role === 'group' ? inside(scene, one).find(({ role }) => role === 'legend') : undefined
    if (legend) return legend.name ?? legend.text ?? ''
    const before = scene.things
      .slice(Math.max(0, one.at - 4), one.at)
      .reverse()
      .find(({ up, role }) => up === one.up && role === 'heading')
    if (before) return before.name ?? before.text ?? ''
  }
  return ''
}

export interface GridCell {
  thing: SceneThing
  row: string
  column: string
}

/** Rows of cells, by the table they are of. */
export function tablesOf(
  scene: Scene,
): { table: SceneThing; head: string[]; rows: { row: SceneThing; cells: SceneThing[] }[] }[] {
  return scene.things
    .filter((thing) => /^(table|grid|treegrid)$/.test(thing.role ?? '') && isShown(thing))
    .map((table) => {
      const rows = inside(scene, table)
        .filter((thing) => thing.role === 'row' && isShown(thing))
        .map((row) => ({
          row,
          cells: inside(scene, row).filter(
            (cell) => /^(td|th)$/.test(cell.tag) || /^(cell|gridcell|columnheader|rowheader)$/.test(cell.role ?? ''),
          ),
        }))
        .filter(({ cells }) => cells.length > 0)
      const first = rows[0]
      const isHead = first?.cells.every(
        ({ tag, role, text, name }) => tag === 'th' || role === 'columnheader' || !(text || name),
      )
      const head = isHead ? first!.cells.map((cell) => wordsIn(scene, cell, 120)) : []
      return { table, head, rows: isHead ? rows.slice(1) : rows }
    })
}

/** The cell where a row and a column meet that both stand in these words. */
export function cellNamed(scene: Scene, words: string): GridCell | undefined {
  const text = ` ${keyWords(words).join(' ')} `
  const says = (label: string) =>
    label !== '' && keyWords(label).length > 0 && text.includes(` ${keyWords(label).join(' ')} `)
  for (const { head, rows } of tablesOf(scene)) {
    const column = head.findIndex((label, at) => at > 0 && says(label))
    if (column < 0) continue
    for (const { cells } of rows) {
      const name = cells[0] ? wordsIn(scene, cells[0], 120) : ''
      const cell = cells[column]
      if (cell && says(name)) return { thing: cell, row: name, column: head[column]! }
    }
  }
  return undefined
}

export const sameText = (a: string, b: string): boolean =>
  plain(a).replace(/\s+/g, ' ').trim() === plain(b).replace(/\s+/g, ' ').trim()

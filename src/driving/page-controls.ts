// What a page offers to a request: buttons, fields, and choices with the group that they belong to.
import { rememberByObject } from '../base/values.ts'
import {
  ancestorsOf,
  type DomSnapshot,
  descendantsOf,
  endOfSubtree,
  isDescendantOf,
  isShown,
  type SnapshotElement,
  textOfElement,
} from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { keyWordsOf } from './match-label-words.ts'

type TypedKind = 'text' | 'email' | 'password' | 'number' | 'date' | 'time'
type FieldKind = TypedKind | 'select' | 'list' | 'slider' | 'stepper' | 'file'

export interface FormField {
  element: SnapshotElement
  kind: FieldKind
  labels: string[]
  /** Offers suggestions while one types. */
  suggests: boolean
  /** The fields of a date that has one for each part; `element` is that of the day. */
  month?: FormField
  year?: FormField
  /** The buttons of a stepper. */
  less?: SnapshotElement
  more?: SnapshotElement
}

export interface ControlChoice {
  text: string
  /** The option itself, or the native select that has it. */
  element: SnapshotElement
  kind: 'native' | 'radio' | 'check' | 'option' | 'cell'
  group: string
}

type PageButton = { element: SnapshotElement; label: string }

type PageControls = { buttons: PageButton[]; fields: FormField[]; choices: ControlChoice[] }

export const listPageControls = rememberByObject((snapshot: DomSnapshot): PageControls => {
  const fields = fieldsOf(snapshot)
  return { buttons: buttonsOf(snapshot, fields), fields, choices: choicesOf(snapshot) }
})

const PRESSED = /^(button|link|tab|menuitem|menuitemradio|menuitemcheckbox|summary|treeitem|option)$/

/** Role in one word; an element without one that reacts to the pointer is `clickable`. */
const elementKindOf = ({ role, does }: SnapshotElement): string =>
  role && !/^(cell|gridcell|listitem|row|heading|label|img|article|region|paragraph)$/.test(role)
    ? role
    : does
      ? 'clickable'
      : (role ?? '')

function buttonsOf(snapshot: DomSnapshot, fields: readonly FormField[]): PageButton[] {
  const taken = new Set(fields.map(({ element }) => element.ref))
  const out: PageButton[] = []
  for (const element of snapshot.elements) {
    if (!element.does || (element.does === 3 && !element.popup) || element.disabled || taken.has(element.ref)) continue
    const kind = elementKindOf(element)
    if (!PRESSED.test(kind) && kind !== 'clickable') continue
    if (kind === 'clickable' && (element.tag === 'label' || (element.name ?? '').length > 80)) continue
    const label =
      [element.name || element.text, element.described].find((one) => one && keyWordsOf(one).length > 0) ?? ''
    if (label) out.push({ element, label })
    // The title of a picture button says more than the picture.
    if (element.described && element.described !== label) out.push({ element, label: element.described })
  }
  return out
}

const SUGGESTS = /^(list|both|inline)$/

function fieldsOf(snapshot: DomSnapshot): FormField[] {
  const fields: FormField[] = []
  for (const element of snapshot.elements) {
    if (element.disabled || (element.hidden === undefined && element.flat)) continue
    const kind = fieldKind(element)
    if (!kind) continue
    const suggests =
      SUGGESTS.test(element.auto ?? '') ||
      (element.role === 'combobox' && kind === 'text') ||
      (kind === 'text' && !!element.options)
    fields.push({ element, kind, labels: labelsOf(snapshot, element), suggests })
  }
  return [...withWholeDates(snapshot, fields), ...steppersOf(snapshot)]
}

/** Three fields for day, month and year become one field with the name of their group. */
function withWholeDates(snapshot: DomSnapshot, fields: readonly FormField[]): FormField[] {
  const filterByLabel = (word: RegExp) => fields.filter(({ labels }) => word.test((labels[0] ?? '').trim()))
  const days = filterByLabel(/^(day|dd?)$/i)
  const [months, years] = [filterByLabel(/^(month|mm?)$/i), filterByLabel(/^(year|yy(yy)?)$/i)]
  const parts = new Set<FormField>()
  const dates = days.flatMap((day): FormField[] => {
    for (const holder of ancestorsOf(snapshot, day.element).slice(0, 4)) {
      const inside = (list: readonly FormField[]) =>
        list.filter(({ element }) => isDescendantOf(snapshot, element, holder))
      const [[month, ...moreMonths], [year, ...moreYears]] = [inside(months), inside(years)]
      if (moreMonths.length > 0 || moreYears.length > 0) return []
      if (!month || !year) continue
      for (const part of [day, month, year]) parts.add(part)
      const label = groupOf(snapshot, day.element) || 'Date'
      return [{ ...day, kind: 'date', labels: [label], month, year }]
    }
    return []
  })
  return [...fields.filter((field) => !parts.has(field)), ...dates]
}

const DATE_WORDS = /\b(date|day(?= *$| of)|dd|mm|yyyy|birthday|check-?in|check-?out|departure|arrival)\b/im
const TIME_WORDS = /\b(time|hh|hour)\b/i

function fieldKind(element: SnapshotElement): FieldKind | undefined {
  const { role, type } = element
  if (type === 'select') return 'select'
  if (role === 'slider' || role === 'file') return role
  if ((role === 'combobox' && element.tag !== 'input') || role === 'listbox') return 'list'
  return /^(textbox|searchbox|spinbutton|combobox)$/.test(role ?? '') ? kindOfTextField(element) : undefined
}

function kindOfTextField(element: SnapshotElement): FieldKind {
  const { role, type } = element
  const words = [element.name, element.placeholder, element.beside, element.dom, element.field].join('\n')
  if (type === 'password') return 'password'
  if (type === 'email' || (type !== 'search' && /e-?mail/i.test(words))) return 'email'
  if (/^(date|month|datetime-local)$/.test(type ?? '')) return 'date'
  if (type === 'time') return 'time'
  if (type === 'number' || role === 'spinbutton') return 'number'
  if (type === 'text' && DATE_WORDS.test(words)) return 'date'
  if (type === 'text' && TIME_WORDS.test(words)) return 'time'
  return 'text'
}

/** What a person may call a field: its name first, its id last. */
function labelsOf(snapshot: DomSnapshot, element: SnapshotElement): string[] {
  const group = ancestorsOf(snapshot, element)
    .slice(0, 3)
    .find(({ role, name }) => (role === 'group' || role === 'radiogroup') && name)
  const own = [element.name, element.beside, element.placeholder, group?.name]
  const named = own.filter((label): label is string => !!label && keyWordsOf(label).length > 0)
  const ids = [element.field, element.dom].filter((id): id is string => !!id && id.length > 2)
  const all = named.length > 0 ? [...named, ...ids] : ids.map((id) => id.replace(/[_-]|(?<=[a-z])(?=[A-Z])/g, ' '))
  const bare = all.map((label) => label.replace(/[:*]+\s*$/, ''))
  // "Phone (mobile)" is also called the mobile phone.
  return [
    ...new Set([...bare, ...bare.filter((label) => /\(.+\)/.test(label)).map((label) => label.replace(/[()]/g, ' '))]),
  ]
}

const COUNTER_WORDS = /\b(less|fewer|decrease|minus|lower|remove|more|increase|plus|higher|add|one|of|the)\b|[-+−–\d]/gi
const LESS = /^[-−–▼◀‹]$|\b(less|fewer|decrease|minus|lower|remove|decrement)\b/i
const MORE = /^[+▲▶›]$|\b(more|increase|plus|higher|add|increment)\b/i

/** Steppers: a number shown as text between a button for less and one for more. */
function steppersOf(snapshot: DomSnapshot): FormField[] {
  const steppers: FormField[] = []
  const isPressable = (one: SnapshotElement) =>
    isShown(one) && !!one.does && /^(button|clickable|link)$/.test(elementKindOf(one))
  const label = (one: SnapshotElement) => (one.name || one.text || '').trim()
  for (const less of snapshot.elements) {
    if (!isPressable(less) || !LESS.test(label(less))) continue
    const isMore = (one: SnapshotElement) => one !== less && isPressable(one) && MORE.test(label(one))
    const holder = ancestorsOf(snapshot, less)
      .slice(0, 3)
      .find((one) => descendantsOf(snapshot, one).some(isMore))
    const parts = holder ? descendantsOf(snapshot, holder) : []
    const more = parts.find(isMore)
    const isNumber = (one: SnapshotElement) =>
      !one.does && ((/^\s*\d+\s*$/.test(one.text ?? '') && one.tag !== 'option') || /^\d+$/.test(one.now ?? ''))
    const number = parts.find(isNumber)
    if (!holder || !more || !number || parts.length > 12) continue
    const line = snapshot.elements[holder.up]
    const around = [holder, ...(line ? [line] : [])].map((one) => textOfElement(snapshot, one, 80))
    const near = [label(more), ...around].map((text) => text.replace(COUNTER_WORDS, ' ').trim())
    const labels = [...near.filter((text) => keyWordsOf(text).length > 0), 'Quantity']
    steppers.push({ element: number, kind: 'stepper', labels, suggests: false, less, more })
  }
  return steppers
}

function choicesOf(snapshot: DomSnapshot): ControlChoice[] {
  const own = snapshot.elements.flatMap((element) => (element.disabled ? [] : choicesOfElement(snapshot, element)))
  return [...own, ...choicesInTables(snapshot)].filter(({ text }) => keyWordsOf(text).length > 0)
}

function choicesOfElement(snapshot: DomSnapshot, element: SnapshotElement): ControlChoice[] {
  const { role = '', name } = element
  if (element.type === 'select') {
    const group = labelsOf(snapshot, element)[0] ?? ''
    return (element.options ?? []).map(([text]) => ({ text, element, kind: 'native', group }))
  }
  if (/^(radio|checkbox|switch|menuitemradio|menuitemcheckbox)$/.test(role)) {
    const text = name || afterText(snapshot, element) || titleOfRow(snapshot, element) || element.beside || ''
    return [{ text, element, kind: role.endsWith('radio') ? 'radio' : 'check', group: groupOf(snapshot, element) }]
  }
  if (role === 'tab') return [{ text: name ?? '', element, kind: 'option', group: '' }]
  if (role === 'option')
    return [{ text: name ?? element.text ?? '', element, kind: 'option', group: groupOf(snapshot, element) }]
  if (typeof element.pressed === 'boolean' && isInGroup(snapshot, element))
    return [{ text: name ?? '', element, kind: 'radio', group: groupOf(snapshot, element) }]
  return []
}

/** Cells to press, named by their column and the first cell of their row. */
const choicesInTables = (snapshot: DomSnapshot): ControlChoice[] =>
  readTables(snapshot).flatMap(({ head, rows }) =>
    rows.flatMap(({ cells }) =>
      cells.flatMap((cell, at): ControlChoice[] => {
        if (at === 0 || !head[at] || !cell.does || cell.does === 3) return []
        const text = `${head[at]} ${textOfElement(snapshot, cells[0]!, 60)} ${textOfElement(snapshot, cell, 30)}`
        return [{ text, element: cell, kind: 'cell', group: '' }]
      }),
    ),
  )

/** Toggle buttons of one group exclude each other, as swatches do. */
const isInGroup = (snapshot: DomSnapshot, element: SnapshotElement): boolean =>
  ancestorsOf(snapshot, element)
    .slice(0, 2)
    .some(({ role }) => role === 'group' || role === 'radiogroup')

/** Text right after a box without a label. */
function afterText(snapshot: DomSnapshot, element: SnapshotElement): string {
  const next = snapshot.elements[endOfSubtree(snapshot, element)]
  if (next && next.up === element.up && !next.does && next.text) return next.text
  return snapshot.elements[element.up]?.text ?? ''
}

/** The first text of the table row that a box without a label is in; of several boxes in a row, also the column. */
function titleOfRow(snapshot: DomSnapshot, element: SnapshotElement): string {
  const row = ancestorsOf(snapshot, element).find(({ role }) => role === 'row')
  const inside = row ? descendantsOf(snapshot, row) : []
  const cells = inside.filter(isTableCell)
  const title = cells.map((cell) => textOfElement(snapshot, cell, 60)).find((text) => keyWordsOf(text).length > 0) ?? ''
  if (inside.filter(({ role }) => role === element.role).length < 2) return title
  const column = cells.findIndex((cell) => isDescendantOf(snapshot, element, cell))
  const table = readTables(snapshot).find(({ rows }) => rows.some((one) => one.row === row))
  return `${table?.head[column] ?? ''} ${title}`.trim()
}

const isTableCell = ({ tag, role = '' }: SnapshotElement): boolean =>
  /^(td|th)$/.test(tag) || /^(cell|gridcell|columnheader|rowheader)$/.test(role)

function groupOf(snapshot: DomSnapshot, element: SnapshotElement): string {
  const around = ancestorsOf(snapshot, element).slice(0, 6)
  for (const one of around) {
    if (!/^(group|radiogroup|listbox|menu)$/.test(one.role ?? '')) continue
    const legend = descendantsOf(snapshot, one).find(({ role }) => role === 'legend')
    const owner = snapshot.elements.find(({ role, at }) => role === 'combobox' && Math.abs(at - one.at) < 6)
    const name = one.name ?? legend?.name ?? (one.role === 'listbox' ? (owner?.name ?? owner?.beside) : undefined)
    if (name) return name
  }
  for (const one of around) {
    if (/^(main|form|body)$/.test(one.tag)) break
    const before = snapshot.elements
      .slice(Math.max(0, one.at - 4), one.at)
      .findLast(({ up, role, tag }) => up === one.up && (role === 'heading' || tag === 'p' || tag === 'span'))
    if (before) return before.name ?? before.text ?? ''
  }
  return ''
}

type TableRows = { head: string[]; rows: { row: SnapshotElement; cells: SnapshotElement[] }[] }

export const readTables = rememberByObject((snapshot: DomSnapshot): TableRows[] =>
  snapshot.elements
    .filter((element) => /^(table|grid|treegrid)$/.test(element.role ?? '') && isShown(element))
    .map((table) => {
      const rows = descendantsOf(snapshot, table)
        .filter((element) => element.role === 'row' && isShown(element))
        .map((row) => ({ row, cells: descendantsOf(snapshot, row).filter(isTableCell) }))
        .filter(({ cells }) => cells.length > 0)
      const first = rows[0]
      const isHead = first?.cells.every(
        ({ tag, role, text, name }) => tag === 'th' || role === 'columnheader' || !(text || name),
      )
      const head = isHead ? first!.cells.map((cell) => textOfElement(snapshot, cell, 120)) : []
      return { head, rows: isHead ? rows.slice(1) : rows }
    }),
)

/** The row or card of an element: the largest part that holds no other element of the same label. */
export function findRowOrCardOfButton(
  snapshot: DomSnapshot,
  { element, label }: PageButton,
  twins: readonly PageButton[],
): SnapshotElement | undefined {
  const others = twins.filter((twin) => twin.element !== element && twin.label === label)
  if (others.length === 0) return undefined
  let unit: SnapshotElement | undefined
  for (const one of ancestorsOf(snapshot, element)) {
    if (others.some((other) => isDescendantOf(snapshot, other.element, one))) break
    unit = one
  }
  return unit
}

/** `inner`: only dialogs that this element is not in. */
export function findOpenDialog(snapshot: DomSnapshot, inner?: SnapshotElement): SnapshotElement | undefined {
  const dialogs = snapshot.elements.filter(
    (element) =>
      isShown(element) &&
      (/^(dialog|alertdialog)$/.test(element.role ?? '') || element.modal === true) &&
      !(inner && isDescendantOf(snapshot, inner, element)),
  )
  return dialogs.find(({ modal, tag }) => modal === true || tag === 'dialog') ?? dialogs.at(-1)
}

/** On or off, for elements that can be. */
export function checkedStateOf({ checked, pressed, selected }: SnapshotElement): boolean | undefined {
  for (const state of [checked, pressed, selected]) if (typeof state === 'boolean') return state
  return undefined
}

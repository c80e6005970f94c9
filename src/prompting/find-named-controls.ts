// Finds the one control of a page that a literal command names. A label is the name as a whole, in other capitals or
// forms of its words at most; a part of a label is not enough.

import { findValueBesideLabel } from '../driving/locate-element.ts'
import { foldText, keyWordsOf, stemWord } from '../driving/match-label-words.ts'
import { searchFields } from '../driving/navigate.ts'
import { type ControlChoice, type FormField, listPageControls, readTables } from '../driving/page-controls.ts'
import type { ControlSetting } from '../driving/set-control.ts'
import {
  ancestorsOf,
  type DomSnapshot,
  isDescendantOf,
  isShown,
  type SnapshotElement,
  textOfElement,
} from '../fetch/chrome/snapshot/dom-snapshot.ts'
import type { ControlName, PromptCommand } from './parse-commands.ts'

/** What a command acts on, or why nothing or more than one thing of the page can be meant. */
export type FoundControl =
  | { element: SnapshotElement; label: string }
  | { setting: ControlSetting }
  | { value: string }
  | { because: string }

const MAX_VALUE = 300

const spelling = (text: string): string =>
  foldText(text)
    .replace(/[\s:*…]+/g, ' ')
    .trim()
const wordsOf = (text: string): string => keyWordsOf(text).map(stemWord).join(' ')
const isCalled = (name: string) => {
  const [own, words] = [spelling(name), wordsOf(name)]
  return {
    exactly: (label: string) => spelling(label) === own,
    nearly: (label: string) => words !== '' && wordsOf(label) === words,
  }
}

/** Those with the very name, else those with the same words. */
function filterByName<T>(list: readonly T[], name: string, labelsOf: (one: T) => readonly string[]): T[] {
  const { exactly, nearly } = isCalled(name)
  const same = list.filter((one) => labelsOf(one).some(exactly))
  return same.length > 0 ? same : list.filter((one) => labelsOf(one).some(nearly))
}

export function findTarget(snapshot: DomSnapshot, command: PromptCommand): FoundControl | undefined {
  switch (command.kind) {
    case 'press':
    case 'hover':
      return pressTarget(snapshot, command.target)
    case 'fill':
      return fieldTarget(snapshot, command.target, command.value)
    case 'set':
      return whichever(fieldTarget(snapshot, command.target, command.value), () =>
        choiceTarget(snapshot, command.value, command.target),
      )
    case 'choose':
      return command.target
        ? whichever(choiceTarget(snapshot, command.value, command.target), () =>
            fieldTarget(snapshot, command.target!, command.value),
          )
        : choiceTarget(snapshot, command.value, undefined)
    case 'tick':
      return boxTarget(snapshot, command.target, command.on)
    case 'search':
      return searchTarget(snapshot, command.target, command.value)
    case 'read':
      return readTarget(snapshot, command.target)
    default:
      return undefined
  }
}

const whichever = (found: FoundControl, other: () => FoundControl): FoundControl => {
  if (!('because' in found)) return found
  const second = other()
  return 'because' in second ? found : second
}

type Placed = { element: SnapshotElement }

/** The only one left after the place and the number that the command gives; of shown and hidden ones the shown. */
function onlyOne<T extends Placed>(
  snapshot: DomSnapshot,
  found: readonly T[],
  { name, at, near }: ControlName,
  what: string,
): T | string {
  const different = found.filter((one, n) => found.findIndex(({ element }) => element.ref === one.element.ref) === n)
  const shown = different.filter(({ element }) => isShown(element))
  const pool = near === undefined ? different : different.filter((one) => isNear(snapshot, one, different, near))
  const visible = pool.filter((one) => shown.includes(one))
  const list = visible.length > 0 ? visible : pool
  if (list.length === 0)
    return `the page has no ${what} "${name}"${near === undefined || different.length === 0 ? '' : ` in "${near}"`}`
  if (at !== undefined) return list.at(at < 0 ? at : at - 1) ?? `the page has only ${list.length} of "${name}"`
  const [first, second] = list
  const isSame = list.every(({ element }) => element.href !== undefined && element.href === first!.element.href)
  return second === undefined || isSame
    ? first!
    : `the page has ${list.length} of "${name}": name one, as in «press the second "${name}"» or «press "${name}" in "the text of its row"»`
}

/** Whether the largest part around it that holds no other of its name has the text. */
function isNear<T extends Placed>(snapshot: DomSnapshot, { element }: T, twins: readonly T[], near: string): boolean {
  const wanted = spelling(near)
  for (const part of ancestorsOf(snapshot, element)) {
    if (twins.some((twin) => twin.element !== element && isDescendantOf(snapshot, twin.element, part))) return false
    if (/^(?:body|html|main)$/.test(part.tag)) return false
    if (spelling(`${part.name ?? ''} ${textOfElement(snapshot, part, 1000)}`).includes(wanted)) return true
  }
  return false
}

function pressTarget(snapshot: DomSnapshot, target: ControlName): FoundControl {
  const { buttons, choices } = listPageControls(snapshot)
  const tabs = choices.filter(({ kind }) => kind === 'option' || kind === 'cell')
  const all = [...buttons, ...tabs.map(({ element, text }) => ({ element, label: text }))]
  const named = filterByName(all, target.name, ({ label }) => [label])
  const one = onlyOne(snapshot, named, target, 'button or link')
  return typeof one === 'string' ? { because: one } : one
}

const labelledFields = (snapshot: DomSnapshot, { name }: ControlName): FormField[] =>
  filterByName(listPageControls(snapshot).fields, name, ({ labels }) => labels)

/** The only field that is shown; another on the page is a reason to require a name. */
function onlyField(snapshot: DomSnapshot, value: string): FoundControl {
  const [field, ...others] = listPageControls(snapshot).fields.filter(({ element }) => isShown(element))
  const count = others.length + (field ? 1 : 0)
  if (!field || others.length > 0)
    return { because: `the page has ${count} fields: name one, as in «fill "…" with "${value}"»` }
  return field.kind === 'file' || field.kind === 'select'
    ? { because: 'the only field of the page takes no text' }
    : { setting: { type: 'field', field, value } }
}

function fieldTarget(snapshot: DomSnapshot, target: ControlName | undefined, value: string): FoundControl {
  if (!target) return onlyField(snapshot, value)
  const field = onlyOne(snapshot, labelledFields(snapshot, target), target, 'field')
  if (typeof field === 'string') return { because: field }
  if (field.kind === 'file') return { because: `"${target.name}" takes a file: use code with \`page.setInputFiles\`` }
  const options = field.kind === 'select' ? (field.element.options ?? []).map(([text]) => text) : undefined
  const [option] = options ? filterByName(options, value, (text) => [text]) : []
  if (options && option === undefined)
    return {
      because: `"${target.name}" offers no "${value}", only ${options
        .slice(0, 12)
        .map((text) => `"${text}"`)
        .join(', ')}`,
    }
  return { setting: { type: 'field', field, value: option ?? value } }
}

function choiceTarget(snapshot: DomSnapshot, value: string, group: ControlName | undefined): FoundControl {
  const all = listPageControls(snapshot).choices.filter(({ kind }) => kind !== 'cell')
  const inGroup = group ? filterByName(all, group.name, (choice) => [choice.group]) : all
  const found = filterByName(inGroup, value, ({ text }) => [text])
  const choice = onlyOne(snapshot, found, { name: value }, group ? `choice of "${group.name}"` : 'choice')
  return typeof choice === 'string'
    ? { because: choice }
    : choiceSetting(choice, choice.kind === 'check' ? true : undefined)
}

const choiceSetting = (choice: ControlChoice, on: boolean | undefined): FoundControl => ({
  setting: { type: 'choice', choice, on },
})

function boxTarget(snapshot: DomSnapshot, target: ControlName, on: boolean): FoundControl {
  const boxes = listPageControls(snapshot).choices.filter(({ kind }) => kind === 'check' || (on && kind === 'radio'))
  const named = filterByName(boxes, target.name, ({ text }) => [text])
  const box = onlyOne(snapshot, named, target, 'box')
  return typeof box === 'string' ? { because: box } : choiceSetting(box, on)
}

function searchTarget(snapshot: DomSnapshot, target: ControlName | undefined, value: string): FoundControl {
  const fields = target ? labelledFields(snapshot, target) : searchFields(snapshot)
  const field = onlyOne(snapshot, fields, target ?? { name: 'search' }, 'field')
  return typeof field === 'string' ? { because: field } : { setting: { type: 'field', field, value } }
}

/** The value beside a label, in a field of that label, or in a table where the row and the column are named. */
function readTarget(snapshot: DomSnapshot, { name, near }: ControlName): FoundControl {
  const values = near === undefined ? labelledValues(snapshot, name) : cellValues(snapshot, name, near)
  const different = [...new Set(values.filter((value) => value !== ''))]
  const where = near === undefined ? '' : ` of "${near}"`
  if (different.length === 1) return { value: different[0]!.slice(0, MAX_VALUE) }
  return {
    because: `the page has ${different.length === 0 ? 'no value' : `${different.length} values`} with the label "${name}"${where}`,
  }
}

const PAGE_PARTS: Readonly<Record<string, (snapshot: DomSnapshot) => string | undefined>> = {
  title: ({ title }) => title,
  url: ({ url }) => url,
  address: ({ url }) => url,
  heading: ({ elements }) => elements.find(({ role, level }) => role === 'heading' && level === 1)?.name,
}

function labelledValues(snapshot: DomSnapshot, name: string): string[] {
  const part = PAGE_PARTS[spelling(name).replace(/ of (?:this|the)(?: page)?$/, '')]?.(snapshot)
  if (part) return [part]
  const fields = labelledFields(snapshot, { name }).flatMap(({ element }) => element.value ?? element.text ?? [])
  const beside = findValueBesideLabel(snapshot, name).map((one) => textOfElement(snapshot, one, MAX_VALUE))
  return [...fields, ...beside]
}

function cellValues(snapshot: DomSnapshot, name: string, near: string): string[] {
  const { exactly } = isCalled(near)
  return readTables(snapshot).flatMap(({ head, rows }) => {
    const [column] = filterByName([...head.keys()], name, (at) => [head[at]!])
    if (column === undefined) return []
    const own = rows.filter(({ cells }) => cells.some((cell) => exactly(textOfElement(snapshot, cell, MAX_VALUE))))
    return own.flatMap(({ cells }) => (cells[column] ? [textOfElement(snapshot, cells[column], MAX_VALUE)] : []))
  })
}

const MAX_SUGGESTIONS = 3

/** Commands that would work here, those that share most words with what was asked first. */
export function suggestCommands(snapshot: DomSnapshot, text: string): string[] {
  const asked = new Set(keyWordsOf(text).map(stemWord))
  const { buttons, fields, choices } = listPageControls(snapshot)
  const countSharedWords = (label: string) => keyWordsOf(label).filter((word) => asked.has(stemWord(word))).length
  const offers = [
    ...fields.map(({ element, labels: [label = ''] }) => ({ element, label, command: `fill "${label}" with "…"` })),
    ...choices.map(({ element, text: label, kind }) => ({
      element,
      label,
      command: kind === 'check' ? `tick "${label}"` : `choose "${label}"`,
    })),
    ...buttons.map(({ element, label }) => ({ element, label, command: `press "${label}"` })),
  ].filter(({ element, label }) => isShown(element) && label !== '' && label.length <= 60)
  const ranked = offers
    .map((offer) => ({ ...offer, score: countSharedWords(offer.label) }))
    .sort((a, b) => b.score - a.score)
  return [...new Set(ranked.map(({ command }) => command))].slice(0, MAX_SUGGESTIONS)
}

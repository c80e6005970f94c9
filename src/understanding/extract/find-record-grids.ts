// All repeated structures of a page as grids of rows and labelled columns: arrays in structured data, tables and cards.

import type { Element } from 'domhandler'
import { countEach, isObject, once } from '../../base/values.ts'
import { collapseSpaces, elementChildren, isElement } from '../../content/parse-tree.ts'
import type { ElementGroup } from '../facts/find-element-groups.ts'
import { findLabelValuePairs, looksLikeLabel } from '../facts/find-label-value-pairs.ts'
import type { StructuredData } from '../facts/read-structured-data.ts'
import { readVisibleLines, type TextLine } from '../facts/read-visible-lines.ts'
import { plainTextOfValue, type RawValue } from './convert-raw-value.ts'
import type { StructuredObject } from './find-extract-subject.ts'
import { structuredToRawValue } from './find-value.ts'
import { labelToPhrase, toComparablePhrase } from './normalise-labels.ts'
import { attributePhrasesOf, elementToRawValue, headingLevelOf, type PagePart } from './page-part.ts'

export interface RecordColumn {
  /** Phrases for the column's content, most reliable first. */
  labels: readonly string[]
  /** Reliability of the labels. */
  trust: number
  /** Heading level of its cells; 0: none. */
  level: number
  cells: (RawValue | undefined)[]
}

export interface RecordGrid {
  source: 'data' | 'state' | 'fetched' | 'table' | 'cards'
  rows: number
  columns: readonly RecordColumn[]
  /** Phrases of the grid's headings and names. */
  about: readonly string[]
  isMain: boolean
  at: number
  texts?: readonly string[]
}

const MAX_ROWS = 1000
const MAX_COLUMNS = 60

export function findRecordGrids(part: PagePart, facts: StructuredData | undefined): RecordGrid[] {
  return [
    ...(facts ? dataGrids(facts) : []),
    ...part.tables.flatMap((table) => tableGrid(table, part)),
    ...part.groups().map((group) => cardGrid(group, part)),
  ]
}

// --- structured data -------------------------------------------------------------------------------------------------

const MAX_ARRAYS = 200
const MAX_WALKED = 20_000

/** Arrays of objects in the page's data: their keys are the labels. */
function dataGrids({ things, states }: StructuredData): RecordGrid[] {
  const grids: RecordGrid[] = []
  const byType = new Map<string, StructuredObject[]>()
  for (const thing of things)
    byType.set(thing['@type'].join(' '), [...(byType.get(thing['@type'].join(' ')) ?? []), thing])
  for (const [type, all] of byType)
    if (all.length > 1) grids.push(...objectGrid(all, [toComparablePhrase(type)], 'data'))
  const open: Open[] = [
    ...states.map(({ value, isFetched }): Open => ({ value, about: [], source: isFetched ? 'fetched' : 'state' })),
    ...things.map((value): Open => ({ value, about: [], source: 'data' })),
  ]
  for (let steps = 0; open.length > 0 && steps < MAX_WALKED && grids.length < MAX_ARRAYS; steps++) {
    const { value, about, source } = open.pop()!
    if (Array.isArray(value)) {
      const rows = value.slice(0, MAX_ROWS).map(unwrapItem).filter(isObject)
      if (rows.length > 1 && rows.length >= value.length * 0.7) grids.push(...objectGrid(rows, about, source))
      for (const one of value.slice(0, 50)) if (typeof one === 'object') open.push({ value: one, about, source })
    } else if (isObject(value))
      for (const [key, inner] of Object.entries(value).slice(0, 200))
        if (inner !== null && typeof inner === 'object')
          open.push({ value: inner, about: [toComparablePhrase(key), ...about.slice(0, 1)], source })
  }
  return grids
}

type Open = { value: unknown; about: string[]; source: 'data' | 'state' | 'fetched' }

const unwrapItem = (one: unknown): unknown =>
  isObject(one) && isObject(one.item)
    ? { ...one.item, position: one.position }
    : isObject(one) && isObject(one.node)
      ? one.node
      : one

function objectGrid(rows: readonly StructuredObject[], about: readonly string[], source: Open['source']): RecordGrid[] {
  const flat = rows.map((row) => flattenRow(row))
  const columns = [...countEach(flat.flatMap((cells) => [...cells.keys()]))]
    .filter(([, count]) => count >= rows.length * 0.3)
    .slice(0, MAX_COLUMNS)
    .map(([key]) => ({ labels: labelsOfPath(key), trust: 1, level: 0, cells: flat.map((cells) => cells.get(key)) }))
  const types =
    rows[0] && Array.isArray(rows[0]['@type']) ? rows[0]['@type'].map((type) => toComparablePhrase(String(type))) : []
  return columns.length > 0
    ? [{ source, rows: rows.length, columns, about: [...about, ...types], isMain: true, at: 0 }]
    : []
}

const labelsOfPath = (path: string): string[] => {
  const steps = path.split('.')
  const last = toComparablePhrase(steps.at(-1)!)
  // `brand.name` is the brand; `offers.price` is the price.
  return steps.length > 1 && last === 'name'
    ? [toComparablePhrase(steps.at(-2)!)]
    : [last, toComparablePhrase(steps.join(' '))]
}

function flattenRow(row: StructuredObject, prefix = '', depth = 0, cells = new Map<string, RawValue>()) {
  for (const [key, value] of Object.entries(row).slice(0, 100)) {
    if (key.startsWith('@') || value === null || value === undefined || value === '' || cells.size >= 200) continue
    const one = Array.isArray(value) && value.length > 0 && isObject(value[0]) ? value[0] : value
    if (isObject(one) && depth < 2) flattenRow(one, `${prefix}${key}.`, depth + 1, cells)
    if (!isObject(one) || plainTextOfValue(one) !== '') cells.set(`${prefix}${key}`, structuredToRawValue(value))
  }
  return cells
}

// --- tables ----------------------------------------------------------------------------------------------------------

function tableGrid({ headers, rows, caption, isMain, at }: PagePart['tables'][number], part: PagePart): RecordGrid[] {
  let [heads, body] = [headers, rows]
  // Without header cells, the first row is the header when all its cells are labels.
  if (heads.length === 0 && rows.length > 2) {
    const firstRow = rows[0]!.map((cell) => collapseSpaces(String(elementToRawValue(cell).value)))
    if (firstRow.length > 1 && firstRow.every(looksLikeLabel)) [heads, body] = [firstRow, rows.slice(1)]
  }
  // Without any header, the kinds of the columns and the heading above the table say what they are.
  if (heads.length === 0 && body.length > 1) heads = Array.from({ length: body[0]!.length }, () => '')
  if (heads.length < 2 || body.length === 0) return []
  const columns = heads.map((head, n) => ({
    labels: head ? [labelToPhrase(head)] : [],
    trust: 1,
    level: n === 0 ? 2 : 0,
    cells: body.map((cells) => (cells[n] ? elementToRawValue(cells[n]) : undefined)),
  }))
  const about = [toComparablePhrase(caption), ...headingsOver(part, at)]
  return [{ source: 'table', rows: body.length, columns, about, isMain, at }]
}

function headingsOver({ headings }: PagePart, at: number): string[] {
  const before = headings.filter((heading) => heading.at < at)
  return before
    .slice(-2)
    .reverse()
    .map(({ text }) => toComparablePhrase(text))
}

// --- cards -----------------------------------------------------------------------------------------------------------

type Slot = { labels: Set<string>; trust: number; level: number; cells: (RawValue | undefined)[] }

const MAX_LINES = 120
/** A line of more pieces is a sentence. */
const MAX_RUNS_OF_LABELLED_LINE = 8

/** Most groups of a page are menus, whose cards no field wants: they are read when their columns are. */
function cardGrid({ items, parent, isMain, at }: ElementGroup, part: PagePart): RecordGrid {
  const cards = items.slice(0, MAX_ROWS)
  const read = once(() => readCards(cards))
  const names = [parent, items[0]!].flatMap((element) => [...attributePhrasesOf(element)])
  return {
    source: 'cards',
    rows: cards.length,
    about: [...names, ...headingsOver(part, at)],
    isMain,
    at,
    get columns() {
      return read().columns
    },
    get texts() {
      return read().texts
    },
  }
}

function readCards(cards: readonly Element[]): { columns: RecordColumn[]; texts: string[] } {
  const slots = new Map<string, Slot>()
  const texts: string[] = []
  for (const [row, item] of cards.entries()) {
    const { lines } = readVisibleLines(item, () => false)
    if (lines.length > MAX_LINES) return { columns: [], texts: [] }
    texts.push(lines.flatMap(({ runs }) => runs.map(({ text }) => text)).join('\n'))
    addCard(slots, row, cards.length, item, lines)
  }
  const columns = [...slots.values()]
    .filter(({ cells }) => cells.filter((cell) => cell !== undefined).length >= Math.max(2, cards.length * 0.3))
    .slice(0, MAX_COLUMNS)
    .map(({ labels, trust, level, cells }) => ({ labels: [...labels], trust, level, cells }))
  return { columns, texts }
}

function addCard(slots: Map<string, Slot>, row: number, rows: number, item: Element, lines: readonly TextLine[]): void {
  const seen = new Map<string, number>()
  const put = (key: string, labels: Iterable<string>, trust: number, level: number, raw: RawValue) => {
    const slot = slots.get(key) ?? { labels: new Set<string>(), trust, level, cells: new Array(rows).fill(undefined) }
    slots.set(key, slot)
    for (const label of labels) slot.labels.add(label)
    slot.level ||= level
    slot.cells[row] ??= raw
  }
  for (const { label, value, element } of findLabelValuePairs(lines))
    put(`: ${labelToPhrase(label)}`, [labelToPhrase(label)], 1, 0, elementToRawValue(element, value))
  for (const line of lines)
    for (const run of line.runs.length <= MAX_RUNS_OF_LABELLED_LINE
      ? line.runs
      : [{ text: line.text, element: line.block }]) {
      const element = run.element ?? line.block
      const path = pathWithin(element, item)
      const count = seen.get(path.key) ?? 0
      seen.set(path.key, count + 1)
      // A heading of several pieces is one name.
      const level = line.runs.length > 1 ? 0 : path.level
      put(`${path.key} ${count}`, path.names, 0.85, level, elementToRawValue(element, run.text))
    }
  if (lines.length > 1)
    for (const line of lines)
      if (line.runs.length > 1) {
        const path = pathWithin(line.block, item)
        put(`${path.key} whole`, path.names, 0.85, path.level, elementToRawValue(line.block, line.text))
      }
  const link = linkIn(item)
  if (link) put('link', ['url', 'link'], 0.9, 0, elementToRawValue(link))
  const picture = elementToRawValue(item).src
  if (picture) put('picture', ['image'], 0.9, 0, { value: picture, src: picture })
}

const linkIn = (item: Element): Element | undefined => {
  if (item.name === 'a') return item
  const open = [...elementChildren(item)]
  for (let steps = 0; open.length > 0 && steps < 200; steps++) {
    const one = open.shift()!
    if (one.name === 'a' && one.attribs.href) return one
    open.push(...elementChildren(one))
  }
  return undefined
}

/** Tags and first classes from the card down to an element, and the names of the nearest ones. */
function pathWithin(element: Element | undefined, item: Element): { key: string; names: Set<string>; level: number } {
  const steps: string[] = []
  const names = new Set<string>()
  let level = 0
  for (let up = element; up && up !== item && steps.length < 12; up = isElement(up.parent) ? up.parent : undefined) {
    const name = /^[^\s\d]+/.exec(up.attribs.class ?? '')?.[0] ?? ''
    steps.push(`${up.name}.${name}`)
    if (steps.length <= 3) for (const phrase of attributePhrasesOf(up)) names.add(phrase)
    level ||= headingLevelOf(up)
  }
  return { key: steps.join('<'), names, level }
}

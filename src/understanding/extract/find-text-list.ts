// Reads a list of texts: an array in the data, items under a matching heading, a labelled value with several parts,
// elements of a matching class, or a table column.

import type { Element } from 'domhandler'
import { isObject } from '../../base/values.ts'
import { closestElement, collapsedTextOf, elementChildren } from '../../content/parse-tree.ts'
import { type ConversionContext, convertRawValue, type RawValue } from './convert-raw-value.ts'
import type { FieldQuery } from './field-query.ts'
import type { RecordGrid } from './find-record-grids.ts'
import { type FieldSearchScope, findInStructuredData, structuredToRawValue } from './find-value.ts'
import { labelToPhrase, phraseSimilarity, tokenizeName } from './normalise-labels.ts'
import { elementToRawValue, headingLevelOf, type PagePart, type PartHeading } from './page-part.ts'

const MAX_ITEMS = 500
const MAX_PART = 60
const MAX_CHARS = 100_000

/** `item`: the field of one item. */
export function findTextList(
  field: FieldQuery,
  item: FieldQuery,
  place: FieldSearchScope,
  grids: readonly RecordGrid[],
  context: ConversionContext,
): { value: unknown[]; source: string; score: number } | undefined {
  // A long member is a member: dropping it would leave a list that looks whole.
  const member: FieldQuery = item.kind === 'text' ? { ...item, kind: 'long' } : item
  const read = (raws: readonly RawValue[]): unknown[] => {
    const values = raws.slice(0, MAX_ITEMS).map((raw) => convertRawValue(withoutBullet(raw), member, context))
    return [...new Set(values.filter((value) => value !== undefined && value !== ''))]
  }
  for (const [source, raws] of sourcesOf(field, place, grids)) {
    const value = read(raws)
    if (value.length > 0) return { value, source, score: 1 }
  }
  return undefined
}

const BULLET = /^(?:[\p{So}•·▪◦‣]+|[-–—*])\s+/u

/** Programs that add brackets of their own: "flour ((sifted))". */
const TWO_BRACKETS = /\((\([^()]*\))\)/g

const withoutBullet = (raw: RawValue): RawValue =>
  typeof raw.value === 'string' ? { ...raw, value: raw.value.replace(BULLET, '').replace(TWO_BRACKETS, '$1') } : raw

function* sourcesOf(
  field: FieldQuery,
  { things, part, page }: FieldSearchScope,
  grids: readonly RecordGrid[],
): Generator<readonly [source: string, raws: readonly RawValue[]]> {
  for (const { value, score } of findInStructuredData(things, field))
    if (score > 0.85) yield ['data', membersOf(value).map(structuredToRawValue)]
  if (field.kind === 'crumbs') yield ['text', (page?.subject.breadcrumbs ?? []).map((value) => ({ value }))]
  if (!part) return
  if (field.kind === 'headings') {
    const own = part.headings.filter(({ level, isMain }) => isMain && level === 2)
    yield ['text', own.map(({ text }) => ({ value: text }))]
  }
  for (const raws of labelledTexts(field, part)) yield ['label', raws]
  for (const raws of itemsUnderHeadings(field, part)) yield ['list', raws]
  yield ['list', namedTexts(field, part, true)]
  for (const grid of grids)
    for (const { labels, cells } of grid.source === 'table' ? grid.columns : [])
      if (labels.some((label) => isNamed(label, field))) yield ['table', cells.filter((cell) => cell !== undefined)]
  yield ['list', namedTexts(field, part, false)]
  for (const key of field.term?.meta ?? []) {
    const said = page?.metadata[key]
    if (said) yield ['head', membersOf(said).map(structuredToRawValue)]
  }
}

const isNamed = (phrase: string, { phrases, labels }: FieldQuery): boolean =>
  phrases.includes(phrase) || labels.has(phrase) || phraseSimilarity(phrases[0]!, phrase) >= 0.75

const MAX_DEPTH = 6
const BLOCK_END = /<\/(?:p|li|div|h\d)>|<br\s*\/?>/gi

/** What came as an array stays whole, a group stands for its members, and only a single text is split. */
function membersOf(value: unknown): unknown[] {
  if (typeof value !== 'string') return [...membersWithin(value, 0)]
  const lines = value
    .slice(0, MAX_CHARS)
    .replace(BLOCK_END, '\n')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const parts = value.split(/\s*,\s*/)
  // Long parts are clauses of a sentence.
  return lines.length > 1 || parts.some(({ length }) => length > MAX_PART) ? lines : parts
}

function* membersWithin(value: unknown, depth: number): Generator<unknown> {
  if (depth > MAX_DEPTH) return
  if (Array.isArray(value)) for (const one of value.slice(0, MAX_ITEMS)) yield* membersWithin(one, depth + 1)
  else if (!isObject(value)) yield value
  else if (value.itemListElement !== undefined) yield* membersWithin(value.itemListElement, depth + 1)
  else if (value.item !== undefined) yield value.item
  else yield value
}

function* labelledTexts(field: FieldQuery, part: PagePart): Generator<readonly RawValue[]> {
  for (const phrase of [...field.phrases, ...field.labels])
    for (const { text = '', source, trust, isMain } of part.labelled().get(phrase) ?? []) {
      if (source !== 'label' || trust < 0.8 || !isMain || text.length > 400) continue
      const parts = text.split(/\s*[,;|·•]\s*/u).filter(Boolean)
      // Long parts are clauses of a sentence.
      if (parts.length > 1 && parts.every(({ length }) => length <= MAX_PART))
        yield parts.map((value) => ({ value: value.replace(/^(?:and|und|et|y|e|en|och|i)\s/u, '') }))
    }
}

/** Under the matching headings: first what the page's own class names confirm. */
function* itemsUnderHeadings(field: FieldQuery, part: PagePart): Generator<readonly RawValue[]> {
  const named = new Set(
    [...field.phrases, ...field.labels]
      .flatMap((phrase) => part.named().get(phrase) ?? [])
      .map(({ element }) => element),
  )
  const isConfirmed = ({ element }: Item) =>
    element !== undefined && closestElement(element, MAX_NAMED_ABOVE, (one) => named.has(one)) !== undefined
  const found = headingsNamed(field, part).map((heading) => itemsUnder(heading, part))
  const rank = (items: readonly Item[]) => Number(items.some(isConfirmed))
  for (const items of found.sort((one, other) => rank(other) - rank(one)))
    yield items.map(({ element, text }) => elementToRawValue(element, text))
}

interface Item {
  element: Element | undefined
  text?: string
}

const MAX_NAMED_ABOVE = 3

/** The level of a line that introduces a list: any heading ends it. */
const INTRODUCING_LINE_LEVEL = 7

/** Matching headings; else a matching line, or one that introduces a list: "Here are the features:". */
function headingsNamed(field: FieldQuery, { headings, lines }: PagePart): PartHeading[] {
  const own = headings.filter(({ text }) => isNamed(labelToPhrase(text), field))
  if (own.length > 0) return own.sort((a, b) => Number(b.isMain) - Number(a.isMain))
  const words = field.phrases[0]!.split(' ')
  const leadsIn = (text: string) => {
    const said = tokenizeName(text)
    return /[:：]$/u.test(text) && text.length <= 120 && words.every((word) => said.includes(word))
  }
  return lines
    .filter(
      ({ text, block, isMain }) =>
        block && isMain && ((text.length <= 60 && isNamed(labelToPhrase(text), field)) || leadsIn(text)),
    )
    .map(({ block, at: place, isMain, text }) => ({
      element: block!,
      at: place,
      isMain,
      level: INTRODUCING_LINE_LEVEL,
      text,
    }))
}

/** Nodes between the introducing words and the list. */
const MAX_NODES_BEFORE_LIST = 60

/**
 * The items of all lists below a heading, across the subheadings that group them; else the headings or the lines up to
 * the next heading of its level.
 */
function itemsUnder(heading: PartHeading, part: PagePart): Item[] {
  const end =
    part.headings.find(({ at: place, level }) => place > heading.at && level <= heading.level)?.at ??
    Number.POSITIVE_INFINITY
  const isInside = ({ at: place }: { at: number }) => place > heading.at && place < end
  const inside = part.elements.filter(isInside)
  const below = part.headings.filter((one) => isInside(one) && one.level > heading.level)
  const lists = inside.filter(({ element }) => LIST.test(element.name))
  const [first] = lists
  const isFirst = first !== undefined && first.at < (below[0]?.at ?? heading.at) + MAX_NODES_BEFORE_LIST
  const items = isFirst ? itemsOfLists(lists.map(({ element }) => element)) : []
  if (items.length > 1) return items.map((element) => ({ element }))
  if (below.length > 1) return below.map(({ element, text }) => ({ element, text: withoutNumber(text) }))
  if (heading.level === INTRODUCING_LINE_LEVEL) return []
  const lines = part.lines.filter(
    ({ at: place, block, text }) =>
      place > heading.at && place < end && block !== heading.element && text.length <= 120,
  )
  return lines.length > 1 && lines.length <= 40 ? lines.map(({ block, text }) => ({ element: block, text })) : []
}

const LIST = /^[uo]l$/

/** Lists that look like the first one; a menu or a row of share buttons below it looks otherwise. */
function itemsOfLists(lists: readonly Element[]): Element[] {
  const [first] = lists
  const alike = lists.filter((list) => list.name === first!.name && list.attribs.class === first!.attribs.class)
  return alike.flatMap((list) => elementChildren(list).filter(({ name }) => name === 'li'))
}

const withoutNumber = (text: string): string => text.replace(/^(?:step\s)?\d{1,2}[.):]\s*/i, '')

/** Elements whose class matches the field, or the links and items inside. */
function namedTexts(field: FieldQuery, part: PagePart, isMain: boolean): RawValue[] {
  const named = [...field.phrases, ...field.labels]
    .flatMap((phrase) => part.named().get(phrase) ?? [])
    .filter((one) => one.isMain === isMain)
  const [box] = named
  const inside = box
    ? part.elements.filter(
        ({ element }) =>
          /^(?:a|li)$/.test(element.name) &&
          closestElement(element.parent, 6, (one) => one === box.element) !== undefined,
      )
    : []
  const links = inside.filter(({ element }) => element.name === 'a')
  const leaves = named.filter(
    ({ element }) => headingLevelOf(element) === 0 && collapsedTextOf(element, 200).length <= 80,
  )
  const best = [links, inside, leaves].find(({ length }) => length > 1) ?? []
  return best.map(({ element }) => elementToRawValue(element))
}

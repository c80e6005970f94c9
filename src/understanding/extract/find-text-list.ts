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

/** `item`: the field of one item. */
export function findTextList(
  field: FieldQuery,
  item: FieldQuery,
  place: FieldSearchScope,
  grids: readonly RecordGrid[],
  context: ConversionContext,
): unknown[] | undefined {
  const read = (raws: readonly RawValue[]): unknown[] => {
    const values = raws.slice(0, MAX_ITEMS).map((raw) => convertRawValue(raw, item, context))
    return [...new Set(values.filter((value) => value !== undefined && value !== ''))]
  }
  for (const raws of sourcesOf(field, place, grids)) {
    const values = read(raws)
    if (values.length > 0) return values
  }
  return undefined
}

function* sourcesOf(
  field: FieldQuery,
  { things, part, page }: FieldSearchScope,
  grids: readonly RecordGrid[],
): Generator<readonly RawValue[]> {
  for (const { value, score } of findInStructuredData(things, field))
    if (score > 0.85) yield [...partedText(value)].map(structuredToRawValue)
  if (field.kind === 'crumbs') yield (page?.subject.breadcrumbs ?? []).map((value) => ({ value }))
  if (!part) return
  if (field.kind === 'headings')
    yield part.headings.filter(({ level, isMain }) => isMain && level === 2).map(({ text }) => ({ value: text }))
  yield* labelledTexts(field, part)
  for (const heading of headingsNamed(field, part)) yield itemsUnder(heading, part)
  yield namedTexts(field, part, true)
  for (const grid of grids)
    for (const { labels, cells } of grid.columns)
      if (grid.source === 'table' && labels.some((label) => isNamed(label, field)))
        yield cells.filter((cell) => cell !== undefined)
  yield namedTexts(field, part, false)
  for (const key of field.term?.meta ?? []) {
    const said = page?.metadata[key]
    if (said) yield [...partedText(said)].map(structuredToRawValue)
  }
}

const isNamed = (phrase: string, { phrases, labels }: FieldQuery): boolean =>
  phrases.includes(phrase) || labels.has(phrase) || phraseSimilarity(phrases[0]!, phrase) >= 0.75

/** Several values in one: an array, or text with commas. */
function* partedText(value: unknown): Generator<unknown> {
  for (const one of [value].flat().slice(0, MAX_ITEMS))
    if (typeof one === 'string' && one.includes(',') && one.length < 500) yield* one.split(/\s*,\s*/)
    else if (isObject(one) && Array.isArray(one.itemListElement)) yield* partedText(one.itemListElement)
    else yield one
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
 * The items of the first list below a heading, else the headings or short lines up to the next heading of its level.
 */
function itemsUnder(heading: PartHeading, part: PagePart): RawValue[] {
  const end =
    part.headings.find(({ at: place, level }) => place > heading.at && level <= heading.level)?.at ??
    Number.POSITIVE_INFINITY
  const inside = part.elements.filter(({ at: place }) => place > heading.at && place < end)
  const below = part.headings.filter(
    ({ at: place, level }) => place > heading.at && place < end && level > heading.level,
  )
  const list = inside.find(({ element }) => element.name === 'ul' || element.name === 'ol')
  const isFirst = list !== undefined && list.at < (below[0]?.at ?? heading.at + MAX_NODES_BEFORE_LIST)
  const items = isFirst ? elementChildren(list.element).filter(({ name }) => name === 'li') : []
  if (items.length > 1) return items.map(itemRaw)
  if (below.length > 1) return below.map(({ element, text }) => elementToRawValue(element, withoutNumber(text)))
  if (heading.level === INTRODUCING_LINE_LEVEL) return []
  const lines = part.lines.filter(
    ({ at: place, block, text }) =>
      place > heading.at && place < end && block !== heading.element && text.length <= 120,
  )
  return lines.length > 1 && lines.length <= 40 ? lines.map(({ block, text }) => elementToRawValue(block, text)) : []
}

/** An item that starts with a bold or linked name and a colon or dash is reduced to that name. */
function itemRaw(item: Element): RawValue {
  const text = collapsedTextOf(item, 1000)
  const head = elementChildren(item)[0]
  const name = head && /^(?:b|strong|a|code)$/.test(head.name) ? collapsedTextOf(head, 200) : ''
  const isNameOf = name !== '' && /^\s*[:–—-]/u.test(text.slice(name.length)) && text.startsWith(name)
  return elementToRawValue(item, (isNameOf ? name : text).replace(/[:\s]+$/u, ''))
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

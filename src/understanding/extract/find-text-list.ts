// Reads a list of texts: an array in the data, items under a matching heading, a labelled value with several parts,
// elements of a matching class, or a table column.

import type { Element, ParentNode } from 'domhandler'
import { isObject } from '../../base/values.ts'
import { closestElement, collapsedTextOf, findElement, isElement } from '../../content/parse-tree.ts'
import { signatureOf } from '../facts/find-element-groups.ts'
import type { TextLine } from '../facts/read-visible-lines.ts'
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
    // One text below a heading is no list.
    if (value.length > (source === 'list' ? 1 : 0)) return { value, source, score: 1 }
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
  yield ['list', namedTexts(field, part)]
  for (const grid of grids)
    for (const { labels, cells } of grid.source === 'table' ? grid.columns : [])
      if (labels.some((label) => isNamed(label, field))) yield ['table', cells.filter((cell) => cell !== undefined)]
}

const isLabelOf = (phrase: string, { phrases, labels }: FieldQuery): boolean =>
  phrases.includes(phrase) || labels.has(phrase)

const isNamed = (phrase: string, field: FieldQuery): boolean =>
  isLabelOf(phrase, field) || phraseSimilarity(field.phrases[0]!, phrase) >= 0.75

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

/** Under the matching headings: first what the page's own class names confirm, then the headings that match exactly. */
function* itemsUnderHeadings(field: FieldQuery, part: PagePart): Generator<readonly RawValue[]> {
  const words = [...field.phrases.slice(0, 1), ...field.labels].map((phrase) => phrase.split(' '))
  const isConfirmed = ({ element }: Item) =>
    closestElement(element, MAX_NAMED_ABOVE, ({ attribs }) => {
      const own = attribs.class ? tokenizeName(attribs.class) : []
      return words.some((some) => some.every((word) => own.includes(word)))
    }) !== undefined
  const found = headingsNamed(field, part).map((heading) => {
    const items = itemsUnder(heading, part)
    const isExact = isLabelOf(labelToPhrase(heading.text), field)
    // Links outside the content are a menu, whatever heading is above them.
    if (!heading.isMain && items.every(({ element }) => isLink(element)) && !items.some(isConfirmed))
      return { items: [], rank: 0 }
    return { items, rank: (items.some(isConfirmed) ? 4 : 0) + (isExact ? 2 : 0) + (heading.isMain ? 1 : 0) }
  })
  for (const { items } of found.sort((one, other) => other.rank - one.rank))
    if (!areParagraphs(items) || field.kind === 'long')
      yield withoutNumbers(items).map(({ element, text }) => elementToRawValue(element, text))
}

const isLink = (element: Element): boolean =>
  findElement(element, ({ name }) => name === 'a', 20) !== undefined || element.name === 'a'

/** Members that are sentences of their own, where names were asked for. */
const areParagraphs = (items: readonly Item[]): boolean =>
  items.filter(({ text }) => text.length > MAX_LONG).length * 2 > items.length

type Item = { element: Element; text: string }

const MAX_NAMED_ABOVE = 3

/** The level of a line that introduces a list: any heading ends it. */
const INTRODUCING_LINE_LEVEL = 7
const MAX_INTRODUCING_LINES = 50

/** Matching headings; else a matching line, or one that introduces a list: "Here are the features:". */
function headingsNamed(field: FieldQuery, { headings, lines }: PagePart): PartHeading[] {
  // Its first line alone, too: a subtitle may follow inside.
  const first = new Map(lines.toReversed().map(({ block, text }) => [block, text]))
  const own = headings.flatMap((heading) => {
    const texts = [heading.text, first.get(heading.element) ?? '']
    const text = texts.find((one) => isNamed(labelToPhrase(one), field))
    return text === undefined ? [] : [{ ...heading, text }]
  })
  if (own.length > 0) return own
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
    .slice(0, MAX_INTRODUCING_LINES)
    .map(({ block, at, isMain, text }) => ({ element: block!, at, isMain, level: INTRODUCING_LINE_LEVEL, text }))
}

const MAX_SCOPES = 8

/** What lies under a heading, in the smallest element around it that holds several members. */
function itemsUnder(heading: PartHeading, part: PagePart): Item[] {
  // A heading of the same level deeper inside only groups the members.
  const around = heading.element.parent
  const isDeeper = ({ parent }: Element) =>
    parent !== around && closestElement(parent, MAX_DEPTH_BELOW, (one) => one === around) !== undefined
  const ends = ({ at: place, level, element }: PartHeading) =>
    place > heading.at && (level < heading.level || (level === heading.level && !isDeeper(element)))
  const end = part.headings.find(ends)?.at ?? Number.POSITIVE_INFINITY
  const isInside = ({ at: place }: { at: number }) => place > heading.at && place < end
  const isOutside = (block: Element | undefined) =>
    block !== undefined && closestElement(block, MAX_DEPTH_BELOW, (one) => one === heading.element) === undefined
  let scope: ParentNode | null = heading.element.parent
  const lines = part.lines.filter((line) => isInside(line) && isOutside(line.block))
  for (let n = 0; n < MAX_SCOPES && isElement(scope); n++, scope = scope.parent) {
    const isOwn = (element: Element | undefined) =>
      closestElement(element, MAX_DEPTH_BELOW, (one) => one === scope) !== undefined
    const own = lines.filter(({ block }) => isOwn(block))
    const runs = own.length === 1 ? inlineItems(own[0]!) : []
    if (runs.length > 1) return runs
    if (own.length < 2) continue
    const below = part.headings.filter((one) => isInside(one) && isOwn(one.element))
    const items = itemsIn(own, below, heading)
    if (items.length > 1 || own.length === lines.length) return items
  }
  return []
}

/** Members beside each other in one line: labels of choices, links. */
function inlineItems({ runs, block }: TextLine): Item[] {
  const items = runs.filter(({ text }) => /\p{L}/u.test(text))
  const isAlike = items.every(({ element }) => element && element !== block && element.name === items[0]!.element!.name)
  return isAlike ? items.map(({ element, text }) => ({ element: element!, text })) : []
}

const MAX_DEPTH_BELOW = 30
const MAX_LONG = 160
/** Share of the lines that must look alike. */
const MIN_ALIKE = 0.8

/** Items of lists, across the subheadings that group them; else subheadings; else lines that all look alike. */
function itemsIn(lines: readonly TextLine[], below: readonly PartHeading[], heading: PartHeading): Item[] {
  const listed = itemsOfLists(lines)
  const [first] = listed
  const before = lines.filter(({ at: place, block }) => place < (first?.at ?? 0) && headingLevelOf(block!) === 0)
  if (listed.length > 1 && before.length <= Math.min(2, listed.length / 2)) return listed
  const named = below.filter(({ text }) => !NUMBERED.test(text))
  if (named.length > 1 && named.length >= below.length / 2) return named
  if (heading.level === INTRODUCING_LINE_LEVEL) return []
  const worded = lines.filter(({ text, block }) => /\p{L}{2}/u.test(text) && headingLevelOf(block!) === 0)
  const alike = new Map<string, TextLine[]>()
  for (const line of worded) {
    const name = signatureOf(line.block!)
    alike.set(name, [...(alike.get(name) ?? []), line])
  }
  const most = [...alike.values()].sort((one, other) => other.length - one.length)[0] ?? []
  if (most.length < 2 || most.length < worded.length * MIN_ALIKE) return []
  return most.map(({ block, text }) => ({ element: block!, text }))
}

const NUMBERED = /^\P{L}*(?:\p{L}+\s)?\d{1,2}[.):]?$/u
const LIST = /^[uo]l$/

/** The visible lines of each item, of lists that look like the first one; a menu below it looks otherwise. */
function itemsOfLists(lines: readonly TextLine[]): (Item & { at: number })[] {
  const items = new Map<Element, Item & { at: number }>()
  let looks: string | undefined
  for (const { block, text, at: place } of lines) {
    let [item, list]: (Element | undefined)[] = []
    // The outermost list: what is listed inside an item belongs to it.
    for (let up = block, n = 0; up && n < MAX_DEPTH_BELOW; n++) {
      const parent: Element | undefined = isElement(up.parent) ? up.parent : undefined
      if (up.name === 'li' && parent && LIST.test(parent.name)) [item, list] = [up, parent]
      up = parent
    }
    if (!item || !list) continue
    looks ??= signatureOf(list)
    if (signatureOf(list) !== looks) continue
    const known = items.get(item)
    if (known) known.text += ` ${text}`
    else items.set(item, { element: item, text, at: place })
  }
  return [...items.values()]
}

/** Numbers that only count the members are not part of them. */
function withoutNumbers(items: readonly Item[]): readonly Item[] {
  const counted = items.map(({ element, text }, n) => {
    const [start, number] = /^(?:\p{L}+\s)?(\d{1,2})(?:[.):]\s*|\s+(?=\p{Lu}))/u.exec(text) ?? []
    return Number(number) === n + 1 ? { element, text: text.slice(start!.length) } : undefined
  })
  return counted.length > 1 && counted.every((one) => one !== undefined) ? counted : items
}

/** Elements whose class matches the field, or the links and items inside. */
function namedTexts(field: FieldQuery, part: PagePart): RawValue[] {
  const named = [...field.phrases, ...field.labels]
    .flatMap((phrase) => part.named().get(phrase) ?? [])
    .filter(({ isMain }) => isMain)
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

// A part of a page (page, card or section) prepared for queries: lines, headings, tables, and labelled values. Labels
// are definition lists, table headers, "Label: value", classes, and words at the start or end of a line.

import type { AnyNode, Element } from 'domhandler'
import { rememberTexts } from '../../base/remember-texts.ts'
import { appendTo, once, setOfWords } from '../../base/values.ts'
import {
  closestElement,
  collapsedTextOf,
  collapseSpaces,
  findElement,
  isElement,
  isText,
  nextNode,
  nextNodeAfterSubtree,
} from '../../content/parse-tree.ts'
import { type ElementGroup, findElementGroups } from '../facts/find-element-groups.ts'
import { findLabelValuePairs, type LabelValuePair } from '../facts/find-label-value-pairs.ts'
import {
  type DataTable,
  pairsOfRowsAndColumns,
  pairsOfTwoColumnTable,
  readDataTable,
} from '../facts/read-data-tables.ts'
import { readVisibleLines, type TextLine } from '../facts/read-visible-lines.ts'
import type { RawValue } from './convert-raw-value.ts'
import { labelToPhrase, tokenizeName, tokenizeWords } from './normalise-labels.ts'

type Placed = { element: Element; at: number; isMain: boolean }

export interface PartHeading extends Placed {
  level: number
  text: string
}

/** How a value is labelled, most reliable first. */
export type LabelSource = 'label' | 'head' | 'name' | 'start' | 'end'

export interface LabelledValue {
  /** The value's element; `text` when it is only part of the element. */
  element: Element | undefined
  text: string | undefined
  source: LabelSource
  trust: number
  isMain: boolean
  at: number
}

export interface PagePart {
  lines: readonly TextLine[]
  elements: readonly Placed[]
  headings: readonly PartHeading[]
  tables: readonly DataTable[]
  labelled(): ReadonlyMap<string, readonly LabelledValue[]>
  /** Elements by the phrases of their class, id and similar attributes. */
  named(): ReadonlyMap<string, readonly Placed[]>
  groups(): readonly ElementGroup[]
}

export function openPagePart(root: AnyNode, isCut: (element: Element) => boolean = () => false): PagePart {
  const { lines, elements } = readVisibleLines(root, isCut)
  return partOf(lines, elements)
}

function partOf(lines: readonly TextLine[], elements: readonly Placed[]): PagePart {
  const headings: PartHeading[] = []
  const tables: DataTable[] = []
  for (const { element, at, isMain } of elements) {
    const level = headingLevelOf(element)
    if (level > 0) {
      const text = headingText(element).replace(/\s*[¶§#🔗]+$/u, '')
      if (text) headings.push({ element, at, isMain, level, text })
    } else if (element.name === 'table') {
      const table = readDataTable(element, isMain, at)
      if (table) tables.push(table)
    }
  }
  const named = once(() => namesOf(elements))
  return {
    lines,
    elements,
    headings,
    tables,
    named,
    labelled: once(() => labelsOf(lines, tables, named())),
    groups: once(() => findElementGroups(elements)),
  }
}

const MAX_HEADING = 400
const MAX_VALUE = 2000
const CONTROL = /^(?:button|select|input)$/

/** Without the text of the buttons that some pages put into their headings. */
const headingText = (heading: Element): string => textWithout(heading, CONTROL, MAX_HEADING)

function textWithout(element: Element, names: RegExp, most: number): string {
  if (!findElement(element, ({ name }) => names.test(name), 60)) return collapsedTextOf(element, most)
  const pieces: string[] = []
  let node: AnyNode | null = element
  for (let steps = 0; node && steps < most; steps++) {
    if (isText(node)) pieces.push(node.data)
    node = isElement(node) && names.test(node.name) ? nextNodeAfterSubtree(node, element) : nextNode(node, element)
  }
  return collapseSpaces(pieces.join('')).slice(0, most)
}

export const slicePart = (part: PagePart, from: number, to: number): PagePart =>
  partOf(between(part.lines, from, to), between(part.elements, from, to))

const between = <T extends { at: number }>(all: readonly T[], from: number, to: number): T[] =>
  all.filter(({ at }) => at >= from && at < to)

export const headingLevelOf = ({ name }: Element): number => (/^h[1-6]$/.test(name) ? Number(name[1]) : 0)

export function elementToRawValue(element: Element | undefined, text?: string): RawValue {
  const value = text ?? (element ? withoutFormerPrice(element) : '')
  if (!element) return { value }
  const { attribs } = element
  const content = attribs.content ?? attribs['data-value']
  const inside = (name: string) =>
    element.name === name ? element : findElement(element, (one) => one.name === name, 30)
  const link = inside('a')
  const picture = inside('img')
  const time = inside('time')
  return {
    value: value === '' ? (content ?? '') : value,
    href: attribs.href ?? (link ?? closestElement(element.parent, 4, ({ name }) => name === 'a'))?.attribs.href,
    src: picture?.attribs.src ?? picture?.attribs['data-src'],
    when: time?.attribs.datetime ?? (attribs.datetime || undefined),
    isStruck: isStruckThrough(element),
  }
}

const STRUCK = /^(?:s|del|strike)$/

/** "£64 £52" with the first struck through is £52. */
const withoutFormerPrice = (element: Element): string =>
  textWithout(element, STRUCK, MAX_VALUE) || collapsedTextOf(element, MAX_VALUE)

/** A struck-through amount is a former price. */
export const isStruckThrough = (element: Element | undefined): boolean =>
  element !== undefined && closestElement(element, 3, ({ name }) => STRUCK.test(name)) !== undefined

// --- labels ----------------------------------------------------------------------------------------------------------

type AddLabelled = (phrase: string, labelled: LabelledValue) => void

function labelsOf(
  lines: readonly TextLine[],
  tables: readonly DataTable[],
  named: ReadonlyMap<string, readonly Placed[]>,
): Map<string, LabelledValue[]> {
  const found = new Map<string, LabelledValue[]>()
  const add = (phrase: string, labelled: LabelledValue) => {
    if (phrase !== '') appendTo(found, phrase, labelled, 50)
  }
  const pairs: LabelValuePair[] = [
    ...findLabelValuePairs(lines),
    ...tables.flatMap(pairsOfTwoColumnTable),
    ...tables.flatMap(pairsOfRowsAndColumns),
  ]
  for (const { label, value, element, isMain, at, trust } of pairs)
    if (value !== '') add(labelToPhrase(label), { element, text: value, source: 'label', trust, isMain, at })
  for (const [phrase, all] of named)
    for (const { element, isMain, at } of all.slice(0, 20))
      add(phrase, { element, text: undefined, source: 'name', trust: 1, isMain, at })
  for (const line of lines) {
    addStarts(line, add)
    addCounts(line, add)
  }
  for (const [n, line] of lines.entries()) addHeaded(line, lines[n + 1], add)
  return found
}

const MAX_LINE = 120
const MOST_WORDS = 4

/** "Published January 8, 2026", "Valid from 6 May": the first words of a sentence are the label of what follows. */
function addStarts({ text, block, isMain, at }: TextLine, add: AddLabelled): void {
  for (const [n, sentence] of text.split(SENTENCE_END, MAX_SENTENCES).entries()) {
    const words = sentence.length <= MAX_LINE ? sentence.split(/\s+/) : []
    for (let length = 1; length <= MOST_WORDS && length < words.length; length++) {
      const rest = words
        .slice(length)
        .join(' ')
        .replace(/^[:–-]\s*/u, '')
      const start = tokenizeWords(words.slice(0, length)).join(' ')
      if (!/\d/.test(start))
        add(start, { element: block, text: rest, source: 'start', trust: n === 0 ? 1 : 0.95, isMain, at })
    }
  }
}

/** "434k views", "12MP front camera": the words after a number say what it counts. */
function addCounts({ text, isMain, at }: TextLine, add: AddLabelled): void {
  for (const [, number, after] of text.matchAll(COUNT)) {
    const words = after!.split(/\s+/)
    for (let length = 1; length <= words.length; length++) {
      const label = tokenizeWords(words.slice(0, length)).join(' ')
      add(label, { element: undefined, text: number, source: 'end', trust: 1, isMain, at })
    }
  }
}

const MAX_SENTENCES = 20
const SENTENCE_END = /(?<=[.!?])\s+(?=\p{Lu}|\d)/u
const COUNT = /(?<![\p{L}\d.,])(\d[\d.,]*\p{L}{0,3}%?\+?)\s+(\p{L}[\p{L}'’-]*(?:\s\p{L}[\p{L}'’-]*){0,2})/gu

/** A short heading over one short line labels it. */
function addHeaded(line: TextLine, next: TextLine | undefined, add: AddLabelled): void {
  const isHead = line.block !== undefined && headingLevelOf(line.block) > 1 && line.text.length <= 60
  if (!isHead || !next?.block || headingLevelOf(next.block) > 0 || next.text.length > MAX_LINE) return
  add(labelToPhrase(line.text), {
    element: next.block,
    text: next.text,
    source: 'head',
    trust: 0.8,
    isMain: next.isMain,
    at: line.at,
  })
}

// --- names -----------------------------------------------------------------------------------------------------------

const NAMING_ATTRIBUTES = ['itemprop', 'class', 'id', 'data-testid', 'data-test', 'data-qa', 'data-field', 'rel']
/** Words in class names about style and layout, not content. */
const STYLE_WORDS = setOfWords(
  'wrapper container inner box block text value content item row col cell grid card list large small sm md lg xl primary secondary js is has component module widget section area field view info meta label group product entry post',
)
const MAX_NAMES = 40_000

function namesOf(elements: readonly Placed[]): Map<string, Placed[]> {
  const names = new Map<string, Placed[]>()
  let count = 0
  for (const placed of elements)
    for (const phrase of attributePhrasesOf(placed.element)) {
      if (++count > MAX_NAMES) return names
      appendTo(names, phrase, placed)
    }
  return names
}

export function attributePhrasesOf({ attribs }: Element): Set<string> {
  const phrases = new Set<string>()
  for (const attribute of NAMING_ATTRIBUTES) {
    const given = attribs[attribute]
    if (!given) continue
    for (const phrase of phrasesOfName(given)) phrases.add(phrase)
  }
  return phrases
}

/** `product-card__price--sale` names a price; `text-lg mt-4` names nothing. */
function readPhrases(given: string): string[] {
  const phrases = new Set<string>()
  for (const word of given.slice(0, 300).split(/\s+/, 12)) {
    const [block = '', element = ''] = word.split('__')
    const [base = '', field] = (element || block).split(/--(?:name-field-)?/)
    // Drupal writes the name of a field as a modifier: `field--name-field-role`.
    const tokens = tokenizeName(base === 'field' && field ? field : base).filter((token) => !/\d/.test(token))
    const significant = tokens.filter((token) => !STYLE_WORDS.has(token))
    for (const some of [tokens, significant]) if (some.length > 0 && some.length <= 4) phrases.add(some.join(' '))
  }
  return [...phrases]
}

/** Class names recur on a page and on the next page of its site. */
const phrasesOfName = rememberTexts(readPhrases, { max: 5000, maxChars: 200 })

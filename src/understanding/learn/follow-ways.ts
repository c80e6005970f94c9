// Follows one way on a page: structured data, script state, elements or the place beside a label. Bounded.

import { countUntil } from '../../base/large-array-helpers.ts'
import { rememberTexts } from '../../base/remember-texts.ts'
import { isObject, rememberByObject } from '../../base/values.ts'
import { compileSelector } from '../../content/compile-selector.ts'
import { compileXPath, type XPathMatch } from '../../content/compile-xpath.ts'
import { collapseSpaces } from '../../content/parse-tree.ts'
import type { Said } from './convert-value.ts'
import { type PageIndex, type Scope, wholePage } from './index-page.ts'
import type { Way } from './program-types.ts'
import { squeezeText } from './squeeze-text.ts'

const MAX_MATCHES = 2000
const MAX_STEPS = 20_000

export interface FoundText {
  said: Said
  /** The place: an element, or a run or line of text. Absent for data. */
  at?: number
}

/** What a way finds, in document order. */
export function followWay(page: PageIndex, way: Way, scope?: Scope): FoundText[] {
  const found = placesOf(page, way, scope)
  const one = way.nth === undefined ? found : [found.at(way.nth)].filter((place) => place !== undefined)
  const isCut = way.after !== undefined || way.before !== undefined
  return one.flatMap((found) => {
    if (typeof found.said !== 'string') return [found]
    const said = isCut ? cutText(found.said, way.after, way.before) : found.said
    if (said === undefined) return []
    if (way.split === undefined) return [{ ...found, said }]
    return said.split(way.split, MAX_MATCHES).map((part) => ({ ...found, said: part }))
  })
}

function placesOf(page: PageIndex, way: Way, scope: Scope | undefined): FoundText[] {
  if (way.data !== undefined) return dataAt(page.data.things, way.data).map((said) => ({ said }))
  if (way.state !== undefined) {
    const values = page.data.states.filter(({ name }) => name === way.state).map(({ value }) => value)
    return valuesAt(values, way.path ?? '').map((said) => ({ said }))
  }
  if (way.take === 'present' || way.take === 'absent')
    return [{ said: hasSign(page, way, scope) === (way.take === 'present') }]
  const isNumber = way.as === 'number' || way.as === 'money'
  if (way.above && way.css !== undefined && scope) {
    const found = matchesOf(page, way.css)
    const last = found[firstFrom(found, scope.first) - 1]
    return last === undefined ? [] : takeFrom(page, page.scopeOf(last), way.take, isNumber)
  }
  if (way.css === ':scope') return takeFrom(page, scope ?? wholePage(page), way.take, isNumber)
  if (way.css !== undefined)
    return matchesOf(page, way.css, scope).flatMap((index) => takeFrom(page, page.scopeOf(index), way.take, isNumber))
  if (way.xpath !== undefined)
    return xpathMatchesOf(page, way.xpath, scope).flatMap((one): FoundText[] =>
      typeof one === 'string' ? textFound(one) : takeFrom(page, page.scopeOf(one), way.take, isNumber),
    )
  if (way.column !== undefined) return cellIn(page, way.column, scope, way.take)
  if (way.label !== undefined) return besideLabel(page, way.label, scope, way.take, isNumber)
  return []
}

function hasSign(page: PageIndex, { css, xpath, label = '' }: Way, scope: Scope | undefined): boolean {
  if (css !== undefined) return matchesOf(page, css, scope).length > 0
  if (xpath !== undefined) return xpathMatchesOf(page, xpath, scope).length > 0
  return page
    .runsBy(squeezeText(label))
    .some((run) => !scope || (page.runs[run]!.from >= scope.from && page.runs[run]!.from < scope.to))
}

// --- structured data -------------------------------------------------------------------------------------------------

/** `Product.offers.price`: the type of a thing anywhere in the data, then properties. */
function dataAt(things: readonly unknown[], path: string): Said[] {
  const [type = '', ...rest] = stepsOf(path)
  return valuesOf(groupByType(things).get(type) ?? [], rest)
}

const groupByType = rememberByObject((things: readonly unknown[]): ReadonlyMap<string, unknown[]> => {
  const byType = new Map<string, unknown[]>()
  const open = [...things].reverse()
  for (let steps = 0; open.length > 0 && steps < MAX_STEPS; steps++) {
    const one = open.pop()
    if (Array.isArray(one)) open.push(...one.slice(0, MAX_MATCHES).reverse())
    else if (isObject(one)) {
      for (const type of new Set(Array.isArray(one['@type']) ? one['@type'].slice(0, 10).map(String) : []))
        if (!byType.get(type)?.push(one)) byType.set(type, [one])
      const inner = Object.values(one).slice(0, 200)
      open.push(...inner.filter((value) => typeof value === 'object').reverse())
    }
  }
  return byType
})

const valuesAt = (roots: readonly unknown[], path: string): Said[] => valuesOf(roots, stepsOf(path))

/** Lists are passed through; `[0]` takes an item of one. `*` is any property. */
function valuesOf(roots: readonly unknown[], steps: readonly string[]): Said[] {
  let values: unknown[] = [...roots]
  for (const step of steps) {
    const next: unknown[] = []
    for (const value of values) {
      if (next.length >= MAX_MATCHES) break
      const index = /^\[(-?\d+)\]$/.exec(step)?.[1]
      if (index !== undefined) {
        if (Array.isArray(value)) next.push(value.at(Number(index)))
        continue
      }
      for (const one of Array.isArray(value) ? value.slice(0, MAX_MATCHES) : [value]) {
        if (!isObject(one)) continue
        if (step === '*') next.push(...Object.values(one).slice(0, 200))
        else if (Object.hasOwn(one, step)) next.push(one[step])
      }
    }
    values = next.filter((value) => value !== undefined && value !== null)
  }
  return values.flatMap((value) => (Array.isArray(value) ? value.slice(0, MAX_MATCHES) : value)) as Said[]
}

/** `a.b[0]["c.d"]` as its steps; an index keeps its brackets. */
function stepsOf(path: string): string[] {
  return [...path.slice(0, 1000).matchAll(/\[(-?\d{1,6})\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g)].map(
    ([, index, quoted, plain]) => (index !== undefined ? `[${index}]` : (quoted?.replace(/\\(.)/g, '$1') ?? plain!)),
  )
}

export const writeStep = (name: string): string =>
  /^[^.[\]"\\]+$/.test(name) ? `.${name}` : `["${name.replace(/["\\]/g, '\\$&')}"]`

// --- elements --------------------------------------------------------------------------------------------------------

const COMPILED = { max: 2000, maxChars: 10_000 }
const testOf = rememberTexts(compileSelector, COMPILED)
const xpathOf = rememberTexts(compileXPath, COMPILED)

const textFound = (text: string): FoundText[] => (collapseSpaces(text) === '' ? [] : [{ said: collapseSpaces(text) }])

/** Indexes of elements, and texts; in a record, paths without `/` at the start are relative to it. */
export function xpathMatchesOf(page: PageIndex, xpath: string, scope?: Scope): (number | string)[] {
  const isWithin = (index: number) =>
    !scope || scope.owner === scope.first || (index >= scope.first && index < scope.end)
  return xpathOf(xpath)(scope ? page.elements[scope.owner]! : page.tree)
    .slice(0, MAX_MATCHES)
    .map((one: XPathMatch) => (typeof one === 'string' ? one : (page.indexOf.get(one) ?? '')))
    .filter((one) => (typeof one === 'string' ? one.trim() !== '' : isWithin(one)))
}

/** The matched element's own step in a selector without alternatives: its cheapest key for the page's index. */
function keyOf(css: string): string {
  const bare = css.replace(/:(?:contains\("[^"]*"\)|has\([^()]*\))$/, '')
  if (/[,()]/.test(bare)) return ''
  const last = /(?:^|[\s>+~])((?:[^\s>+~[\]"']|\[[^\]]*\])+)\s*$/.exec(bare)?.[1] ?? ''
  const step = last.replace(/\[[^\]]*\]/g, '')
  if (/[:\\]/.test(step)) return ''
  const named = /[.#][\w-]+/.exec(step)?.[0] ?? /^[a-z][\w-]*/.exec(step)?.[0]
  const attribute = /\[([\w:-]+)/.exec(last)?.[1]
  return named ?? (attribute && attribute !== 'class' && attribute !== 'id' ? `[${attribute}]` : '')
}

const matchesByPage = rememberByObject((_page: PageIndex) => new Map<string, number[]>())

/** Indexes of the elements that a selector matches, in document order. */
export function matchesOf(page: PageIndex, given: string, scope?: Scope): number[] {
  const css = scope?.css && given.startsWith(':scope') ? given.replace(':scope', `:is(${scope.css})`) : given
  const memory = matchesByPage(page)
  let found = memory.get(css)
  if (!found) {
    const key = keyOf(css.replace(/^:is\([^()]*\)/, ''))
    const test = testOf(css)
    found = []
    if (key !== '') {
      for (const index of page.elementsBy(key))
        if (found.length < MAX_MATCHES && test(page.elements[index]!)) found.push(index)
    } else
      for (const [index, element] of page.elements.entries())
        if (found.length < MAX_MATCHES && test(element)) found.push(index)
    memory.set(css, found)
  }
  if (!scope) return found
  // A record is not a part of itself, but has classes.
  const first = scope.owner === scope.first && !/^:scope[.[]/.test(given) ? scope.first + 1 : scope.first
  return found.slice(firstFrom(found, first), firstFrom(found, scope.end))
}

/** Position of the first index that is not below a bound. */
const firstFrom = (sorted: readonly number[], bound: number): number => countUntil(sorted, (one) => one < bound)

/** Places of lines are numbered after all elements, those of text runs below them. */
const LINE_PLACE = 10_000_000

/** The element of a place, or the one around its text; undefined for lines. */
export const ownerOf = (page: PageIndex, at: number): number | undefined =>
  at >= LINE_PLACE ? undefined : at < 0 ? page.runs[-1 - at]!.owner : at

/** Where the first word of a place begins, so that nested elements with one text are one place. */
export function textPosition(page: PageIndex, at: number): number {
  const from = at >= LINE_PLACE ? at - LINE_PLACE : at < 0 ? page.runs[-1 - at]!.from : page.from[at]!
  FIRST_WORD.lastIndex = from
  return FIRST_WORD.exec(page.text)?.index ?? page.text.length
}

const FIRST_WORD = /[\p{L}\p{N}]/gu

/** `isNumber`: a number that is struck out is no longer true. */
function takeFrom(page: PageIndex, part: Scope, take = 'text', isNumber = false): FoundText[] {
  if (take === 'lines') return linesOf(page, part, isNumber)
  if (take === 'own') return ownTexts(page, part)
  if (take === 'bare') {
    const [own, more] = ownTexts(page, part)
    if (own && !more) return [{ said: own.said, at: part.owner }]
  }
  if (take.startsWith('@')) {
    const value = page.elements[part.owner]!.attribs[take.slice(1)]
    return value === undefined || value.trim() === '' ? [] : [{ said: value, at: part.owner }]
  }
  const text = collapseSpaces(isNumber ? page.unstruck(part.from, part.to) : page.text.slice(part.from, part.to))
  return text === '' ? [] : [{ said: text, at: part.owner }]
}

export function linesOf(page: PageIndex, { from, to }: Scope, isNumber = false): { said: string; at: number }[] {
  const lines: { said: string; at: number }[] = []
  let at = from
  for (const line of page.text.slice(from, to).split('\n', 20_000)) {
    const said = collapseSpaces(isNumber ? page.unstruck(at, at + line.length) : line)
    if (said !== '') lines.push({ said, at: LINE_PLACE + at })
    at += line.length + 1
  }
  return lines
}

/** Text directly in an element, between its child elements. */
function ownTexts(page: PageIndex, { from, to, owner }: Scope): FoundText[] {
  const texts: FoundText[] = []
  for (let run = page.runAfter(from); run < page.runs.length; run++) {
    const one = page.runs[run]!
    if (one.from >= to || texts.length >= MAX_MATCHES) break
    if (one.owner === owner) texts.push({ said: collapseSpaces(page.text.slice(one.from, one.to)), at: -1 - run })
  }
  return texts
}

/** The part of a text between two others; undefined: there is none. */
export function cutText(text: string, after: string | undefined, before: string | undefined): string | undefined {
  let cut = text
  if (after !== undefined) {
    const at = cut.toLowerCase().indexOf(after.toLowerCase())
    if (at < 0) return undefined
    cut = cut.slice(at + after.length)
  }
  if (before !== undefined) {
    const at = cut.toLowerCase().indexOf(before.toLowerCase())
    if (at >= 0) cut = cut.slice(0, at)
  }
  return cut.trim() || undefined
}

// --- labels ----------------------------------------------------------------------------------------------------------

/** The box of what follows a label: the largest part of the page after it that does not contain it. */
export function boxAfter(page: PageIndex, run: number): { element: number | undefined; run: number } | undefined {
  const label = page.runs[run]!
  let after = run + 1
  while (page.runs[after] && page.isStruck(page.runs[after]!.from)) after += 1
  const next = page.runs[after]
  if (!next) return undefined
  let element: number | undefined
  for (let index = next.owner; index >= 0 && page.from[index]! > label.from; index = page.parent[index]!)
    if (page.from[index]! >= label.to && page.from[index]! > page.runs[after - 1]!.from) element = index
  return { element, run: after }
}

/** The runs that say a label. What leads elsewhere is none. */
export const labelsIn = (page: PageIndex, label: string, scope: Scope | undefined): number[] =>
  page.runsBy(squeezeText(label)).filter((run) => {
    const { from, owner } = page.runs[run]!
    return (!scope || (from >= scope.from && from < scope.to)) && !isControl(page, owner)
  })

function isControl(page: PageIndex, owner: number): boolean {
  let isLink = false
  for (let index = owner; index >= 0; index = page.parent[index]!) {
    const { name } = page.elements[index]!
    if (/^(?:a|button)$/.test(name)) isLink = true
    else if (/^(?:p|li|td|th|dt|dd|div|h\d)$/.test(name)) return isLink && !/^(?:dt|th)$/.test(name)
  }
  return isLink
}

/** A neighbour in a row of equals is no label, and no value of one. Two alone in their parent are a pair. */
export function isEqualNeighbour({ elements, parent, end }: PageIndex, one: number, other: number): boolean {
  const isEqual =
    one !== other &&
    elements[one]!.name === elements[other]!.name &&
    elements[one]!.attribs.class === elements[other]!.attribs.class
  const pair = parent[one]!
  const isPair =
    pair >= 0 && pair === parent[other] && pair + 1 === one && end[one] === other && end[other] === end[pair]
  return isEqual && !isPair
}

function besideLabel(page: PageIndex, label: string, scope: Scope | undefined, take = 'text', isNumber = false) {
  const inside = labelsIn(page, label, scope)
  if (scope && inside.length === 0) return underHeader(page, page.runsBy(squeezeText(label)), scope, take)
  return inside.flatMap((run) => {
    const box = boxAfter(page, run)
    // Where the value is empty, the next label follows.
    const isEmpty = box && isEqualNeighbour(page, page.runs[run]!.owner, page.runs[box.run]!.owner)
    if (!box || isEmpty) return []
    if (box.element !== undefined) return takeFrom(page, page.scopeOf(box.element), take, isNumber)
    const { from, to } = page.runs[box.run]!
    return take === 'text' ? [{ said: collapseSpaces(page.text.slice(from, to)), at: -1 - box.run }] : []
  })
}

/** The cell of a table row below a header cell. */
function underHeader(page: PageIndex, labels: readonly number[], scope: Scope, take: string): FoundText[] {
  if (page.elements[scope.owner]?.name !== 'tr') return []
  for (const run of [...labels].reverse()) {
    const { owner, from } = page.runs[run]!
    if (from >= scope.from) continue
    const header = page.cellAround(owner)
    if (header && page.elements[header.index]!.name === 'th' && page.isWithin(scope.owner, header.table))
      return cellIn(page, header.column, scope, take)
  }
  return []
}

function cellIn(page: PageIndex, column: number, scope: Scope | undefined, take = 'text'): FoundText[] {
  if (!scope || page.elements[scope.owner]?.name !== 'tr') return []
  for (let index = scope.first + 1; index < scope.end; index = page.end[index]!)
    if (page.cellAround(index)?.column === column) return takeFrom(page, page.scopeOf(index), take)
  return []
}

/** Why a selector cannot be used; undefined: it can. */
export function selectorFault(selector: string, kind: 'css' | 'xpath'): string | undefined {
  try {
    if (kind === 'css') testOf(selector)
    else xpathOf(selector)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

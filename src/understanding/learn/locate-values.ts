// Finds where a taught value stands in a page: in elements, in attributes, in structured data and in script state.
import { isObject } from '../../base/values.ts'
import { collapseSpaces } from '../../content/parse-tree.ts'
import { plainTextOfValue } from '../extract/convert-raw-value.ts'
import { findForm, type Said } from './convert-value.ts'
import { writeStep } from './follow-ways.ts'
import type { PageIndex } from './index-page.ts'
import type { ValueForm } from './program-types.ts'
import { squeezeText } from './squeeze-text.ts'

export interface ElementPlace {
  /** Index of the element; of the largest one whose text is the value, if there are several. */
  index: number
  /** Index of the smallest one. */
  inner: number
  take?: string
  after?: string
  before?: string
  as?: ValueForm
  /** The element says more than the value. */
  isPart: boolean
  /** Far from where most taught values stand. */
  isFar?: boolean
}

export interface DataPlace {
  /** A type and a path in structured data. */
  data?: string
  state?: string
  path?: string
  as?: ValueForm
}

const MAX_PLACES = 24
const MAX_NUMBER_CHARS = 60
/** Parts of an element beyond this are sentences, which no other page repeats. */
const MAX_AFFIX = 40

/** The elements that say the value, in document order. */
export function locateInElements(page: PageIndex, taught: unknown, scope?: number, unit?: ValueForm): ElementPlace[] {
  const inAttributes = locateInAttributes(page, taught, scope, unit)
  // A time of day is converted: pages write 7.05, 0705 and 7:05 pm.
  const isText = typeof taught === 'string' && !/^\d{2}:\d{2}$/.test(taught)
  if (isText) return [...locateText(page, taught, scope), ...inAttributes]
  return [...locateConverted(page, taught, scope, unit), ...inAttributes]
}

function locateText(page: PageIndex, taught: string, scope: number | undefined): ElementPlace[] {
  const wanted = squeezeText(taught)
  const places: ElementPlace[] = []
  const { text, at, of } = page.squeezed
  const last = scope === undefined ? text.length : of(page.to[scope]!)
  let from = scope === undefined ? 0 : of(page.from[scope]!)
  for (let tries = 0; wanted !== '' && tries < 500 && places.length < MAX_PLACES; tries++) {
    const start = text.indexOf(wanted, from)
    if (start < 0 || start + wanted.length > last) break
    from = start + 1
    const place = placeOf(page, at[start]!, at[start + wanted.length - 1]! + 1)
    if (place) places.push(place)
  }
  if (places.length === 0) places.push(...locateConverted(page, taught, scope))
  return places.filter(({ index }, n) => places.findIndex((place) => place.index === index) === n)
}

const isWordSign = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)

/** The element around a range of the text, with the words before and after the value in it. */
function placeOf(page: PageIndex, from: number, to: number): ElementPlace | undefined {
  if (isWordSign(page.text[from - 1]) || isWordSign(page.text[to])) return undefined
  const inner = page.elementAround(from, to)
  if (inner < 0) return undefined
  const before = page.text.slice(page.from[inner], from)
  const behind = page.text.slice(to, page.to[inner])
  if (squeezeText(before) === '' && squeezeText(behind) === '')
    return { index: largestSaying(page, inner), inner, isPart: false }
  // Only the line of the value: its other lines belong to other values.
  const lead = collapseSpaces(before.slice(before.lastIndexOf('\n') + 1))
  const end = behind.indexOf('\n')
  const tail = collapseSpaces(end < 0 ? behind : behind.slice(0, end))
  if (lead.length > MAX_AFFIX || tail.length > MAX_AFFIX * 3) return undefined
  const after = squeezeText(lead) ? leadOf(lead) : undefined
  if (squeezeText(lead) && !after) return undefined
  const affixes = { ...(after ? { after } : {}), ...(tail ? { before: separatorOf(tail) } : {}) }
  return { index: inner, inner, isPart: true, ...affixes }
}

/** What separates a value from the words behind it: their first sign or word. */
const separatorOf = (tail: string): string => /^(?:[^\p{L}\p{N}\s]+|\p{L}+|\p{N})/u.exec(tail)?.[0] ?? tail

/** The last words before a value: "by", "Serves:". Words of this page alone would be found on no other. */
function leadOf(lead: string): string | undefined {
  const last = /(?:\p{L}+[\s:：–—|·-]*){1,2}$|[^\p{L}\p{N}\s]+$/u.exec(lead)?.[0].trim()
  return last && lead.split(/\s+/).length <= 4 ? last : undefined
}

function largestSaying(page: PageIndex, inner: number): number {
  const { of } = page.squeezed
  const [from, to] = [of(page.from[inner]!), of(page.to[inner]!)]
  let index = inner
  for (let up = page.parent[inner]!; up >= 0; up = page.parent[up]!) {
    if (of(page.from[up]!) !== from || of(page.to[up]!) !== to) break
    index = up
  }
  return index
}

/** Short elements whose text becomes the value by conversion. */
function locateConverted(
  page: PageIndex,
  taught: unknown,
  scope: number | undefined,
  unit?: ValueForm,
): ElementPlace[] {
  const places: ElementPlace[] = []
  const unclear: ElementPlace[] = []
  const first = scope ?? 0
  const last = scope === undefined ? page.elements.length : page.end[scope]!
  for (let index = first; index < last && places.length < MAX_PLACES; index++) {
    const length = page.to[index]! - page.from[index]!
    if (length === 0 || length > MAX_NUMBER_CHARS * 3) continue
    const text = page.textOf(index)
    if (text.length === 0 || text.length > MAX_NUMBER_CHARS || !/[\d✓✔✗✘]|yes|no|true|false/i.test(text)) continue
    const form = findForm(text, taught, page, unit)
    if (!form) continue
    // The outermost of nested elements with the same text comes first; the inner ones are the same place.
    let inner = index
    while (inner + 1 < page.end[index]! && page.textOf(inner + 1) === text) inner += 1
    // Other numbers of the text may come first on the next page.
    const hasOthers = form.as !== undefined && !form.as.startsWith('date') && countOtherNumbers(text) > 0
    if (hasOthers) {
      unclear.push({ index, inner, isPart: true, ...form })
      continue
    }
    places.push({ index, inner, isPart: false, ...form })
    // The bare number inside "45 minutes" is the same place, and says less.
    index = form.as && form.as !== 'number' ? page.end[index]! - 1 : inner
  }
  return places.length > 0 ? places : unclear.slice(0, MAX_PLACES)
}

/** Numbers besides the first, and besides those of one duration. */
const countOtherNumbers = (text: string): number =>
  (text.replace(/\d+(?:[.,]\d+)?\s?(?:d|h|m|s)\w*\.?(?=\s|$)/giu, ' ').match(/\d+(?:[.,:' ]\d+)*/gu)?.length ?? 0) -
  (/\d\s?(?:d|h|m|s)\w*\.?(?:\s|$)/iu.test(text) ? (/h\w*\.?\s?\d{1,2}$/iu.test(text) ? 1 : 0) : 1)

const READ_ATTRIBUTES = ['content', 'datetime', 'href', 'src', 'value', 'title', 'alt', 'aria-label']
const isRead = (name: string): boolean => READ_ATTRIBUTES.includes(name) || name.startsWith('data-')
const MAX_ATTRIBUTE = 5000

function locateInAttributes(
  page: PageIndex,
  taught: unknown,
  scope: number | undefined,
  unit?: ValueForm,
): ElementPlace[] {
  const places: ElementPlace[] = []
  const last = scope === undefined ? page.elements.length : page.end[scope]!
  for (let index = scope ?? 0; index < last && places.length < MAX_PLACES; index++) {
    const { attribs } = page.elements[index]!
    for (const name in attribs) {
      const value = attribs[name]!
      if (!isRead(name) || value === '' || value.length > MAX_ATTRIBUTE) continue
      const isLink = name === 'href' || name === 'src'
      if (isLink !== (typeof taught === 'string' && /^(?:https?:|\/)/i.test(taught)) && isLink) continue
      const isText = typeof taught === 'string' && !isLink
      const form = !mayBe(value, taught)
        ? undefined
        : isLink
          ? formOfLink(value, taught, page)
          : isText && collapseSpaces(value).toLowerCase() === collapseSpaces(taught).toLowerCase()
            ? {}
            : findForm(value, taught, page, unit)
      // A slug has the letters of a title and is none.
      if (isText && form && !form.as && !/\s/.test(value.trim()) && /\s/.test(taught)) continue
      if (form && !(isLink && form.as !== 'link'))
        places.push({ index, inner: index, take: `@${name}`, isPart: false, ...form })
    }
  }
  return places
}

const formOfLink = (value: string, taught: unknown, { resolve }: PageIndex): { as: 'link' } | undefined =>
  resolve(value.trim()) === (resolve(String(taught)) ?? taught) ? { as: 'link' } : undefined

/** A cheap test first: pages have tens of thousands of attributes. */
const mayBe = (value: string, taught: unknown): boolean =>
  typeof taught === 'string'
    ? value.length >= Math.min(4, taught.length) && value.length <= taught.length * 3 + 100
    : typeof taught === 'number'
      ? /\d/.test(value) && value.length <= 40
      : value.length <= 30

// --- data ------------------------------------------------------------------------------------------------------------

const MAX_NODES = 40_000
const MAX_PATHS = 30

interface Leaf {
  /** Steps with indexes. */
  path: string
  value: Said
}

/** Paths in structured data and script state with the value. */
export const locateInData = (page: PageIndex, taught: unknown, unit?: ValueForm): DataPlace[] =>
  eachRoot(page, (leaf) => {
    if (!mayBe(plainTextOfValue(leaf.value), taught)) return undefined
    return findForm(leaf.value, taught, page, unit)
  })

/** Paths of which the values are the list's items, with the number of items each has. */
export function locateListInData(page: PageIndex, taught: readonly unknown[]): DataPlace[] {
  const wanted = taught.map((one) => squeezeText(String(one)))
  const exact = new Set(wanted)
  const hits = new Map<string, { place: DataPlace; count: number }>()
  for (const place of eachRoot(
    page,
    ({ value }) =>
      (typeof value === 'string' || typeof value === 'number') && exact.has(squeezeText(plainTextOfValue(value)))
        ? {}
        : undefined,
    3000,
  )) {
    const general = generalise(place)
    const key = JSON.stringify(general)
    const known = hits.get(key)
    if (known) known.count += 1
    else hits.set(key, { place: general, count: 1 })
  }
  return [...hits.values()].filter(({ count }) => count >= taught.length * 0.4).map(({ place }) => place)
}

/** Without indexes: all items of each list. */
const generalise = (place: DataPlace): DataPlace => {
  const bare = (path: string | undefined) => path?.replace(/\[-?\d+\]/g, '')
  return place.data === undefined ? { ...place, path: bare(place.path)! } : { ...place, data: bare(place.data)! }
}

function eachRoot(
  page: PageIndex,
  test: (leaf: Leaf) => { as?: ValueForm } | undefined,
  most = MAX_PATHS,
): DataPlace[] {
  const places: DataPlace[] = []
  for (const thing of page.data.things) {
    for (const { path, value, type } of leavesOf(thing)) {
      const form = test({ path, value })
      if (form && type && places.length < most) places.push({ data: `${type}${path}`, ...form })
    }
  }
  for (const { name, value: root } of page.data.states) {
    for (const { path, value } of leavesOf(root, false)) {
      const form = test({ path, value })
      if (form && places.length < most) places.push({ state: name, path: path.replace(/^\./, ''), ...form })
    }
  }
  return places.filter((place, n) => places.findIndex((one) => isSamePlace(one, place)) === n || most > MAX_PATHS)
}

const isSamePlace = (a: DataPlace, b: DataPlace): boolean =>
  a.data === b.data && a.state === b.state && a.path === b.path

/** Leaves below the nearest object with a type; lists of texts are also one leaf. */
function* leavesOf(root: unknown, isTyped = true): Generator<{ path: string; value: Said; type: string }> {
  const open: { value: unknown; path: string; type: string }[] = [{ value: root, path: '', type: '' }]
  for (let steps = 0; open.length > 0 && steps < MAX_NODES; steps++) {
    const { value, path, type } = open.pop()!
    if (Array.isArray(value)) {
      const items = value.slice(0, 1000)
      if (path !== '' && items.length > 1 && items.every((one) => typeof one === 'string'))
        yield { path, value: items, type }
      for (const [n, one] of [...items.entries()].reverse()) open.push({ value: one, path: `${path}[${n}]`, type })
    } else if (isObject(value)) {
      const own = isTyped && Array.isArray(value['@type']) ? String(value['@type'][0] ?? '') : ''
      const inner = Object.entries(value).slice(0, 300).reverse()
      for (const [name, one] of inner) {
        if (name.startsWith('@') || one === null || one === undefined) continue
        open.push({ value: one, path: `${path}${writeStep(name)}`, type: type || own })
      }
      if (own && path === '' && plainTextOfValue(value) !== '') yield { path: '', value, type: own }
    } else if (value !== '') yield { path, value: value as Said, type }
  }
}

// Finds where a taught value stands in a page: in elements, in attributes, in structured data and in script state.
import { isObject } from '../../base/values.ts'
import { collapseSpaces } from '../../content/parse-tree.ts'
import { plainTextOfValue } from '../extract/convert-raw-value.ts'
import { findForm, isSameValue, type Said } from './convert-value.ts'
import { cutText, writeStep } from './follow-ways.ts'
import type { PageIndex, Scope } from './index-page.ts'
import type { ValueForm } from './program-types.ts'
import { squeezeText } from './squeeze-text.ts'

export interface ElementPlace {
  /** Index of the element; of the largest one whose text is the value, if there are several. */
  index: number
  /** Index of the smallest one. */
  inner: number
  /** The place as a way finds it: an element or a text run. */
  at: number
  /** Where the value begins in the text. */
  from: number
  take?: string
  after?: string
  before?: string
  as?: ValueForm
  /** The place says more than the value. */
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

/** The elements and texts that say the value, in document order. */
export function locateInElements(page: PageIndex, taught: unknown, scope?: Scope, unit?: ValueForm): ElementPlace[] {
  // A time of day is converted: pages write 7.05, 0705 and 7:05 pm.
  const isText = typeof taught === 'string' && !/^\d{2}:\d{2}$/.test(taught)
  const said = isText ? locateText(page, taught, scope) : locateConverted(page, taught, scope, unit)
  const places = [...said, ...locateInAttributes(page, taught, scope, unit)]
  const seen = new Set<string>()
  return places.filter(({ at, take, after, before }) => {
    const key = `${at} ${take} ${after} ${before}`
    return !seen.has(key) && seen.add(key)
  })
}

const startOf = (page: PageIndex, scope: Scope | undefined): number => (scope ? page.squeezed.of(scope.from) : 0)
const endOf = (page: PageIndex, scope: Scope | undefined): number =>
  scope ? page.squeezed.of(scope.to) : page.squeezed.text.length

/** Ranges of the page's text that say a text. */
export function* rangesOf(page: PageIndex, wanted: string, scope?: Scope): Generator<{ from: number; to: number }> {
  const { text, at } = page.squeezed
  const last = endOf(page, scope)
  let from = startOf(page, scope)
  for (let tries = 0; wanted !== '' && tries < 500; tries++) {
    const start = text.indexOf(wanted, from)
    if (start < 0 || start + wanted.length > last) return
    from = start + 1
    yield { from: at[start]!, to: at[start + wanted.length - 1]! + 1 }
  }
}

function locateText(page: PageIndex, taught: string, scope: Scope | undefined): ElementPlace[] {
  const places: ElementPlace[] = []
  for (const { from, to } of rangesOf(page, squeezeText(taught), scope)) {
    if (places.length >= MAX_PLACES) break
    // A slug has the letters of a title and is none.
    if (/\p{L}\s+\p{L}/u.test(taught) && !/\s/.test(page.text.slice(from, to))) continue
    places.push(...placesOf(page, from, to, scope))
  }
  return places.length > 0 ? places : locateConverted(page, taught, scope)
}

const isWordSign = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)

/** The element or the text run around a range of the text, with what separates the value from the words around it. */
function placesOf(page: PageIndex, from: number, to: number, scope: Scope | undefined): ElementPlace[] {
  if (isWordSign(page.text[from - 1]) || isWordSign(page.text[to])) return []
  const inner = page.elementAround(from, to)
  if (inner < 0) return []
  const isRecord = scope && inner <= scope.owner
  const [start, end] = isRecord ? [scope.from, scope.to] : [page.from[inner]!, page.to[inner]!]
  if (isBare(page.text.slice(start, from)) && isBare(page.text.slice(to, end))) {
    const index = isRecord ? inner : largestSaying(page, inner, scope)
    return [{ index, inner, at: index, from, isPart: false }]
  }
  const run = page.runAround(from, to)
  if (!run) return cutsOf(page, { index: inner, inner, at: inner, from }, start, end, from, to)
  const own = { index: inner, inner, at: -1 - run.run, from, take: 'own' }
  if (isBare(page.text.slice(run.from, from)) && isBare(page.text.slice(to, run.to))) return [{ ...own, isPart: false }]
  const cuts = cutsOf(page, own, run.from, run.to, from, to)
  // On the page the words around a value are often elements of their own on the next one.
  return isRecord || run.owner !== inner
    ? cuts
    : [...cutsOf(page, { index: inner, inner, at: inner, from }, start, end, from, to), ...cuts]
}

const isBare = (text: string): boolean => squeezeText(text) === ''

/** Ways to cut a value out of a text: by the signs or words beside it, where they stand nowhere before it. */
function cutsOf(
  page: PageIndex,
  place: Omit<ElementPlace, 'isPart'>,
  start: number,
  end: number,
  from: number,
  to: number,
): ElementPlace[] {
  const whole = collapseSpaces(page.text.slice(start, end)).toLowerCase()
  const lead = collapseSpaces(page.text.slice(start, from))
  const tail = collapseSpaces(page.text.slice(to, end))
  const value = squeezeText(page.text.slice(from, to))
  const leads = isBare(lead)
    ? [undefined]
    : [/\p{L}+[^\p{L}\p{N}]*$/u, /[^\p{L}\p{N}\s]+$/u, /\p{L}+\s\p{L}+[^\p{L}\p{N}]*$/u].flatMap(
        (end) => end.exec(lead)?.[0] ?? [],
      )
  const tails = isBare(tail)
    ? [undefined]
    : [/^[^\p{L}\p{N}\s]+/u, /^[^\p{L}\p{N}]*\p{L}+/u].flatMap((begin) => begin.exec(tail)?.[0] ?? [])
  // "Petrel 2017" beside "Fulmar of 1998": the number is another field.
  if (isBare(lead) && /^\W{0,3}\d/u.test(tail) && !/\d/.test(value)) return [{ ...place, isPart: true, as: 'words' }]
  return leads.flatMap((after) =>
    tails.flatMap((before) => {
      const cut = cutText(whole, after, before)
      if (cut === undefined || squeezeText(cut) !== value) return []
      return [{ ...place, isPart: true, ...(after ? { after } : {}), ...(before ? { before } : {}) }]
    }),
  )
}

function largestSaying(page: PageIndex, inner: number, scope: Scope | undefined): number {
  const { of } = page.squeezed
  const [from, to] = [of(page.from[inner]!), of(page.to[inner]!)]
  let index = inner
  for (let up = page.parent[inner]!; up > (scope?.owner ?? -1); up = page.parent[up]!) {
    if (of(page.from[up]!) !== from || of(page.to[up]!) !== to) break
    index = up
  }
  return index
}

/** Short elements and texts that become the value by conversion. */
function locateConverted(page: PageIndex, taught: unknown, scope: Scope | undefined, unit?: ValueForm): ElementPlace[] {
  const places: ElementPlace[] = []
  const unclear: ElementPlace[] = []
  const last = scope?.end ?? page.elements.length
  for (let index = scope?.first ?? 0; index < last && places.length < MAX_PLACES; index++) {
    const length = page.to[index]! - page.from[index]!
    if (length === 0 || length > MAX_NUMBER_CHARS * 3) continue
    const text = page.textOf(index)
    if (!mayConvert(text)) continue
    const form = findForm(text, taught, page, unit)
    if (!form) continue
    // The outermost of nested elements with the same text comes first; the inner ones are the same place.
    let inner = index
    while (inner + 1 < page.end[index]! && page.textOf(inner + 1) === text) inner += 1
    // Of "Petrel 14 kg" only the part that says it.
    if (isSaidInside(page, inner, (part) => findForm(part, taught, page, unit)?.as === form.as)) continue
    // Other numbers of the text may come first on the next page.
    const hasOthers =
      form.as !== undefined && !form.as.startsWith('date') && (countOtherNumbers(text) > 0 || isWordy(text))
    const place = { index, inner, at: index, from: page.from[index]!, ...form }
    if (hasOthers) {
      unclear.push({ ...place, isPart: true })
      continue
    }
    // A date is taken from the smallest element, other words around it may have dates on the next page.
    const isDate = form.as?.startsWith('date')
    const outer = isDate ? places.findIndex((one) => one.as === form.as && page.isWithin(index, one.index)) : -1
    if (outer >= 0) places.splice(outer, 1)
    places.push({ ...place, isPart: false })
    // The bare number inside "45 minutes" is the same place, and says less.
    index = form.as && form.as !== 'number' && !isDate ? page.end[index]! - 1 : inner
  }
  places.push(...locateInRuns(page, taught, scope, unit))
  return places.length > 0 ? places : unclear.slice(0, MAX_PLACES)
}

function isSaidInside(page: PageIndex, index: number, test: (text: string) => boolean): boolean {
  for (let part = index + 1; part < page.end[index]!; part++)
    if (page.to[part]! > page.from[part]! && test(page.textOf(part))) return true
  return false
}

/** A number in a sentence or a title. */
const isWordy = (text: string, most = 24): boolean => text.replace(/[^\p{L}]+/gu, '').length > most
/** "45 minutes" and "1299 EUR", not the version of a program. */
const MAX_LETTERS_IN_DATA = 14

const mayConvert = (text: string): boolean =>
  text.length > 0 && text.length <= MAX_NUMBER_CHARS && /[\d✓✔✗✘]|yes|no|true|false/i.test(text)

/** Texts beside elements, and numbers and dates within them. */
function locateInRuns(page: PageIndex, taught: unknown, scope: Scope | undefined, unit: ValueForm | undefined) {
  const places: ElementPlace[] = []
  for (let n = page.runAfter(scope?.from ?? 0); n < page.runs.length && places.length < MAX_PLACES; n++) {
    const { from, to, owner } = page.runs[n]!
    if (scope && from >= scope.to) break
    if (to - from > 300) continue
    const text = collapseSpaces(page.text.slice(from, to))
    if (!/\d/.test(text)) continue
    const own = { index: owner, inner: owner, at: -1 - n, from, take: 'own' }
    const isWhole = text === page.textOf(owner)
    const said = mayConvert(text) ? findForm(text, taught, page, unit) : undefined
    const form = said?.as?.startsWith('date') || countOtherNumbers(text) === 0 ? said : undefined
    if (form && !isWhole) places.push({ ...own, isPart: false, ...form })
    else if (!form && typeof taught === 'number')
      for (const { 0: said, index } of page.text.slice(from, to).matchAll(/[$€£¥]?\d[\d.,\u00a0' ]*(?:\s?[$€£¥])?/gu)) {
        const found = findForm(said, taught, page, unit)
        if (!found) continue
        const [start, end] = [from + index, from + index + said.trimEnd().length]
        places.push(...cutsOf(page, { ...own, from: start }, from, to, start, end).map((cut) => ({ ...cut, ...found })))
      }
  }
  return places
}

/** Numbers besides the first, and besides those of one duration. */
const countOtherNumbers = (text: string): number =>
  (text.replace(/\d+(?:[.,]\d+)?\s?(?:d|h|m|s)\w*\.?(?=\s|$)/giu, ' ').match(/\d+(?:[.,:' ]\d+)*/gu)?.length ?? 0) -
  (/\d\s?(?:d|h|m|s)\w*\.?(?:\s|$)/iu.test(text) ? (/h\w*\.?\s?\d{1,2}$/iu.test(text) ? 1 : 0) : 1)

const READ_ATTRIBUTES = ['content', 'datetime', 'href', 'src', 'value', 'title', 'alt', 'aria-label']
const isRead = (name: string): boolean => READ_ATTRIBUTES.includes(name) || name.startsWith('data-')
const MAX_ATTRIBUTE = 5000

function locateInAttributes(page: PageIndex, taught: unknown, scope: Scope | undefined, unit?: ValueForm) {
  const places: ElementPlace[] = []
  const last = scope?.end ?? page.elements.length
  for (let index = scope?.first ?? 0; index < last && places.length < MAX_PLACES; index++) {
    const { attribs } = page.elements[index]!
    for (const name in attribs) {
      const value = attribs[name]!
      if (!isRead(name) || value === '' || value.length > MAX_ATTRIBUTE) continue
      const isLink = name === 'href' || name === 'src'
      const isText = typeof taught === 'string' && !isLink
      const place = { index, inner: index, at: index, from: page.from[index]!, take: `@${name}`, isPart: false }
      const [scheme = ''] = name === 'href' ? (/^mailto:/i.exec(value) ?? []) : []
      if (scheme && isSameValue(value.slice(scheme.length).replace(/\?.*$/s, ''), taught))
        places.push({ ...place, after: scheme, before: '?' })
      const form =
        !mayBe(value, taught) || (isLink && !(typeof taught === 'string' && /^(?:https?:|\/)/i.test(taught)))
          ? undefined
          : isLink
            ? formOfLink(value, taught, page)
            : isText && collapseSpaces(value).toLowerCase() === collapseSpaces(taught).toLowerCase()
              ? {}
              : findForm(value, taught, page, unit)
      // A slug has the letters of a title and is none.
      if (isText && form && !form.as && !/\s/.test(value.trim()) && /\s/.test(taught)) continue
      if (form && !(isLink && form.as !== 'link')) places.push({ ...place, ...form })
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
      ? /\d/.test(value) && value.length <= 40 && !isWordy(value, MAX_LETTERS_IN_DATA)
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
  const removeIndexes = (path: string | undefined) => path?.replace(/\[-?\d+\]/g, '')
  return place.data === undefined
    ? { ...place, path: removeIndexes(place.path)! }
    : { ...place, data: removeIndexes(place.data)! }
}

function eachRoot(page: PageIndex, test: (leaf: Leaf) => { as?: ValueForm } | undefined, most = MAX_PATHS) {
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
  return places
}

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

// Proposes ways to a place: selectors of lasting names, the label before it, paths in data. Each is general enough to
// hold on other pages; rank-ways.ts tests them.
import { collapseSpaces, isElement } from '../../content/parse-tree.ts'
import { boxAfter, followWay, isEqualNeighbour, labelsIn } from './follow-ways.ts'
import { classesOf, type IndexedCell, type PageIndex, type Scope } from './index-page.ts'
import type { DataPlace, ElementPlace } from './locate-values.ts'
import type { Way } from './program-types.ts'
import { squeezeText } from './squeeze-text.ts'

/** Names of styles and states, not of content. */
export const STYLE_NAME =
  /^(?:(?:sm|md|lg|xl|xs|hover|focus|max|min)[:_-]|-?(?:m|p)[trblxy]?-|(?:col|row|grid|flex|float|align|justify|text|font|bg|border|w|h|z|gap|d|clear|clearfix|hidden|visible|active|selected|first|last|odd|even|current|open|show|fade|in|lazy|lazyload(?:ed)?|loaded|no|is|has|js)(?:-|$))/i
/** A build's hash: digits among letters, or letters of both cases without order. */
const HASH = /\d[a-z]|[a-z]\d[a-z\d]{2}|\d{2}|[A-Z]{2}[a-z][A-Z]|[a-z][A-Z][a-z]?[A-Z][a-z]?[A-Z]|[:[\]()/!@%#&.,]/
/** CSS modules write a lasting name before the hash: `Card_title__x1Y2z`. */
const MODULE_NAME = /^([A-Za-z][A-Za-z-]{2,}(?:[_-]{1,2}[A-Za-z][A-Za-z-]{2,})*_{1,2})[\w-]{4,8}$/

export const escapeName = (name: string): string => name.replace(/[^\w-]/g, '\\$&')
export const isHashed = (name: string): boolean => name.length < 2 || name.length > 60 || HASH.test(name)
const isLasting = (name: string): boolean => !isHashed(name) && !STYLE_NAME.test(name) && /^[\p{L}_-]/u.test(name)

const NAMING_ATTRIBUTES = ['itemprop', 'property', 'name', 'rel', 'role', 'typeof', 'headers']

const MAX_DATA = 3

interface Compound {
  css: string
  /** How much the name says: attributes for machines most, a bare tag least. */
  trust: number
}

const compounds = new WeakMap<object, Compound[]>()

/** Selectors for one element by its lasting names, most telling first. */
export function compoundsOf(page: PageIndex, index: number): Compound[] {
  const element = page.elements[index]!
  const known = compounds.get(element)
  if (known) return known
  const { name, attribs } = element
  const found: Compound[] = []
  for (const attribute of NAMING_ATTRIBUTES) {
    const value = attribs[attribute]
    if (value && value.length <= 60 && !/\d{2}|["\\\n]/.test(value))
      found.push({ css: `${name}[${attribute}="${value}"]`, trust: 0.9 })
  }
  for (const attribute of Object.keys(attribs)
    .filter((one) => /^data-[a-z-]{2,30}$/.test(one))
    .slice(0, MAX_DATA))
    found.push(
      /^[a-z][a-z_-]{1,30}$/i.test(attribs[attribute]!)
        ? { css: `${name}[${attribute}="${attribs[attribute]}"]`, trust: 0.88 }
        : { css: `${name}[${attribute}]`, trust: 0.6 },
    )
  if (attribs.id && isLasting(attribs.id)) found.push({ css: `#${escapeName(attribs.id)}`, trust: 0.85 })
  const names = classesOf(attribs.class)
  const lasting = names.filter(isLasting).slice(0, 6)
  if (lasting.length > 1)
    found.push({
      css: `${name}${lasting
        .slice(0, 3)
        .map((one) => `.${escapeName(one)}`)
        .join('')}`,
      trust: 0.8,
    })
  // The longest names say the most.
  for (const one of [...lasting].sort((a, b) => b.length - a.length))
    found.push({ css: `.${escapeName(one)}`, trust: 0.82 })
  for (const one of names.slice(0, 6)) {
    const stem = MODULE_NAME.exec(one)?.[1]
    if (stem && !isLasting(one)) found.push({ css: `${name}[class*="${stem}"]`, trust: 0.8 })
  }
  // A build's names last until the next build.
  for (const one of names.filter((one) => !lasting.includes(one) && !STYLE_NAME.test(one)).slice(0, 2))
    if (one.length <= 40) found.push({ css: `.${escapeName(one)}`, trust: 0.5 })
  const styles = names.filter((one) => STYLE_NAME.test(one) && !HASH.test(one)).slice(0, 3)
  if (lasting.length === 0 && styles.length > 0)
    found.push({ css: `${name}${styles.map((one) => `.${escapeName(one)}`).join('')}`, trust: 0.45 })
  found.push({ css: name, trust: /^(?:h1|address|time|figcaption|blockquote|main|article)$/.test(name) ? 0.7 : 0.4 })
  compounds.set(element, found)
  return found
}

const MAX_UP = 7
const MAX_OWN = 5

/** Selectors that match the element, with those for it alone first. */
export function proposeSelectors(page: PageIndex, index: number, scope?: Scope): Compound[] {
  const found: Compound[] = []
  const top = scope?.owner ?? -1
  const own = compoundsOf(page, index)
  const ownBest = [...own.slice(0, MAX_OWN - 1), own.at(-1)!]
  for (const one of ownBest) found.push(one)
  let up = page.parent[index]!
  for (let step = 0; up > top && step < MAX_UP; step++, up = page.parent[up]!) {
    const named = compoundsOf(page, up)
    const best = named.filter(({ trust }) => trust > 0.5).slice(0, 2)
    for (const above of best.length > 0 ? best : step === 0 ? named.slice(-1) : [])
      for (const one of ownBest.slice(0, 3).concat(ownBest.slice(-1))) {
        const sign = step === 0 ? ' > ' : ' '
        const trust = Math.min(0.85, Math.max(one.trust, above.trust - 0.05 - 0.04 * step))
        found.push({ css: `${above.css}${sign}${one.css}`, trust })
      }
  }
  const path = scope && pathIn(page, index, scope)
  if (path) found.push({ css: path, trust: 0.6 })
  return found.filter(({ css }, n) => found.findIndex((one) => one.css === css) === n)
}

/** The element's place by tags and positions, from its record down. */
function pathIn(page: PageIndex, index: number, { owner, first }: Scope): string | undefined {
  if (owner !== first || index <= first) return undefined
  const steps: string[] = []
  for (let one = index; one > owner; one = page.parent[one]!) {
    const element = page.elements[one]!
    const before = element.parent!.children.filter((node) => isElement(node) && node.name === element.name)
    steps.unshift(before.length === 1 ? element.name : `${element.name}:nth-of-type(${before.indexOf(element) + 1})`)
  }
  return steps.length <= 8 ? `:scope > ${steps.join(' > ')}` : undefined
}

/** Ways to one element place. */
export function proposeElementWays(page: PageIndex, place: ElementPlace, scope?: Scope): Way[] {
  const ways: Way[] = []
  const { take, after, before, as, isPart } = place
  // Beside a text without elements, other records may have a badge.
  const isBare = scope && !take && !isPart && place.inner > scope.owner && hasOnlyText(page, place.inner)
  const taking = take ? { take } : isBare ? { take: 'bare' } : {}
  const cutting = { ...(after ? { after } : {}), ...(before ? { before } : {}) }
  const form = as ? { as } : {}
  const isAttribute = take?.startsWith('@') && !['@href', '@src', '@content', '@datetime'].includes(take)
  const loss = (place.isFar ? 0.9 : 1) * (isPart ? 0.85 : 1) * (isAttribute ? 0.85 : 1)
  const add = (css: string, trust: number, of: { at: number } = place, share = 1) => {
    const found = followWay(page, { css, ...taking }, scope)
    const at = found.findIndex((one) => one.at === of.at)
    const fromEnd = at - found.length
    if (at < 0 || found.length > 40 || (at > (scope ? 12 : 3) && fromEnd < -1)) return
    // A way that also fits other places is less specific.
    // Inside a record, a position says as much as a name does on a page.
    const specific = found.length === 1 ? 1 : at === 0 ? 0.9 : scope ? 0.85 : 0.55
    const base = scope ? Math.max(trust, 0.65) : trust
    const nths =
      at === 0
        ? [{}]
        : at > 2 && fromEnd === -1
          ? [{ nth: -1 }]
          : scope || fromEnd === -1
            ? [{ nth: at }, { nth: fromEnd }]
            : [{ nth: at }]
    for (const nth of nths) {
      const lost = 'nth' in nth && nth.nth! < -1 ? 0.95 : 1
      ways.push({ css, ...nth, ...taking, ...cutting, ...form, trust: round(base * specific * loss * lost * share) })
    }
  }
  if (scope && place.inner <= scope.owner) add(':scope', 0.7, { ...place, at: take === 'own' ? place.at : scope.owner })
  else
    for (const index of new Set([place.inner, place.index]))
      for (const { css, trust } of [
        ...proposeSelectors(page, index, scope),
        ...(scope ? byContent(page, index, as) : []),
      ])
        add(css, trust, take === 'own' ? place : { at: index }, scope && index !== place.inner ? 0.95 : 1)
  const cell = scope && !take ? page.cellAround(place.inner) : undefined
  if (
    cell &&
    page.parent[cell.index] === scope!.owner &&
    squeezeText(page.textOf(cell.index)) === squeezeText(page.textOf(place.index))
  )
    ways.push({ column: cell.column, ...taking, ...cutting, ...form, trust: 0.86 })
  if (!take || take === 'own') ways.push(...proposeLabels(page, place, scope).map((way) => ({ ...way, ...form })))
  if (cell) ways.push(...proposeHeader(page, cell, scope!).map((way) => ({ ...way, ...taking, ...cutting, ...form })))
  return ways
}

const hasOnlyText = ({ end, from, to }: PageIndex, index: number): boolean => {
  for (let child = index + 1; child < end[index]!; child++) if (to[child]! > from[child]!) return false
  return true
}

const MAX_UNIT_TEXT = 40

/** Selectors by what tells an element from equal ones beside it: an icon in it, or the unit of its number. */
function byContent(page: PageIndex, index: number, as: Way['as']): Compound[] {
  const found: Compound[] = []
  const own = compoundsOf(page, index)
  const base = (own.find(({ trust }) => trust > 0.5 && trust <= 0.82) ?? own.at(-1)!).css
  for (let child = index + 1; child < page.end[index]! && found.length < 2; child++) {
    const [icon] = compoundsOf(page, child)
    if (page.to[child] === page.from[child] && /^[.#\w-]+$/.test(icon!.css) && /[.#]/.test(icon!.css))
      found.push({ css: `${base}:has(${icon!.css})`, trust: 0.84 })
  }
  const text = page.textOf(index)
  const unit = /\d[^\p{L}\d]*(\p{L}{2,20})/u.exec(text)?.[1] ?? /(\p{L}{2,20})[^\p{L}\d]*\d/u.exec(text)?.[1]
  // The last letter may be that of a plural.
  if (unit && as && !as.startsWith('date') && as !== 'link' && text.length <= MAX_UNIT_TEXT)
    found.push({ css: `${base}:contains("${unit.length > 4 ? unit.slice(0, -1) : unit}")`, trust: 0.84 })
  return found
}

/** The header of a table's column. */
function proposeHeader(page: PageIndex, cell: IndexedCell, scope: Scope): Way[] {
  if (page.parent[cell.index] !== scope.owner) return []
  for (const { index, row, column } of page.cellsOf(cell.table).values()) {
    if (row >= cell.row) break
    if (column !== cell.column || page.elements[index]!.name !== 'th') continue
    const label = page.textOf(index)
    if (/\p{L}/u.test(label) && label.length <= MAX_LABEL) return [{ label, trust: 0.9 }]
  }
  return []
}

/** Whether a name or label of the page has the words of a field's name. */
export function hasWordsOf(field: string, said: string): boolean {
  const [name, words] = [wordsOf(field), wordsOf(said)]
  return name.length > 0 && name.every((word) => words.includes(word))
}

/** `totalTime`, `total_time` and `.total-time` have the same words. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 2)

export const round = (value: number): number => Math.round(value * 100) / 100

const MAX_LABEL = 50

/** The text before the value, where it reads like a label. */
function proposeLabels(page: PageIndex, { index, inner, at, after, isPart }: ElementPlace, scope: Scope | undefined) {
  if (isPart && !after) return []
  const run = at < 0 ? -1 - at : isPart ? page.runAfter(page.from[inner]!) + 1 : page.runAfter(page.from[index]!)
  const label = page.runs[run - 1]
  if (!label || (scope && label.from < scope.from)) return []
  const text = collapseSpaces(page.text.slice(label.from, label.to))
  if (!isPart && isEqualNeighbour(page, label.owner, inner)) return []
  const words = text.replace(/[:：]\s*$/u, '').trim()
  if (!/\p{L}{2}/u.test(words) || words.length > MAX_LABEL || words.split(' ').length > 6) return []
  const found = followWay(page, { label: words }, scope)
  const box = boxAfter(page, run - 1)
  const nth = labelsIn(page, words, scope).indexOf(run - 1)
  if (!box || nth < 0 || found.length > 5) return []
  const isDeclared = /^(?:dt|th|label)$/.test(page.elements[label.owner]!.name)
  const isSaid = /[:：]\s*$/u.test(text)
  const trust = (isDeclared ? 0.9 : isSaid ? 0.85 : 0.75) * (nth > 0 ? 0.8 : 1)
  return [{ label: words, ...(nth > 0 ? { nth } : {}), trust: round(trust) }]
}

const HEADING = /^(?:h[1-6]|caption|th|dt|legend|summary|time)$/

/** Ways to a value that stands above several records: the heading of their day or category. */
export function proposeWaysAbove(page: PageIndex, places: readonly ElementPlace[], scope: Scope): Way[] {
  const beside = new Set([page.parent[scope.first], page.parent[page.parent[scope.first]!]])
  const above = places.filter(
    ({ index, inner, take }) =>
      index < scope.first &&
      (take === undefined || take === 'own') &&
      (HEADING.test(page.elements[inner]!.name) || beside.has(page.parent[index])),
  )
  const nearest = above.at(-1)
  if (!nearest || nearest.isPart) return []
  return proposeSelectors(page, nearest.index).map(({ css, trust }) => ({
    css,
    above: true,
    ...(nearest.as ? { as: nearest.as } : {}),
    trust: round(Math.max(0.6, trust * 0.9)),
  }))
}

export function proposeDataWays(places: readonly DataPlace[]): Way[] {
  return places.map(({ data, state, path = '', as }): Way => {
    const form = as ? { as } : {}
    const steps = data ?? path
    // An index says little about another page, unless it is the first.
    const bare = steps.replace(/\[0\]/g, '')
    const trust =
      (data ? 0.97 : 0.9) * (/\[-?\d+\]/.test(bare) ? 0.6 : 1) - 0.01 * Math.min(10, steps.split('.').length)
    return data
      ? { data: bare, ...form, trust: round(trust) }
      : { state: state!, path: bare, ...form, trust: round(trust) }
  })
}

// Proposes ways to a place: selectors of lasting names, the label before it, paths in data. Each is general enough to
// hold on other pages; rank-ways.ts tests them.
import { collapseSpaces } from '../../content/parse-tree.ts'
import { boxAfter, matchesOf } from './follow-ways.ts'
import { classesOf, type PageIndex } from './index-page.ts'
import type { DataPlace, ElementPlace } from './locate-values.ts'
import type { Way } from './program-types.ts'
import { squeezeText } from './squeeze-text.ts'

/** Names of styles and states, not of content. */
const STYLE_NAME =
  /^(?:(?:sm|md|lg|xl|xs|hover|focus|max|min)[:_-]|-?(?:m|p)[trblxy]?-|(?:col|row|grid|flex|float|align|justify|text|font|bg|border|w|h|z|gap|d|clear|clearfix|hidden|visible|active|selected|first|last|odd|even|current|open|show|fade|in|lazy|lazyload(?:ed)?|loaded|no|is|has|js)(?:-|$))/i
/** A build's hash: digits among letters, or letters of both cases without order. */
const HASH = /\d[a-z]|[a-z]\d[a-z\d]{2}|\d{2}|[A-Z]{2}[a-z][A-Z]|[a-z][A-Z][a-z]?[A-Z][a-z]?[A-Z]|[:[\]()/!@%#&.,]/
/** CSS modules write a lasting name before the hash: `Card_title__x1Y2z`. */
const MODULE_NAME = /^([A-Za-z][A-Za-z-]{2,}(?:[_-]{1,2}[A-Za-z][A-Za-z-]{2,})*_{1,2})[\w-]{4,8}$/

const escapeName = (name: string): string => name.replace(/[^\w-]/g, '\\$&')
const isLasting = (name: string): boolean =>
  name.length > 1 && name.length <= 60 && !HASH.test(name) && !STYLE_NAME.test(name) && /^[\p{L}_-]/u.test(name)

const NAMING_ATTRIBUTES = [
  'itemprop',
  'property',
  'name',
  'rel',
  'data-testid',
  'data-test',
  'data-qa',
  'data-field',
  'role',
  'typeof',
  'headers',
]

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
  found.push({ css: name, trust: /^(?:h1|address|time|figcaption|blockquote|main|article)$/.test(name) ? 0.7 : 0.4 })
  compounds.set(element, found)
  return found
}

const MAX_UP = 7
const MAX_OWN = 5

/** Selectors that match the element, with those for it alone first. */
export function proposeSelectors(page: PageIndex, index: number, top = -1): Compound[] {
  const found: Compound[] = []
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
  return found.filter(({ css }, n) => found.findIndex((one) => one.css === css) === n)
}

/** Ways to one element place. */
export function proposeElementWays(page: PageIndex, place: ElementPlace, scope?: number): Way[] {
  const ways: Way[] = []
  const { take, after, before, as, isPart } = place
  const rest = {
    ...(take ? { take } : {}),
    ...(after ? { after } : {}),
    ...(before ? { before } : {}),
    ...(as ? { as } : {}),
  }
  const top = scope ?? -1
  for (const index of new Set([place.inner, place.index])) {
    for (const { css, trust } of proposeSelectors(page, index, top)) {
      const matches = matchesOf(page, css, scope)
      const at = matches.indexOf(index)
      if (at < 0 || matches.length > 40 || (at > (scope === undefined ? 3 : 12) && at < matches.length - 1)) continue
      // A way that also fits other places is less specific.
      // Inside a record, a position says as much as a name does on a page.
      const specific = matches.length === 1 ? 1 : at === 0 ? 0.9 : scope === undefined ? 0.55 : 0.85
      const base = scope === undefined ? trust : Math.max(trust, 0.65)
      const nth = at === 0 ? {} : { nth: at === matches.length - 1 && at > 2 ? -1 : at }
      const loss =
        (place.isFar ? 0.9 : 1) *
        (isPart ? 0.85 : 1) *
        (take && take !== '@href' && take !== '@src' && take !== '@content' ? 0.85 : 1)
      ways.push({ css, ...nth, ...rest, trust: round(base * specific * loss) })
    }
  }
  if (!take) ways.push(...proposeLabels(page, place, scope).map((way) => ({ ...way, ...(as ? { as } : {}) })))
  return ways
}

export const round = (value: number): number => Math.round(value * 100) / 100

const MAX_LABEL = 50

/** The text before the value, where it reads like a label. */
function proposeLabels(
  page: PageIndex,
  { index, inner, after, isPart }: ElementPlace,
  scope: number | undefined,
): Way[] {
  if (isPart && !after) return []
  const ways: Way[] = []
  const first = isPart ? undefined : page.runAfter(page.from[index]!)
  const run = isPart ? page.runAfter(page.from[inner]!) + 1 : first!
  const label = page.runs[run - 1]
  if (!label || (scope !== undefined && !page.isWithin(label.owner, scope))) return []
  const text = collapseSpaces(page.text.slice(label.from, label.to))
  // A neighbour in a row of equals is no label.
  if (!isPart && signatureOf(page, label.owner) === signatureOf(page, inner)) return []
  const words = text.replace(/[:：]\s*$/u, '').trim()
  if (!/\p{L}{2}/u.test(words) || words.length > MAX_LABEL || words.split(' ').length > 6) return []
  const runs = page.runsBy(squeezeText(words))
  const at = runs.indexOf(run - 1)
  if (at < 0 || runs.length > 5) return []
  const box = boxAfter(page, run - 1)
  if (!box) return []
  const isDeclared = /^(?:dt|th|label)$/.test(page.elements[label.owner]!.name)
  const isSaid = /[:：]\s*$/u.test(text)
  ways.push({
    label: words,
    ...(at > 0 ? { nth: at } : {}),
    trust: round((isDeclared ? 0.9 : isSaid ? 0.85 : 0.75) * (at > 0 ? 0.8 : 1)),
  })
  return ways
}

const signatureOf = (page: PageIndex, index: number): string =>
  `${page.elements[index]!.name} ${page.elements[index]!.attribs.class ?? ''}`

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

// A part of a page (the whole of it, one card, one row of a table), opened for questions: what is labelled how, what its
// elements are called, its headings, links, pictures and times.
import type { AnyNode, Element } from 'domhandler'
import { flatText, isElement } from '../../content/tree.ts'
import { groupsIn } from '../facts/groups.ts'
import { headedPairs } from '../facts/headed.ts'
import { type Line, readLines } from '../facts/lines.ts'
import { type Pair, pairsIn } from '../facts/pairs.ts'
import { crossPairs, type DataTable, tableOf, tablePairs } from '../facts/tables.ts'
import { labelPhrase, tokensOf } from './words.ts'

/** Nodes before and after the main heading within which something is about the same thing. */
export const NEAR_BEFORE = 25
export const NEAR_AFTER = 150

export interface SeenElement {
  element: Element
  at: number
  isMain: boolean
}

export interface Heading extends SeenElement {
  level: number
  text: string
}

export interface PagePart {
  /** Labelled values by the phrase of their label. */
  pairs: ReadonlyMap<string, readonly Pair[]>
  /** Elements by the phrases of their class, id and the like. */
  named(phrase: string): readonly SeenElement[]
  lines: readonly Line[]
  headings: readonly Heading[]
  /** The heading of what the page is about. */
  main?: Heading
  /** Where so much was said after the main heading that what follows may be about anything. */
  nearEnd?: number
  tables: readonly DataTable[]
  elements: readonly SeenElement[]
  groups(): ReturnType<typeof groupsIn>
  /** What was made of this part once, for everyone who asks again. */
  memo<Value>(name: string, make: () => Value): Value
  /** A card or a row: small, and about one thing. */
  isSmall: boolean
  /** Texts and addresses that every card of a list has: none of them tells one card from another. */
  common?: ReadonlySet<string>
  /** Where the page lives. */
  address?: string
  /** What its head calls it. */
  title?: string
}

export interface PagePartOptions {
  isCut(element: Element): boolean
  /** The heading of what the page is about; what stands around it counts as main content. */
  main?(headings: readonly Heading[], lines: readonly Line[]): Heading | undefined
  address?: string
  title?: string | undefined
  /** What classes and ids speak of, as far as known. */
  classes: Map<string, readonly string[]>
}

export const openScope = (root: AnyNode, options: PagePartOptions): PagePart => open(root, options, false)

/** A card, a row, a part of the page that is about one thing. */
export const openPart = (
  root: AnyNode,
  classes: PagePartOptions['classes'],
  common?: ReadonlySet<string>,
): PagePart => ({
  ...open(root, { isCut: () => false, classes }, true),
  ...(common ? { common } : {}),
})

function open(
  root: AnyNode,
  { isCut, main: choose, address, title, classes }: PagePartOptions,
  isSmall: boolean,
): PagePart {
  const { lines, elements } = readLines(root, isCut)
  const headings: Heading[] = []
  const tables: DataTable[] = []
  for (const { element, at, isMain } of elements) {
    if (/^h[1-6]$/.test(element.name)) {
      const text = shownText(element)
      if (text) headings.push({ element, at, isMain, level: Number(element.name[1]), text })
    } else if (element.name === 'table') {
      const table = tableOf(element, isMain, at)
      if (table) tables.push(table)
    }
  }
  admit(headings, lines)
  const main = choose?.(headings, lines)
  if (main) {
    promote(lines, main)
    promote(elements, main)
  }
  let groups: ReturnType<typeof groupsIn> | undefined
  return {
    pairs: byLabel([
      ...pairsIn(lines),
      ...headedPairs(lines),
      ...tables.flatMap(tablePairs),
      ...tables.flatMap(crossPairs),
    ]),
    named: namedIn(elements, classes),
    lines,
    headings,
    tables,
    elements,
    groups() {
      groups ??= groupsIn(elements)
      return groups
    },
    memo: memory(),
    isSmall,
    ...(main ? { main, nearEnd: endOfNear(lines, main) } : {}),
    ...(address ? { address } : {}),
    ...(title ? { title } : {}),
  }
}

function memory(): PagePart['memo'] {
  const kept = new Map<string, unknown>()
  return <Value>(name: string, make: () => Value): Value => {
    if (!kept.has(name)) kept.set(name, make())
    return kept.get(name) as Value
  }
}

const NEAR_CHARS = 2500

function endOfNear(lines: readonly Line[], main: Heading): number {
  let chars = 0
  for (const { text, at, isMain } of lines) {
    if (at <= main.at || !isMain) continue
    chars += text.length
    if (chars > NEAR_CHARS) return at
  }
  return Number.POSITIVE_INFINITY
}

const RIGHT_AFTER = 12

/** A heading that was cut while what stands before and after it was kept heads what was kept. */
function admit(headings: readonly Heading[], lines: readonly Line[]): void {
  for (const heading of headings) {
    if (heading.isMain) continue
    const from = firstAt(lines, heading.at)
    const isAfterMain = lines[from - 1]?.isMain || lines[from - 2]?.isMain
    const next = lines.slice(from, from + 3).find(({ text, isMain }) => isMain && text !== heading.text)
    if (isAfterMain && next && next.at < heading.at + RIGHT_AFTER) heading.isMain = true
  }
}

const FURNITURE = new Set(['nav', 'footer', 'aside'])

/** What stands close around the main heading is about the same thing, whatever was cut from the text: a price, a byline. */
function promote(
  all: readonly { at: number; isMain: boolean; block?: Element | undefined; element?: Element }[],
  main: Heading,
): void {
  const around = new Set<unknown>()
  for (let up = main.element.parent; up && around.size < 600; up = up.parent) around.add(up)
  for (const one of all) {
    if (one.isMain || one.at < main.at - NEAR_BEFORE || one.at > main.at + NEAR_AFTER) continue
    if (!isFurniture(one.block ?? one.element, around)) one.isMain = true
  }
}

const FURNITURE_NAME =
  /(?:^|[\s_-])(?:sidebar|side-bar|widget|ads?|advert\w*|banner|promo|related|recommend\w*|menu|nav|navbar|navigation|footer|cookie|newsletter|social|share|cart|similar|carousel)(?:$|[\s_-])/i

function isFurniture(element: Element | undefined, around: ReadonlySet<unknown>): boolean {
  let up = element
  for (let steps = 0; up && steps < 30 && !around.has(up); steps++) {
    if (FURNITURE.has(up.name) || up.attribs.role === 'navigation') return true
    if (FURNITURE_NAME.test(`${up.attribs.class ?? ''} ${up.attribs.id ?? ''}`.slice(0, 300))) return true
    up = isElement(up.parent) ? up.parent : undefined
  }
  return false
}

const NOTHING = {
  named: () => [],
  lines: [],
  headings: [],
  tables: [],
  elements: [],
  groups: () => [],
  isSmall: true,
} as const

/** A row of a table: each cell under the heading of its column. */
export function rowScope(headers: readonly string[], cells: readonly Element[]): PagePart {
  const pairs = headers.flatMap((label, n): Pair[] => {
    const element = cells[n]
    const value = element && flatText(element, 1000)
    return element && value ? [{ label, value, element, isMain: true, at: n, trust: 1 }] : []
  })
  return { ...NOTHING, pairs: byLabel(pairs), memo: memory() }
}

/** What stands between two places, as a part of its own. */
export function slice(scope: PagePart, from: number, to: number, classes: PagePartOptions['classes']): PagePart {
  const between = <T extends { at: number }>(all: readonly T[]): T[] => all.slice(firstAt(all, from), firstAt(all, to))
  const lines = between(scope.lines)
  const elements = between(scope.elements)
  const tables = between(scope.tables)
  return {
    ...NOTHING,
    pairs: byLabel([...pairsIn(lines), ...tables.flatMap(tablePairs)]),
    named: namedIn(elements, classes),
    lines,
    headings: between(scope.headings),
    tables,
    elements,
    memo: memory(),
  }
}

/** Where in a list that is in the order of the page a place begins. */
export function firstAt(all: readonly { at: number }[], place: number): number {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (all[middle]!.at < place) low = middle + 1
    else high = middle
  }
  return low
}

/** A heading's words; what a drawing in it is called is not one of them. */
function shownText(element: Element): string {
  const { lines } = readLines(element, () => false)
  return lines
    .map(({ text }) => text)
    .join(' ')
    .replace(/\s*[¶§#🔗]+$/u, '')
    .slice(0, 400)
}

function byLabel(pairs: readonly Pair[]): Map<string, Pair[]> {
  const found = new Map<string, Pair[]>()
  for (const pair of pairs) {
    const phrase = labelPhrase(pair.label)
    if (phrase === '' || pair.value === '') continue
    const known = found.get(phrase)
    if (known) known.push(pair)
    else found.set(phrase, [pair])
  }
  return found
}

const NAMING = 'class id itemprop data-testid data-test data-qa data-field data-name rel'.split(' ')
/** Words in class names that speak of looks and places, not of what stands there. */
const STYLE_WORDS = new Set(
  'wrapper wrap container inner outer box block text txt value val content item row col column cell grid card list large small big bold xs sm md lg xl primary secondary main js u c o is has css sc component module widget element section area field tag prod loop woocommerce shop listing tile teaser feed thumb display desktop mobile left right top bottom center wrapper view single entry post product page detail info meta data label article line group holder span div'.split(
    ' ',
  ),
)
const MAX_NAMES = 40_000

/** Read when first asked for. */
function namedIn(elements: readonly SeenElement[], classes: PagePartOptions['classes']): PagePart['named'] {
  let names: Map<string, SeenElement[]> | undefined
  return (phrase) => {
    names ??= namesOf(elements, classes)
    return names.get(phrase) ?? []
  }
}

function namesOf(elements: readonly SeenElement[], memory: PagePartOptions['classes']): Map<string, SeenElement[]> {
  const names = new Map<string, SeenElement[]>()
  let count = 0
  for (const seen of elements) {
    const { attribs } = seen.element
    const phrases = new Set<string>()
    for (const attribute of NAMING) {
      const given = attribs[attribute]
      if (!given) continue
      const known = memory.get(given) ?? phrasesOfName(given)
      memory.set(given, known)
      for (const phrase of known) phrases.add(phrase)
    }
    for (const phrase of phrases) {
      if (++count > MAX_NAMES) return names
      const found = names.get(phrase)
      if (found) found.push(seen)
      else names.set(phrase, [seen])
    }
  }
  return names
}

/** `product-card__price--sale` speaks of a price; `text-lg mt-4` speaks of nothing. */
function phrasesOfName(given: string): string[] {
  const phrases = new Set<string>()
  for (const word of given.slice(0, 300).split(/\s+/, 12)) {
    const [block = '', element = ''] = word.split('__')
    const tokens = tokensOf((element || block).split('--')[0] ?? '').filter((token) => !/\d/.test(token))
    const telling = tokens.filter((token) => !STYLE_WORDS.has(token))
    if (tokens.length > 0 && tokens.length <= 4) phrases.add(tokens.join(' '))
    if (telling.length > 0 && telling.length <= 3) phrases.add(telling.join(' '))
  }
  return [...phrases]
}

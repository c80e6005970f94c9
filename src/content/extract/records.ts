// Lists of objects: every place on the page that holds many of a kind is tried on a few of its items, and the one whose
// items answer best is read in full.
import type { Element } from 'domhandler'
import { collapse, findElement, isElement, textOf } from '../tree.ts'
import { fillObject, type Report } from './fill.ts'
import type { Ground } from './ground.ts'
import type { Places } from './places.ts'
import { openScope, rowScope, type Scope } from './scope.ts'
import type { Shape } from './shape.ts'
import { dataListsIn } from './state-lists.ts'
import { type Data, inData, isData } from './things.ts'
import { conceptsOf } from './vocabulary.ts'
import type { Wanted } from './wanted.ts'
import { labelPhrase, tokensOf } from './words.ts'

const MAX_ITEMS = 500
const MAX_SOURCES = 30
const SAMPLE = 3

/** A place that holds many: each item as the places its fields may lie in. */
interface Source {
  items: readonly (() => Places)[]
  /** Added to how well its items answer, out of 1. */
  bonus: number
  /** The page says that these are what the field asks for. */
  isNamed: boolean
  isData: boolean
}

export function recordsFor(
  wanted: Wanted,
  items: Shape,
  places: Places,
  ground: Ground,
  path: string,
  report: Report,
  owner: Shape,
): unknown[] | undefined {
  const sources = [
    ...fromData(wanted, places, ground),
    ...fromThings(wanted, places),
    ...fromStates(items, places, ground),
    ...fromPage(wanted, places, ground),
  ]
  // A page that is asked for little else is a list; on another, a list that nobody named belongs to something else.
  const isOnly = owner.fields.filter(({ shape }) => shape.kind === 'array').length <= 1
  let best: { source: Source; score: number } | undefined
  for (const source of sources.slice(0, MAX_SOURCES)) {
    if (!source.isNamed && !source.isData && !isOnly) continue
    const score = answers(source, items, ground) + source.bonus
    if (score < (source.isNamed || source.isData ? 0.5 : 0.75)) continue
    if (!best || score > best.score) best = { source, score }
  }
  if (!best) return undefined
  report.sources[path] = best.source.isData ? 'data' : 'cards'
  const records: unknown[] = []
  const known = new Set<string>()
  const names = items.fields.find(({ name, shape }) => ground.wanted(name, shape).concepts[0]?.id === 'name')?.name
  for (const item of best.source.items.slice(0, MAX_ITEMS)) {
    const own: Report = { missing: [], sources: {} }
    const { value, found } = fillObject(items, item(), ground, `${path}[]`, own)
    if (found === 0 || (names && (value[names] ?? null) === null)) continue
    const text = JSON.stringify(value)
    if (known.has(text)) continue
    known.add(text)
    records.push(value)
    for (const missing of own.missing) if (!report.missing.includes(missing)) report.missing.push(missing)
  }
  return records.length > 0 ? records : undefined
}

/** The share of fields that a few items answer. */
function answers({ items }: Source, shape: Shape, ground: Ground): number {
  const sample = items.slice(0, SAMPLE)
  if (sample.length === 0 || shape.fields.length === 0) return 0
  const shares = sample.map((item) => {
    const { found, asked } = fillObject(shape, item(), ground, '', { missing: [], sources: {} })
    return found / asked
  })
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

const ofData = (list: readonly unknown[], bonus: number, isNamed: boolean): Source => ({
  items: list.map((one) => () => ({
    data: isData(one) ? [unwrapped(one)] : [{ name: one }],
    scope: undefined,
    page: undefined,
    around: [],
  })),
  bonus,
  isNamed,
  isData: true,
})

/** An item of a list that only says where it stands is what it holds. */
const unwrapped = (data: Data): Data => (isData(data.item) ? { ...data.item, position: data.position } : data)

/** Lists whose name in schema.org is not the one people ask with. */
const LIST_PATHS: Readonly<Record<string, readonly string[]>> = {
  review: ['review', 'reviews'],
  variant: ['hasVariant', 'offers.offers', 'offers', 'model'],
  offer: ['offers.offers', 'offers'],
  faq: ['mainEntity'],
  question: ['mainEntity'],
  breadcrumb: ['itemListElement'],
  instruction: ['recipeInstructions', 'step'],
  step: ['recipeInstructions', 'step'],
  episode: ['episode', 'containsSeason.episode'],
  track: ['track.itemListElement', 'track'],
  chapter: ['hasPart'],
  speaker: ['performer', 'actor'],
  comment: ['comment'],
  hour: ['openingHoursSpecification'],
  answer: ['suggestedAnswer', 'acceptedAnswer'],
}

function fromData(wanted: Wanted, { data, page }: Places, ground: Ground): Source[] {
  const lists: Source[] = []
  const add = (value: unknown, bonus: number) => {
    const list = Array.isArray(value)
      ? value
      : isData(value) && Array.isArray(value.itemListElement)
        ? value.itemListElement
        : isData(value)
          ? [value]
          : []
    if (list.some(isData)) lists.push(ofData(list, bonus, true))
  }
  const all = [...data, ...(page?.facts.things ?? [])].slice(0, 60)
  for (const one of all) {
    for (const { value } of inData(one, wanted, ground)) add(value, 0.2)
    for (const word of wanted.phrases.flatMap((phrase) => phrase.split(' ')))
      for (const path of LIST_PATHS[word] ?? []) {
        if (word === 'breadcrumb' && !String(one['@type']).includes('BreadcrumbList')) continue
        let value: unknown = one
        for (const step of path.split('.')) value = isData(value) ? value[step] : undefined
        add(value, 0.2)
      }
  }
  return lists
}

/** Several objects of one sort, or the items of a list object. */
function fromThings(wanted: Wanted, { page }: Places): Source[] {
  if (!page) return []
  const bySort = new Map<string, Data[]>()
  const sources: Source[] = []
  for (const thing of page.facts.things) {
    const sort = thing['@type'].join(' ')
    bySort.set(sort, [...(bySort.get(sort) ?? []), thing])
    const list = thing.itemListElement
    if (Array.isArray(list) && list.length > 1 && sort !== 'BreadcrumbList') sources.push(ofData(list, 0.15, false))
  }
  for (const [sort, list] of bySort)
    if (list.length > 1 && sort !== '')
      sources.push(
        ofData(
          list,
          0.12,
          tokensOf(sort).some((word) => wanted.phrases[0]?.includes(word)),
        ),
      )
  return sources
}

function fromStates(items: Shape, { page }: Places, ground: Ground): Source[] {
  if (!page) return []
  return dataListsIn(page.facts.states, items, ground).map((list) => ofData(list, 0.05, false))
}

function fromPage(wanted: Wanted, { scope }: Places, ground: Ground): Source[] {
  if (!scope || scope.isSmall) return []
  const cards = scope
    .groups()
    .map((group) => ({ ...group, size: sizeOf(group.items) }))
    .filter(({ items, size }) => items.length >= 2 && size > 8)
  const places = new Map(scope.elements.map(({ element, at }) => [element, at]))
  const under = (item: Element): string | undefined => {
    const at = places.get(item) ?? 0
    const own = findElement(item, ({ name }) => /^h[1-6]$/.test(name), 100)?.name[1] ?? '7'
    return scope.headings
      .filter((heading) => heading.at < at && heading.level > 1 && heading.level < Number(own))
      .at(-1)?.text
  }
  const named = (element: Element, at: number, more = '') => isNamed(scope, element, at, wanted, ground, more)
  const ofCards = cards.map(({ items, parent, isMain, at, size }): Source & { rank: number } => {
    const says = named(parent, at) || nameOf(items[0]!, wanted)
    return {
      items: items.map((item) => () => ({
        data: [],
        scope: openScope(item, () => false, true),
        page: undefined,
        around: [],
        under: under(item),
      })),
      bonus: (says ? 0.25 : 0) + (isMain ? 0.1 : 0) + Math.min(0.05, items.length / 200),
      isNamed: says,
      isData: false,
      rank: (says ? 1e6 : 0) + (isMain ? 1e5 : 0) + Math.min(99_999, size * Math.sqrt(items.length)),
    }
  })
  const ofTables = scope.tables
    .filter(({ headers, rows }) => headers.length > 1 && rows.length > 0)
    .map(({ element, headers, rows, isMain, at, caption }): Source & { rank: number } => {
      const says = named(element, at, caption)
      return {
        items: rows.map((cells) => () => ({ data: [], scope: rowScope(headers, cells), page: undefined, around: [] })),
        bonus: (says ? 0.25 : 0) + (isMain ? 0.15 : 0),
        isNamed: says,
        isData: false,
        rank: 2e6,
      }
    })
  return [...ofCards, ...ofTables].sort((a, b) => b.rank - a.rank).slice(0, MAX_SOURCES)
}

function sizeOf(items: readonly Element[]): number {
  const sample = items.slice(0, SAMPLE).map((item) => textOf(item, 300).trim().length)
  return (sample.reduce((sum, size) => sum + size, 0) / sample.length) * Math.min(items.length, 50)
}

/** A class or id of the box, its caption, or the heading before it carries the field's name. */
function isNamed(scope: Scope, element: Element, at: number, wanted: Wanted, ground: Ground, more: string): boolean {
  let box: Element | undefined = element
  for (let steps = 0; box && steps < 3; steps++) {
    if (nameOf(box, wanted)) return true
    box = isElement(box.parent) && !['body', 'main', 'html'].includes(box.parent.name) ? box.parent : undefined
  }
  const heading = scope.headings.filter((one) => one.at < at + 3).at(-1)
  return [more, heading && at - heading.at < 60 ? heading.text : ''].some((text) => {
    const phrase = labelPhrase(collapse(text))
    if (phrase === '') return false
    const [id] = wanted.concepts
    return (
      wanted.phrases.some((one) => ` ${phrase} `.includes(` ${one} `)) ||
      (id !== undefined && conceptsOf(phrase).includes(id.id)) ||
      ground.phrase(wanted.name) === phrase
    )
  })
}

function nameOf({ attribs }: Element, { phrases }: Wanted): boolean {
  const names = [attribs.class, attribs.id, attribs['data-testid'], attribs['aria-label']].filter(Boolean).join(' ')
  if (names === '') return false
  const tokens = ` ${tokensOf(names).join(' ')} `
  return phrases.some((phrase) => phrase.length > 2 && tokens.includes(` ${phrase} `))
}

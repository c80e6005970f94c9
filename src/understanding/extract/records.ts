// Lists of objects: every place on the page that holds many of a kind is tried on a few of its items, and the one whose
// items answer best is read in full.

import type { Data, FieldContext, WantedField } from './asking.ts'
import { shownLists } from './card-sources.ts'
import { fieldThat } from './context.ts'
import type { Fill, Report } from './filling.ts'
import { eachDay } from './hours-list.ts'
import { belonging, boxesOf, isThin, type PlacedFields } from './kindred.ts'
import { type FilledRow, fillDenied, fillLeftover } from './leftovers.ts'
import { type Places, placesIn } from './places.ts'
import type { Shape } from './shape.ts'
import type { ItemSource } from './source.ts'
import { dataListsIn } from './state-lists.ts'
import { inData, isData } from './things.ts'
import { tokensOf } from './words.ts'

const MAX_ITEMS = 500
const MAX_SOURCES = 30
const SAMPLE = 3
/** Places that are read before the list is given up. */
const MAX_READ = 3

export function recordsFor(
  fill: Fill,
  wanted: WantedField,
  items: Shape,
  places: Places,
  ground: FieldContext,
  path: string,
  report: Report,
  owner: Shape,
): unknown[] | undefined {
  const sources = [
    ...fromData(wanted, places, ground),
    ...fromThings(wanted, places),
    ...fromStates(items, places, ground),
    ...shownLists(wanted, items, places, ground),
  ]
  // A page that is asked for little else is a list; on another, a list that nobody named belongs to something else.
  const isOnly = owner.fields.filter(({ shape }) => shape.kind === 'array').length <= 1
  const rated: { source: ItemSource; score: number }[] = []
  for (const source of sources.slice(0, MAX_SOURCES)) {
    const isRich = items.fields.length > 2
    if (!source.isNamed && !isOnly && !isRich) continue
    const { share, sure } = answers(fill, source, items, ground)
    if (!source.isNamed && !isOnly && !source.isData && share < RICH) continue
    if (share + source.bonus >= barOf(source)) rated.push({ source, score: share + source.bonus - (1 - sure) * UNSURE })
  }
  rated.sort((a, b) => b.score - a.score)
  // Of places that answer equally well the one with more items is the whole of which others are a part.
  const equals = rated.filter(({ score }) => score > rated[0]!.score - EQUAL)
  const most = equals.reduce((a, b) => (b.source.items.length > a.source.items.length ? b : a), equals[0]!)
  if (most) rated.sort((a, b) => Number(b === most) - Number(a === most))
  for (const { source } of rated.slice(0, MAX_READ)) {
    const own: Report = { missing: [], sources: {} }
    const list = read(fill, source, items, ground, path, own)
    if (!list) continue
    report.missing.push(...own.missing)
    report.sources[path] = source.isData ? 'data' : 'cards'
    return opensThread(source, wanted) ? list.slice(1) : list
  }
  return undefined
}

/** Posts that are not called replies begin with the one that is replied to. */
function opensThread({ cards }: ItemSource, { phrases }: WantedField): boolean {
  const [first] = cards ?? []
  if (!first || !/^(?:reply|response)$/.test(phrases[0] ?? '')) return false
  const names = [first, first.parent].map((one) =>
    one && 'attribs' in one ? Object.values(one.attribs).join(' ') : '',
  )
  return !/repl(?:y|ies)|comment|answer|response/i.test(names.join(' ').slice(0, 500))
}

/** What answers nearly all of several fields needs no name to be what is asked for. */
const RICH = 0.8
const EQUAL = 0.02

/** How much less a place counts whose answers are unsure: a heading says a name better than any first line. */
const UNSURE = 0.5

function read(
  fill: Fill,
  source: ItemSource,
  shape: Shape,
  ground: FieldContext,
  path: string,
  report: Report,
): unknown[] | undefined {
  const names = fieldThat('isName', shape.fields, ground)?.name
  const more = fieldThat('isMoreThanName', shape.fields, ground)?.name
  const asked = fieldThat('isQuestion', shape.fields, ground)?.name
  // The same link or text twice is one thing shown twice; the same person may well speak twice.
  const tells = fieldThat('tellsApart', shape.fields, ground)
  const boxes = source.cards && boxesOf(source.cards)
  const rows: (FilledRow & PlacedFields & { own: Report })[] = []
  const known = new Set<string>()
  for (const [n, item] of source.items.slice(0, MAX_ITEMS).entries()) {
    const own: Report = { missing: [], sources: {} }
    const places = item()
    const { value, found } = fill(shape, places, ground, `${path}[]`, own)
    if (found === 0 || (names && (value[names] ?? null) === null)) continue
    if (names && more) undouble(value, names, more)
    const text = asked ? wordOf(value[asked]) : tells ? JSON.stringify(value) : ''
    if (text !== '' && known.has(text)) continue
    known.add(text)
    rows.push({ value, found, own, scope: places.scope, box: boxes?.get(source.cards![n]!) })
  }
  const kept = belonging(rows)
  // One card of several that answers is not a list.
  if (!source.isData && source.items.length > 1 && kept.length === 1) return undefined
  // Boxes of which most are called the same are parts of something.
  const called = new Set(kept.map(({ value }) => (names ? value[names] : undefined)))
  if (names && !source.isData && kept.length > 3 && called.size < kept.length / 2) return undefined
  // What somebody said is not what something is called.
  if (names && kept.filter(({ value }) => /^[“"«„]/u.test(String(value[names]))).length > kept.length / 2)
    return undefined
  // A list of questions asks.
  if (asked && kept.filter(({ value }) => /[?？]/u.test(String(value[asked]))).length < kept.length / 2)
    return undefined
  fillLeftover(kept, shape, ground)
  fillDenied(kept, shape)
  const told = kept.map(({ value }) => ({ found: Object.values(value).filter((one) => one !== null).length }))
  if (!source.isData && isThin(told, shape.fields.length, source.isNamed)) return undefined
  for (const { own } of kept)
    for (const missing of own.missing) if (!report.missing.includes(missing)) report.missing.push(missing)
  return kept.length > 0 ? kept.map(({ value }) => value) : undefined
}

const MAX_MORE = 15

/** A description that only says the name again is none. */
function undouble(value: Record<string, unknown>, name: string, more: string): void {
  if (typeof value[more] !== 'string') return
  const [said, title] = [wordOf(value[more]), wordOf(value[name])]
  if (said.startsWith(title) && said.length <= title.length + MAX_MORE) delete value[more]
}

/** What nobody named must answer nearly all that is asked, and outside of the content everything. */
function barOf({ isNamed, isData, isMain }: ItemSource): number {
  if (isNamed) return 0.65
  return isData ? 0.75 : isMain ? 0.85 : 0.95
}

/** The share of fields that a few items answer, and how surely. */
function answers(
  fill: Fill,
  { items }: ItemSource,
  shape: Shape,
  ground: FieldContext,
): { share: number; sure: number } {
  const sample = items.slice(0, SAMPLE)
  if (sample.length === 0 || shape.fields.length === 0) return { share: 0, sure: 0 }
  let [found, sure] = [0, 0]
  for (const item of sample) {
    const filled = fill(shape, item(), ground, '', { missing: [], sources: {} })
    found += filled.found
    sure += filled.sure
  }
  return { share: found / sample.length / shape.fields.length, sure: found > 0 ? sure / found : 0 }
}

/** Objects, which callers may ask for under any name, are no words. */
const wordOf = (value: unknown): string => (value !== null && typeof value === 'object' ? '' : String(value))

const ofData = (list: readonly unknown[], bonus: number, isNamed: boolean): ItemSource => ({
  items: list.map((one) => () => placesIn({ data: isData(one) ? [unwrapped(one)] : [{ name: one }] })),
  bonus,
  isNamed,
  isData: true,
  isMain: true,
})

/** An item of a list that only says where it stands is what it holds. */
const unwrapped = (data: Data): Data => (isData(data.item) ? { ...data.item, position: data.position } : data)

/** Lists whose name in schema.org is not the one people ask with. */
const LIST_PATHS: ReadonlyMap<string, readonly string[]> = new Map([
  ...'opinion opinione bewertung bewertungen avis recensioni valutazioni rezension'
    .split(' ')
    .map((word): [string, string[]] => [word, ['review']]),
  ['review', ['review', 'reviews']],
  ['variant', ['hasVariant', 'offers.offers', 'offers', 'model']],
  ['offer', ['offers.offers', 'offers']],
  ['ticket', ['offers']],
  ['faq', ['mainEntity']],
  ['question', ['mainEntity']],
  ['breadcrumb', ['itemListElement']],
  ['instruction', ['recipeInstructions', 'step']],
  ['step', ['recipeInstructions', 'step']],
  ['episode', ['episode', 'containsSeason.episode']],
  ['track', ['track.itemListElement', 'track']],
  ['chapter', ['hasPart']],
  ['speaker', ['performer', 'actor']],
  ['comment', ['comment']],
  ['download', ['distribution']],
  ['distribution', ['distribution']],
  ['resource', ['distribution']],
  ['hour', ['openingHoursSpecification']],
])

/** Answers of a question stand in two lists; which one says whether it was accepted. */
function answersOf(one: Data): Data[] {
  const listed = (value: unknown, isAccepted: boolean) =>
    [value]
      .flat()
      .filter(isData)
      .map((answer) => ({ ...answer, accepted: isAccepted }))
  return [...listed(one.acceptedAnswer, true), ...listed(one.suggestedAnswer, false)]
}

function fromData(wanted: WantedField, { data, page }: Places, ground: FieldContext): ItemSource[] {
  const lists: ItemSource[] = []
  const isEach = wanted.shape.items?.fields.some(({ name }) => /^(?:day|weekday|dayOfWeek)$/i.test(name)) === true
  const add = (value: unknown, bonus: number) => {
    const list = Array.isArray(value)
      ? value
      : isData(value) && Array.isArray(value.itemListElement)
        ? value.itemListElement
        : isData(value)
          ? [value]
          : []
    const parted = isEach ? eachDay(list) : list
    // Plain texts for objects of one field.
    const [only, more] = wanted.shape.items?.fields ?? []
    if (only && !more && parted.length > 1 && parted.every((one) => typeof one === 'string'))
      lists.push(
        ofData(
          parted.map((one) => ({ [only.name]: one })),
          bonus,
          true,
        ),
      )
    if (parted.some(isData)) lists.push(ofData(parted, bonus, true))
  }
  const all = [...new Set([...data, ...(page?.facts.things ?? [])])].slice(0, 60)
  for (const one of all) {
    // A publisher is one: only a list, or what carries the very name, is what a list asks for.
    for (const { value, score } of inData(one, wanted, ground))
      if (Array.isArray(value) || score >= NAMED) add(value, OWN_LIST)
    if (wanted.phrases.includes('answer')) add(answersOf(one), OWN_LIST)
    for (const word of wanted.phrases.flatMap((phrase) => phrase.split(' ')))
      for (const path of LIST_PATHS.get(word) ?? []) {
        if (word === 'breadcrumb' && !String(one['@type']).includes('BreadcrumbList')) continue
        let value: unknown = one
        for (const step of path.split('.')) value = isData(value) ? value[step] : undefined
        add(value, OWN_LIST)
      }
  }
  return lists
}

/** A list that an object of the page holds under the very name is surer than boxes that look alike. */
const OWN_LIST = 0.35
const NAMED = 0.97

/** Several objects of one sort, or the items of a list object. */
function fromThings(wanted: WantedField, { page }: Places): ItemSource[] {
  if (!page) return []
  const bySort = new Map<string, Data[]>()
  const sources: ItemSource[] = []
  for (const thing of page.facts.things) {
    const sort = thing['@type'].join(' ')
    if (isMenu(thing)) continue
    bySort.set(sort, [...(bySort.get(sort) ?? []), thing])
    const list = thing.itemListElement
    if (Array.isArray(list) && list.length > 1 && sort !== 'BreadcrumbList') sources.push(ofData(list, 0.15, false))
  }
  for (const [sort, list] of bySort)
    if (list.length > 1 && sort !== '')
      sources.push(
        // What describes itself as the very thing asked for is surer than any card.
        tokensOf(sort).some((word) => wanted.phrases[0]?.includes(word))
          ? ofData(list, 0.45, true)
          : ofData(list, 0.12, false),
      )
  return sources
}

/** The menu of a site described as data is still a menu. */
const isMenu = (thing: Data): boolean =>
  /Navigation|Menu$/.test(String(thing['@type'])) ||
  [thing.itemListElement]
    .flat()
    .slice(0, 3)
    .some((one) => isData(one) && /Navigation/.test(String(one['@type'])))

function fromStates(items: Shape, { page }: Places, ground: FieldContext): ItemSource[] {
  if (!page) return []
  return dataListsIn(page.facts.states, items, ground).map((list) => ofData(list, 0.05, false))
}

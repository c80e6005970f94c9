// Tests proposed ways on every taught page and orders them by trust. Learns a whole program from examples.
import { countEach, isObject } from '../../base/values.ts'
import { collapseSpaces } from '../../content/parse-tree.ts'
import { compareOnRecords } from './compare-records.ts'
import { findUnit, isSameValue } from './convert-value.ts'
import { findRecordParts } from './find-records.ts'
import { followWay, matchesOf } from './follow-ways.ts'
import type { PageIndex, Scope } from './index-page.ts'
import { marksAround } from './judge-fit.ts'
import { hasHeadings, isPlainList, learnSigns, lineBefore } from './list-items.ts'
import { locateInData, locateInElements } from './locate-values.ts'
import type { FieldProgram, FieldType, Program, ValueForm, Way } from './program-types.ts'
import { agreementOf, proposeListWays } from './propose-list-ways.ts'
import { proposeSignWays } from './propose-sign-ways.ts'
import { hasWordsOf, proposeDataWays, proposeElementWays, proposeWaysAbove, round } from './propose-ways.ts'
import {
  firstValue,
  isPositional,
  isTelling,
  joinPath,
  kindOfText,
  kindOfWay,
  listOf,
  readField,
  readRecord,
} from './read-with-program.ts'
import { shapeOfText, squeezeText } from './squeeze-text.ts'

export type TaughtPage = { page: PageIndex; data: unknown }

/** Ways of a field of records that are compared on other records. */
const MAX_PROPOSED = 40
/** Weaker ways are kept only when there is no stronger one. */
const MIN_TRUST = 0.45
const MAX_WAYS: Readonly<Record<string, number>> = { data: 3, element: 6, label: 2 }

export interface LearntProgram {
  program: Program
  /** Paths of taught values that stand nowhere in their page. */
  notFound: string[]
  /** Fields that a changed site gives in a new way. */
  healed?: string[]
}

/** Learns from one or several pages with their values; later pages test the ways of earlier ones. */
export function learnProgram(examples: readonly TaughtPage[], schema?: unknown): LearntProgram {
  const notFound: string[] = []
  for (const { page, data } of examples) findCentre(page, data)
  if (examples.some(({ data }) => Array.isArray(data))) {
    const lessons = examples.flatMap(({ page, data }) => (Array.isArray(data) ? [{ page, taught: data }] : []))
    const records = learnField(lessons, isObject(schema) ? schema : {}, '', notFound)
    const marks = marksOf(examples, records ? [records] : [])
    return { program: { records: records ?? null, fields: {}, marks }, notFound }
  }
  const names = [...new Set(examples.flatMap(({ data }) => (isObject(data) ? Object.keys(data) : [])))]
  const fields: Record<string, FieldProgram> = {}
  for (const name of names) {
    const lessons = examples.flatMap(({ page, data }) =>
      isObject(data) && name in data ? [{ page, taught: data[name] }] : [],
    )
    if (!lessons.some(({ taught }) => hasValue(taught))) continue
    const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {}
    const field = learnField(lessons, properties[name], name, notFound)
    if (field) fields[name] = field
  }
  preferMainType(Object.values(fields))
  for (const { page } of examples) markShared(page, fields, [undefined])
  return { program: { records: null, fields, marks: marksOf(examples, Object.values(fields)) }, notFound }
}

const hasValue = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

interface Lesson {
  page: PageIndex
  taught: unknown
  scope?: Scope
  /** Of a record: those of its page. */
  siblings?: readonly Scope[]
}

function learnField(lessons: readonly Lesson[], schema: unknown, path: string, notFound: string[]) {
  const positive = lessons.filter(({ taught }) => hasValue(taught))
  const [first] = positive
  if (!first) return undefined
  const { taught } = first
  if (Array.isArray(taught) && taught.some(isObject)) return learnRecords(positive, schema, path, notFound)
  const isList = Array.isArray(taught)
  const values = positive.flatMap((one) => one.taught)
  const field: FieldProgram = { type: isList ? 'list' : typeOf(taught, schema), ways: [] }
  if (isList)
    field.items = typeOf(taught[0], isObject(schema) ? schema.items : undefined) as NonNullable<FieldProgram['items']>
  const texts = values.map(String)
  field.seen = {
    longest: Math.max(...texts.map((text) => text.length)),
    ...(isList ? { items: Math.max(...positive.map((one) => (one.taught as unknown[]).length)) } : {}),
    missing: 0,
    shape: '',
  }
  const proposed = positive.flatMap(({ page, taught, scope }) =>
    Array.isArray(taught)
      ? proposeListWays(page, taught, scope)
      : proposeScalarWays(page, taught, scope, findUnit(schema)),
  )
  if (field.type === 'boolean')
    proposed.push(...proposeSignWays(positive, lastNameOf(path), toldTexts.get(first.page) ?? new Set()))
  if (proposed.length === 0 && first.scope && !isList)
    proposed.push(
      ...proposeWaysAbove(first.page, locateInElements(first.page, taught, undefined, findUnit(schema)), first.scope),
    )
  learnNoValues(proposed, field, lessons)
  if (isList && field.items === 'string') learnItems(proposed, field, first)
  const all = rankWays(proposed, field, lessons)
  const ranked = isList ? all : preferNamed(all, path)
  field.ways = first.scope ? ranked.slice(0, MAX_PROPOSED) : keepBest(ranked)
  const kinds = new Set(positive.map((one) => shapeSaid(one, field.ways[0])))
  field.seen.shape = new Set([...kinds].map(kindOfText)).size === 1 ? [...kinds][0]! : ''
  if (field.ways.length > 0) return field
  notFound.push(path)
  return undefined
}

const shapeSaid = ({ page, scope }: Lesson, way: Way | undefined): string => {
  const [found] = way && !way.take?.startsWith('@') ? followWay(page, way, scope) : []
  return found ? shapeOfText(String(found.said)) : ''
}

const MAX_NO_VALUE = 20

/** What a named place says where the taught record has no value: "n/a". */
function learnNoValues(proposed: Way[], field: FieldProgram, lessons: readonly Lesson[]): void {
  if (field.type !== 'string') return
  for (const { page, scope } of lessons.filter((one) => !hasValue(one.taught)))
    for (const way of proposed) {
      const isNamed = !isPositional(way) && /[.#[]/.test(way.label ?? way.css ?? '')
      const said = isNamed ? firstValue(page, way, field, scope)?.value : undefined
      if (typeof said === 'string' && said.length <= MAX_NO_VALUE) way.skip = [squeezeText(said)]
    }
}

function learnItems(proposed: Way[], field: FieldProgram, { page, taught, scope }: Lesson): void {
  const itemsOf = ({ css }: Way) => matchesOf(page, css!, scope).filter((index) => page.textOf(index) !== '')
  const [way] = proposed
    .filter((one) => isPlainList(one) && itemsOf(one).length > 1)
    .sort((a, b) => b.trust! - a.trust!)
  if (!way) return
  const items = itemsOf(way)
  const texts = (taught as unknown[]).map(String)
  const signs = learnSigns(page, items, texts)
  if (signs.length > 0) field.signs = signs
  if (!hasHeadings(page, items, texts)) return
  field.headings = true
  const above = lineBefore(page, items)
  if (above && !texts.some((text) => squeezeText(text) === above))
    for (const way of proposed) if (way.css !== undefined) way.skip = [...new Set([...(way.skip ?? []), above])]
}

const MAX_TRIED_RECORDS = 14
const MAX_PROBED = 60
const MAX_RECORD_WAYS = 4
/** A field that so many records have is expected in each. */
const USUAL = 0.9

/** Learns the fields relative to each likely part, and keeps the one by which most records are complete. */
function learnRecords(lessons: readonly Lesson[], schema: unknown, path: string, notFound: string[]) {
  const [first] = lessons
  if (!first) return undefined
  const { page } = first
  const records = (first.taught as unknown[]).filter(isObject).slice(0, 5)
  const properties = itemProperties(schema)
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))]
  let best: { field: FieldProgram; score: number; missing: string[]; key: string } | undefined
  const candidates = findRecordParts(page, records, first.scope)
  const tried = new Map<string, Way[]>()
  for (const { way, taught, all } of candidates) {
    const key = all.map(({ first, end }) => `${first}-${end}`).join(' ')
    const same = tried.get(key)
    if (same) same.push(way)
    if (same || tried.size >= MAX_TRIED_RECORDS) continue
    tried.set(key, [way])
    const probed = all.filter((scope, n) => taught.includes(scope) || n % Math.ceil(all.length / MAX_PROBED) === 0)
    const missing: string[] = []
    const fields: Record<string, FieldProgram> = {}
    for (const name of names) {
      const inner = records.flatMap((record, n): Lesson[] =>
        name in record ? [{ page, taught: record[name], scope: taught[n]!, siblings: probed }] : [],
      )
      if (!inner.some(({ taught }) => hasValue(taught))) continue
      const field = learnField(inner, properties[name], joinPath(path, name), missing)
      if (field) fields[name] = field
    }
    if (Object.keys(fields).length === 0) continue
    markShared(page, fields, taught)
    for (const [name, field] of Object.entries(compareOnRecords(page, fields, probed, taught)))
      fields[name] = keepGeneral(field)
    const read = probed.map((scope) => readRecord(page, fields, scope))
    const telling = names.filter((name) => fields[name] && isTelling(fields[name]))
    const counted = telling.length > 0 ? telling : names
    const filled = read.map((record) => counted.filter((name) => record[name]).length / counted.length)
    const complete = filled.filter((share) => share >= 0.5)
    const exact = records.map((record, n) => {
      const found = readRecord(page, fields, taught[n]!)
      return names.filter(
        (name) =>
          !hasValue(record[name]) ||
          (isTaught(page, found[name]?.value, record[name]) && !fields[name]?.ways.some(({ above }) => above)),
      ).length
    })
    const shares = complete.reduce((sum, share) => sum + share, 0)
    const score =
      shares *
      (shares / Math.max(1, complete.length)) ** 4 *
      Math.sqrt(complete.length / probed.length) *
      (Math.min(...exact) / names.length) ** 4 *
      shareAlike(page, probed, taught) ** 2
    if (best && score <= best.score * 1.02) continue
    for (const [name, field] of Object.entries(fields))
      field.usual = read.filter((record, n) => filled[n]! >= 0.5 && record[name]).length >= complete.length * USUAL
    best = { field: { type: 'records', ways: [way], fields }, score, missing, key }
  }
  notFound.push(...(best?.missing ?? [path]))
  if (!best) return undefined
  best.field.ways = tried
    .get(best.key)!
    .slice(0, MAX_RECORD_WAYS)
    .map((way) => ({ ...way, trust: round(Math.max(0.7, way.trust!)) }))
  return best.field
}

/** Records below the same tags as the taught ones: a box beside the list may have their form. */
function shareAlike(page: PageIndex, all: readonly Scope[], taught: readonly Scope[]): number {
  const pathOf = ({ first }: Scope) => {
    const names: string[] = []
    for (let index = page.parent[first]!; index >= 0; index = page.parent[index]!)
      names.push(page.elements[index]!.name)
    return names.join(' ')
  }
  const known = new Set(taught.map(pathOf))
  return all.filter((scope) => known.has(pathOf(scope))).length / all.length
}

const isTaught = (page: PageIndex, value: unknown, taught: unknown): boolean =>
  Array.isArray(taught)
    ? Array.isArray(value) && value.length > 0
    : isSameValue(value, taught) || (typeof taught === 'string' && isSameValue(value, page.resolve(taught)))

/** Fields that were taught at one place may be read at one place. */
function markShared(
  page: PageIndex,
  fields: Readonly<Record<string, FieldProgram>>,
  taught: readonly (Scope | undefined)[],
): void {
  for (const scope of taught) {
    const names = Object.keys(fields)
    const keys = names.map((name) => readField(page, fields[name]!, scope)?.key)
    for (const [n, name] of names.entries())
      if (keys[n] !== undefined && keys.filter((key) => key === keys[n]).length > 1) fields[name]!.shared = true
  }
}

const itemProperties = (schema: unknown): Record<string, unknown> =>
  isObject(schema) && isObject(schema.items) && isObject(schema.items.properties) ? schema.items.properties : {}

/** A field for all records: what one taught record looks like bounds the others less. */
function keepGeneral(field: FieldProgram): FieldProgram {
  if (field.type === 'records') return field
  const shape = field.seen ?? { longest: 0, missing: 0, shape: '' }
  const ways = field.ways.map((way) => ({ ...way, trust: round(way.trust!) })).sort((a, b) => b.trust - a.trust)
  return { ...field, seen: { ...shape, longest: shape.longest * 2 + 20 }, ways: keepBest(ways) }
}

function proposeScalarWays(page: PageIndex, taught: unknown, scope: Scope | undefined, unit: ValueForm | undefined) {
  if (isObject(taught)) return []
  const data = scope === undefined ? proposeDataWays(locateInData(page, taught, unit)) : []
  const places = locateInElements(page, taught, scope, unit)
  const ways = places.flatMap((place) => proposeElementWays(page, { ...place, isFar: isFar(page, place.inner) }, scope))
  // Another taught value before this one is no label of it.
  const others = toldTexts.get(page)
  return [...data, ...ways.filter(({ label }) => label === undefined || !others?.has(squeezeText(label)))]
}

const WINDOW = 3000
const centres = new WeakMap<PageIndex, number>()
const toldTexts = new WeakMap<PageIndex, ReadonlySet<string>>()

/** The part of the page where most fields stand: of several places of a value, the one beside the others is meant. */
function findCentre(page: PageIndex, data: unknown): void {
  const values = Object.values(isObject(data) ? data : {}).flatMap((one) =>
    Array.isArray(one) ? one.slice(0, 3) : one,
  )
  const told = (Array.isArray(data) ? data : values).flatMap((one: unknown) =>
    isObject(one) ? Object.values(one) : one,
  )
  toldTexts.set(page, new Set(told.map((one) => squeezeText(String(one)))))
  const positions = values
    .filter((one) => typeof one === 'string')
    .flatMap((one, n) => locateInElements(page, one).map(({ inner }) => ({ n, at: page.from[inner]! })))
    .sort((a, b) => a.at - b.at)
  let best = 0
  for (const { at } of positions) {
    const near = new Set(positions.filter((one) => one.at >= at && one.at < at + WINDOW).map(({ n }) => n))
    if (near.size > best && near.size > 2) {
      best = near.size
      centres.set(page, at)
    }
  }
}

function isFar(page: PageIndex, index: number): boolean {
  const centre = centres.get(page)
  const at = page.from[index]!
  return centre !== undefined && (at < centre - WINDOW / 3 || at > centre + WINDOW)
}

const typeOf = (taught: unknown, schema: unknown): FieldType => {
  if (typeof taught === 'boolean') return 'boolean'
  if (typeof taught === 'number')
    return isObject(schema) && [schema.type].flat().includes('integer') ? 'integer' : 'number'
  return 'string'
}

const OTHER_TYPE = 0.9

/** Data of the type that most fields are in describes the page's subject; an article around it has words of its own. */
function preferMainType(fields: readonly FieldProgram[]): void {
  const typesOf = ({ ways }: FieldProgram) =>
    new Set(ways.flatMap(({ data }) => (data ? /^[^.[]+/.exec(data)![0] : [])))
  const [main, second] = [...countEach(fields.flatMap((field) => [...typesOf(field)]))].sort(([, a], [, b]) => b - a)
  if (!main || main[1] === second?.[1]) return
  for (const field of fields) {
    if (!typesOf(field).has(main[0])) continue
    for (const way of field.ways)
      if (way.data && !way.data.startsWith(main[0])) way.trust = round(way.trust! * OTHER_TYPE)
    field.ways.sort((a, b) => b.trust! - a.trust!)
  }
}

const lastNameOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

const UNNAMED = 0.94

/** Of several places with the taught value, those that the page names as the caller names the field. */
function preferNamed(ranked: readonly Way[], path: string): Way[] {
  const name = lastNameOf(path)
  const isNamed = ({ data, path: inState, css, label }: Way): boolean =>
    hasWordsOf(name, label ?? /[^\s>]+$/.exec(css ?? data ?? inState ?? '')?.[0] ?? '')
  if (!ranked.some((way) => isNamed(way))) return [...ranked]
  return ranked
    .map((way) => (isNamed(way) ? way : { ...way, trust: round(way.trust! * UNNAMED) }))
    .sort((a, b) => b.trust! - a.trust!)
}

/** Ways that are right on most of the taught pages, best first. */
function rankWays(proposed: readonly Way[], field: FieldProgram, lessons: readonly Lesson[]): Way[] {
  const unique = new Map<string, Way>()
  for (const way of proposed) {
    const { trust: _trust, ...place } = way
    const key = JSON.stringify(place)
    const known = unique.get(key)
    if (!known || (known.trust ?? 0) < (way.trust ?? 0)) unique.set(key, way)
  }
  const ranked: Way[] = []
  for (const way of unique.values()) {
    let [right, wrong] = [0, 0]
    for (const { page, taught, scope } of lessons) {
      const match = matchOf(page, way, field, taught, scope)
      if (match === undefined) continue
      right += match
      wrong += 1 - match
    }
    if (right <= wrong * 1.5) continue
    const proof = (right - wrong) / lessons.filter(({ taught }) => hasValue(taught)).length
    const trust = (way.trust ?? 0.5) * (0.4 + 0.6 * proof) + 0.05 * Math.min(4, right - 1)
    ranked.push({ ...way, trust: round(Math.min(0.99, trust)) })
  }
  if (field.items === 'string') preferExactLists(ranked, field, lessons)
  return ranked.sort((a, b) => b.trust! - a.trust!)
}

/** Of a list with other signs than another way gives: brackets and commas that the page writes and its data does not. */
const LETTERS_ONLY = 0.7

/** Ways that agree by letters differ by how many items they give exactly as taught. */
function preferExactLists(ways: readonly Way[], field: FieldProgram, lessons: readonly Lesson[]): void {
  const taught = new Set(lessons.flatMap((one) => (hasValue(one.taught) ? (one.taught as unknown[]) : [])).map(tidy))
  const shares = ways.map((way) => {
    const found = lessons.flatMap(({ page, scope }) => listOf(page, way, field, scope)).map(tidy)
    return found.filter((one) => taught.has(one)).length / Math.max(1, found.length)
  })
  const best = Math.max(...shares)
  if (best === 0) return
  for (const [at, way] of ways.entries())
    way.trust = round(way.trust! * (LETTERS_ONLY + ((1 - LETTERS_ONLY) * shares[at]!) / best))
}
const tidy = (text: unknown): string => collapseSpaces(String(text))

/** How far a way gives what was taught: 0 to 1; undefined: nothing. */
function matchOf(page: PageIndex, way: Way, field: FieldProgram, taught: unknown, scope: Scope | undefined) {
  if (!hasValue(taught)) return firstValue(page, way, field, scope) === undefined ? undefined : 0
  if (field.type === 'list') {
    const list = listOf(page, way, field, scope)
    return list.length === 0
      ? undefined
      : agreementOf(
          list.map((one) => squeezeText(String(one))),
          (taught as unknown[]).map((one) => squeezeText(String(one))),
        )
  }
  const value = firstValue(page, way, field, scope)?.value
  const wanted = way.as === 'link' ? (page.resolve(String(taught)) ?? taught) : taught
  return value === undefined ? undefined : isSameValue(value, wanted) ? 1 : 0
}

/** The best of each kind; element ways of different last steps first, since they fail apart. */
function keepBest(ranked: readonly Way[]): Way[] {
  const kept: Way[] = []
  const count: Record<string, number> = {}
  const steps = new Map<string, number>()
  // Weak ways are kept together, so that they can disagree.
  const least = Math.min(MIN_TRUST, ranked[0]?.trust ?? 0)
  for (const way of ranked) {
    const kind = kindOfWay(way)
    const step = `${kind} ${/\S+$/.exec(way.css ?? '')?.[0] ?? ''}`
    if (way.trust! < least) continue
    if ((count[kind] ?? 0) >= MAX_WAYS[kind]! || (steps.get(step) ?? 0) >= 2) continue
    count[kind] = (count[kind] ?? 0) + 1
    steps.set(step, (steps.get(step) ?? 0) + 1)
    kept.push(way)
  }
  return kept
}

function marksOf(examples: readonly TaughtPage[], fields: readonly FieldProgram[]): string[] {
  const [first, ...rest] = examples
  if (!first) return []
  const places = fields.flatMap(({ ways }) => {
    const css = ways.find((way) => way.css !== undefined)?.css
    return css === undefined ? [] : matchesOf(first.page, css).slice(0, 1)
  })
  const marks = marksAround(first.page, places)
  return marks.filter((css) => rest.every(({ page }) => matchesOf(page, css).length > 0))
}

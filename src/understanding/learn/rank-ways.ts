// Tests proposed ways on every taught page and orders them by trust. Learns a whole program from examples.
import { isObject } from '../../base/values.ts'
import { findUnit, isSameValue } from './convert-value.ts'
import { findRecordElements } from './find-records.ts'
import { matchesOf } from './follow-ways.ts'
import type { PageIndex } from './index-page.ts'
import { marksAround } from './judge-fit.ts'
import { hasHeadings, learnSigns, lineBefore } from './list-items.ts'
import { locateInData, locateInElements } from './locate-values.ts'
import type { FieldProgram, FieldType, Program, ValueForm, Way } from './program-types.ts'
import { agreementOf, proposeListWays } from './propose-list-ways.ts'
import { proposeDataWays, proposeElementWays, round } from './propose-ways.ts'
import { firstValue, kindOfWay, listOf, readField } from './read-with-program.ts'
import { shapeOfText, squeezeText } from './squeeze-text.ts'

interface TaughtPage {
  page: PageIndex
  data: unknown
}

/** Weaker ways are kept only when there is no other. */
const MIN_TRUST = 0.45
const MAX_WAYS: Readonly<Record<string, number>> = { data: 3, element: 6, label: 2 }

export interface LearntProgram {
  program: Program
  /** Paths of taught values that stand nowhere in their page. */
  notFound: string[]
}

/** Learns from one or several pages with their values; later pages test the ways of earlier ones. */
export function learnProgram(examples: readonly TaughtPage[], schema?: unknown): LearntProgram {
  const notFound: string[] = []
  for (const { page, data } of examples) findCentre(page, data)
  if (examples.some(({ data }) => Array.isArray(data))) {
    const lessons = examples.flatMap(({ page, data }) => (Array.isArray(data) ? [{ page, taught: data }] : []))
    const records = learnField(lessons, isObject(schema) ? schema : {}, '', notFound)
    return {
      program: { records: records ?? null, fields: {}, marks: marksOf(examples, records ? [records] : []) },
      notFound,
    }
  }
  const names = [...new Set(examples.flatMap(({ data }) => (isObject(data) ? Object.keys(data) : [])))]
  const fields: Record<string, FieldProgram> = {}
  for (const name of names) {
    const lessons = examples.flatMap(({ page, data }) =>
      isObject(data) && hasValue(data[name]) ? [{ page, taught: data[name] }] : [],
    )
    const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {}
    const field = learnField(lessons, properties[name], name, notFound)
    if (field) fields[name] = field
  }
  return { program: { records: null, fields, marks: marksOf(examples, Object.values(fields)) }, notFound }
}

const hasValue = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

interface Lesson {
  page: PageIndex
  taught: unknown
  scope?: number
}

function learnField(
  lessons: readonly Lesson[],
  schema: unknown,
  path: string,
  notFound: string[],
): FieldProgram | undefined {
  const [first] = lessons
  if (!first) return undefined
  const { taught } = first
  if (Array.isArray(taught) && taught.some(isObject)) return learnRecords(lessons, schema, path, notFound)
  const isList = Array.isArray(taught)
  const values = lessons.flatMap((one) => one.taught)
  const field: FieldProgram = { type: isList ? 'list' : typeOf(taught, schema), ways: [] }
  if (isList)
    field.items = typeOf(taught[0], isObject(schema) ? schema.items : undefined) as NonNullable<FieldProgram['items']>
  const texts = values.map(String)
  field.seen = {
    longest: Math.max(...texts.map((text) => text.length)),
    ...(isList ? { items: Math.max(...lessons.map((one) => (one.taught as unknown[]).length)) } : {}),
    missing: 0,
    shape: shapeOfText(texts[0] ?? ''),
    ...(lessons.length === 1 && !isList ? { sample: squeezeText(texts[0] ?? '').slice(0, 100) } : {}),
  }
  const proposed = lessons.flatMap(({ page, taught, scope }) =>
    Array.isArray(taught)
      ? proposeListWays(page, taught, scope)
      : proposeScalarWays(page, taught, scope, findUnit(schema)),
  )
  field.ways = keepBest(rankWays(proposed, field, lessons))
  if (isList && field.items === 'string') learnItems(field, first)
  if (field.ways.length > 0) return field
  notFound.push(path)
  return undefined
}

function learnItems(field: FieldProgram, { page, taught, scope }: Lesson): void {
  const [best] = field.ways
  if (best?.css === undefined || best.take || best.split || best.nth !== undefined) return
  const items = matchesOf(page, best.css, scope).filter((index) => page.textOf(index) !== '')
  const texts = (taught as unknown[]).map(String)
  const signs = learnSigns(page, items, texts)
  if (signs.length > 0) field.signs = signs
  if (!hasHeadings(page, items, texts)) return
  field.headings = true
  const above = lineBefore(page, items)
  if (above && !texts.some((text) => squeezeText(text) === above))
    for (const way of field.ways) if (way.css !== undefined) way.skip = [...new Set([...(way.skip ?? []), above])]
}

const MAX_TRIED_RECORDS = 10
const MAX_PROBED = 60

/** Learns the fields relative to each likely record element, and keeps the one by which most records are complete. */
function learnRecords(
  lessons: readonly Lesson[],
  schema: unknown,
  path: string,
  notFound: string[],
): FieldProgram | undefined {
  const [first] = lessons
  if (!first) return undefined
  const { page, scope } = first
  const records = (first.taught as unknown[]).filter(isObject).slice(0, 5)
  const properties = itemProperties(schema)
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))]
  let best: { field: FieldProgram; score: number; missing: string[] } | undefined
  for (const { css, trust, elements } of findRecordElements(page, records).slice(0, MAX_TRIED_RECORDS)) {
    const matches = matchesOf(page, css, scope)
    const missing: string[] = []
    const fields: Record<string, FieldProgram> = {}
    for (const name of names) {
      const inner = records.flatMap((record, n) =>
        hasValue(record[name]) ? [{ page, taught: record[name], scope: elements[n]! }] : [],
      )
      const field = learnField(inner, properties[name], `${path}${path ? '.' : ''}${name}`, missing)
      if (field) fields[name] = preferGeneral(field, page, matches)
    }
    const count = Object.keys(fields).length
    if (count === 0) continue
    const probed = matches.slice(0, MAX_PROBED)
    const filled = probed.map(
      (match) => Object.values(fields).filter((field) => readField(page, field, match)).length / names.length,
    )
    const complete = filled.filter((share) => share >= 0.5)
    const score =
      complete.reduce((sum, share) => sum + share, 0) *
      Math.sqrt(complete.length / probed.length) *
      (count / names.length)
    if (!best || score > best.score * 1.02)
      best = { field: { type: 'records', ways: [{ css, trust: Math.max(trust, 0.7) }], fields }, score, missing }
  }
  notFound.push(...(best?.missing ?? [path]))
  return best?.field
}

const itemProperties = (schema: unknown): Record<string, unknown> =>
  isObject(schema) && isObject(schema.items) && isObject(schema.items.properties) ? schema.items.properties : {}

/** Ways that give a value in most other records come first. */
function preferGeneral(field: FieldProgram, page: PageIndex, matches: readonly number[]): FieldProgram {
  const probed = matches.slice(0, MAX_PROBED)
  const ways = field.ways.map((way) => {
    const given = probed.filter((match) =>
      field.type === 'list'
        ? listOf(page, way, field, match).length > 0
        : firstValue(page, way, field, match) !== undefined,
    )
    return { ...way, trust: round(way.trust! * (0.6 + 0.4 * (given.length / probed.length))) }
  })
  const { seen, ...rest } = field
  const { sample: _sample, ...shape } = seen ?? { longest: 0, missing: 0, shape: '' }
  return { ...rest, seen: { ...shape, longest: shape.longest * 2 + 20 }, ways: ways.sort((a, b) => b.trust - a.trust) }
}

function proposeScalarWays(
  page: PageIndex,
  taught: unknown,
  scope: number | undefined,
  unit: ValueForm | undefined,
): Way[] {
  if (isObject(taught)) return []
  const data = scope === undefined ? proposeDataWays(locateInData(page, taught, unit)) : []
  const places = locateInElements(page, taught, scope, unit).map((place) => ({
    ...place,
    isFar: isFar(page, place.inner),
  }))
  const ways = places.flatMap((place) => proposeElementWays(page, place, scope))
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
  toldTexts.set(page, new Set(values.map((one) => squeezeText(String(one)))))
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
    const proof = (right - wrong) / lessons.length
    ranked.push({
      ...way,
      trust: round(Math.min(0.99, (way.trust ?? 0.5) * (0.4 + 0.6 * proof) + 0.05 * Math.min(4, right - 1))),
    })
  }
  return ranked.sort((a, b) => b.trust! - a.trust!)
}

/** How far a way gives what was taught: 0 to 1; undefined: nothing. */
function matchOf(
  page: PageIndex,
  way: Way,
  field: FieldProgram,
  taught: unknown,
  scope: number | undefined,
): number | undefined {
  if (field.type === 'list') {
    const list = listOf(page, way, field, scope)
    return list.length === 0
      ? undefined
      : agreementOf(
          list.map((one) => squeezeText(String(one))),
          (taught as unknown[]).map((one) => squeezeText(String(one))),
        )
  }
  const value = firstValue(page, way, field, scope)
  const wanted = way.as === 'link' ? (page.resolve(String(taught)) ?? taught) : taught
  return value === undefined ? undefined : isSameValue(value, wanted) ? 1 : 0
}

/** The best of each kind; element ways of different last steps first, since they fail apart. */
function keepBest(ranked: readonly Way[]): Way[] {
  const kept: Way[] = []
  const count: Record<string, number> = {}
  const steps = new Map<string, number>()
  for (const way of ranked) {
    const kind = kindOfWay(way)
    const step = `${kind} ${/\S+$/.exec(way.css ?? '')?.[0] ?? ''}`
    if (way.trust! < MIN_TRUST && kept.length > 0) continue
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

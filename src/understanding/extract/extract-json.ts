// Extracts JSON from a page without a model: by a schema, by the fields that a prompt names, or else the page's main
// facts. It returns null rather than a guess.

import { makeRecordWithoutPrototype } from '../../base/lookup-table.ts'
import { isObject, setOfWords } from '../../base/values.ts'
import { closestElement, MAX_DEPTH } from '../../content/parse-tree.ts'
import type { ParsedPage } from '../../content/parsed-page.ts'
import { makeLinkResolver } from '../../content/resolve-links.ts'
import { readStructuredData, type StructuredData } from '../facts/read-structured-data.ts'
import { collectMainFacts } from './collect-main-facts.ts'
import type { ConversionContext } from './convert-raw-value.ts'
import { type FieldQuery, makeFieldQuery } from './field-query.ts'
import { findExtractSubject } from './find-extract-subject.ts'
import { findRecordGrids, type RecordGrid } from './find-record-grids.ts'
import { findTextList } from './find-text-list.ts'
import { type FieldSearchScope, findInStructuredData, findValue, structuredToRawValue } from './find-value.ts'
import { toComparablePhrase } from './normalise-labels.ts'
import { openPagePart, type PagePart, type PartHeading, slicePart } from './page-part.ts'
import { findBestRecords } from './read-records.ts'
import { schemaFromPrompt } from './schema-from-prompt.ts'
import { ANY_SHAPE, type SchemaShape, schemaShapeOf } from './schema-shape.ts'

export interface Extraction {
  value: unknown
  warnings: string[]
  /** How each value was found, by its path; `[]` stands for all items of a list. */
  found: Record<string, FoundField>
}

export interface FoundField {
  by: string
  /** Share of such values that are right. */
  confidence: number
}

export type PageForExtraction = Pick<ParsedPage, 'url' | 'base' | 'tree' | 'content' | 'metadata'>

const MAX_NAMED = 20
/** Below it, the warning names the field. */
const DOUBTFUL = 0.7
const MAX_SOURCES = 500

interface Run {
  context: ConversionContext
  facts: StructuredData
  page: FieldSearchScope
  grids(): readonly RecordGrid[]
  isShown(text: string): boolean
  missing: string[]
  fields: Record<string, FoundField>
}

export function extractJson(page: PageForExtraction, schema: unknown, prompt: string | undefined): Extraction {
  const warnings: string[] = []
  const run = openRun(page)
  const given = schema === undefined ? undefined : schemaShapeOf(schema)
  const isEmpty = given?.kind === 'any' && !given.choices
  if (isEmpty) warnings.push('The schema names no fields.')
  const fromPrompt = prompt && (given === undefined || isEmpty) ? schemaFromPrompt(prompt) : undefined
  const shape = given && !isEmpty ? given : fromPrompt && schemaShapeOf(fromPrompt)
  if (!shape) {
    if (prompt) warnings.push('The prompt names no fields to look for.')
    if (warnings.length > 0) warnings.push('The main facts of the page were extracted instead.')
    return { value: collectMainFacts(run.page, run.context), warnings, found: {} }
  }
  const value = fillRoot(shape, run)
  if (run.missing.length > 0) warnings.push(`Not found on the page: ${listPaths(run.missing)}.`)
  const doubtful = Object.keys(run.fields).filter((path) => run.fields[path]!.confidence < DOUBTFUL)
  if (doubtful.length > 0) warnings.push(`Doubtful, as the page does not name them clearly: ${listPaths(doubtful)}.`)
  return { value, warnings, found: run.fields }
}

const listPaths = (paths: readonly string[]): string =>
  `${paths.slice(0, MAX_NAMED).join(', ')}${paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : ''}`

function openRun(page: PageForExtraction): Run {
  const { tree, base, content, metadata, url } = page
  const facts = readStructuredData(page)
  const part = openPagePart(tree, (element) => content.cuts.has(element))
  const subject = findExtractSubject(part, metadata, facts, url)
  promote(part, subject.heading)
  const language = [metadata.language].flat()[0] ?? ''
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  let grids: readonly RecordGrid[] | undefined
  let shown: string | undefined
  return {
    context: { language, money: { language, host }, resolve: makeLinkResolver(base) },
    facts,
    page: { part, things: subject.things, page: { subject, metadata, url } },
    grids() {
      grids ??= findRecordGrids(part, facts)
      return grids
    },
    isShown(text) {
      shown ??= part.lines.map((line) => line.text).join('\n')
      return shown.includes(text)
    },
    missing: [],
    fields: makeRecordWithoutPrototype(),
  }
}

const NEAR_BEFORE = 25
const NEAR_AFTER = 150

/**
 * What stands between parts of the content, or close to the main heading, counts as content even if it is cut from the
 * text: facts, a price, a byline. A heading outside the content ends this: it is over other things.
 */
function promote({ lines, elements, headings }: PagePart, heading: PartHeading | undefined): void {
  const from = heading?.at ?? lines.find(({ isMain }) => isMain)?.at ?? 0
  const last = lines.findLast(({ isMain }) => isMain)?.at ?? 0
  const end = headings.find(({ at, isMain }) => at > from && !isMain)?.at ?? Number.POSITIVE_INFINITY
  const to = Math.min(end - 1, Math.max(last, heading ? from + NEAR_AFTER : 0))
  const asides = elements.flatMap(({ element }) => (ASIDE.has(element.name) ? [element] : []))
  for (const one of [...lines, ...elements])
    if (!one.isMain && one.at >= from - (heading ? NEAR_BEFORE : 0) && one.at <= to) {
      const place = 'block' in one ? one.block : one.element
      one.isMain = asides.length === 0 || closestElement(place, MAX_DEPTH, ({ name }) => ASIDE.has(name)) === undefined
    }
}

const ASIDE = new Set(['nav', 'aside', 'footer', 'dialog', 'form'])

const VALUE = 'value'

function fillRoot(shape: SchemaShape, run: Run): unknown {
  if (shape.kind === 'object') {
    return fillObject(shape, run.page, run, '', []) ?? makeRecordWithoutPrototype()
  }
  const name = shape.description || VALUE
  const wrapped: SchemaShape = { ...ANY_SHAPE, kind: 'object', fields: [{ name, isRequired: true, shape }] }
  const value = fillObject(wrapped, run.page, run, '', [])?.[name]
  return value ?? (shape.kind === 'array' ? [] : null)
}

/**
 * Undefined when nothing was found. A field without a value is null where the schema allows or requires it, else
 * omitted.
 */
function fillObject(shape: SchemaShape, place: FieldSearchScope, run: Run, path: string, around: readonly string[]) {
  const value = makeRecordWithoutPrototype<unknown>()
  const missing: string[] = []
  let found = 0
  for (const { name, shape: inner, isRequired } of shape.fields) {
    const at = path === '' ? name : `${path}.${name}`
    const field = makeFieldQuery(name, inner, around)
    const answer = fillField(field, place, run, at, around)
    if (answer !== undefined) {
      value[name] = answer
      found += 1
    } else {
      if (inner.nullable || isRequired) value[name] = null
      // With a nullable field the caller expects that some pages lack it.
      if (!inner.nullable) missing.push(at)
    }
  }
  if (found === 0 && path !== '') return undefined
  run.missing.push(...missing)
  return value
}

function fillField(field: FieldQuery, place: FieldSearchScope, run: Run, path: string, around: readonly string[]) {
  const { shape } = field
  if (shape.kind === 'array') return fillList(field, place, run, path)
  if (shape.kind === 'object') return fillInner(field, place, run, path, around)
  const found = findValue(field, place, run.context)
  if (found) note(run, path, found)
  return found?.value
}

function note({ fields }: Run, path: string, found: { source: string; score: number }): void {
  if (Object.keys(fields).length < MAX_SOURCES) fields[path] = { by: found.source, confidence: confidenceOf(found) }
}

function fillList(field: FieldQuery, place: FieldSearchScope, run: Run, path: string): unknown[] | undefined {
  const items = field.shape.items ?? ANY_SHAPE
  const grids = place.page ? run.grids() : place.part ? findRecordGrids(place.part, undefined) : []
  if (items.kind === 'object' && items.fields.length > 0) {
    const fields = items.fields.map(({ name, shape }) => itemField(name, shape, field))
    const simple = fields.filter(({ shape }) => shape.kind !== 'object' && shape.kind !== 'array')
    if (simple.length === 0) return undefined
    const own = findInStructuredData(place.things, field)
      .map(({ value }) => value)
      .find((value) => Array.isArray(value) && value.some(isObject))
    const nested = Array.isArray(own)
      ? findRecordGrids(EMPTY_PART, { things: [], states: [{ name: '', value: own } as never] })
      : []
    const best = findBestRecords(field.name, simple, [...nested, ...grids], run.context, run.isShown)
    if (best) note(run, `${path}[]`, best)
    return best?.rows
  }
  const item = makeFieldQuery(field.name, items, [])
  const texts = findTextList(field, { ...item, kind: itemKind(item) }, place, grids, run.context)
  if (texts) note(run, `${path}[]`, texts)
  return texts?.value
}

/** The name of a product may be labelled "Product". */
function itemField(name: string, shape: SchemaShape, list: FieldQuery): FieldQuery {
  const made = makeFieldQuery(name, shape, [list.name])
  return made.kind === 'title' ? { ...made, phrases: [...made.phrases, list.phrases[0]!] } : made
}

const EMPTY_PART: PagePart = {
  lines: [],
  elements: [],
  headings: [],
  tables: [],
  labelled: () => new Map(),
  named: () => new Map(),
  groups: () => [],
}

/** An item of a list of images is an image; of a list of titles, a text. */
const itemKind = ({ kind }: FieldQuery): FieldQuery['kind'] =>
  kind === 'crumbs' || kind === 'headings' || kind === 'title' ? 'text' : kind

/** A nested object: from the data under its name, else from the section that its name heads, else from the page. */
function fillInner(field: FieldQuery, place: FieldSearchScope, run: Run, path: string, around: readonly string[]) {
  const { shape, name } = field
  if (shape.fields.length === 0) return dictionary(field, place)
  const inner = findInStructuredData(place.things, field).map(({ value }) => (Array.isArray(value) ? value[0] : value))
  const thing = inner.find(isObject) ?? inner.find((value) => typeof value === 'string')
  const things = isObject(thing) ? [thing] : typeof thing === 'string' ? [{ name: thing }] : []
  const part = place.part && partNamed(field, place.part)
  const attempts: FieldSearchScope[] = []
  if (things.length > 0) attempts.push({ part, things })
  if (part) attempts.push({ part, things: [] })
  const isSame = toComparablePhrase(name) === '' || field.phrases.some((phrase) => SAME.has(phrase))
  attempts.push(isSame ? place : { ...place, page: undefined, things: [] })
  for (const attempt of attempts) {
    const value = fillObject(shape, attempt, run, path, [...around, name])
    if (value) return value
  }
  return undefined
}

const SAME = setOfWords('product item article page data result info detail recipe event job company contact pricing')

function partNamed({ phrases, labels }: FieldQuery, part: PagePart): PagePart | undefined {
  const heading = part.headings.find(
    ({ text }) => phrases.includes(toComparablePhrase(text)) || labels.has(toComparablePhrase(text)),
  )
  if (heading) {
    const end = part.headings.find(({ at, level }) => at > heading.at && level <= heading.level)?.at
    return slicePart(part, heading.at + 1, end ?? Number.POSITIVE_INFINITY)
  }
  const box = phrases
    .flatMap((phrase) => part.named().get(phrase) ?? [])
    .find(({ element }) => element.children.length > 1)
  return box && openPagePart(box.element)
}

const MAX_ENTRIES = 200

/** For open-ended property names: the page's labelled values. */
function dictionary({ shape }: FieldQuery, { part, things }: FieldSearchScope): Record<string, unknown> | undefined {
  if (!shape.others || shape.others.kind === 'object' || shape.others.kind === 'array') return undefined
  const entries = makeRecordWithoutPrototype<unknown>()
  const add = (name: string, value: unknown) => {
    if (Object.keys(entries).length < MAX_ENTRIES && !Object.hasOwn(entries, name)) entries[name] = value
  }
  for (const extra of things.flatMap((thing) => [thing.additionalProperty].flat()))
    if (isObject(extra) && typeof extra.name === 'string' && extra.value !== undefined)
      add(extra.name, String(structuredToRawValue(extra.value).value))
  for (const [label, values] of part?.labelled() ?? [])
    for (const { text, source, isMain, trust } of values)
      if (source === 'label' && isMain && trust >= 0.9) add(label, text)
  return Object.keys(entries).length > 0 ? entries : undefined
}

/** For a good score, and for a lower one. */
const SHARE_RIGHT: Readonly<Record<string, readonly [good: number, low: number]>> = {
  data: [0.95, 0.88],
  label: [0.95, 0.85],
  table: [0.85, 0.85],
  heading: [0.88, 0.8],
  head: [0.88, 0.85],
  cards: [0.8, 0.7],
  state: [0.8, 0.7],
  fetched: [0.8, 0.7],
  text: [0.85, 0.78],
  list: [0.5, 0.5],
}
const GOOD_SCORE = 0.84

function confidenceOf({ source, score }: { source: string; score: number }): number {
  const [good, low] = SHARE_RIGHT[source] ?? [0.5, 0.5]
  return score >= GOOD_SCORE ? good : low
}

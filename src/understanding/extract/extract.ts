// Extracts JSON from a page without a model: by a schema, by the fields that a prompt names, or else the page's main
// facts. It returns null rather than a guess, and reports missing fields.

import { emptyRecord } from '../../base/lookup-table.ts'
import { isObject } from '../../base/values.ts'
import { resolver } from '../../content/address.ts'
import type { Page } from '../../content/page.ts'
import { factsOf, type StatedFacts } from '../facts/facts.ts'
import { isStopWord, termsOf } from '../passages/terms.ts'
import { type AskedRow, askedRows, valueInRows } from './asked-row.ts'
import { type Field, fieldOf } from './field.ts'
import { dataRaw, findValue, inData, type Place } from './find-value.ts'
import { gridsIn, type RecordGrid } from './grids.ts'
import { valueInSentence } from './in-sentence.ts'
import { mainFacts } from './main-facts.ts'
import { type Heading, openPart, type Part, slice } from './page-part.ts'
import { subjectOf } from './page-subject.ts'
import { schemaFromPrompt } from './prompt.ts'
import { bestRecords, type Records } from './read-records.ts'
import type { ReadContext } from './read-value.ts'
import { ANYTHING, type Shape, shapeOf } from './schema-shape.ts'
import { textsFor } from './string-lists.ts'
import { phraseOf } from './words.ts'

export interface Extraction {
  value: unknown
  warnings: string[]
  /** The source of each value by its path, for the explain record. */
  sources: Record<string, string>
}

export type ExtractPage = Pick<Page, 'url' | 'base' | 'tree' | 'content' | 'metadata'>

const MAX_NAMED = 20
const MAX_SOURCES = 500

interface Run {
  context: ReadContext
  facts: StatedFacts
  page: Place
  grids(): readonly RecordGrid[]
  isShown(text: string): boolean
  /** Rows of tables that the prompt names. */
  askedRows: readonly AskedRow[]
  prompt: string
  missing: string[]
  sources: Record<string, string>
}

export function extractJson(page: ExtractPage, schema: unknown, prompt: string | undefined): Extraction {
  const warnings: string[] = []
  const run = openRun(page, prompt ?? '')
  const given = schema === undefined ? undefined : shapeOf(schema)
  const isEmpty = given?.kind === 'any' && !given.choices
  if (isEmpty) warnings.push('The schema names no fields.')
  const fromPrompt = prompt && (given === undefined || isEmpty) ? schemaFromPrompt(prompt) : undefined
  const shape = given && !isEmpty ? given : fromPrompt && shapeOf(fromPrompt)
  if (!shape) {
    if (prompt) warnings.push('The prompt names no fields that could be looked for.')
    if (warnings.length > 0) warnings.push('The main facts of the page were extracted instead.')
    return { value: mainFacts(run.page, run.context), warnings, sources: {} }
  }
  const value = fillRoot(shape, run)
  if (run.missing.length > 0) {
    const named = run.missing.slice(0, MAX_NAMED).join(', ')
    const more = run.missing.length > MAX_NAMED ? ` and ${run.missing.length - MAX_NAMED} more` : ''
    warnings.push(`Not found on the page: ${named}${more}.`)
  }
  return { value, warnings, sources: run.sources }
}

function openRun(page: ExtractPage, prompt: string): Run {
  const { tree, base, content, metadata, url } = page
  const facts = factsOf(page)
  const part = openPart(tree, (element) => content.cuts.has(element))
  const subject = subjectOf(part, metadata, facts, url)
  if (subject.heading) promote(part, subject.heading)
  const language = [metadata.language].flat()[0] ?? ''
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  let grids: readonly RecordGrid[] | undefined
  let shown: string | undefined
  return {
    context: { language, money: { language, host }, resolve: resolver(base) },
    facts,
    page: { part, things: subject.things, page: { subject, metadata, url } },
    grids() {
      grids ??= gridsIn(part, facts)
      return grids
    },
    isShown(text) {
      shown ??= part.lines.map((line) => line.text).join('\n')
      return shown.includes(text)
    },
    askedRows: prompt === '' ? [] : askedRows(part, prompt),
    prompt,
    missing: [],
    sources: emptyRecord(),
  }
}

const NEAR_BEFORE = 25
const NEAR_AFTER = 150

/** Elements close to the main heading count as main content, even if cut from the text: a price, a byline. */
function promote({ lines, elements }: Part, { at }: Heading): void {
  for (const one of [...lines, ...elements])
    if (one.at >= at - NEAR_BEFORE && one.at <= at + NEAR_AFTER) one.isMain = true
}

const VALUE = 'value'

function fillRoot(shape: Shape, run: Run): unknown {
  if (shape.kind === 'object') return fillObject(shape, run.page, run, '', []) ?? emptyRecord()
  const name = shape.description || VALUE
  const wrapped: Shape = { ...ANYTHING, kind: 'object', fields: [{ name, isRequired: true, shape }] }
  const value = fillObject(wrapped, run.page, run, '', [])?.[name]
  return value ?? (shape.kind === 'array' ? [] : null)
}

/**
 * Undefined when nothing was found. A field without a value is null where the schema allows or requires it, else
 * omitted.
 */
function fillObject(
  shape: Shape,
  place: Place,
  run: Run,
  path: string,
  around: readonly string[],
): Record<string, unknown> | undefined {
  const value = emptyRecord<unknown>()
  const missing: string[] = []
  let found = 0
  for (const { name, shape: inner, isRequired } of shape.fields) {
    const at = path === '' ? name : `${path}.${name}`
    const field = fieldOf(name, inner, around)
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

function fillField(field: Field, place: Place, run: Run, path: string, around: readonly string[]): unknown {
  const { shape } = field
  if (shape.kind === 'array') return fillList(field, place, run, path)
  if (shape.kind === 'object') return fillInner(field, place, run, path, around)
  const inRow = place.page ? valueInRows(field, run.askedRows, run.context) : undefined
  const found = inRow ?? findValue(field, place, run.context) ?? inSentence(field, place, run.context)
  if (found && Object.keys(run.sources).length < MAX_SOURCES) run.sources[path] = found.source
  return found?.value
}

function inSentence(
  field: Field,
  { page, part }: Place,
  context: ReadContext,
): { value: unknown; source: string } | undefined {
  const value = page && part ? valueInSentence(field, part, context) : undefined
  return value === undefined ? undefined : { value, source: 'sentence' }
}

function fillList(field: Field, place: Place, run: Run, path: string): unknown[] | undefined {
  const items = field.shape.items ?? ANYTHING
  const grids = place.page ? run.grids() : place.part ? gridsIn(place.part, undefined) : []
  if (items.kind === 'object' && items.fields.length > 0) {
    const fields = items.fields.map(({ name, shape }) => itemField(name, shape, field))
    const simple = fields.filter(({ shape }) => shape.kind !== 'object' && shape.kind !== 'array')
    if (simple.length === 0) return undefined
    const own = inData(place.things, field)
      .map(({ value }) => value)
      .find((value) => Array.isArray(value) && value.some(isObject))
    const nested = Array.isArray(own)
      ? gridsIn(EMPTY_PART, { things: [], states: [{ name: '', value: own } as never] })
      : []
    const best = bestRecords(field.name, simple, [...nested, ...grids], run.context, run.isShown)
    if (best) run.sources[`${path}[]`] = best.source
    return best && rowsAsked(best, [field.name, run.prompt].join(' '))
  }
  const item = fieldOf(field.name, items, [])
  return textsFor(field, { ...item, kind: itemKind(item) }, place, grids, run.context)
}

/** "Each pasta dish": the rows under the titles that share a word with the request, where only some of them do. */
function rowsAsked({ rows, titles }: Records, request: string): Record<string, unknown>[] {
  const over = titles()
  const words = new Set(termsOf(spaced(request)).filter((term) => !isStopWord(term)))
  const isAsked = (title: string | undefined) => title !== undefined && termsOf(title).some((term) => words.has(term))
  const kept = rows.filter((_, n) => isAsked(over[n]))
  return kept.length > 0 && over.every((title) => title !== undefined) ? kept : rows
}

const spaced = (text: string): string => text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')

/** The name of a product may be labelled "Product". */
function itemField(name: string, shape: Shape, list: Field): Field {
  const made = fieldOf(name, shape, [list.name])
  return made.kind === 'title' ? { ...made, phrases: [...made.phrases, list.phrases[0]!] } : made
}

const EMPTY_PART: Part = {
  lines: [],
  elements: [],
  headings: [],
  tables: [],
  labelled: () => new Map(),
  named: () => new Map(),
  groups: () => [],
}

/** An item of a list of images is an image; of a list of titles, a text. */
const itemKind = ({ kind }: Field): Field['kind'] =>
  kind === 'crumbs' || kind === 'headings' || kind === 'title' ? 'text' : kind

/** A nested object: from the data under its name, else from the section that its name heads, else from the page. */
function fillInner(field: Field, place: Place, run: Run, path: string, around: readonly string[]): unknown {
  const { shape, name } = field
  if (shape.fields.length === 0) return dictionary(field, place)
  const inner = inData(place.things, field).map(({ value }) => (Array.isArray(value) ? value[0] : value))
  const thing = inner.find(isObject) ?? inner.find((value) => typeof value === 'string')
  const things = isObject(thing) ? [thing] : typeof thing === 'string' ? [{ name: thing }] : []
  const part = place.part && partNamed(field, place.part)
  const attempts: Place[] = []
  if (things.length > 0) attempts.push({ part, things })
  if (part) attempts.push({ part, things: [] })
  const isSame = phraseOf(name) === '' || field.phrases.some((phrase) => SAME.has(phrase))
  attempts.push(isSame ? place : { ...place, page: undefined, things: [] })
  for (const attempt of attempts) {
    const value = fillObject(shape, attempt, run, path, [...around, name])
    if (value) return value
  }
  return undefined
}

/** Names for the page's own subject. */
const SAME = new Set(
  'product item article page data result info detail recipe event job company contact pricing'.split(' '),
)

/** The section under a heading of the field's name. */
function partNamed({ phrases, labels }: Field, part: Part): Part | undefined {
  const heading = part.headings.find(({ text }) => phrases.includes(phraseOf(text)) || labels.has(phraseOf(text)))
  if (heading) {
    const end = part.headings.find(({ at, level }) => at > heading.at && level <= heading.level)?.at
    return slice(part, heading.at + 1, end ?? Number.POSITIVE_INFINITY)
  }
  const box = phrases
    .flatMap((phrase) => part.named().get(phrase) ?? [])
    .find(({ element }) => element.children.length > 1)
  return box && openPart(box.element)
}

const MAX_ENTRIES = 200

/** For open-ended property names: the page's labelled values. */
function dictionary({ shape }: Field, { part, things }: Place): Record<string, unknown> | undefined {
  if (!shape.others || shape.others.kind === 'object' || shape.others.kind === 'array') return undefined
  const entries = emptyRecord<unknown>()
  const add = (name: string, value: unknown) => {
    if (Object.keys(entries).length < MAX_ENTRIES && !Object.hasOwn(entries, name)) entries[name] = value
  }
  for (const extra of things.flatMap((thing) => [thing.additionalProperty].flat()))
    if (isObject(extra) && typeof extra.name === 'string' && extra.value !== undefined)
      add(extra.name, String(dataRaw(extra.value).value))
  for (const [label, values] of part?.labelled() ?? [])
    for (const { text, source, isMain, trust } of values)
      if (source === 'label' && isMain && trust >= 0.9) add(label, text)
  return Object.keys(entries).length > 0 ? entries : undefined
}

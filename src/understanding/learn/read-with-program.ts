// Reads a page with a learnt program. Ways vote: a value that several kinds of way give is certain, one that only a weak
// way gives is left out.
import { appendTo } from '../../base/values.ts'
import { convertValue, isSameValue, type Said } from './convert-value.ts'
import { recordScopes } from './find-records.ts'
import { followWay, matchesOf, textPosition } from './follow-ways.ts'
import type { PageIndex, Scope } from './index-page.ts'
import { judgeFit, shareOfMarks } from './judge-fit.ts'
import { isPlainList, readListItems } from './list-items.ts'
import type { FieldProgram, FieldReading, Program, ProgramReading, ReadBy, Way } from './program-types.ts'
import { agreementOf } from './propose-list-ways.ts'
import { shapeOfText, squeezeText } from './squeeze-text.ts'

/** Below it a value is left out. */
export const MIN_CONFIDENCE = 0.38
/** How much more doubt the second of two values must have; with nearly equal proof neither is given. */
const MIN_LEAD = 1.1
const MAX_ITEMS = 2000

export interface FoundValue {
  value: unknown
  by: ReadBy
  confidence: number
  way: number
  /** The place that gave the value, to notice that two fields read the same one. */
  key?: string | undefined
  /** Of records: how each of their fields was found, if any record has it. */
  inner?: Record<string, FieldReading>
}

export const kindOfWay = (way: Way): ReadBy =>
  way.data !== undefined || way.state !== undefined || /^meta\b/.test(way.css ?? '')
    ? 'data'
    : way.label !== undefined
      ? 'label'
      : 'element'

/** With fewer of the taught names, the page may show its signs in another way. */
const MIN_MARKS_OF_SIGNS = 0.75

export function readWithProgram(page: PageIndex, given: Program): ProgramReading {
  const program = (shareOfMarks(page, given) ?? 1) < MIN_MARKS_OF_SIGNS ? withoutSigns(given) : given
  const names = Object.keys(program.fields)
  const records = program.records ? readField(page, program.records) : undefined
  const found = readRecord(page, program.fields)
  if (records) found[''] = records
  const { fit, isFit } = judgeFit(page, program, found)
  const fields: Record<string, FieldReading> = Object.create(null)
  for (const [name, one] of Object.entries(found)) {
    fields[name] = isFit && one ? { by: one.by, confidence: one.confidence, way: one.way } : NOT_FOUND
    for (const inner in (name === '' ? program.records : program.fields[name])?.fields)
      fields[joinPath(name, inner)] = (isFit && one?.inner?.[inner]) || NOT_FOUND
  }
  if (!isFit) return { value: null, fields, fit }
  if (program.records) return { value: (records?.value as unknown[]) ?? [], fields, fit }
  return { value: Object.fromEntries(names.map((name) => [name, found[name]?.value ?? null])), fields, fit }
}

function withoutSigns({ records, fields, ...program }: Program): Program {
  const without = ({ ways, fields, ...field }: FieldProgram): FieldProgram => ({
    ...field,
    ways: ways.filter((way) => !isSign(way)),
    ...(fields && { fields: mapFields(fields) }),
  })
  const mapFields = (some: Record<string, FieldProgram>) =>
    Object.fromEntries(Object.entries(some).map(([name, field]) => [name, without(field)]))
  return { ...program, records: records && without(records), fields: mapFields(fields) }
}

export const isSign = ({ take }: Way): boolean => take === 'present' || take === 'absent'

const NOT_FOUND: FieldReading = { by: null, confidence: 0 }

/** `boats.price`: a field of the records of a field. */
export const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

export function readField(page: PageIndex, field: FieldProgram, scope?: Scope): FoundValue | undefined {
  if (field.type === 'records') return readRecords(page, field, scope)
  return field.type === 'list' ? readList(page, field, scope) : readScalar(page, field, scope)
}

function readScalar(page: PageIndex, field: FieldProgram, scope: Scope | undefined): FoundValue | undefined {
  const votes: { value: unknown; trust: Trust; way: number; ways: number; key: string | undefined }[] = []
  let tried = 0
  for (const [n, way] of field.ways.entries()) {
    const found = firstValue(page, way, field, scope)
    if (found === undefined) continue
    const { value, key } = found
    tried += 1
    const kind = kindOfWay(way)
    const trust = way.trust ?? 1
    const vote = votes.find((one) => isSameValue(one.value, value))
    if (vote) {
      vote.trust[kind] = Math.max(vote.trust[kind] ?? 0, trust)
      vote.ways += 1
    } else votes.push({ value, trust: { [kind]: trust }, way: n, ways: 1, key })
    // What structured data and one more way say needs no further vote.
    if (votes.length === 1 && tried >= 4) break
  }
  const scored = votes
    .map((vote) => ({ ...vote, score: scoreOf(vote.trust, vote.ways) }))
    .sort((a, b) => b.score - a.score || a.way - b.way)
  const [best, second] = scored
  if (!best || (second && 1 - second.score <= MIN_LEAD * (1 - best.score))) return undefined
  const confidence = round(best.score * (second ? best.score / (best.score + second.score * 0.8) : 1))
  if (confidence < MIN_CONFIDENCE) return undefined
  return { value: best.value, by: kindOfWay(field.ways[best.way]!), confidence, way: best.way, key: best.key }
}

type Trust = Partial<Record<ReadBy, number>>

const scoreOf = (trust: Trust, ways: number): number =>
  1 - Object.values(trust).reduce((left, one) => left * (1 - one * 0.98), 1) * 0.97 ** (ways - 1)

const round = (value: number): number => Math.round(value * 100) / 100

export function firstValue(
  page: PageIndex,
  way: Way,
  field: FieldProgram,
  scope: Scope | undefined,
): { value: string | number | boolean; key: string | undefined } | undefined {
  const [found] = followWay(page, way, scope)
  const type = field.type === 'list' || field.type === 'records' ? 'string' : field.type
  const value = convertValue(found?.said, type, way.as, page)
  if (value === undefined || !hasShape(value, field) || way.skip?.includes(squeezeText(String(value)))) return undefined
  if (isPositional(way) && !isOfKind(String(found?.said), field)) return undefined
  const part = way.take?.startsWith('@') || way.after || way.before ? ` ${way.take} ${way.after} ${way.before}` : ''
  return { value, key: found?.at === undefined ? undefined : `${textPosition(page, found.at)}${part}` }
}

/** A place that says nothing of what stands there. */
export const isPositional = ({ nth, css }: Way): boolean =>
  nth !== undefined || (css !== undefined && /:nth-of-type|^:scope >/.test(css))

/** Where a part is missing, the next one takes its position: letters, digits and signs of money differ. */
const isOfKind = (text: string, { seen }: FieldProgram): boolean =>
  !seen?.shape || text.length > MAX_KIND || kindOfText(shapeOfText(text)) === kindOfText(seen.shape)

const MAX_KIND = 40
export const kindOfText = (shape: string): string => [...new Set(shape.match(/[a9\p{Sc}%@★☆]/gu))].sort().join('')

/** Far longer than anything that was taught: another thing. */
function hasShape(value: unknown, { seen }: FieldProgram): boolean {
  return !seen || typeof value !== 'string' || value.length <= seen.longest * (seen.longest > 60 ? 6 : 3) + 40
}

export function listOf(page: PageIndex, way: Way, field: FieldProgram, scope: Scope | undefined): unknown[] {
  const type = field.items ?? 'string'
  const isSigned = isPlainList(way) && (field.headings || field.signs) && !way.after && !way.before
  const items = isSigned ? matchesOf(page, way.css!, scope).filter((index) => page.textOf(index) !== '') : []
  const said: Said[] = isSigned
    ? readListItems(page, items, field)
    : followWay(page, way, scope).map(({ said }) => said)
  const found = said
    .slice(0, MAX_ITEMS)
    .map((said: Said) => convertValue(said, type, way.as, page))
    .filter((value) => value !== undefined && hasShape(value, field))
  return withoutCounters(withoutRepetition(found).filter((value) => !way.skip?.includes(squeezeText(String(value)))))
}

/** Numbers before the items that count them are no part of them. */
function withoutCounters(found: readonly unknown[]): unknown[] {
  const isCounted = found.length > 1 && found.every((one, n) => typeof one === 'string' && counterOf(one) === n + 1)
  return isCounted ? found.map((one) => String(one).replace(/^\d+[.):]?\s*/, '')) : [...found]
}

const counterOf = (text: string): number => Number(/^(\d{1,3})(?=[.):]\s|\s?\p{L})/u.exec(text)?.[1])

/** A page may hold its list twice, for narrow and wide screens. */
function withoutRepetition(found: readonly unknown[]): unknown[] {
  const half = found.length / 2
  const isTwice =
    found.length >= 4 && Number.isInteger(half) && found.slice(0, half).every((one, n) => one === found[half + n])
  return isTwice ? found.slice(0, half) : [...found]
}

function readList(page: PageIndex, field: FieldProgram, scope: Scope | undefined): FoundValue | undefined {
  const lists: { list: unknown[]; squeezed: string[]; way: number; trust: number; score: number }[] = []
  for (const [way, one] of field.ways.entries()) {
    const list = listOf(page, one, field, scope)
    const trust = one.trust ?? 1
    if (list.length > 0)
      lists.push({ list, squeezed: list.map((item) => squeezeText(String(item))), way, trust, score: trust })
    if (lists.length >= 5) break
  }
  for (const one of lists)
    for (const other of lists)
      if (one !== other) one.score += other.trust * 0.4 * (agreementOf(other.squeezed, one.squeezed) - 0.5)
  const [best] = lists.sort((a, b) => b.score - a.score || a.way - b.way)
  if (!best) return undefined
  const confidence = round(Math.max(0, Math.min(1, best.score)))
  if (confidence < MIN_CONFIDENCE) return undefined
  return { value: best.list, by: kindOfWay(field.ways[best.way]!), confidence, way: best.way }
}

/** A match with fewer of the fields that records usually have is another thing: an advert, a heading, another list. */
const MIN_USUAL = 0.67
/** Beside complete records, a record may have gaps. */
const MIN_USUAL_BESIDE = 0.4
/** A match with less of all fields is an advert in the form of a record. */
const MIN_FILLED = 0.3

/** Every menu entry is a link and a text, lacks the signs that some records have, and has a heading somewhere above it. */
export const isTelling = ({ ways }: FieldProgram): boolean =>
  !ways.every((way) => way.as === 'link' || way.above || isSign(way) || isWhole(way))

const isWhole = ({ css, after, before, take = 'text' }: Way): boolean =>
  css === ':scope' && after === undefined && before === undefined && take === 'text'

type ReadRecord = { record: Record<string, FoundValue | undefined>; part: Scope; parent: number }

function readRecords(page: PageIndex, field: FieldProgram, scope: Scope | undefined): FoundValue | undefined {
  const fields = field.fields ?? {}
  for (const [way, one] of field.ways.entries()) {
    const read = recordScopes(page, one, scope).map(
      (part): ReadRecord => ({ record: readRecord(page, fields, part), part, parent: page.parent[part.first]! }),
    )
    const found = recordsAmong(read, fields)
    dropNeighbours(page, found, fields)
    const kept = recordsAmong(found, fields)
    if (kept.length === 0) continue
    const given = kept.flatMap(({ record }) => Object.values(record).flatMap((found) => found?.confidence ?? []))
    const confidence = round((given.reduce((sum, each) => sum + each, 0) / given.length) * (one.trust ?? 1))
    const value = kept.map(({ record }) =>
      Object.fromEntries(Object.entries(record).map(([name, found]) => [name, found?.value ?? null])),
    )
    const inner: Record<string, FieldReading> = Object.create(null)
    for (const name in fields) {
      const first = kept.find(({ record }) => record[name])?.record[name]
      if (first) inner[name] = { by: first.by, confidence: first.confidence, way: first.way }
    }
    return { value, by: 'element', confidence, way, inner }
  }
  return undefined
}

/** Matches that are records; of one that is no more than a text, only beside others that are more. */
function recordsAmong(read: readonly ReadRecord[], fields: Readonly<Record<string, FieldProgram>>): ReadRecord[] {
  const names = Object.keys(fields).filter((name) => isTelling(fields[name]!))
  const usual = names.filter((name) => fields[name]!.usual !== false)
  const expected = [usual, names, Object.keys(fields)].find((some) => some.length > 0)!
  const whole = Object.keys(fields).filter((name) => fields[name]!.ways.every(isWhole))
  const judged = read.map((one) => {
    const shareOf = (some: readonly string[]) => some.filter((name) => one.record[name]).length / some.length
    const share = names.length > 0 && shareOf(names) < MIN_FILLED ? 0 : shareOf(expected)
    return { one, share }
  })
  const homes = new Set(judged.flatMap(({ one, share }) => (share >= MIN_USUAL ? [one.parent] : [])))
  const kept = judged.filter(({ one: { record, parent }, share }) => {
    const isHome = homes.has(parent)
    const isLikely = share >= (isHome ? MIN_USUAL_BESIDE : MIN_USUAL) || (isHome && whole.some((name) => record[name]))
    return isLikely && Object.values(record).some(Boolean)
  })
  return homes.size > 0 ? kept.map(({ one }) => one) : []
}

/**
 * Where one way reads a field of most records that have it, a record in which it finds nothing lacks the field, and
 * another part has its place: what a weaker way finds, which fits the parts of other records as well.
 */
function dropNeighbours(page: PageIndex, kept: readonly ReadRecord[], fields: Readonly<Record<string, FieldProgram>>) {
  for (const [name, { ways }] of Object.entries(fields)) {
    const given = kept.filter(({ record }) => record[name])
    const byWay = new Map<number, ReadRecord[]>()
    for (const one of given) appendTo(byWay, one.record[name]!.way, one)
    const [usual, sure] = [...byWay].sort((a, b) => b[1].length - a[1].length)[0] ?? []
    if (usual === undefined || sure!.length * 2 <= given.length) continue
    const finds = (way: number, { part }: ReadRecord) => followWay(page, ways[way]!, part).length > 0
    for (const [way, others] of byWay)
      if (way !== usual && sure!.some((one) => finds(way, one)))
        for (const one of others) if (!finds(usual, one)) one.record[name] = undefined
  }
}

/** One place serves one field, unless it was taught so: where a part is missing, another one takes its position. */
export function readRecord(
  page: PageIndex,
  fields: Readonly<Record<string, FieldProgram>>,
  scope?: Scope,
): Record<string, FoundValue | undefined> {
  const found = Object.entries(fields).map(([name, field]) => ({ name, field, value: readField(page, field, scope) }))
  const record: Record<string, FoundValue | undefined> = Object.create(null)
  for (const { name, field, value } of found) {
    const isTaken =
      value?.key !== undefined &&
      !field.shared &&
      found.some((one) => one.name !== name && one.value?.key === value.key && isStronger(one, { field, value }))
    record[name] = isTaken ? undefined : value
  }
  return record
}

type Reading = { field: FieldProgram; value: FoundValue | undefined }

/** A conversion that succeeded says more than a text, which anything is. */
const isStronger = (one: Reading, other: Reading): boolean => {
  const strength = ({ field, value }: Reading) => (field.ways[value!.way]!.as ? 1 : 0) + value!.confidence
  return strength(one) >= strength(other)
}

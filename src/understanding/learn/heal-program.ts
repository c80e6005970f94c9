// Heals a program after a site changed: pages whose values were read before the change teach it again. A field is healed
// only where its known values are found by one rule; a way that now reads something else is dropped.
import { isObject } from '../../base/values.ts'
import { isSameValue } from './convert-value.ts'
import type { PageIndex } from './index-page.ts'
import type { FieldProgram, Program } from './program-types.ts'
import { agreementOf } from './propose-list-ways.ts'
import { type LearntProgram, learnProgram } from './rank-ways.ts'
import { joinPath, readField } from './read-with-program.ts'
import { squeezeText } from './squeeze-text.ts'

/** A page as it is now, and its values from before. */
type KnownPage = { page: PageIndex; data: unknown }

/** `notFound`: fields that the site no longer gives, or gives in a form that was not recognised. */
export function healProgram(before: Program, known: readonly KnownPage[], schema?: unknown): Required<LearntProgram> {
  const { program: taught } = learnProgram(known, schema)
  const healed: string[] = []
  const lost: string[] = []
  const heal = (name: string, old: FieldProgram, made: FieldProgram | null | undefined): FieldProgram => {
    const lessons = known.map(({ page, data }) => ({ page, value: name === '' ? data : isObject(data) && data[name] }))
    if (old.type === 'records') {
      const best = healRecords(name, old, made ?? undefined, lessons)
      healed.push(...best.healed)
      lost.push(...best.lost)
      return best.field
    }
    const [as, now] = [proofOf(readAll(old, lessons)), made ? proofOf(readAll(made, lessons)) : undefined]
    if (made && now && isProven(now) && now.right > as.right) {
      healed.push(name)
      return made
    }
    if (as.right > 0 && isTrusted(as)) return old
    lost.push(name)
    return as.wrong > 0 ? { ...old, ways: [] } : old
  }
  const records = before.records && heal('', before.records, taught.records)
  const fields = Object.fromEntries(
    Object.entries(before.fields).map(([name, old]) => [name, heal(name, old, taught.fields[name])]),
  )
  const names = before.records ? [''] : Object.keys(before.fields)
  // Where most fields are gone, what is left is another template.
  if (healed.length === 0 || names.filter((name) => lost.includes(name)).length > names.length / 2)
    return { program: before, healed: [], notFound: names }
  return { program: { records, fields, marks: taught.marks }, healed, notFound: lost }
}

/** Of the old and the new records, those of which more values are as before; each field by the way that is proven. */
function healRecords(path: string, old: FieldProgram, made: FieldProgram | undefined, lessons: readonly Lesson[]) {
  const candidates = (made ? [old, made] : [old]).map((base) => {
    const sources = (made ? [old, made] : [old]).map(({ fields }) => ({
      fields: fields ?? {},
      readings: readAll({ ...base, fields: fields ?? {} }, lessons),
    }))
    const [healed, lost]: [string[], string[]] = [[], []]
    let right = 0
    const fields = Object.entries(old.fields ?? {}).map(([name, before]) => {
      const [as, now] = sources.map(({ fields, readings }) => ({ field: fields[name], proof: proofOf(readings, name) }))
      const best = now?.field && now.proof.right > as!.proof.right ? now : as!
      right += best.proof.right
      if (best.proof.right > 0 && isTrusted(best.proof) && (best === as || isProven(best.proof))) {
        if (best === now || base !== old) healed.push(joinPath(path, name))
        return [name, best.field!]
      }
      lost.push(joinPath(path, name))
      return [name, { ...before, ways: [] }]
    })
    if (healed.length > 0) healed.push(path)
    return { field: { ...base, fields: Object.fromEntries(fields) }, healed, lost, right }
  })
  const best = candidates.reduce((one, other) => (other.right > one.right ? other : one))
  return best.right > 0 ? best : { field: old, healed: [], lost: [path] }
}

type Lesson = { page: PageIndex; value: unknown }

type KnownReading = { found: unknown; value: unknown }

const readAll = (field: FieldProgram, lessons: readonly Lesson[]): KnownReading[] =>
  lessons.map(({ page, value }) => ({ found: readField(page, field)?.value, value }))

interface Proof {
  right: number
  wrong: number
  /** Known values that were found again. */
  values: Set<string>
}

/** Compares what was found with what is known; of records, one field of all of them. */
function proofOf(readings: readonly KnownReading[], inner?: string): Proof {
  const proof: Proof = { right: 0, wrong: 0, values: new Set() }
  for (const reading of readings) {
    const [found, value] = inner === undefined ? [reading.found, reading.value] : columnsOf(reading, inner)
    if (found === undefined) continue
    if (!isAsKnown(found, value)) proof.wrong += 1
    else {
      proof.right += 1
      proof.values.add(JSON.stringify(value))
    }
  }
  return proof
}

function columnsOf({ found, value }: KnownReading, name: string): [unknown, unknown] {
  const [now = [], known = []] = [found, value].map((records) =>
    (Array.isArray(records) ? records : []).map((one: unknown) => (isObject(one) ? one[name] : undefined)),
  )
  // Of a yes-or-no, the records that have it: the others are as many as one likes.
  const valuesIn = (column: readonly unknown[]) =>
    column.slice(0, known.length).some((one) => typeof one === 'boolean')
      ? column.slice(0, known.length).flatMap((one, n) => (one === true ? [n] : []))
      : column.flatMap((one) => one ?? [])
  const [all, wanted] = [valuesIn(now), valuesIn(known)]
  // Only the first records may have been taught.
  const texts = new Set(wanted.map((one) => squeezeText(String(one))))
  const same = all.filter((one) => texts.has(squeezeText(String(one))))
  return [all.length === 0 ? undefined : now.length > known.length ? same : all, wanted]
}

/** A page may have got a new value in the meantime. */
const isTrusted = ({ right, wrong }: Proof): boolean => wrong * 2 <= right

const TELLING_CHARS = 12

/** One short value may stand anywhere by chance. */
const isProven = (proof: Proof): boolean =>
  isTrusted(proof) &&
  (proof.values.size > 1 || [...proof.values].some((one) => squeezeText(one).length >= TELLING_CHARS))

/** Least share of items or records that are as before: lists grow. */
const SAME_ITEMS = 0.7

function isAsKnown(found: unknown, known: unknown): boolean {
  if (!Array.isArray(found) || !Array.isArray(known)) return isSameValue(found, known)
  const textsOf = (list: readonly unknown[]) => list.map((one) => squeezeText(String(one)))
  return agreementOf(textsOf(found), textsOf(known)) >= SAME_ITEMS
}

// Heals a program after a site changed: pages whose values were read before the change teach it again. A field is healed
// only where its known values are found by one rule; a way that now reads something else is dropped.
import { isObject } from '../../base/values.ts'
import { isSameValue } from './convert-value.ts'
import type { PageIndex } from './index-page.ts'
import type { FieldProgram, Program } from './program-types.ts'
import { agreementOf } from './propose-list-ways.ts'
import { type LearntProgram, learnProgram } from './rank-ways.ts'
import { readField } from './read-with-program.ts'
import { squeezeText } from './squeeze-text.ts'

/** A page as it is now, and its values from before. */
interface KnownPage {
  page: PageIndex
  data: unknown
}

/** `notFound`: fields that the site no longer gives, or gives in a form that was not recognised. */
export function healProgram(before: Program, known: readonly KnownPage[], schema?: unknown): Required<LearntProgram> {
  const { program: taught } = learnProgram(known, schema)
  const healed: string[] = []
  const lost: string[] = []
  const heal = (name: string, old: FieldProgram, made: FieldProgram | null | undefined): FieldProgram => {
    const lessons = known.map(({ page, data }) => ({ page, value: name === '' ? data : isObject(data) && data[name] }))
    const [as, now] = [proofOf(old, lessons), made ? proofOf(made, lessons) : undefined]
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
  if (healed.length === 0 || lost.length > names.length / 2) return { program: before, healed: [], notFound: names }
  return { program: { records, fields, marks: taught.marks }, healed, notFound: lost }
}

interface Proof {
  right: number
  wrong: number
  /** Known values that were found again. */
  values: Set<string>
}

function proofOf(field: FieldProgram, lessons: readonly { page: PageIndex; value: unknown }[]): Proof {
  const proof: Proof = { right: 0, wrong: 0, values: new Set() }
  for (const { page, value } of lessons) {
    const found = readField(page, field)?.value
    if (found === undefined) continue
    if (!isAsKnown(found, value)) proof.wrong += 1
    else {
      proof.right += 1
      proof.values.add(JSON.stringify(value))
    }
  }
  return proof
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
  const textsOf = (list: readonly unknown[]) =>
    list.map((one) => squeezeText(isObject(one) ? JSON.stringify(Object.values(one)) : String(one)))
  return agreementOf(textsOf(found), textsOf(known)) >= SAME_ITEMS
}

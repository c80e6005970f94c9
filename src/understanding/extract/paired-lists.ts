// Lists of two fields each that a page sets as labels with their values under the list's heading: "Midterm: 25 %" under
// "Grading", a figure over what it counts under "Our impact".
import type { Pair } from '../facts/pairs.ts'
import type { FieldContext, WantedField } from './asking.ts'
import { saysName } from './list-names.ts'
import type { PagePart } from './page-part.ts'
import type { Shape } from './shape.ts'
import { valueFor } from './value-for.ts'

const MAX_PAIRS = 100
const MAX_LABEL = 60
const LEAST = 2

export function pairedList(
  wanted: WantedField,
  { fields }: Shape,
  scope: PagePart,
  ground: FieldContext,
): unknown[] | undefined {
  const [label, value] = fields
  if (!label || !value || fields.length !== 2 || label.shape.kind !== 'string' || label.shape.format) return undefined
  if (!/^(?:string|number|integer)$/.test(value.shape.kind)) return undefined
  const inner = ground.wanted(value.name, value.shape)
  const rows = pairsUnder(scope, wanted, ground).map((pair) => ({
    [label.name]: pair.label,
    [value.name]: valueFor({ value: pair.value }, inner, ground),
  }))
  // A value that does not fit shows that the labels are of something else.
  return rows.length >= LEAST && rows.every((row) => row[value.name] !== undefined) ? rows : undefined
}

/** Labelled values between the heading that names the list and the next. */
function pairsUnder(scope: PagePart, wanted: WantedField, ground: FieldContext): Pair[] {
  const at = scope.headings.findIndex(
    ({ text, isMain, level }) => isMain && level > 1 && saysName(text, wanted, ground, true),
  )
  const heading = scope.headings[at]
  if (!heading) return []
  const end = scope.headings[at + 1]?.at ?? Number.POSITIVE_INFINITY
  const inside = [...scope.pairs.values()]
    .flat()
    .filter((pair) => pair.isMain && pair.at > heading.at && pair.at < end && pair.label.length <= MAX_LABEL)
    .sort((a, b) => a.at - b.at)
    .slice(0, MAX_PAIRS)
  // One place, one pair: what is read twice is read in two ways.
  return inside.filter((pair, n) => pair.at !== inside[n - 1]?.at)
}

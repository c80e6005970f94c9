// `dayRange: {low, high}` beside "Day's range 210.80 – 215.90": the two ends of one labelled span of numbers, or of a day.
import { clocksIn } from '../values/dates.ts'
import { numbersIn } from '../values/numbers.ts'
import type { FieldContext, WantedField } from './asking.ts'
import type { PagePart } from './page-part.ts'

const LOW = /^(?:low|lowest|min|minimum|from|lower)(?:$|[A-Z_])/
const HIGH = /^(?:high|highest|max|maximum|to|upper)(?:$|[A-Z_])/
const MAX_VALUE = 60

/** Both ends, when the object asks for just these and one label of its very name tells them. */
export const rangeFor = (
  wanted: WantedField,
  scope: PagePart,
  ground: FieldContext,
): Record<string, unknown> | undefined => numbersFor(wanted, scope, ground) ?? clocksFor(wanted, scope)

const START = /^(?:start|starts|from|begin|begins|opens?)(?:$|[A-Z_])/
const END = /^(?:ends?|to|until|finish|closes?)(?:$|[A-Z_])/

/** "School day 08:50 – 15:20". */
function clocksFor({ shape, phrases }: WantedField, scope: PagePart): Record<string, string> | undefined {
  const texts = shape.fields.filter((field) => field.shape.kind === 'string' && !/^date/.test(field.shape.format ?? ''))
  const [start, end] = [START, END].map((ends) => texts.find(({ name }) => ends.test(name)))
  const told = phrases.flatMap((phrase) => scope.pairs.get(phrase) ?? []).slice(0, 5)
  const spans = new Map(told.map(({ value }) => [value, value.length <= MAX_VALUE ? clocksIn(value) : []]))
  const [first] = spans.values()
  const [from, to] = first ?? []
  return start && end && from && to && first?.length === 2 && spans.size === 1
    ? { [start.name]: from, [end.name]: to }
    : undefined
}

function numbersFor(
  { shape, phrases }: WantedField,
  scope: PagePart,
  { language }: FieldContext,
): Record<string, number> | undefined {
  const numeric = shape.fields.filter(({ shape: { kind } }) => kind === 'number' || kind === 'integer')
  const [low, high] = [LOW, HIGH].map((ends) => numeric.find(({ name }) => ends.test(name)))
  if (!low || !high) return undefined
  const told = new Map<string, [number, number]>()
  for (const { value } of phrases.flatMap((phrase) => scope.pairs.get(phrase) ?? []).slice(0, 5)) {
    const ends = value.length <= MAX_VALUE ? SPAN.exec(value) : null
    const [one, other] = [ends?.[1], ends?.[2]].map((end) => numbersIn(end ?? '', language, 1)[0]?.value)
    if (one !== undefined && other !== undefined && one <= other) told.set(value, [one, other])
  }
  const [first] = told.values()
  return first && told.size === 1 ? { [low.name]: first[0], [high.name]: first[1] } : undefined
}

const SPAN = /^\D{0,8}?(-?\d[\d.,]*)[^\d-]{0,8}?(?:[-–—]|\b(?:to|bis|à|a)\b)[^\d-]{0,6}(-?\d[\d.,]*)(?!.*\d)/iu

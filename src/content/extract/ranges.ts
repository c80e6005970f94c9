// `dayRange: {low, high}` beside "Day's range 210.80 – 215.90": the two ends of one labelled span of numbers.
import { numbersIn } from '../values/numbers.ts'
import type { Ground } from './ground.ts'
import type { Scope } from './scope.ts'
import type { Wanted } from './wanted.ts'

const LOW = /^(?:low|lowest|min|minimum|from|lower)(?:$|[A-Z_])/
const HIGH = /^(?:high|highest|max|maximum|to|upper)(?:$|[A-Z_])/
const MAX_VALUE = 60

/** Both ends, when the object asks for just these and one label of its very name tells them. */
export function rangeFor(
  { shape, phrases }: Wanted,
  scope: Scope,
  { language }: Ground,
): Record<string, number> | undefined {
  const numeric = shape.fields.filter(({ shape: { kind } }) => kind === 'number' || kind === 'integer')
  const [low, high] = [LOW, HIGH].map((ends) => numeric.find(({ name }) => ends.test(name)))
  if (!low || !high) return undefined
  const told = new Map<string, [number, number]>()
  for (const { value } of phrases.flatMap((phrase) => scope.pairs.get(phrase) ?? []).slice(0, 5)) {
    const numbers = value.length <= MAX_VALUE ? numbersIn(value, language, 3) : []
    const [one, other] = numbers
    if (!one || !other || numbers.length > 2 || !BETWEEN.test(value.slice(one.end, other.at))) continue
    if (one.value <= other.value) told.set(value, [one.value, other.value])
  }
  const [first] = told.values()
  return first && told.size === 1 ? { [low.name]: first[0], [high.name]: first[1] } : undefined
}

const BETWEEN = /^[^\d]{0,12}(?:[-–—]|\b(?:to|bis|à|a)\b)[^\d]{0,6}$/iu

// What may be a field's value, and how sure that is: the word that all finders share. It knows no finder.
import type { Element } from 'domhandler'
import type { Ground } from './ground.ts'
import { NEAR_AFTER, NEAR_BEFORE, type Scope, type Seen } from './scope.ts'
import type { Raw } from './value-for.ts'
import type { Wanted } from './wanted.ts'

export interface Candidate extends Raw {
  score: number
  source: string
}

/** Values that show what they are without a label. */
export type Typed = (scope: Scope, wanted: Wanted, ground: Ground) => Candidate[]

export const candidate = (value: string, score: number, more: Partial<Candidate> = {}): Candidate => ({
  value,
  score,
  source: 'pattern',
  ...more,
})

/** The first element that passes, of the main content before any other. */
export const first = (scope: Scope, test: (element: Element) => boolean): Seen | undefined =>
  scope.elements.find(({ element, isMain }) => isMain && test(element)) ??
  scope.elements.find(({ element }) => test(element))

export const isNear = ({ main, nearEnd = Number.POSITIVE_INFINITY }: Scope, at: number, after = NEAR_AFTER): boolean =>
  main !== undefined && at > main.at - NEAR_BEFORE && at < main.at + after && (after > NEAR_AFTER || at <= nearEnd)

/** Of values with how often they stand, the one that stands most; undefined when two stand equally often. */
export function mostOften(values: readonly string[]): { value: string; isOnly: boolean } | undefined {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const [best, second] = [...counts].sort((a, b) => b[1] - a[1])
  if (!best) return undefined
  return second && second[1] === best[1] ? undefined : { value: best[0], isOnly: second === undefined }
}

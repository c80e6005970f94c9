// What finders share: how a candidate is made, which lines are looked at, and what is told when several values are found.
import type { Element } from 'domhandler'
import type { Line } from '../facts/lines.ts'
import type { Candidate } from './asking.ts'
import { NEAR_AFTER, NEAR_BEFORE, type PagePart, type SeenElement } from './page-part.ts'

export const candidate = (value: string, score: number, more: Partial<Candidate> = {}): Candidate => ({
  value,
  score,
  source: 'pattern',
  ...more,
})

/** The first element that passes, of the main content before any other. */
export const first = (scope: PagePart, test: (element: Element) => boolean): SeenElement | undefined =>
  scope.elements.find(({ element, isMain }) => isMain && test(element)) ??
  scope.elements.find(({ element }) => test(element))

export const isNear = (
  { main, nearEnd = Number.POSITIVE_INFINITY }: PagePart,
  at: number,
  after = NEAR_AFTER,
): boolean =>
  main !== undefined && at > main.at - NEAR_BEFORE && at < main.at + after && (after > NEAR_AFTER || at <= nearEnd)

/** Lines of the main content up to a length: all of a card, else those near the heading. */
export const linesNear = (scope: PagePart, most: number, after?: number): Line[] =>
  scope.lines.filter(
    ({ text, at, isMain }) => isMain && text.length <= most && (scope.isSmall || isNear(scope, at, after)),
  )

/** What the first of these lines says in a form. */
export function firstNear(scope: PagePart, pattern: RegExp, score: number, most: number, after?: number): Candidate[] {
  for (const { text } of linesNear(scope, most, after)) {
    const value = pattern.exec(text)?.slice(1).find(Boolean)
    if (value) return [candidate(value, score)]
  }
  return []
}

/** Of values with how often they stand, the one that stands most; undefined when two stand equally often. */
export function mostOften(values: readonly string[]): { value: string; isOnly: boolean } | undefined {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const [best, second] = [...counts].sort((a, b) => b[1] - a[1])
  if (!best) return undefined
  return second && second[1] === best[1] ? undefined : { value: best[0], isOnly: second === undefined }
}

/** The one value that all are; nothing where they differ. */
export function agreed(values: Iterable<string>, score: number): Candidate[] {
  const [only, other] = new Set(values)
  return only && other === undefined ? [candidate(only, score)] : []
}

/** What lines up to a length say in a form, when all say the same. */
export const saidOnce = ({ lines }: PagePart, pattern: RegExp, score: number, most: number): Candidate[] =>
  agreed(
    lines.flatMap(({ text }) => (text.length <= most ? (pattern.exec(text)?.[1] ?? []) : [])),
    score,
  )

const MAX_LINE = 200

/** The only value that lines of the main content show in a form; near the heading the first of them. */
export function shownAs(scope: PagePart, pattern: RegExp, score: number, most = MAX_LINE): Candidate[] {
  const found: { text: string; at: number }[] = []
  for (const { text, at, isMain } of scope.lines) {
    if (!isMain || text.length > most || found.length > 20) continue
    const match = pattern.exec(text)
    if (match) found.push({ text: (match[1] ?? match[0]).trim(), at })
  }
  const near = found.find(({ at }) => scope.isSmall || isNear(scope, at))
  if (near) return [candidate(near.text, score)]
  return agreed(
    found.map(({ text }) => text),
    score - 0.04,
  )
}

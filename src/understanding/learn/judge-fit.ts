// Whether a page has the template that was taught: lasting names around the taught values, and fields that are found.
import { matchesOf } from './follow-ways.ts'
import type { PageIndex } from './index-page.ts'
import type { FieldProgram, Program } from './program-types.ts'
import { compoundsOf } from './propose-ways.ts'

const MAX_MARKS = 60
/** Least share of the marks, and of the fields. */
const MIN_FIT = 0.5

/** Names around the values and on their ancestors, which pages of the same template repeat. */
export function marksAround(page: PageIndex, places: readonly number[]): string[] {
  const marks = new Set<string>()
  for (const place of places)
    for (let index = place, step = 0; index >= 0 && step < 12; index = page.parent[index]!, step++) {
      const [best] = compoundsOf(page, index)
      if (best && best.trust > 0.5) marks.add(best.css)
    }
  const named = [...marks].filter(isNamed)
  return (named.length > 0 ? named : [...marks]).slice(0, MAX_MARKS)
}

/** A bare tag is on every site. */
const isNamed = (css: string): boolean => /[.#[]/.test(css)

export function judgeFit(
  page: PageIndex,
  program: Program,
  found: Readonly<Record<string, unknown>>,
): { fit: number; isFit: boolean } {
  const all = Object.entries(program.records ? { '': program.records } : program.fields)
  const weigh = (some: typeof all) => some.reduce((sum, [, field]) => sum + weightOf(field), 0)
  const given = all.filter(([name]) => found[name] !== undefined)
  const share = given.length === 0 ? 0 : weigh(given) / weigh(all)
  const marks = shareOfMarks(page, program) ?? share
  const fit = Math.round((share * 0.6 + marks * 0.4) * 100) / 100
  return { fit, isFit: given.length > 0 && fit >= MIN_FIT }
}

/** Undefined: bare tags tell no template from another. */
export function shareOfMarks(page: PageIndex, { marks }: Program): number | undefined {
  const named = marks.filter(isNamed)
  if (named.length > 0) return named.filter((css) => matchesOf(page, css).length > 0).length / named.length
  // Programs by hand have no marks.
  return marks.length === 0 ? 1 : undefined
}

/** Records are as much of a page as the fields they have. */
const weightOf = ({ fields }: FieldProgram): number => (fields ? Object.keys(fields).length : 1)

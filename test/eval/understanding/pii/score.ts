// Recall and precision of found entities against the marked ones, by mark and by entity. Judged by characters hidden:
// what counts for a reader of redacted text is that the secret part is gone, not where a title or a comma belongs.
import type { Entity, Mark, Sentence } from './sentences.ts'

export interface Found {
  entity: Entity
  start: number
  end: number
}

export interface Privacy {
  /** By mark: how many are marked, and how many of these were found. */
  recall: Map<Mark, { marked: number; found: number }>
  /** How many spans were given, and how many of these are what they claim to be; by entity. */
  precision: Map<Entity, { given: number; right: number }>
}

/** This much of a marked entity must be covered by spans of its entity: `Dr` may be in or out, a surname may not. */
const coverage = 0.8
/** This much of a given span must be marked as its entity: `Frau Dr. Hagedorn` is right, a whole sentence is not. */
const tightness = 0.5

export function scorePrivacy(cases: Iterable<readonly [Sentence, readonly Found[]]>): Privacy {
  const score: Privacy = { recall: new Map(), precision: new Map() }
  for (const [{ entities }, given] of cases) {
    for (const { mark, entity, start, end } of entities) {
      const row = score.recall.get(mark) ?? { marked: 0, found: 0 }
      row.marked++
      if (
        shared(
          { start, end },
          given.filter((span) => span.entity === entity),
        ) >=
        coverage * (end - start)
      )
        row.found++
      score.recall.set(mark, row)
    }
    for (const { entity, start, end } of given) {
      const row = score.precision.get(entity) ?? { given: 0, right: 0 }
      row.given++
      if (
        shared(
          { start, end },
          entities.filter((marked) => marked.entity === entity),
        ) >=
        tightness * (end - start)
      )
        row.right++
      score.precision.set(entity, row)
    }
  }
  return score
}

interface Span {
  start: number
  end: number
}

/** How many characters of a span the others cover; one covered twice counts once. */
function shared({ start, end }: Span, others: readonly Span[]): number {
  let covered = 0
  let at = start
  for (const other of [...others].sort((a, b) => a.start - b.start)) {
    const from = Math.max(at, other.start)
    const to = Math.min(end, other.end)
    if (to <= from) continue
    covered += to - from
    at = to
  }
  return covered
}

/** The share found over several marks together, as the bars put them: `recallOf(score, ['CARD', 'IBAN'])`. */
export function recallOf({ recall }: Privacy, marks: readonly Mark[]): number {
  const rows = marks.map((mark) => recall.get(mark) ?? { marked: 0, found: 0 })
  return sum(rows.map(({ found }) => found)) / Math.max(sum(rows.map(({ marked }) => marked)), 1)
}

/** The share of right spans over all entities, or over those named. Nothing given is nothing wrong. */
export function precisionOf({ precision }: Privacy, entities: readonly Entity[] = [...precision.keys()]): number {
  const rows = entities.map((entity) => precision.get(entity) ?? { given: 0, right: 0 })
  const given = sum(rows.map((row) => row.given))
  return given === 0 ? 1 : sum(rows.map(({ right }) => right)) / given
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)

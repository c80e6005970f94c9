// The words of privacy/: what is looked for, where it was found, and what becomes of findings that overlap.

export const ENTITIES = ['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'] as const
export type Entity = (typeof ENTITIES)[number]

export interface PrivacyFinding {
  start: number
  end: number
  entity: Entity
}

/** `fast`: patterns alone. `accurate`: names and places too. `aggressive`: also what only looks like one. */
export type PrivacyMode = 'fast' | 'accurate' | 'aggressive'

/** The text as detectors see it: as long as the original, with what they must not read struck out. */
export interface View {
  /** Without addresses and marks of markup: for names, places, numbers. */
  words: string
  /** As it stands: for what hides in addresses too. */
  all: string
}

/** Strikes out a stretch so that nothing is found in it or across it. */
export const STRUCK = '\u0001'

/** Findings in order, without overlaps: the one that comes first in `findings` wins, and neighbours of it stay. */
export function settled(findings: readonly PrivacyFinding[]): PrivacyFinding[] {
  const byPlace = findings
    .map((finding, rank) => ({ ...finding, rank }))
    .sort((a, b) => a.start - b.start || a.rank - b.rank || b.end - a.end)
  const kept: (PrivacyFinding & { rank: number })[] = []
  for (const finding of byPlace) {
    const last = kept.at(-1)
    if (!last || finding.start >= last.end) kept.push(finding)
    else if (finding.rank < last.rank) {
      // The stronger one takes the place; what the weaker one covered besides stays covered.
      kept.pop()
      kept.push({ ...finding, start: Math.min(finding.start, last.start), end: Math.max(finding.end, last.end) })
    } else last.end = Math.max(last.end, finding.end)
  }
  return kept.map(({ start, end, entity }) => ({ start, end, entity }))
}

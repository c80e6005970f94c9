// Types of privacy/, and resolution of overlapping findings.

export const ENTITIES = ['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'] as const
export type Entity = (typeof ENTITIES)[number]

export interface PrivacyFinding {
  start: number
  end: number
  entity: Entity
}

/** `fast`: patterns only. `accurate`: also names and places. `aggressive`: also weak matches. */
export type PrivacyMode = 'fast' | 'accurate' | 'aggressive'

/** Views have the length of the original, with excluded ranges overwritten. */
export interface View {
  /** Without addresses and markup: for names, places, numbers. */
  words: string
  /** Unchanged text: for values inside addresses. */
  all: string
}

/** Overwrites excluded ranges, so that nothing matches in or across them. */
export const STRUCK = '\u0001'

/** Sorts findings and removes overlaps; earlier entries of `findings` have priority. */
export function withoutOverlaps(findings: readonly PrivacyFinding[]): PrivacyFinding[] {
  const byPlace = findings
    .map((finding, rank) => ({ ...finding, rank }))
    .sort((a, b) => a.start - b.start || a.rank - b.rank || b.end - a.end)
  const kept: (PrivacyFinding & { rank: number })[] = []
  for (const finding of byPlace) {
    const last = kept.at(-1)
    if (!last || finding.start >= last.end) kept.push(finding)
    else if (finding.rank < last.rank) {
      // The stronger finding replaces the weaker and covers both ranges.
      kept.pop()
      kept.push({ ...finding, start: Math.min(finding.start, last.start), end: Math.max(finding.end, last.end) })
    } else last.end = Math.max(last.end, finding.end)
  }
  return kept.map(({ start, end, entity }) => ({ start, end, entity }))
}

// Types of privacy/, and resolution of overlapping findings.

export const PRIVACY_ENTITIES = ['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'] as const
export type PrivacyEntity = (typeof PRIVACY_ENTITIES)[number]

export type PrivacyFinding = { start: number; end: number; entity: PrivacyEntity }

/** `fast`: patterns only. `accurate`: also names and places. `aggressive`: also weak matches. */
export type PrivacyMode = 'fast' | 'accurate' | 'aggressive'

/** Views have the length of the original, with excluded ranges overwritten. */
export interface MaskedText {
  /** Without addresses and markup: for names, places, numbers. */
  words: string
  /** Unchanged text: for values inside addresses. */
  all: string
}

/** Overwrites excluded ranges, so that nothing matches in or across them. */
export const MASK_CHARACTER = '\u0001'

/** Sorts findings and removes overlaps; earlier entries of `findings` have priority. */
export function removeOverlaps(findings: readonly PrivacyFinding[]): PrivacyFinding[] {
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

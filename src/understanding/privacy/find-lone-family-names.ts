// Finds family names that stand alone after the person was named in full in the same document. Family names that are
// also common words are ignored.

import type { NameAndPlaceLists } from './name-and-place-lists.ts'
import type { MaskedText, PrivacyFinding } from './privacy-finding.ts'

const MIN_LETTERS = 4
const CAPITAL_WORD = /(?<![\p{L}\p{N}_@.'’-])\p{Lu}[\p{L}\p{M}]{3,30}(?![\p{L}\p{N}@])/gu

/** Family names from full names; never a common word, a place or a given name. */
export function collectFamilyNames(
  { words }: MaskedText,
  findings: readonly PrivacyFinding[],
  gazetteer: NameAndPlaceLists,
): string[] {
  return findings.flatMap(({ start, end, entity }) => {
    if (entity !== 'PERSON') return []
    const parts = words.slice(start, end).split(/[ \u00a0]+/)
    const last = parts.at(-1)!.replace(/['’]s$/, '')
    const key = last.toLowerCase()
    const isName =
      parts.length > 1 &&
      last.length >= MIN_LETTERS &&
      /^\p{Lu}\p{Ll}+$/u.test(last) &&
      !gazetteer.words.has(key) &&
      !gazetteer.given.has(key)
    return isName ? [last] : []
  })
}

export function findLoneFamilyNames({ words }: MaskedText, names: ReadonlySet<string>): PrivacyFinding[] {
  if (names.size === 0) return []
  return [...words.matchAll(CAPITAL_WORD)]
    .filter(([word]) => names.has(word))
    .map((found) => ({ start: found.index, end: found.index + found[0].length, entity: 'PERSON' }))
}

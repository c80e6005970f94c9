// A person named in full once is often named by the family name alone afterwards, or in another text of the same page. Names
// are taken from findings; a family name that is also a word of the language is left alone. It must not know detectors.
import type { PrivacyFinding, View } from './finding.ts'
import type { Gazetteer } from './gazetteer.ts'

const MIN_LETTERS = 4
const CAPITAL_WORD = /(?<![\p{L}\p{N}_@.'’-])\p{Lu}[\p{L}\p{M}]{3,30}(?![\p{L}\p{N}@])/gu

/** Family names of people that a text names in full; never a word, a place or a given name. */
export function familyNames({ words }: View, findings: readonly PrivacyFinding[], gazetteer: Gazetteer): string[] {
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

/** Where one of the names stands alone. */
export function standingAlone({ words }: View, names: ReadonlySet<string>): PrivacyFinding[] {
  if (names.size === 0) return []
  return [...words.matchAll(CAPITAL_WORD)]
    .filter(([word]) => names.has(word))
    .map((found) => ({ start: found.index, end: found.index + found[0].length, entity: 'PERSON' }))
}

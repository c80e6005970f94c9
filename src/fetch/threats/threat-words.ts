// Word lists for threat scoring: homoglyphs, imitated brands, words that request trust, free hosts and TLDs, and popular
// domains.
import lists from './words.json' with { type: 'json' }

const wordsOf = (lines: readonly string[]): string[] => lines.flatMap((line) => line.split(' '))

/** Homoglyphs of Latin letters, and digits used as letters. */
export const LATIN_OF_HOMOGLYPH: ReadonlyMap<string, string> = new Map(
  Object.entries(lists.homoglyphs).flatMap(([latin, letters]) => [...letters].map((one) => [one, latin] as const)),
)
export const IMITATED_BRAND_NAMES: readonly string[] = wordsOf(lists.brands)
export const TRICK_WORDS: ReadonlySet<string> = new Set(wordsOf(lists.trickWords))
export const FREE_HOSTS: ReadonlySet<string> = new Set(wordsOf(lists.freeHosts))
/** Cheap or free TLDs, mostly used for abuse. */
export const CHEAP_TLDS: ReadonlySet<string> = new Set(wordsOf(lists.cheapTlds))
export const COMMON_TLDS: ReadonlySet<string> = new Set(['com', 'org', 'net', 'edu', 'gov', 'mil', 'int'])
/** Popular domains whose pages are all their owner's, so a brand name there is not a trick. */
export const WELL_KNOWN_DOMAINS: ReadonlySet<string> = new Set(wordsOf(lists.wellKnownDomains))

// Detects a text's language by script and stop words. The stated language wins unless the text contradicts it:
// templates state `en` on pages of every language.
import { findLanguage, searchLanguages } from './languages.ts'

export const LANGUAGE_SAMPLE_CHARS = 4_000
const MIN_WORDS = 12
/** Minimum share of stop words in running text. */
const MIN_STOP_WORD_SHARE = 0.18
/** The minimum when no language is stated. */
const MIN_STOP_WORD_SHARE_UNSTATED = 0.08
/** Keep the stated language at this share of the best score. */
const MIN_SHARE_OF_STATED_LANGUAGE = 0.6

const LETTERS: readonly [code: string, letters: RegExp][] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['zh', /\p{Script=Han}/u],
  ['ko', /\p{Script=Hangul}/u],
  ['th', /\p{Script=Thai}/u],
  ['el', /\p{Script=Greek}/u],
  ['hi', /\p{Script=Devanagari}/u],
  ['ar', /\p{Script=Arabic}/u],
  ['ta', /\p{Script=Tamil}/u],
  ['hy', /\p{Script=Armenian}/u],
]
/** Languages with the same script as the key. */
const LANGUAGES_SHARING_SCRIPT: Readonly<Record<string, readonly string[]>> = {
  hi: ['ne', 'mr'],
  ar: ['fa', 'ur'],
  zh: ['ja'],
}

export function detectTextLanguage(text: string, stated: string): string {
  const sample = text.slice(0, LANGUAGE_SAMPLE_CHARS)
  const { letters, latin, byScript } = lettersIn(sample)
  if (letters === 0) return stated
  for (const [at, [code]] of LETTERS.entries()) {
    const share = byScript[at]! / letters
    // A few kana mean Japanese; a few Greek letters among Latin are formulas.
    if (share < (code === 'ja' ? 0.05 : 0.5)) continue
    return stated === code || LANGUAGES_SHARING_SCRIPT[code]?.includes(stated) ? stated : code
  }
  return bySmallWords(sample, stated, latin / letters)
}

interface Letters {
  letters: number
  latin: number
  byScript: Uint32Array
}

/** Character class bits: script index, Latin, letter, combining mark. */
const LETTER_BIT = 64
const LATIN = 32
const MARK = 16
const SCRIPT = 15
const KNOWN = 128
const kinds = new Uint8Array(0x10000)

function kindOf(code: number): number {
  const character = String.fromCodePoint(code)
  const script = LETTERS.findIndex(([, letters]) => letters.test(character)) + 1
  const isLatin = /\p{Script=Latin}/u.test(character)
  const sort = /\p{L}/u.test(character) ? LETTER_BIT : /\p{M}/u.test(character) ? MARK : 0
  return KNOWN | script | (isLatin ? LATIN : 0) | sort
}

function knownKind(code: number): number {
  if (code > 0xffff) return kindOf(code)
  const known = kinds[code]!
  if (known !== 0) return known
  const kind = kindOf(code)
  kinds[code] = kind
  return kind
}

function lettersIn(sample: string): Letters {
  let letters = 0
  let latin = 0
  const byScript = new Uint32Array(LETTERS.length)
  for (let at = 0; at < sample.length; at++) {
    const code = sample.codePointAt(at)!
    const kind = knownKind(code)
    if (code > 0xffff) at++
    if (kind & LETTER_BIT) letters++
    if (kind & LATIN) latin++
    const script = kind & SCRIPT
    if (script > 0) byScript[script - 1] = byScript[script - 1]! + 1
  }
  return { letters, latin, byScript }
}

function bySmallWords(sample: string, stated: string, latinShare: number): string {
  const hits = new Map<string, { count: number; worth: number }>()
  const words = eachWord(sample.toLowerCase(), (word) => {
    const codes = speakers.get(removeAccents(word)) ?? []
    for (const code of codes) {
      const sum = hits.get(code) ?? { count: 0, worth: 0 }
      if (sum.count === 0) hits.set(code, sum)
      sum.count++
      sum.worth += 1 / codes.length
    }
  })
  if (words < MIN_WORDS) return stated
  let best = { code: '', share: 0, worth: 0 }
  let own = 0
  const statedCode = findLanguage(stated)?.code
  for (const code of searchLanguages.keys()) {
    const { count, worth } = hits.get(code) ?? { count: 0, worth: 0 }
    if (count === 0 || LETTERS_OF_NEIGHBOURS[code]?.test(sample)) continue
    if (worth > best.worth) best = { code, share: count / words, worth }
    if (code === statedCode) own = worth
  }
  const trusted = scriptSpeaksAgainst(latinShare, stated) ? '' : stated
  if (best.share < (trusted === '' ? MIN_STOP_WORD_SHARE_UNSTATED : MIN_STOP_WORD_SHARE)) return trusted
  return own >= MIN_SHARE_OF_STATED_LANGUAGE * best.worth ? stated : best.code
}

function eachWord(low: string, found: (word: string) => void): number {
  let words = 0
  let start = -1
  let isPlain = true
  let hash = 0
  for (let at = 0; at <= low.length; at++) {
    const code = at < low.length ? low.codePointAt(at)! : 32
    const kind = knownKind(code)
    if (kind & LETTER_BIT || (start >= 0 && kind & MARK)) {
      if (start < 0) {
        start = at
        isPlain = true
        hash = 0
      }
      if (code > 127) isPlain = false
      hash = nextHash(hash, code)
    } else if (start >= 0) {
      words++
      if (!isPlain || plainHashes[hash & HASH_MASK] === 1) found(low.slice(start, at))
      start = -1
    }
    if (code > 0xffff) at++
  }
  return words
}

const ASCII_WORD = /^[a-z]+$/
const removeAccents = (word: string): string =>
  ASCII_WORD.test(word) ? word : word.normalize('NFD').replace(/[\u0300-\u036f]/g, '')

/** Languages per stop word: `in` is weak evidence, `nicht` strong. */
const speakers = new Map<string, string[]>()
for (const [code, { stop }] of searchLanguages)
  for (const word of stop) speakers.set(word, [...(speakers.get(word) ?? []), code])

/** Hashes of plain stop words: most other words need no string. */
const HASH_MASK = 0x3fff
const nextHash = (hash: number, code: number): number => Math.imul(hash ^ code, 0x9e3779b1) ^ (hash >>> 13)
const plainHashes = new Uint8Array(HASH_MASK + 1)
for (const word of speakers.keys()) {
  let hash = 0
  for (let at = 0; at < word.length; at++) hash = nextHash(hash, word.charCodeAt(at))
  plainHashes[hash & HASH_MASK] = 1
}

/** Letters that a language lacks but its neighbours have. */
const LETTERS_OF_NEIGHBOURS: Readonly<Record<string, RegExp>> = {
  ru: /[іїєґђјљњћџ]/i,
  uk: /[ыэёъ]/i,
  bg: /[ыэёіїє]/i,
}

function scriptSpeaksAgainst(latinShare: number, stated: string): boolean {
  const script = findLanguage(stated)?.script
  return script !== undefined && (script === 'latin') !== latinShare > 0.5
}

// The language a text is written in, by its letters and its small words. What a page states comes first, unless its own
// words speak against it: templates say `en` on pages of every language, and guesses from a few names say anything.
import { languageOf, languages } from './languages.ts'

const SAMPLE_CHARS = 4_000
/** Fewer words prove nothing. */
const MIN_WORDS = 12
/** In running text at least this share of the words are small ones. */
const RUNNING = 0.18
/** Where nothing is stated, less will do. */
const HINTS = 0.08
/** What is stated stands while it explains so much of what the best explains. */
const STANDS = 0.6

const WORD = /\p{L}[\p{L}\p{M}]*/gu
const LETTERS: readonly [code: string, letters: RegExp][] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['ta', /\p{Script=Tamil}/gu],
  ['hy', /\p{Script=Armenian}/gu],
]
/** Languages that share letters with the one that stands for them above. */
const SHARED: Readonly<Record<string, readonly string[]>> = { hi: ['ne', 'mr'], ar: ['fa', 'ur'], zh: ['ja'] }

/** `en`, `de`, …; empty when nobody can tell. */
export function textLanguage(text: string, stated: string): string {
  const sample = text.slice(0, SAMPLE_CHARS)
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0) return stated
  for (const [code, pattern] of LETTERS) {
    const share = (sample.match(pattern)?.length ?? 0) / letters
    // A few kana among many characters are Japanese; a few Greek letters among Latin ones are formulas.
    if (share < (code === 'ja' ? 0.05 : 0.5)) continue
    return stated === code || SHARED[code]?.includes(stated) ? stated : code
  }
  return bySmallWords(sample, stated)
}

function bySmallWords(sample: string, stated: string): string {
  const words = sample.toLowerCase().match(WORD) ?? []
  if (words.length < MIN_WORDS) return stated
  const plain = words.map((word) => word.normalize('NFD').replace(/[\u0300-\u036f]/g, ''))
  let best = { code: '', share: 0, worth: 0 }
  let own = 0
  const statedCode = languageOf(stated)?.code
  for (const [code, { stop }] of languages) {
    if (stop.size === 0 || FOREIGN[code]?.test(sample)) continue
    let hits = 0
    let worth = 0
    for (const word of plain)
      if (stop.has(word)) {
        hits++
        worth += 1 / (speakers.get(word) ?? 1)
      }
    if (worth > best.worth) best = { code, share: hits / words.length, worth }
    if (code === statedCode) own = worth
  }
  const trusted = scriptSpeaksAgainst(sample, stated) ? '' : stated
  if (best.share < (trusted === '' ? HINTS : RUNNING)) return trusted
  return own >= STANDS * best.worth ? stated : best.code
}

/** In how many languages a word is a small one: `in` tells little, `nicht` much. */
const speakers = new Map<string, number>()
for (const { stop } of languages.values()) for (const word of stop) speakers.set(word, (speakers.get(word) ?? 0) + 1)

/** Letters that a language does not have, where neighbours do. */
const FOREIGN: Readonly<Record<string, RegExp>> = {
  ru: /[іїєґђјљњћџ]/i,
  uk: /[ыэёъ]/i,
  bg: /[ыэёіїє]/i,
}

const LATIN = /\p{Script=Latin}/gu
function scriptSpeaksAgainst(sample: string, stated: string): boolean {
  const script = languageOf(stated)?.script
  if (script === undefined) return false
  const latin = sample.match(LATIN)?.length ?? 0
  const letters = sample.match(/\p{L}/gu)?.length ?? 1
  return (script === 'latin') !== latin / letters > 0.5
}

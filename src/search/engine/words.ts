// Tokenises text for index and query: folding (case, accents, Arabic letter variants), stemming by language, and
// character bigrams for scripts without spaces.

import { tableOf } from '../../base/lookup-table.ts'
import { type Language, languageOf, languages, type Script } from './languages.ts'
import { eachLine, FOLDED, pastApostrophes } from './text-lines.ts'

/** Longer ones are hashes or errors. */
const MAX_WORD = 48
const STEMS_KEPT = 50_000
const MET_BITS = 13

/** Letters and digits with combining marks; an apostrophe only between letters. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’][\p{L}][\p{L}\p{M}]*)*/gu
/** Scripts without spaces between words, and Korean, whose words include particles. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const UNSPACED_RUN = new RegExp(`(?:${UNSPACED.source}\\p{M}*)+`, 'gu')
const ASCII = /^[\x20-\x7e\s]*$/
export const PLAIN_TEXT = /^[\t-~]*$/

const SCRIPTS: readonly [Script, RegExp][] = [
  ['latin', /^[\p{Script=Latin}]/u],
  ['cyrillic', /^[\p{Script=Cyrillic}]/u],
  ['arabic', /^[\p{Script=Arabic}]/u],
  ['devanagari', /^[\p{Script=Devanagari}]/u],
  ['greek', /^[\p{Script=Greek}]/u],
  ['armenian', /^[\p{Script=Armenian}]/u],
  ['tamil', /^[\p{Script=Tamil}]/u],
]

/** Lower case, NFKC, unified Arabic letters. */
export function unify(text: string): string {
  const low = text.toLowerCase()
  if (ASCII.test(low)) return low
  return low
    .normalize('NFKC')
    .replace(/[\u064b-\u065f]|\u0670|\u0640|\u200c|\u200d|\u00ad/g, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/[ىی]/g, 'ي')
    .replace(/ک/g, 'ك')
    .replace(/ة/g, 'ه')
    .replace(/ё/g, 'е')
    .replace(/ß/g, 'ss')
    .replace(/ı/g, 'i')
}

/** Latin and Greek only: elsewhere the marks are part of the letters. */
export function unaccented(word: string): string {
  if (PLAIN_TEXT.test(word)) return word
  const spread = word
    .normalize('NFD')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}][\u0300-\u036f]*)[\u0300-\u036f]/gu, '')
  return spread.normalize('NFC').replace(/[øœæłđ]/g, (letter) => PLAIN[letter] ?? letter)
}
const PLAIN = tableOf<string>({ ø: 'o', œ: 'oe', æ: 'ae', ł: 'l', đ: 'd' })

export interface Word {
  plain: string
  /** Search terms; the first is the stem in the text's language. */
  terms: readonly string[]
  stop: boolean
}

/** Counting state: the last page, and the counts there. */
export interface KnownWord extends Word {
  page: number
  counts: number
}

export function wordsOf(text: string, stated: string | undefined): Word[] {
  const words: Word[] = []
  eachKnown(text, stated, (word) => words.push(word))
  return words
}

/** No word spans lines; most lines are plain and read as bytes. */
export function eachKnown(text: string, stated: string | undefined, found: (word: KnownWord) => void): void {
  const stems = stemsIn(languageOf(stated))
  eachLine(
    text,
    (bytes, from, until) => plainWords(bytes, from, until, stems, found),
    (line) => wordsOfLine(unify(line), (word) => found(stems.get(word))),
  )
}

export const eachWord = (text: string, found: (word: string) => void): void => wordsOfLine(unify(text), found)

function wordsOfLine(whole: string, found: (word: string) => void): void {
  if (!UNSPACED.test(whole)) {
    for (const [word] of whole.matchAll(WORD)) if (word.length <= MAX_WORD) found(bare(word))
    return
  }
  let at = 0
  for (const { 0: run, index } of whole.matchAll(UNSPACED_RUN)) {
    for (const [word] of whole.slice(at, index).matchAll(WORD)) if (word.length <= MAX_WORD) found(bare(word))
    pairs(run, found)
    at = index + run.length
  }
  for (const [word] of whole.slice(at).matchAll(WORD)) if (word.length <= MAX_WORD) found(bare(word))
}

const isLetter = (code: number): boolean => code >= 97 && code <= 122

/** Equivalent to WORD on plain lines; lower-cases the bytes in place. */
function plainWords(
  bytes: Uint8Array,
  from: number,
  until: number,
  stems: Stems,
  found: (word: KnownWord) => void,
): void {
  for (let at = from; at < until; ) {
    let code = FOLDED[bytes[at]!]!
    if (code === 0) {
      at++
      continue
    }
    const start = at
    let hash = 0
    // A line end is not a letter, so the loop ends.
    do {
      bytes[at] = code
      hash = Math.imul(hash ^ code, 0x9e3779b1)
      code = FOLDED[bytes[++at]!]!
    } while (code !== 0)
    const end = pastApostrophes(bytes, at)
    if (end > at) {
      const written = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()
      if (written.length <= MAX_WORD) found(stems.get(bare(written.toLowerCase())))
      at = end
    } else if (at - start <= MAX_WORD) found(stems.at(bytes, start, at, hash))
  }
}

/** Bigrams; a single character is a word. */
function pairs(run: string, found: (word: string) => void): void {
  const characters = [...run.matchAll(/\P{M}\p{M}*/gu)].map(([character]) => character)
  if (characters.length === 1) found(characters[0]!)
  for (let at = 0; at + 1 < characters.length; at++) found(characters[at]! + characters[at + 1]!)
}

/** Drops the English possessive, and French and Italian elisions. */
function bare(word: string): string {
  if (!word.includes("'") && !word.includes('’')) return word
  const parts = word.split(/['’]/)
  if (parts.length === 2 && parts[1] === 's') return parts[0]!
  if (parts.length === 2 && parts[0]!.length <= 2) return parts[1]!
  return parts.join('')
}

export const isUnspaced = (word: string): boolean => UNSPACED.test(word)

/** Cache of stems, evicting the least recently used: most words repeat across pages. */
class Stems {
  readonly #language: Language | undefined
  #recent = new Map<string, KnownWord>()
  #older = new Map<string, KnownWord>()

  /** Recent words by hash of their bytes, found without creating strings. */
  readonly #met: (KnownWord | undefined)[] = new Array(1 << MET_BITS).fill(undefined)
  readonly #letters = new Uint8Array(MAX_WORD << MET_BITS)
  readonly #lengths = new Uint8Array(1 << MET_BITS)

  constructor(language: Language | undefined) {
    this.#language = language
  }

  at(bytes: Uint8Array, start: number, end: number, hash: number): KnownWord {
    const slot = (hash ^ (hash >>> 15)) & ((1 << MET_BITS) - 1)
    if (this.#isAt(slot, bytes, start, end)) return this.#met[slot]!
    const length = end - start
    const word = this.get(Buffer.from(bytes.buffer, bytes.byteOffset + start, length).toString('latin1'))
    for (let at = 0; at < length; at++) this.#letters[slot * MAX_WORD + at] = bytes[start + at]!
    this.#lengths[slot] = length
    this.#met[slot] = word
    return word
  }

  #isAt(slot: number, bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start
    if (this.#lengths[slot] !== length) return false
    const letters = this.#letters
    const from = slot * MAX_WORD
    for (let at = 0; at < length; at++) if (letters[from + at] !== bytes[start + at]) return false
    return true
  }

  get(word: string): KnownWord {
    const recent = this.#recent.get(word)
    if (recent) return recent
    const kept = apart(word)
    const found = this.#older.get(word) ?? made(kept, this.#language)
    if (this.#recent.size >= STEMS_KEPT) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(kept, found)
    return found
  }
}

/** A copy: a longer substring would keep the source text in memory. */
const apart = (word: string): string => (word.length > 12 ? Buffer.from(word).toString() : word)

const stemsOf = new Map<string, Stems>()

function stemsIn(language: Language | undefined): Stems {
  const code = language?.code ?? ''
  let found = stemsOf.get(code)
  if (!found) {
    found = new Stems(language)
    stemsOf.set(code, found)
  }
  return found
}

function made(word: string, language: Language | undefined): KnownWord {
  const plain = unaccented(word)
  if (!language || !stems(word, language)) return { plain, terms: [plain], stop: false, page: 0, counts: 0 }
  const stem = unaccented(language.stem(word))
  // Also index the stem of the accentless form, for queries typed without accents.
  const bareStem = plain === word ? stem : unaccented(language.stem(plain))
  const terms = stem === bareStem ? [stem] : [stem, bareStem]
  return { plain, terms, stop: language.stop.has(plain), page: 0, counts: 0 }
}

const stems = (word: string, { script }: Language): boolean =>
  isLetter(word.charCodeAt(0)) ? script === 'latin' : !/^\p{N}/u.test(word) && scriptOf(word) === script

const scriptOf = (word: string): Script | undefined =>
  isLetter(word.charCodeAt(0)) ? 'latin' : SCRIPTS.find(([, letters]) => letters.test(word))?.[0]

/**
 * A query word with its terms in each candidate language. It is a stop word only if it is one in the likeliest
 * language.
 */
interface QueryWord extends Word {
  only: ReadonlyMap<string, readonly string[]>
}

export function queryWord(word: string, candidates: readonly string[]): QueryWord {
  const script = scriptOf(word)
  const rows = candidates.map((code) => languages.get(code)).filter((row) => row !== undefined)
  const fitting = rows.filter((row) => row.script === script)
  const readings = (fitting.length > 0 ? fitting : [undefined]).map((language) => stemsIn(language).get(word))
  const first = readings[0]!
  // A stem of one language may be another word in the next, so restrict it to its language.
  const only = new Map<string, string[]>()
  for (const [at, language] of fitting.entries())
    for (const term of readings[at]!.terms)
      if (!first.terms.includes(term)) only.set(term, [...(only.get(term) ?? []), language.code])
  return { plain: first.plain, terms: [...new Set(readings.flatMap(({ terms }) => terms))], stop: first.stop, only }
}

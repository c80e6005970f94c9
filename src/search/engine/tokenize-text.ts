// Tokenises text for index and query: folding (case, accents, Arabic letter variants), stemming by language, and
// character bigrams for scripts without spaces.

import { makeLookupTable } from '../../base/lookup-table.ts'
import { findLanguage, type SearchLanguage, searchLanguages, type WritingScript } from './languages.ts'
import { forEachLineAsBytes, LOWERCASE_WORD_BYTES, skipApostrophes } from './split-lines-as-bytes.ts'

/** Longer ones are hashes or errors. */
const MAX_WORD_CHARS = 48
const STEMS_KEPT = 50_000
const SLOT_BITS = 16

/** Letters and digits with combining marks; an apostrophe only between letters. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’][\p{L}][\p{L}\p{M}]*)*/gu
/** Scripts without spaces between words, and Korean, whose words include particles. */
const SCRIPT_WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const UNSPACED_RUN = new RegExp(`(?:${SCRIPT_WITHOUT_SPACES.source}\\p{M}*)+`, 'gu')
const ASCII = /^[\x20-\x7e\s]*$/
export const ASCII_TEXT = /^[\t-~]*$/

const SCRIPTS: readonly [WritingScript, RegExp][] = [
  ['latin', /^[\p{Script=Latin}]/u],
  ['cyrillic', /^[\p{Script=Cyrillic}]/u],
  ['arabic', /^[\p{Script=Arabic}]/u],
  ['devanagari', /^[\p{Script=Devanagari}]/u],
  ['greek', /^[\p{Script=Greek}]/u],
  ['armenian', /^[\p{Script=Armenian}]/u],
  ['tamil', /^[\p{Script=Tamil}]/u],
]

/** Lower case, NFKC, unified Arabic letters. */
export function foldText(text: string): string {
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
export function removeAccents(word: string): string {
  if (ASCII_TEXT.test(word)) return word
  const spread = word
    .normalize('NFD')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}][\u0300-\u036f]*)[\u0300-\u036f]/gu, '')
  return spread.normalize('NFC').replace(/[øœæłđ]/g, (letter) => PLAIN[letter] ?? letter)
}
const PLAIN = makeLookupTable<string>({ ø: 'o', œ: 'oe', æ: 'ae', ł: 'l', đ: 'd' })

export interface SearchWord {
  plain: string
  /** Search terms; the first is the stem in the text's language. */
  terms: readonly string[]
  stop: boolean
}

/** Counting state: the last builder of a segment that counted the word, and the ids of its one or two terms there. */
export interface CountedWord extends SearchWord {
  builder: number
  firstId: number
  secondId: number
}

export function tokenizeText(text: string, stated: string | undefined): SearchWord[] {
  const words: SearchWord[] = []
  eachCountedWord(text, stated, (word) => words.push(word))
  return words
}

/** No word spans lines; most lines are plain and read as bytes. */
export function eachCountedWord(text: string, stated: string | undefined, found: (word: CountedWord) => void): void {
  const stems = stemsIn(findLanguage(stated))
  forEachLineAsBytes(
    text,
    (bytes, from, until) => plainWords(bytes, from, until, stems, found),
    (line) => wordsOfLine(foldText(line), (word) => found(stems.get(word))),
  )
}

export const eachWord = (text: string, found: (word: string) => void): void => wordsOfLine(foldText(text), found)

function wordsOfLine(whole: string, found: (word: string) => void): void {
  if (!SCRIPT_WITHOUT_SPACES.test(whole)) {
    for (const [word] of whole.matchAll(WORD)) if (word.length <= MAX_WORD_CHARS) found(removePossessive(word))
    return
  }
  let at = 0
  for (const { 0: run, index } of whole.matchAll(UNSPACED_RUN)) {
    for (const [word] of whole.slice(at, index).matchAll(WORD))
      if (word.length <= MAX_WORD_CHARS) found(removePossessive(word))
    pairs(run, found)
    at = index + run.length
  }
  for (const [word] of whole.slice(at).matchAll(WORD)) if (word.length <= MAX_WORD_CHARS) found(removePossessive(word))
}

const isLetter = (code: number): boolean => code >= 97 && code <= 122

/** Equivalent to WORD on plain lines; lower-cases the bytes in place. */
function plainWords(
  bytes: Uint8Array,
  from: number,
  until: number,
  stems: Stems,
  found: (word: CountedWord) => void,
): void {
  for (let at = from; at < until; ) {
    let code = LOWERCASE_WORD_BYTES[bytes[at]!]!
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
      code = LOWERCASE_WORD_BYTES[bytes[++at]!]!
    } while (code !== 0)
    const end = skipApostrophes(bytes, at)
    if (end > at) {
      const written = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()
      if (written.length <= MAX_WORD_CHARS) found(stems.get(removePossessive(written.toLowerCase())))
      at = end
    } else if (at - start <= MAX_WORD_CHARS) found(stems.at(bytes, start, at, hash))
  }
}

/** Bigrams; a single character is a word. */
function pairs(run: string, found: (word: string) => void): void {
  const characters = [...run.matchAll(/\P{M}\p{M}*/gu)].map(([character]) => character)
  if (characters.length === 1) found(characters[0]!)
  for (let at = 0; at + 1 < characters.length; at++) found(characters[at]! + characters[at + 1]!)
}

/** Drops the English possessive, and French and Italian elisions. */
function removePossessive(word: string): string {
  if (!word.includes("'") && !word.includes('’')) return word
  const parts = word.split(/['’]/)
  if (parts.length === 2 && parts[1] === 's') return parts[0]!
  if (parts.length === 2 && parts[0]!.length <= 2) return parts[1]!
  return parts.join('')
}

export const isScriptWithoutSpaces = (word: string): boolean => SCRIPT_WITHOUT_SPACES.test(word)

/** Cache of stems, evicting the least recently used: most words repeat across pages. */
class Stems {
  readonly #language: SearchLanguage | undefined
  #recent = new Map<string, CountedWord>()
  #older = new Map<string, CountedWord>()

  /** Plain words by hash of their bytes, found without creating strings; of a pair of slots the longest unused is reused. */
  readonly #plain: (CountedWord | undefined)[] = new Array(1 << SLOT_BITS).fill(undefined)
  readonly #letters = Buffer.alloc(MAX_WORD_CHARS << SLOT_BITS)
  readonly #lengths = new Uint8Array(1 << SLOT_BITS)
  readonly #usedLast = new Uint8Array(1 << SLOT_BITS)

  constructor(language: SearchLanguage | undefined) {
    this.#language = language
  }

  at(bytes: Uint8Array, start: number, end: number, hash: number): CountedWord {
    const pair = (hash ^ (hash >>> 15)) & ((1 << SLOT_BITS) - 2)
    const slot = pair | this.#usedLast[pair]!
    if (this.#isAt(slot, bytes, start, end)) return this.#plain[slot]!
    const other = slot ^ 1
    this.#usedLast[pair] = other & 1
    if (!this.#isAt(other, bytes, start, end)) this.#plain[other] = this.#madeAt(other, bytes, start, end)
    return this.#plain[other]!
  }

  #madeAt(slot: number, bytes: Uint8Array, start: number, end: number): CountedWord {
    const from = slot * MAX_WORD_CHARS
    const length = end - start
    const letters: Uint8Array = this.#letters
    for (let at = 0; at < length; at++) letters[from + at] = bytes[start + at]!
    this.#lengths[slot] = length
    return makeWord(this.#letters.toString('latin1', from, from + length), this.#language)
  }

  #isAt(slot: number, bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start
    if (this.#lengths[slot] !== length) return false
    const letters: Uint8Array = this.#letters
    const from = slot * MAX_WORD_CHARS
    for (let at = 0; at < length; at++) if (letters[from + at] !== bytes[start + at]) return false
    return true
  }

  get(word: string): CountedWord {
    const recent = this.#recent.get(word)
    if (recent) return recent
    const kept = copyString(word)
    const found = this.#older.get(word) ?? makeWord(kept, this.#language)
    if (this.#recent.size >= STEMS_KEPT) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(kept, found)
    return found
  }
}

/** A copy: a longer substring would keep the source text in memory. */
const copyString = (word: string): string => (word.length > 12 ? Buffer.from(word).toString() : word)

const stemsOf = new Map<string, Stems>()

function stemsIn(language: SearchLanguage | undefined): Stems {
  const code = language?.code ?? ''
  let found = stemsOf.get(code)
  if (!found) {
    found = new Stems(language)
    stemsOf.set(code, found)
  }
  return found
}

function makeWord(word: string, language: SearchLanguage | undefined): CountedWord {
  const plain = removeAccents(word)
  if (!language || !stems(word, language)) return makeCountedWord(plain, [plain], false)
  const stem = removeAccents(language.stem(word))
  // Also index the stem of the accentless form, for queries typed without accents.
  const bareStem = plain === word ? stem : removeAccents(language.stem(plain))
  const terms = stem === bareStem ? [stem] : [stem, bareStem]
  return makeCountedWord(plain, terms, language.stop.has(plain))
}

const makeCountedWord = (plain: string, terms: readonly string[], stop: boolean): CountedWord => ({
  plain,
  terms,
  stop,
  builder: 0,
  firstId: -1,
  secondId: -1,
})

const stems = (word: string, { script }: SearchLanguage): boolean =>
  isLetter(word.charCodeAt(0)) ? script === 'latin' : !/^\p{N}/u.test(word) && scriptOf(word) === script

const scriptOf = (word: string): WritingScript | undefined =>
  isLetter(word.charCodeAt(0)) ? 'latin' : SCRIPTS.find(([, letters]) => letters.test(word))?.[0]

/**
 * A query word with its terms in each candidate language. It is a stop word only if it is one in the likeliest
 * language.
 */
interface QueryWord extends SearchWord {
  only: ReadonlyMap<string, readonly string[]>
}

export function makeQueryWord(word: string, candidates: readonly string[]): QueryWord {
  const script = scriptOf(word)
  const rows = candidates.map((code) => searchLanguages.get(code)).filter((row) => row !== undefined)
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

// Counts what the main-content model wants to know about a run of text, in one pass over its characters: length,
// words, punctuation, digits, and the hashes of its first words. No string is built, so long texts cost only the pass.

/** Only the first words of a block are looked up by the model; long texts are judged by their shape. */
const KEPT_WORDS = 16

/** A class, so that the many thousands of them on a page are all of one shape. */
export class TextStats {
  /** Characters that are not white space. */
  chars = 0
  words = 0
  digits = 0
  uppers = 0
  /** Commas and their kin. */
  commas = 0
  /** Full stops, question and exclamation marks and their kin. */
  stops = 0
  /** Bars, bullets, guillemets and other signs that separate menu entries. */
  bars = 0
  /** Ideographs and kana: scripts that do not put spaces between words. */
  ideographs = 0
  first = 0
  last = 0
  /** Where in the list of words its first ones stand, lower-cased and hashed. */
  firstWord = 0
  endWord = 0
  /** A hash of all characters that are not white space: equal texts have equal hashes. */
  hash = 0x811c9dc5 | 0
  /** Hash of an unfinished word at the end of the last scan, 0 when there is none. */
  tail = 0
}

/** Hashes of words, one run after another: a list for each run would cost more than all the words in it. */
export class WordList {
  hashes = new Int32Array(1024)
  length = 0
  add(hash: number): void {
    if (this.length === this.hashes.length) {
      const wider = new Int32Array(this.length * 2)
      wider.set(this.hashes)
      this.hashes = wider
    }
    this.hashes[this.length++] = hash
  }
}

const SPACE = 0
const LETTER = 1
const UPPER = 2
const DIGIT = 3
const COMMA = 4
const STOP = 5
const BAR = 6
const SIGN = 7
const IDEOGRAPH = 8

const KINDS = kinds()

function kinds(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(LETTER)
  const set = (kind: number, chars: string) => {
    for (const c of chars) table[c.charCodeAt(0)] = kind
  }
  const range = (kind: number, from: number, to: number) => table.fill(kind, from, to + 1)
  range(SPACE, 0, 0x20)
  range(SIGN, 0x21, 0x2f)
  range(DIGIT, 0x30, 0x39)
  range(SIGN, 0x3a, 0x40)
  range(UPPER, 0x41, 0x5a)
  range(SIGN, 0x5b, 0x60)
  range(SIGN, 0x7b, 0x7e)
  range(SPACE, 0x7f, 0xa0)
  range(SIGN, 0xa1, 0xbf)
  range(UPPER, 0xc0, 0xde)
  range(UPPER, 0x410, 0x42f)
  range(SPACE, 0x2000, 0x200f)
  range(SIGN, 0x2010, 0x27bf)
  range(SPACE, 0x2028, 0x202e)
  range(SIGN, 0x3001, 0x303f)
  range(IDEOGRAPH, 0x3040, 0x9fff)
  range(SIGN, 0xe000, 0xf8ff)
  range(SIGN, 0xff01, 0xff0f)
  set(SPACE, '\u3000\ufeff\u00ad')
  set(COMMA, ',;،、，；')
  set(STOP, '.!?…。！？।؟')
  set(BAR, '|•·»«›‹→←↑↓▸▾►▼★☆¦❯❮✓')
  set(LETTER, 'ªº_')
  return table
}

function lower(c: number): number {
  if (c < 0x80) return c >= 0x41 && c <= 0x5a ? c + 32 : c
  if ((c >= 0xc0 && c <= 0xde) || (c >= 0x410 && c <= 0x42f)) return c + 32
  return c
}

/** FNV-1a over UTF-16 units of the lower-cased word; never 0. */
export function hashWord(word: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < word.length; i++) h = Math.imul(h ^ lower(word.charCodeAt(i)), 0x01000193)
  return h | 1
}

/** Where the first character that can be seen stands; the length when there is none. */
export function firstVisible(text: string): number {
  let i = 0
  while (i < text.length && KINDS[text.charCodeAt(i)] === SPACE) i++
  return i
}

/** Adds `text`, from the given place on, to the counts, and its first words to the list. Returns the characters added. */
export function scanText(text: string, from: number, into: TextStats, list: WordList, keep = KEPT_WORDS): number {
  // Counted in variables and written back once: a write to the object for each character would be most of the cost.
  let { chars, words, digits, uppers, commas, stops, bars, ideographs, last, hash, tail } = into
  let room = keep - (into.endWord - into.firstWord)
  const before = chars
  const { length } = text
  if (chars === 0 && from < length) into.first = text.charCodeAt(from)
  for (let i = from; i < length; i++) {
    const c = text.charCodeAt(i)
    const kind = KINDS[c]!
    if (kind === LETTER || kind === UPPER || kind === DIGIT) {
      chars++
      hash = Math.imul(hash ^ c, 0x01000193)
      last = c
      if (tail === 0) {
        words++
        tail = 0x811c9dc5
      }
      // Beyond the first words, it only matters that one is under way.
      if (room > 0) tail = Math.imul(tail ^ lower(c), 0x01000193) || 1
      if (kind === UPPER) uppers++
      else if (kind === DIGIT) digits++
      continue
    }
    if (tail !== 0) {
      if (room > 0) {
        list.add(tail | 1)
        room--
      }
      tail = 0
    }
    if (kind === SPACE) continue
    chars++
    hash = Math.imul(hash ^ c, 0x01000193)
    last = c
    if (kind === COMMA) commas++
    else if (kind === STOP) stops++
    else if (kind === BAR) bars++
    else if (kind === IDEOGRAPH) {
      ideographs++
      words += 0.5
      if (room > 0) {
        list.add(Math.imul(0x811c9dc5 ^ c, 0x01000193) | 1)
        room--
      }
    }
  }
  into.chars = chars
  into.words = words
  into.digits = digits
  into.uppers = uppers
  into.commas = commas
  into.stops = stops
  into.bars = bars
  into.ideographs = ideographs
  into.last = last
  into.hash = hash
  into.tail = tail
  into.endWord = list.length
  return chars - before
}

/** Closes the last word of a block, before another begins. */
export function finishText(into: TextStats, list: WordList): void {
  if (into.tail !== 0 && into.endWord - into.firstWord < KEPT_WORDS) list.add(into.tail | 1)
  into.tail = 0
  into.endWord = list.length
}

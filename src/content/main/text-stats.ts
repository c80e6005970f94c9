// Counts characters, words, punctuation and digits of a text, and hashes its first words, in one pass without building
// strings.

/** The model looks up only the first words of a block. */
const MAX_HASHED_WORDS = 16

/** A class, so that all instances have one hidden class in V8. */
export class TextStats {
  chars = 0
  words = 0
  digits = 0
  uppers = 0
  commas = 0
  stops = 0
  /** Separators of menu entries, such as bars, bullets and guillemets. */
  bars = 0
  /** Ideographs and kana, which have no spaces between words. */
  ideographs = 0
  first = 0
  last = 0
  firstWord = 0
  endWord = 0
  /** Hash of all characters except white space; used to find equal texts. */
  hash = 0x811c9dc5 | 0
  tail = 0
}

/** Word hashes of all blocks in one array; one list per block would cost more memory than the words. */
export class WordHashes {
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

export function firstNonSpaceIndex(text: string): number {
  let i = 0
  while (i < text.length && KINDS[text.charCodeAt(i)] === SPACE) i++
  return i
}

export function addTextStats(
  text: string,
  from: number,
  into: TextStats,
  list: WordHashes,
  keep = MAX_HASHED_WORDS,
): number {
  // Local variables, written back once: property writes per character would dominate the cost.
  let { chars, words, digits, uppers, commas, stops, bars, ideographs, last, hash, tail } = into
  let remaining = keep - (into.endWord - into.firstWord)
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
      // After the first words, only whether a word is open matters.
      if (remaining > 0) tail = Math.imul(tail ^ lower(c), 0x01000193) || 1
      if (kind === UPPER) uppers++
      else if (kind === DIGIT) digits++
      continue
    }
    if (tail !== 0) {
      if (remaining > 0) {
        list.add(tail | 1)
        remaining--
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
      if (remaining > 0) {
        list.add(Math.imul(0x811c9dc5 ^ c, 0x01000193) | 1)
        remaining--
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

export function finishTextStats(into: TextStats, list: WordHashes): void {
  if (into.tail !== 0 && into.endWord - into.firstWord < MAX_HASHED_WORDS) list.add(into.tail | 1)
  into.tail = 0
  into.endWord = list.length
}

const LOG_TABLE_SIZE = 4096
const LOG_TABLE = Float64Array.from({ length: LOG_TABLE_SIZE }, (_, x) => Math.log2(1 + x))

export function logScale(x: number): number {
  const whole = x | 0
  return whole === x && whole < LOG_TABLE_SIZE ? LOG_TABLE[whole]! : Math.log2(1 + x)
}

export const ratioOrZero = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)

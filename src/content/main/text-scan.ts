// Counts what the main-content model wants to know about a run of text, in one pass over its characters: length,
// words, punctuation, digits, and the hashes of its first words. No string is built, so long texts cost only the pass.

/** Only the first words of a block are looked up by the model; long texts are judged by their shape. */
const KEPT_WORDS = 16

export interface TextStats {
  /** Characters that are not white space. */
  chars: number
  words: number
  digits: number
  uppers: number
  /** Commas and their kin. */
  commas: number
  /** Full stops, question and exclamation marks and their kin. */
  stops: number
  /** Bars, bullets, guillemets and other signs that separate menu entries. */
  bars: number
  /** Ideographs and kana: scripts that do not put spaces between words. */
  ideographs: number
  last: number
  first: number
  /** Hashes of the first words, lower-cased. */
  hashes: number[]
  /** A hash of all characters that are not white space: equal texts have equal hashes. */
  hash: number
  /** Characters added by the last scan. */
  added: number
  /** Hash of an unfinished word at the end of the last scan, 0 when there is none. */
  tail: number
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

const empty = (): TextStats => ({
  chars: 0,
  words: 0,
  digits: 0,
  uppers: 0,
  commas: 0,
  stops: 0,
  bars: 0,
  ideographs: 0,
  last: 0,
  first: 0,
  hashes: [],
  hash: 0x811c9dc5,
  added: 0,
  tail: 0,
})

/** Adds `text` to `into`, or to a new record; undefined when the text is only white space. */
export function scanText(text: string, into?: TextStats, keep = KEPT_WORDS): TextStats | undefined {
  const stats = into ?? empty()
  let { chars, hash, tail } = stats
  const before = chars
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    const kind = KINDS[c]!
    if (kind === SPACE) {
      if (tail !== 0) {
        if (stats.hashes.length < keep) stats.hashes.push(tail | 1)
        tail = 0
      }
      continue
    }
    chars++
    hash = Math.imul(hash ^ c, 0x01000193)
    stats.last = c
    if (kind <= DIGIT) {
      if (tail === 0) {
        stats.words++
        tail = 0x811c9dc5
      }
      tail = Math.imul(tail ^ lower(c), 0x01000193) || 1
      if (kind === UPPER) stats.uppers++
      else if (kind === DIGIT) stats.digits++
      continue
    }
    if (tail !== 0) {
      if (stats.hashes.length < keep) stats.hashes.push(tail | 1)
      tail = 0
    }
    if (kind === IDEOGRAPH) {
      stats.ideographs++
      stats.words += 0.5
      if (stats.hashes.length < keep) stats.hashes.push(Math.imul(0x811c9dc5 ^ c, 0x01000193) | 1)
    } else if (kind === COMMA) stats.commas++
    else if (kind === STOP) stats.stops++
    else if (kind === BAR) stats.bars++
  }
  if (chars === before) {
    stats.tail = tail
    return undefined
  }
  if (before === 0) stats.first = text.trimStart().charCodeAt(0)
  stats.chars = chars
  stats.hash = hash
  stats.tail = tail
  stats.added = chars - before
  return stats
}

/** Closes the last word of a finished block. */
export function finishText(stats: TextStats): void {
  if (stats.tail !== 0 && stats.hashes.length < KEPT_WORDS) stats.hashes.push(stats.tail | 1)
  stats.tail = 0
}

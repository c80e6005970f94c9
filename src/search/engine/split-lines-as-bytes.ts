// Splits text into lines as bytes. Most lines contain only ASCII and typographic punctuation, so their words are found
// without creating strings.

/** ASCII letters and digits in lower case; 0: not part of a word. */
export const LOWERCASE_WORD_BYTES = new Uint8Array(256)
for (let code = 48; code < 58; code++) LOWERCASE_WORD_BYTES[code] = code
for (let code = 97; code < 123; code++) {
  LOWERCASE_WORD_BYTES[code] = code
  LOWERCASE_WORD_BYTES[code - 32] = code
}

const LINE_END = 10
const APOSTROPHE = 39
/** Separators between U+00A0 and U+00BB: space, §, ©, «, ®, °, ·, ». */
const LATIN1_SEPARATORS = new Set([0xa0, 0xa7, 0xa9, 0xab, 0xae, 0xb0, 0xb7, 0xbb])

function signAt(bytes: Uint8Array, at: number): number {
  const next = bytes[at + 1]!
  if (bytes[at] === 0xc2) return LATIN1_SEPARATORS.has(next) ? 2 : 0
  if (bytes[at] !== 0xe2 || next !== 0x80) return 0
  const last = bytes[at + 2]!
  // U+2010 to U+2027, except U+2017, which decomposes to a space and a mark.
  return last >= 0x90 && last <= 0xa7 && last !== 0x97 ? 3 : 0
}

/** The end of a word that continues after an apostrophe, or the same position. */
export function skipApostrophes(bytes: Uint8Array, from: number): number {
  let end = from
  for (;;) {
    const sign = bytes[end] === APOSTROPHE ? 1 : isCurly(bytes, end) ? 3 : 0
    if (sign === 0 || !isLetter(bytes[end + sign]!)) return end
    end += sign
    while (isLetter(bytes[end]!)) end++
  }
}

const isCurly = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0xe2 && bytes[at + 1] === 0x80 && bytes[at + 2] === 0x99
const isLetter = (byte: number): boolean => LOWERCASE_WORD_BYTES[byte]! >= 97

let buffer = Buffer.alloc(1 << 16)

/** Plain lines are passed as bytes, which end with a line end and may be modified; others as strings. */
export function forEachLineAsBytes(
  text: string,
  plain: (bytes: Uint8Array, from: number, until: number) => void,
  other: (line: string) => void,
): void {
  const most = text.length * 3 + 1
  const taken = buffer.length >= most ? buffer : Buffer.alloc(most)
  buffer = Buffer.alloc(0)
  const size = taken.write(text)
  taken[size] = LINE_END
  const bytes: Uint8Array = taken
  for (let from = 0; from < size; ) {
    let until = from
    let isPlain = true
    for (let byte = bytes[until]!; byte !== LINE_END; byte = bytes[until]!) {
      const width = byte < 127 ? 1 : isPlain ? signAt(bytes, until) : 1
      if (width === 0) isPlain = false
      else until += width
    }
    if (isPlain) plain(bytes, from, until)
    else other(taken.toString('utf8', from, until))
    from = until + 1
  }
  buffer = taken
}

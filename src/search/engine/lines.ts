// The lines of a text as bytes. Most lines of most pages have nothing but ASCII and the quotes, dashes and spaces that
// editors put in: their words are found without making a text of each.

/** Letters and digits of ASCII, in lower case; 0: no part of a word. */
export const FOLDED = new Uint8Array(256)
for (let code = 48; code < 58; code++) FOLDED[code] = code
for (let code = 97; code < 123; code++) {
  FOLDED[code] = code
  FOLDED[code - 32] = code
}

const LINE_END = 10
const APOSTROPHE = 39
/** Between U+00A0 and U+00BB, those that stand between words and mean nothing else in any form: space, §, ©, «, ®, °, ·, ». */
const BETWEEN = new Set([0xa0, 0xa7, 0xa9, 0xab, 0xae, 0xb0, 0xb7, 0xbb])

/** How many bytes a sign takes that only stands between words: dashes, quotes, dots; 0: it is something else. */
function signAt(bytes: Uint8Array, at: number): number {
  const next = bytes[at + 1]!
  if (bytes[at] === 0xc2) return BETWEEN.has(next) ? 2 : 0
  if (bytes[at] !== 0xe2 || next !== 0x80) return 0
  const last = bytes[at + 2]!
  // U+2010 to U+2027, but the one that is a space with a mark upon it.
  return last >= 0x90 && last <= 0xa7 && last !== 0x97 ? 3 : 0
}

/** Where a word ends that goes on after an apostrophe, straight or curly, with letters: the same place if it does not. */
export function pastApostrophes(bytes: Uint8Array, from: number): number {
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
const isLetter = (byte: number): boolean => FOLDED[byte]! >= 97

/** Taken by whoever reads a text, and given back: one is enough, and nothing is thrown away. */
let room = Buffer.alloc(1 << 16)

/** Calls back with every line: plain ones as bytes, which end with a line end and may be changed, others as text. */
export function eachLine(
  text: string,
  plain: (bytes: Uint8Array, from: number, until: number) => void,
  other: (line: string) => void,
): void {
  const most = text.length * 3 + 1
  const taken = room.length >= most ? room : Buffer.alloc(most)
  room = Buffer.alloc(0)
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
  room = taken
}

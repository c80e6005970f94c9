// Combines accents drawn as separate glyphs, as TeX does, with the letters below them by position.

/** y is measured upward from the bottom of the page. */
export interface PlacedLetter {
  text: string
  x0: number
  x1: number
  y: number
  size: number
  /** White space before this letter. */
  after: '' | ' ' | '\n'
}

const ACCENTS = new Map([
  ['`', '\u0300'],
  ['´', '\u0301'],
  ['ˆ', '\u0302'],
  ['˜', '\u0303'],
  ['¯', '\u0304'],
  ['ˉ', '\u0304'],
  ['˘', '\u0306'],
  ['˙', '\u0307'],
  ['¨', '\u0308'],
  ['˚', '\u030a'],
  ['˝', '\u030b'],
  ['ˇ', '\u030c'],
  ['¸', '\u0327'],
  ['˛', '\u0328'],
])
const DOTLESS = new Map([
  ['ı', 'i'],
  ['ȷ', 'j'],
])
/** Minimum line distance in points. */
const MIN_LINE_DISTANCE_PT = 4

export function composeAccents<T extends PlacedLetter>(letters: readonly T[]): T[] {
  const accents = letters.filter(({ text }) => ACCENTS.has(text))
  if (accents.length === 0) return [...letters]
  const bands = inBands(letters.filter(({ text }) => /^\p{L}$/u.test(text) && !ACCENTS.has(text)))
  const gone = new Set<T>()
  const changed = new Map<T, string>()
  for (const accent of accents) {
    const under = lettersNear(bands, accent.y)
      .filter((letter) => Math.abs(letter.y - accent.y) < letter.size * 0.4 && isOver(accent, letter))
      .sort((a, b) => distanceBetween(a, accent) - distanceBetween(b, accent))[0]
    if (!under || changed.has(under)) continue
    changed.set(under, ((DOTLESS.get(under.text) ?? under.text) + ACCENTS.get(accent.text)).normalize('NFC'))
    gone.add(accent)
  }
  const out: T[] = []
  let wasGone = false
  for (const letter of letters) {
    if (gone.has(letter)) {
      wasGone = true
      continue
    }
    // PDFium reports spaces around an accent that moves backwards; the distance between the letters decides instead.
    const last = out.at(-1)
    const isClose = last && Math.abs(last.y - letter.y) < 1 && letter.x0 - last.x1 < letter.size * 0.1
    const isMended = isClose && letter.x0 > last.x0 && (wasGone || changed.has(letter))
    out.push({ ...letter, text: changed.get(letter) ?? letter.text, after: isMended ? '' : letter.after })
    wasGone = false
  }
  return out
}

function inBands<T extends PlacedLetter>(letters: readonly T[]): Map<number, T[]> {
  const bands = new Map<number, T[]>()
  for (const letter of letters) {
    const band = Math.floor(letter.y / MIN_LINE_DISTANCE_PT)
    const known = bands.get(band)
    if (known) known.push(letter)
    else bands.set(band, [letter])
  }
  return bands
}

const lettersNear = <T>(bands: ReadonlyMap<number, T[]>, y: number): T[] => {
  const band = Math.floor(y / MIN_LINE_DISTANCE_PT)
  return [band - 1, band, band + 1].flatMap((at) => bands.get(at) ?? [])
}

/** Near the letter's middle, so neighbouring letters do not match. */
const isOver = (accent: PlacedLetter, letter: PlacedLetter): boolean =>
  distanceBetween(accent, letter) < Math.max(letter.x1 - letter.x0, accent.x1 - accent.x0) * 0.4

const distanceBetween = (a: PlacedLetter, b: PlacedLetter): number => Math.abs((a.x0 + a.x1) / 2 - (b.x0 + b.x1) / 2)

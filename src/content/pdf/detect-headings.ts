// Detects headings and their levels by size relative to body text, weight and numbering.
import { isAllCapitals, type PdfLine } from './group-into-paragraphs.ts'
import type { PdfSheet } from './page-layout-types.ts'

export interface FontSizes {
  bodySize: number
  bodyFont: string | undefined
  sizes: readonly number[]
}

const NUMBERED =
  /^(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|[A-Z]\.\d{0,2}|[IVX]{1,5}\.|(?:chapter|part|appendix|section|kapitel)\s+\w{1,5}\b[.:]?)\s+\S/i
/** A word, or the letter of an index: the signs of a formula are large, too. */
const WORD = /\p{L}{2}|^\p{Lu}$|\p{Lo}/u
const MAX_CHARS = 160
const MAX_LINES = 4
const MAX_LEVELS = 4

export function fontSizesOf(sheets: readonly PdfSheet[]): FontSizes {
  const chars = new Map<number, number>()
  const fonts = new Map<string, number>()
  for (const { runs } of sheets)
    for (const { size, text, mono, font } of runs) {
      if (font !== undefined) fonts.set(font, (fonts.get(font) ?? 0) + text.length)
      const key = Math.round(size * 2) / 2
      if (!mono) chars.set(key, (chars.get(key) ?? 0) + text.length)
    }
  let bodySize = 10
  let most = 0
  for (const [size, count] of chars) if (count > most) [bodySize, most] = [size, count]
  // A size used by much of the text is also body text.
  const total = [...chars.values()].reduce((sum, count) => sum + count, 0)
  const isRare = (size: number) => chars.get(size)! < Math.max(200, total * 0.15)
  const sizes = [...chars.keys()].filter((size) => size >= bodySize * 1.12 && isRare(size)).sort((a, b) => b - a)
  // Merges sizes that differ by less than 6 %.
  const [bodyFont] = [...fonts].reduce<[string | undefined, number]>((a, b) => (b[1] > a[1] ? b : a), [undefined, 0])
  return { bodySize, bodyFont, sizes: sizes.filter((size, index) => index === 0 || size < sizes[index - 1]! * 0.94) }
}

/** Of the smallest headings. */
export const titleSizeOf = ({ sizes }: FontSizes): number => (sizes.at(-1) ?? Number.POSITIVE_INFINITY) * 0.97

const endsLikeText = (text: string, isNumbered: boolean): boolean =>
  (/[.,;]$/.test(text) && !isNumbered) || (text.endsWith(':') && text.length > 60)

/** 1–6, or undefined for other lines. */
export function pdfHeadingLevel(lines: readonly PdfLine[], styles: FontSizes): number | undefined {
  const text = lines.map((line) => line.text).join(' ')
  const first = lines[0]!
  if (lines.length > MAX_LINES || text.length > MAX_CHARS || !WORD.test(text)) return undefined
  if (lines.every((line) => line.math || line.mono)) return undefined
  // Slides set list items large, so a bullet excludes a heading.
  if (first.marker !== undefined && !/[\p{L}\p{N}]/u.test(first.marker)) return undefined
  const isLarger = lines.every(({ size }) => size >= titleSizeOf(styles))
  const numbered = NUMBERED.exec(text)
  if (isLarger) {
    const rank = styles.sizes.findIndex((size) => first.size >= size * 0.97)
    return Math.min(MAX_LEVELS, (rank === -1 ? styles.sizes.length : rank) + 1)
  }
  const isOwn = lines.every(
    (line) => line.font !== undefined && line.font !== styles.bodyFont && isAllCapitals(line.text),
  )
  const isBold = isOwn || lines.every((line) => line.bold)
  if (!isBold || lines.length > (isOwn ? 2 : 3) || first.size < styles.bodySize * 0.9) return undefined
  if (endsLikeText(text, numbered !== null) || !/^[\p{Lu}\d(¿¡"“]|^[\u0590-\u9fff]/u.test(text)) return undefined
  const depth = numbered ? (/^\d+(?:\.\d+)*/.exec(text)?.[0].split('.').length ?? 1) : 2
  return Math.min(6, Math.min(styles.sizes.length, 2) + depth)
}

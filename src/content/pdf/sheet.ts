// The nouns of a PDF page as layout sees it: runs of text and the rules drawn around them, in points, with y growing
// downward from the page's top. Knows no library: native text and OCR both arrive in this form.

export interface Box {
  x0: number
  y0: number
  x1: number
  y1: number
}

/** Characters of one font that stand together. */
export interface PdfRun extends Box {
  text: string
  /** Where the letters stand. */
  base: number
  size: number
  bold: boolean
  italic: boolean
  mono: boolean
  math: boolean
  /** The name of its font, where the file has one. */
  font?: string
  link?: string
  /** 0–100, of text that was recognised in an image. */
  ocr?: number
}

/** A thin line: horizontal when wider than high. */
export type Rule = Box

export interface PdfSheet {
  number: number
  width: number
  height: number
  runs: PdfRun[]
  /** Text that does not stand upright: watermarks, margins. */
  turned: PdfRun[]
  images: Box[]
  rules: Rule[]
  source: 'native_text' | 'full_page'
}

/** Runs on one line without a wide gap between them. */
export interface PdfSegment extends Box {
  runs: PdfRun[]
  base: number
  size: number
  /** Without markup, for decisions. */
  text: string
}

export type PdfRow = PdfSegment[]

export function around(boxes: readonly Box[]): Box {
  const box = { x0: Number.POSITIVE_INFINITY, y0: Number.POSITIVE_INFINITY, x1: 0, y1: 0 }
  for (const { x0, y0, x1, y1 } of boxes) {
    box.x0 = Math.min(box.x0, x0)
    box.y0 = Math.min(box.y0, y0)
    box.x1 = Math.max(box.x1, x1)
    box.y1 = Math.max(box.y1, y1)
  }
  return box
}

export const middleX = ({ x0, x1 }: Box): number => (x0 + x1) / 2
export const middleY = ({ y0, y1 }: Box): number => (y0 + y1) / 2

export function median(numbers: readonly number[]): number {
  if (numbers.length === 0) return 0
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[sorted.length >> 1]!
}

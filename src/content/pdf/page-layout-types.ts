// Layout types of a PDF page, in points, with y growing downward from the top. Native text and OCR share this form.

export interface Box {
  x0: number
  y0: number
  x1: number
  y1: number
}

/** Adjacent characters of one font. */
export interface PdfRun extends Box {
  text: string
  /** Baseline. */
  base: number
  size: number
  bold: boolean
  italic: boolean
  mono: boolean
  math: boolean
  font?: string
  /** What a sign of a math font paints. */
  ink?: Box
  /** Where each letter begins, on pages with formulas. */
  xs?: readonly number[]
  /** The text is TeX. */
  tex?: boolean
  /** The number of an equation. */
  tag?: string
  link?: string
  /** OCR confidence, 0–100. */
  ocr?: number
}

/** A thin line: horizontal when wider than high. */
export type RuledLine = Box

export interface PdfSheet {
  number: number
  width: number
  height: number
  runs: PdfRun[]
  /** Rotated text: watermarks, margins. */
  turned: PdfRun[]
  images: Box[]
  rules: RuledLine[]
  /** Shorter than rules: fraction bars and the like. */
  bars?: RuledLine[]
  source: 'native_text' | 'full_page'
}

/** Runs on one line without a wide gap. */
export interface PdfSegment extends Box {
  runs: PdfRun[]
  base: number
  size: number
  text: string
}

export type PdfRow = PdfSegment[]

export const CAPTION =
  /^(?:fig(?:ure|\.)?|table|tab\.|chart|exhibit|algorithm|listing|scheme|plate|abb(?:ildung|\.)?|tabelle|tableau|figura|tabla)\s*(?:\d|[IVX]+\b|[A-Z]\d)/i

export function boundingBoxOf(boxes: readonly Box[]): Box {
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

export interface OcrReading {
  runs: PdfRun[]
  /** Mean over all words, by their length, also of those that are not runs because they are too unsure; 0 without any. */
  confidence: number
}

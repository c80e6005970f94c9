// Words of the OCR engine as runs on a page: leveled, sized, and without what it is not sure of.
import type { OcrReading, PdfRun } from '../../content/pdf/page-layout-types.ts'

interface Word {
  text: string
  confidence: number
  bbox: { x0: number; y0: number; x1: number; y1: number }
}
interface Line {
  words: Word[]
  baseline: Word['bbox']
  bbox: Word['bbox']
  rowAttributes?: { rowHeight: number; descenders: number; ascenders: number }
}
export interface OcrBlock {
  paragraphs: { lines: Line[] }[]
}

/** Words below are usually specks and ornaments. */
const MIN_CONFIDENCE = 50
const isLegible = ({ text, confidence }: Word): boolean => confidence >= MIN_CONFIDENCE && text.trim() !== ''

export function readOcrBlocks(blocks: readonly OcrBlock[], scale: number): OcrReading {
  const runs: PdfRun[] = []
  let sum = 0
  let weight = 0
  const rise = riseOf(blocks.flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines)))
  for (const { paragraphs } of blocks)
    for (const { lines } of paragraphs)
      for (const line of lines) {
        const { words, baseline } = line
        const size = Math.max(4, sizeOf(line) * scale)
        // On a tilted page a short line would otherwise share its height with the middle of a long one.
        const base = ((baseline.y0 + baseline.y1) / 2 - rise((baseline.x0 + baseline.x1) / 2)) * scale
        for (const word of words) {
          const { text, confidence, bbox: box } = word
          sum += confidence * text.length
          weight += text.length
          if (!isLegible(word)) continue
          const place = { x0: box.x0 * scale, x1: box.x1 * scale, y0: box.y0 * scale, y1: box.y1 * scale }
          runs.push({
            ...place,
            text,
            base,
            size,
            bold: false,
            italic: false,
            mono: false,
            math: false,
            ocr: confidence,
          })
        }
      }
  return { runs, confidence: sum / Math.max(1, weight) }
}

/** How far a tilted page is off level at `x`. Its slope is the median of the lines' slopes, weighted by length. */
function riseOf(lines: readonly Line[]): (x: number) => number {
  const tilted = lines
    .map(({ baseline: { x0, y0, x1, y1 } }) => ({
      slope: (y1 - y0) / (x1 - x0),
      length: x1 - x0,
      middle: (x0 + x1) / 2,
    }))
    .filter(({ length }) => length > 0)
    .sort((a, b) => a.slope - b.slope)
  const all = tilted.reduce((sum, { length }) => sum + length, 0)
  const middle = tilted.reduce((sum, one) => sum + one.middle * one.length, 0) / Math.max(1, all)
  let before = 0
  const median = tilted.find(({ length }) => {
    before += length
    return before >= all / 2
  })
  return (x) => (median?.slope ?? 0) * (x - middle)
}

/** x-height as a share of the font size, typical of most fonts. */
const X_HEIGHT = 0.48

/**
 * From the x-height: a line without ascenders or descenders is not in a smaller font. Falls back to the height of its
 * words when implausible; the box of a line may reach over shadows and rules.
 */
function sizeOf({ bbox, words, rowAttributes }: Line): number {
  const heights = words.filter(isLegible).map(({ bbox: box }) => box.y1 - box.y0)
  const height = Math.min(bbox.y1 - bbox.y0, Math.max(...heights))
  const { rowHeight = 0, ascenders = 0, descenders = 0 } = rowAttributes ?? {}
  const size = (rowHeight - Math.abs(ascenders) - Math.abs(descenders)) / X_HEIGHT
  return size > height * 0.8 && size < height * 1.8 ? size : height * 0.85
}

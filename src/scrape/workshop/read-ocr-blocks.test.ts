import { describe, expect, it } from 'vitest'
import { readOcrBlocks } from './read-ocr-blocks.ts'

const line = (texts: string[], y: number, box?: { x0: number; y0: number; x1: number; y1: number }) => {
  const words = texts.map((text, at) => ({
    text,
    confidence: 95,
    bbox: { x0: 100 + at * 90, y0: y - 20, x1: 180 + at * 90, y1: y },
  }))
  const bbox = box ?? { x0: 100, y0: y - 20, x1: 90 + texts.length * 90, y1: y }
  return { words, bbox, baseline: { x0: bbox.x0, y0: y, x1: bbox.x1, y1: y } }
}

describe('words of the OCR engine', () => {
  it('are as large as they are, also when the box of their line reaches over the shadow beside the page', () => {
    const shadow = { x0: 0, y0: 0, x1: 1600, y1: 1900 }
    const lines = [line(['Notes', 'of', 'the', 'harbour'], 200, shadow), line(['The', 'office', 'opens'], 240)]
    const { runs } = readOcrBlocks([{ paragraphs: [{ lines }] }], 1)
    expect(runs.map(({ size }) => Math.round(size))).toEqual(Array(7).fill(17))
  })
})

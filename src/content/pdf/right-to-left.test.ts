import { describe, expect, it } from 'vitest'
import { runsToText } from './group-rows.ts'
import type { PdfRun } from './page-layout-types.ts'
import { directedParts, isRightToLeft, joinLettersOfGlyphs, sortInReadingOrder } from './right-to-left.ts'

const STYLE = { base: 10, size: 10, y0: 2, y1: 12, bold: false, italic: false, mono: false, math: false }

/** Words from left to right, ten points apart at a space. */
function line(...words: string[]): PdfRun[] {
  let x = 0
  return words.map((text) => {
    const isJoined = text.startsWith('~')
    const x0 = isJoined ? x : x + 10
    x = x0 + 10
    return { ...STYLE, text: text.replace('~', ''), x0, x1: x }
  })
}

const read = (words: string[], rightToLeft = true) => runsToText(sortInReadingOrder(line(...words), rightToLeft))

describe('right-to-left lines', () => {
  it('keeps Latin phrases with their numbers forward', () => {
    expect(read(['סוף', 'PDF', '1.7', 'Source', 'שלום'])).toBe('שלום PDF 1.7 Source סוף')
    expect(read(['.', '~Python', '3', 'من'])).toBe('من Python 3.')
  })

  it('reads numbers beside each other from the right', () => {
    expect(read(['סוף', '1998', '12', 'שלום'])).toBe('שלום 12 1998 סוף')
  })

  it('turns brackets to the text that they enclose, whatever their shape in the file', () => {
    for (const [left, right] of ['()', ')(', '))'])
      expect(read(['סוף', `${left}`, '~Open', 'Source', `~${right}`, 'שלום'])).toBe('שלום (Open Source) סוף')
  })

  it('reads the last line of a paragraph that has Latin words only', () => {
    expect(read(['.', '~World', 'Bank'])).toBe('World Bank.')
    expect(read(['.', '~World', 'Bank'], false)).toBe('.World Bank')
  })

  it('turns a quotation within a left-to-right line only', () => {
    expect(read(['The', 'word', 'עולם', 'שלום', 'means', 'hello', 'there'], false)).toBe(
      'The word שלום עולם means hello there',
    )
  })
})

describe('letters of a word', () => {
  const letters = (text: string) => [...text].map((letter, at) => ({ text: letter, x0: at * 5, y: 0 }))
  const parts = (text: string, isArabic = false) =>
    directedParts(letters(text), isArabic).map((part) => part.map((letter) => letter.text).join(''))

  it('divides a word where its direction changes', () => {
    expect(parts('.Linux-ו')).toEqual(['.', 'Linux', 'ו-'])
    expect(parts('םולש')).toEqual(['שלום'])
  })

  it('keeps separators in numbers, and signs beside them where the script does', () => {
    expect(parts('1,250')).toEqual(['1,250'])
    expect(parts('45%')).toEqual(['45%'])
    expect(parts('%45', true)).toEqual(['%', '45'])
    expect(parts('.10:30', true)).toEqual(['.', '10:30'])
  })

  it('reads lam-alef in order, and marks with their letter', () => {
    const glyphs = [
      { text: 'أ', x0: 10, y: 0 },
      { text: 'ل', x0: 10, y: 0 },
      { text: 'ن', x0: 5, y: 0 },
      { text: '\u064e', x0: 6, y: 3 },
    ]
    expect(joinLettersOfGlyphs(glyphs).map(({ text }) => text)).toEqual(['لأ', 'ن\u064e'])
  })

  it('does not count digits and signs as letters', () => expect(isRightToLeft('12 %  a ١٢')).toBe(false))
})

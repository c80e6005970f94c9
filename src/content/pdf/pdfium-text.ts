// Reads the text of a page from PDFium letter by letter as runs with position and font, plus links, images and
// metadata.
import { composeAccents, type PlacedLetter } from './compose-accents.ts'
import type { PdfPageItem } from './items-to-sheet.ts'
import { isExtensionFont, isMathFont, signOfExtension } from './math-glyphs.ts'
import type { Box } from './page-layout-types.ts'
import type { Pdfium } from './pdfium-wasm-types.ts'
import { directedParts, hasArabic, isRightToLeft, joinLettersOfGlyphs } from './right-to-left.ts'

export interface PdfMetadata {
  title?: string
  author?: string
  subject?: string
  keywords?: string
  creator?: string
  producer?: string
  creationDate?: string
  modDate?: string
}

const FACTS = {
  title: 'Title',
  author: 'Author',
  subject: 'Subject',
  keywords: 'Keywords',
  creator: 'Creator',
  producer: 'Producer',
  creationDate: 'CreationDate',
  modDate: 'ModDate',
} as const
const MAX_FACT_BYTES = 8192

export function readPdfMetadata(pdfium: Pdfium, document: number): PdfMetadata {
  const buffer = pdfium.wasmExports.malloc(32 + MAX_FACT_BYTES)
  const facts: PdfMetadata = {}
  for (const [name, tag] of Object.entries(FACTS) as [keyof PdfMetadata, string][]) {
    pdfium.HEAPU8.set(Buffer.from(`${tag}\0`), buffer)
    const size = pdfium._FPDF_GetMetaText(document, buffer, buffer + 32, MAX_FACT_BYTES)
    if (size <= 2 || size > MAX_FACT_BYTES) continue
    const said = Buffer.from(pdfium.HEAPU8.slice(buffer + 32, buffer + 30 + size)).toString('utf16le')
    if (said.trim()) facts[name] = said
  }
  pdfium.wasmExports.free(buffer)
  return facts
}

interface Letter extends PlacedLetter {
  rotation: number
  font: Font
  /** What is painted, for math fonts only; y is measured upward. */
  ink?: Box | undefined
}

interface Font {
  name: string
  bold: boolean
  italic: boolean
  math: boolean
  extension: boolean
}

const MAX_CHARS = 200_000
const MAX_OBJECTS = 20_000
const MAX_LINKS = 5000
const MAX_URL_BYTES = 4096
export const FONT_NAME_BYTES = 4096
const FORM = 5
const IMAGE = 3
const LINK = 2
const ITALIC_FLAG = 1 << 6
const BOLD_FLAG = 1 << 18
/** Device units per point; PDFium converts to whole units only. */
const DEVICE_UNITS_PER_POINT = 64

export function readPageItems(pdfium: Pdfium, document: number, page: number, number: number): PdfPageItem[] {
  const memory = pdfium.wasmExports.malloc(64 + MAX_URL_BYTES)
  try {
    const place = placer(pdfium, page, memory)
    return [
      ...textOf(lettersOf(pdfium, page, memory, place), number),
      ...linksOf(pdfium, document, page, memory, place, number),
      ...imagesOf(pdfium, page, memory, place, number),
    ]
  } finally {
    pdfium.wasmExports.free(memory)
  }
}

type Place = (x: number, y: number) => { x: number; y: number }

/** Converts page coordinates to those of the displayed page: rotated, with the origin at its corner. */
function placer(pdfium: Pdfium, page: number, memory: number): Place {
  const width = Math.round(pdfium._FPDF_GetPageWidth(page) * DEVICE_UNITS_PER_POINT)
  const height = Math.round(pdfium._FPDF_GetPageHeight(page) * DEVICE_UNITS_PER_POINT)
  const at = (x: number, y: number) => {
    pdfium._FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, memory, memory + 4)
    const [deviceX = 0, deviceY = 0] = new Int32Array(pdfium.HEAPU8.buffer, memory, 2)
    return { x: deviceX / DEVICE_UNITS_PER_POINT, y: (height - deviceY) / DEVICE_UNITS_PER_POINT }
  }
  const zero = at(0, 0)
  const right = at(1000, 0)
  const up = at(0, 1000)
  return (x, y) => ({
    x: zero.x + ((right.x - zero.x) * x + (up.x - zero.x) * y) / 1000,
    y: zero.y + ((right.y - zero.y) * x + (up.y - zero.y) * y) / 1000,
  })
}

function lettersOf(pdfium: Pdfium, page: number, memory: number, place: Place): Letter[] {
  const text = pdfium._FPDFText_LoadPage(page)
  if (text === 0) return []
  const turned = pdfium._FPDFPage_GetRotation(page) * 90
  const styles = makeFontStyleReader(pdfium, memory)
  const letters: Letter[] = []
  let after = '' as Letter['after']
  let space: false | ReturnType<typeof letterAt>
  const count = Math.min(pdfium._FPDFText_CountChars(text), MAX_CHARS)
  let hasExtension = false
  for (let index = 0; index < count; index++) {
    const code = pdfium._FPDFText_GetUnicode(text, index)
    // PDFium returns these codes for a hyphen at the end of a line.
    let char = code === 2 || code === 0xfffe ? '-' : code > 0 ? String.fromCodePoint(Math.min(code, 0x10ffff)) : ''
    // Extension fonts have glyphs at the codes of white space.
    const mayBeGlyph = code < 32 || (code === 32 && hasExtension)
    if (mayBeGlyph && pdfium._FPDFText_IsGenerated(text, index) === 0) {
      const { font } = styles(text, index, pdfium._FPDFText_GetTextObject(text, index))
      if (font.extension) char = signOfExtension(code)
    }
    if (char.trim() === '') {
      space = hasArabic(letters.at(-1)?.text ?? '') && letterAt(pdfium, text, index, memory, place, turned)
      after = code === 13 || code === 10 || after === '\n' ? '\n' : ' '
      continue
    }
    const letter = letterAt(pdfium, text, index, memory, place, turned)
    if (letter) {
      const { x0, x1, y, rotation } = letter
      const { size, font } = styles(text, index, letter.object)
      if (font.extension) {
        hasExtension = true
        if (code > 32 && pdfium._FPDFText_HasUnicodeMapError(text, index) === 1) char = signOfExtension(code)
      }
      const before = letters.at(-1)
      // PDFium may report the space between two Arabic words again, within the next word.
      const isElsewhere = space && before && Math.abs(space.y - y) < 1 && space.x0 > before.x1 + 0.15 * size
      const made: Letter = { x0, x1, y, rotation, size, font, text: char, after: isElsewhere ? '' : after }
      if (font.math) made.ink = inkOf(pdfium, text, index, memory, place)
      letters.push(made)
    }
    after = ''
  }
  pdfium._FPDFText_ClosePage(text)
  return composeAccents(letters)
}

/** A radical or a tall bracket encloses what is within the height of its glyph. */
function inkOf(pdfium: Pdfium, text: number, index: number, memory: number, place: Place): Box | undefined {
  const [left, right, bottom, top] = [memory, memory + 8, memory + 16, memory + 24]
  if (!pdfium._FPDFText_GetCharBox(text, index, left, right, bottom, top)) return undefined
  const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = new Float64Array(pdfium.HEAPU8.buffer, memory, 4)
  const { x, y, width, height } = boxOf(place, x0, y0, x1, y1)
  return { x0: x, x1: x + width, y0: y, y1: y + height }
}

function textOf(letters: readonly Letter[], page: number): PdfPageItem[] {
  const all = letters.map(({ text }) => text).join('')
  if (!isRightToLeft(all)) return runsOf(letters, page)
  const upright = letters.filter((letter) => !isTurned(letter))
  return [...wordsOf(upright, page), ...runsOf(letters.filter(isTurned), page)]
}

function runsOf(letters: readonly Letter[], page: number): PdfPageItem[] {
  const items: PdfPageItem[] = []
  let run: PdfPageItem | undefined
  let last: Letter | undefined
  const hasFormulas = letters.some(({ font }) => font.math)
  for (const letter of letters) {
    const { text, x0, x1, y, size, after, ink } = letter
    if (run && last && isTurned(letter) && continuesTurned(last, letter)) {
      run.text += (after && isApart(last, letter) ? ' ' : '') + text
      const top = Math.max(run.y + run.height, y + size)
      run.width = Math.max(run.width, x1 - run.x)
      run.y = Math.min(run.y, y)
      run.height = top - run.y
    } else if (run && last && after !== '\n' && continues(last, letter)) {
      if (run.xs) addPlaces(run.xs, letter, last)
      run.text += after + text
      run.width = Math.max(run.width, x1 - run.x)
    } else {
      // A close follower, such as a footnote mark, starts where the previous letter ends.
      const isClose = run && x0 > run.x && Math.abs(y - run.y) < run.height && run.x + run.width - x0 < size * 0.5
      if (run && isClose) run.width = Math.min(run.width, x0 - run.x)
      run = itemOf(letter, page)
      if (ink) run.ink = ink
      else if (hasFormulas) {
        run.xs = []
        addPlaces(run.xs, letter)
      }
      items.push(run)
    }
    last = letter
  }
  return items
}

function itemOf({ text, x0, x1, y, size, font, rotation }: Letter, page: number): PdfPageItem {
  const style = { font: font.name, fontSize: size, isBold: font.bold, isItalic: font.italic, rotation }
  return { text, x: x0, y, width: x1 - x0, height: size, ...style, page, itemType: 'Text' }
}

/** PDFium orders the letters of mixed lines by directions that it guesses, so only their places count. */
function wordsOf(letters: readonly Letter[], page: number): PdfPageItem[] {
  const joined = joinLettersOfGlyphs(letters)
  const placed = joined.map((letter, at): Placed => {
    const [before, after] = [letter.after !== '', joined[at + 1]?.after !== '']
    const isForward = /[\p{Script=Latin}\p{Nd}]/u.test(letter.text)
    return { ...letter, at, spaceLeft: isForward ? before : after, spaceRight: isForward ? after : before }
  })
  const lines: Placed[][] = []
  for (const letter of placed.sort((a, b) => b.y - a.y)) {
    const first = lines.at(-1)?.[0]
    if (first && first.y - letter.y < first.size * 0.2) lines.at(-1)!.push(letter)
    else lines.push([letter])
  }
  return lines.flatMap((line) => {
    const words: Letter[][] = []
    let last: Placed | undefined
    line.sort((a, b) => a.x0 - b.x0)
    for (const [at, letter] of line.entries()) {
      const { size, font, rotation } = letter
      const isAlike = last && size === last.size && font === last.font && rotation === last.rotation
      const isWord = last && !hasSpaceBetween(last, letter, line[at + 1])
      // Widths of joined letters are unreliable, and distances between words are needed later.
      if (last) last.x1 = isWord ? letter.x0 : Math.max(last.x0, Math.min(last.x1, letter.x0 - WORD_SPACE_EM * size))
      if (isWord && isAlike && words.at(-1)!.length < MAX_WORD_LETTERS) words.at(-1)!.push(letter)
      else words.push([letter])
      last = letter
    }
    const isArabic = line.some(({ text }) => hasArabic(text))
    return words
      .flatMap((word) => directedParts(word, isArabic))
      .map((part) => {
        const x0 = Math.min(...part.map((letter) => letter.x0))
        const x1 = Math.max(...part.map((letter) => letter.x1))
        return itemOf({ ...part[0]!, text: part.map(({ text }) => text).join(''), x0, x1 }, page)
      })
  })
}

const WORD_SPACE_EM = 0.2
/** Bounds the search for numbers in a word. */
const MAX_WORD_LETTERS = 200

/** The width of an Arabic letter is that of its isolated form, so the spaces that PDFium reports count, too. */
function hasSpaceBetween(left: Placed, right: Placed, next: Placed | undefined): boolean {
  const gap = (right.x0 - left.x1) / right.size
  const steps = right.at - left.at
  if (/ة$/.test(right.text) && hasArabic(left.text)) return true
  if (gap > 1 || !hasArabic(left.text)) return gap > WORD_SPACE_EM * 0.7
  const touchesSpace = right.spaceLeft || right.spaceRight
  // PDFium often moves the space before a bracket to its other side.
  if (BRACKET.test(right.text) && touchesSpace && next && (next.x0 - right.x1) / right.size < WORD_SPACE_EM * 0.7)
    return true
  if (Math.abs(steps) === 1) return (steps > 0 ? right : left).after !== ''
  return gap > WORD_SPACE_EM * 0.7 || (left.spaceRight && right.spaceLeft)
}

const BRACKET = /[()[\]{}«»]/

interface Placed extends Letter {
  at: number
  spaceLeft: boolean
  spaceRight: boolean
}

function addPlaces(xs: number[], { text, x0, after }: Letter, last?: Letter): void {
  if (after && last) xs.push(last.x1)
  for (let at = 0; at < text.length; at++) xs.push(x0)
}

const isTurned = ({ rotation }: Letter): boolean => rotation >= 10 && rotation <= 350

function step(last: Letter, next: Letter): { along: number; across: number } {
  const angle = (-next.rotation * Math.PI) / 180
  const [x, y] = [next.x0 - last.x0, next.y - last.y]
  const along = x * Math.cos(angle) + y * Math.sin(angle)
  const across = y * Math.cos(angle) - x * Math.sin(angle)
  return { along: along / next.size, across: Math.abs(across) / next.size }
}

function continuesTurned(last: Letter, next: Letter): boolean {
  if (next.rotation !== last.rotation || Math.abs(next.size - last.size) > 0.2) return false
  const { along, across } = step(last, next)
  return along > 0 && along < 1.6 && across < 0.5
}

const isApart = (last: Letter, next: Letter): boolean => step(last, next).along > 0.75

/** A wider gap starts a new run, since other text or a cell border may stand between. */
function continues(last: Letter, next: Letter): boolean {
  const gap = next.x0 - last.x1
  return (
    // A sign of a formula is placed on its own.
    !next.font.math &&
    next.font.name === last.font.name &&
    Math.abs(next.size - last.size) < 0.2 &&
    next.rotation === last.rotation &&
    Math.abs(next.y - last.y) < next.size * 0.1 &&
    gap < next.size * (next.after === ' ' ? 0.3 : 0.45) &&
    gap > -next.size * 0.6
  )
}

function letterAt(
  pdfium: Pdfium,
  text: number,
  index: number,
  memory: number,
  place: Place,
  turned: number,
): (Pick<Letter, 'x0' | 'x1' | 'y' | 'rotation'> & { object: number }) | undefined {
  if (!pdfium._FPDFText_GetLooseCharBox(text, index, memory)) return undefined
  const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(pdfium.HEAPU8.buffer, memory, 4)
  if (!pdfium._FPDFText_GetCharOrigin(text, index, memory + 16, memory + 24)) return undefined
  const [originX = 0, originY = 0] = new Float64Array(pdfium.HEAPU8.buffer, memory + 16, 2)
  const a = place(left, bottom)
  const b = place(right, top)
  const angle = (pdfium._FPDFText_GetCharAngle(text, index) * 180) / Math.PI
  return {
    x0: Math.min(a.x, b.x),
    x1: Math.max(a.x, b.x),
    y: place(originX, originY).y,
    object: pdfium._FPDFText_GetTextObject(text, index),
    rotation: (((Math.round(angle) - turned) % 360) + 360) % 360,
  }
}

const NO_FONT: Font = { name: '', bold: false, italic: false, math: false, extension: false }

/** Size and font belong to the text object, so they are read once per object. */
export function makeFontStyleReader(pdfium: Pdfium, memory: number) {
  const fonts = new Map<number, Font>()
  let known = -1
  let style: { size: number; font: Font } = { size: 10, font: NO_FONT }
  return (text: number, index: number, object: number) => {
    if (object === known) return style
    known = object
    let scale = 1
    if (pdfium._FPDFText_GetMatrix(text, index, memory)) {
      const [, , c = 0, d = 1] = new Float32Array(pdfium.HEAPU8.buffer, memory, 4)
      scale = Math.hypot(c, d) || 1
    }
    const size = Math.min(2000, Math.max(1, pdfium._FPDFText_GetFontSize(text, index) * scale))
    const pointer = object === 0 ? 0 : pdfium._FPDFTextObj_GetFont(object)
    let font = fonts.get(pointer)
    if (!font) {
      font = pointer === 0 ? style.font : fontOf(pdfium, pointer, memory)
      fonts.set(pointer, font)
    }
    style = { size, font }
    return style
  }
}

function fontOf(pdfium: Pdfium, font: number, memory: number): Font {
  const size = Math.min(pdfium._FPDFFont_GetBaseFontName(font, memory, FONT_NAME_BYTES), FONT_NAME_BYTES)
  const name = size > 1 ? Buffer.from(pdfium.HEAPU8.slice(memory, memory + size - 1)).toString('latin1') : ''
  const flags = pdfium._FPDFFont_GetFlags(font)
  return {
    name,
    math: isMathFont(name),
    extension: isExtensionFont(name),
    bold:
      /bold|black|heavy|demi|[a-z]{2}bx(?=\d|$)/i.test(name) ||
      (flags & BOLD_FLAG) !== 0 ||
      pdfium._FPDFFont_GetWeight(font) >= 600,
    italic: /italic|oblique|slanted|\b[a-z]{2}(?:ti|sl)(?=\d|$)/i.test(name) || (flags & ITALIC_FLAG) !== 0,
  }
}

const NO_TEXT = { text: '', font: '', fontSize: 0, isBold: false, isItalic: false, rotation: 0 }

function boxOf(place: Place, left: number, bottom: number, right: number, top: number) {
  const a = place(left, bottom)
  const b = place(right, top)
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)]
  return { x, y, width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) }
}

function linksOf(pdfium: Pdfium, document: number, page: number, memory: number, place: Place, number: number) {
  const items: PdfPageItem[] = []
  const count = Math.min(pdfium._FPDFPage_GetAnnotCount(page), MAX_LINKS)
  for (let index = 0; index < count; index++) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, index)
    if (annotation === 0) continue
    const link = pdfium._FPDFAnnot_GetSubtype(annotation) === LINK ? pdfium._FPDFAnnot_GetLink(annotation) : 0
    const action = link === 0 ? 0 : pdfium._FPDFLink_GetAction(link)
    if (action !== 0 && pdfium._FPDFAnnot_GetRect(annotation, memory)) {
      const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(pdfium.HEAPU8.buffer, memory, 4)
      const size = pdfium._FPDFAction_GetURIPath(document, action, memory + 64, MAX_URL_BYTES)
      if (size > 1 && size <= MAX_URL_BYTES) {
        const linkUrl = Buffer.from(pdfium.HEAPU8.slice(memory + 64, memory + 63 + size)).toString('utf8')
        items.push({ ...NO_TEXT, ...boxOf(place, left, bottom, right, top), page: number, itemType: 'Link', linkUrl })
      }
    }
    pdfium._FPDFPage_CloseAnnot(annotation)
  }
  return items
}

function imagesOf(pdfium: Pdfium, page: number, memory: number, place: Place, number: number): PdfPageItem[] {
  const items: PdfPageItem[] = []
  const count = Math.min(pdfium._FPDFPage_CountObjects(page), MAX_OBJECTS)
  for (let index = 0; index < count; index++) {
    const object = pdfium._FPDFPage_GetObject(page, index)
    if (!showsImage(pdfium, object, 3)) continue
    if (!pdfium._FPDFPageObj_GetBounds(object, memory, memory + 4, memory + 8, memory + 12)) continue
    const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(pdfium.HEAPU8.buffer, memory, 4)
    items.push({ ...NO_TEXT, ...boxOf(place, left, bottom, right, top), page: number, itemType: 'Image' })
  }
  return items
}

function showsImage(pdfium: Pdfium, object: number, depth: number): boolean {
  const type = pdfium._FPDFPageObj_GetType(object)
  if (type !== FORM || depth === 0) return type === IMAGE
  const count = Math.min(pdfium._FPDFFormObj_CountObjects(object), 500)
  for (let index = 0; index < count; index++)
    if (showsImage(pdfium, pdfium._FPDFFormObj_GetObject(object, index), depth - 1)) return true
  return false
}

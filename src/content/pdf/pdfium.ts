// Reads page sizes, drawn rules, text and rendered pages with PDFium. It runs as WASM, confined to its memory, and only
// in the child process that reads documents.
import { PDFiumLibrary } from '@hyzyla/pdfium'
import type { PdfPageFrame, PdfPageItem } from './items-to-sheet.ts'
import type { PdfRun, RuledLine } from './page-layout-types.ts'
import {
  FONT_NAME_BYTES,
  makeFontStyleReader,
  type PdfMetadata,
  readPageItems,
  readPdfMetadata,
} from './pdfium-text.ts'
import type { Pdfium } from './pdfium-wasm-types.ts'
import { renderedSizeOf } from './rendered-size.ts'

export type PdfiumFault = 'encrypted' | 'broken'

export interface GreyBitmap {
  width: number
  height: number
  /** One byte per pixel; 0 is black. */
  grey: Uint8Array
}

/** Three bytes per pixel. */
export interface ColourBitmap {
  width: number
  height: number
  rgb: Uint8Array
}

export interface PdfiumDocument {
  pageCount: number
  facts(): PdfMetadata
  frame(index: number): PdfPageFrame
  items(index: number): PdfPageItem[]
  /** Lines including filled form fields; undefined without a form. */
  filledForm(index: number): PdfRun[] | undefined
  /** Checkboxes as ☑ or ☐. */
  tickBoxes(index: number): PdfRun[]
  /** Greyscale, for OCR. */
  render(index: number, dpi: number): GreyBitmap
  /** Colour; undefined when the page is broken. */
  draw(index: number, dpi: number): ColourBitmap | undefined
  close(): void
}

const TEXT = 1
const PATH = 2
const WIDGET = 20
const MAX_ANNOTATIONS = 2000
/** Buffer for an appearance state, in UTF-16 bytes. */
const APPEARANCE_STATE_BYTES = 96
const PLAIN = { bold: false, italic: false, mono: false, math: false }
const MAX_OBJECTS = 60_000
const MAX_RULES = 6000
/** Thinner paths count as ruled lines. */
const MAX_RULE_THICKNESS_PT = 3
const MIN_RULE_LENGTH_PT = 6
const MIN_BAR_LENGTH_PT = 2.5
const MAX_BAR_THICKNESS_PT = 1
const BGRX = 3
const RENDER_ANNOTATIONS = 0x01
const PASSWORD_ERROR = 4

export async function openPdfium(): Promise<{ open(bytes: Uint8Array): PdfiumDocument | PdfiumFault }> {
  const library = (await PDFiumLibrary.init()) as unknown as { module: Pdfium }
  const pdfium = library.module
  return { open: (bytes) => openDocument(pdfium, bytes) }
}

function openDocument(pdfium: Pdfium, bytes: Uint8Array): PdfiumDocument | PdfiumFault {
  const memory = pdfium.wasmExports.malloc(bytes.byteLength)
  if (memory === 0) return 'broken'
  pdfium.HEAPU8.set(bytes, memory)
  const document = pdfium._FPDF_LoadMemDocument(memory, bytes.byteLength, 0)
  if (document === 0) {
    const fault = pdfium._FPDF_GetLastError() === PASSWORD_ERROR ? 'encrypted' : 'broken'
    pdfium.wasmExports.free(memory)
    return fault
  }
  const numbers = pdfium.wasmExports.malloc(32 + APPEARANCE_STATE_BYTES)
  const onPage = <T>(index: number, otherwise: T, work: (page: number) => T): T => {
    const page = pdfium._FPDF_LoadPage(document, index)
    if (page === 0) return otherwise
    try {
      return work(page)
    } finally {
      pdfium._FPDF_ClosePage(page)
    }
  }
  return {
    pageCount: pdfium._FPDF_GetPageCount(document),
    frame: (index) =>
      onPage(index, { width: 0, height: 0, rules: [], bars: [], drawn: 0 }, (page) => {
        const width = pdfium._FPDF_GetPageWidth(page)
        const height = pdfium._FPDF_GetPageHeight(page)
        return { width, height, ...drawnOn(pdfium, page, numbers, width, height) }
      }),
    facts: () => readPdfMetadata(pdfium, document),
    items: (index) => onPage(index, [], (page) => readPageItems(pdfium, document, page, index + 1)),
    filledForm: (index) => {
      // Flattening paints the fields into the page, so the page is loaded again afterwards.
      const isForm = onPage(index, false, (page) => hasFields(pdfium, page) && pdfium._FPDFPage_Flatten(page, 0) === 1)
      if (!isForm) return undefined
      return onPage(index, [], (page) => linesOf(pdfium, page, numbers, pdfium._FPDF_GetPageHeight(page)))
    },
    tickBoxes: (index) => onPage(index, [], (page) => tickBoxesOf(pdfium, page, numbers)),
    render: (index, dpi) =>
      onPage(index, EMPTY_BITMAP, (page) =>
        withPaintedPage(pdfium, page, dpi, (size, pixels) => ({ ...size, grey: greyOf(pixels) })),
      ) ?? EMPTY_BITMAP,
    draw: (index, dpi) =>
      onPage(index, undefined, (page) =>
        withPaintedPage(pdfium, page, dpi, (size, pixels) => ({ ...size, rgb: rgbOf(pixels) })),
      ),
    close() {
      pdfium._FPDF_CloseDocument(document)
      pdfium.wasmExports.free(memory)
      pdfium.wasmExports.free(numbers)
    },
  }
}

function hasFields(pdfium: Pdfium, page: number): boolean {
  const count = Math.min(pdfium._FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS)
  for (let index = 0; index < count; index++) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, index)
    const isField = annotation !== 0 && pdfium._FPDFAnnot_GetSubtype(annotation) === WIDGET
    if (annotation !== 0) pdfium._FPDFPage_CloseAnnot(annotation)
    if (isField) return true
  }
  return false
}

/** Only checkboxes and radio buttons have an appearance state; unchecked is `Off`. */
function tickBoxesOf(pdfium: Pdfium, page: number, numbers: number): PdfRun[] {
  const height = pdfium._FPDF_GetPageHeight(page)
  const found: PdfRun[] = []
  const key = numbers + 16
  pdfium.HEAPU8.set([0x41, 0x53, 0], key)
  const count = Math.min(pdfium._FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS)
  for (let index = 0; index < count; index++) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, index)
    if (annotation === 0) continue
    const size = pdfium._FPDFAnnot_GetStringValue(annotation, key, numbers + 32, APPEARANCE_STATE_BYTES)
    const isKnown = size > 2 && size <= APPEARANCE_STATE_BYTES && pdfium._FPDFAnnot_GetSubtype(annotation) === WIDGET
    if (isKnown && pdfium._FPDFAnnot_GetRect(annotation, numbers)) {
      const state = Buffer.from(pdfium.HEAPU8.slice(numbers + 32, numbers + 30 + size)).toString('utf16le')
      const [x0 = 0, top = 0, x1 = 0, bottom = 0] = new Float32Array(pdfium.HEAPU8.buffer, numbers, 4)
      const box = { x0, x1, y0: height - top, y1: height - bottom }
      const font = Math.max(4, (top - bottom) * 0.8)
      const text = state === 'Off' ? '☐' : '☑'
      found.push({ ...box, ...PLAIN, text, size: font, base: box.y1 - (top - bottom) * 0.2 })
    }
    pdfium._FPDFPage_CloseAnnot(annotation)
  }
  return found
}

function drawnOn(
  pdfium: Pdfium,
  page: number,
  numbers: number,
  width: number,
  height: number,
): Pick<PdfPageFrame, 'rules' | 'bars' | 'drawn'> {
  const rules: RuledLine[] = []
  const bars: RuledLine[] = []
  let drawn = 0
  const count = Math.min(pdfium._FPDFPage_CountObjects(page), MAX_OBJECTS)
  for (let index = 0; index < count && rules.length + bars.length < MAX_RULES; index++) {
    const object = pdfium._FPDFPage_GetObject(page, index)
    const type = pdfium._FPDFPageObj_GetType(object)
    if (type !== TEXT) drawn++
    if (type !== PATH) continue
    if (!pdfium._FPDFPageObj_GetBounds(object, numbers, numbers + 4, numbers + 8, numbers + 12)) continue
    const [x0 = 0, bottom = 0, x1 = 0, top = 0] = new Float32Array(pdfium.HEAPU8.buffer, numbers, 4)
    const box = { x0, x1, y0: height - top, y1: height - bottom }
    const wide = x1 - x0
    const high = top - bottom
    if (
      (wide <= MAX_RULE_THICKNESS_PT && high >= MIN_RULE_LENGTH_PT) ||
      (high <= MAX_RULE_THICKNESS_PT && wide >= MIN_RULE_LENGTH_PT)
    )
      rules.push(box)
    else if (high <= MAX_BAR_THICKNESS_PT && wide >= MIN_BAR_LENGTH_PT) bars.push(box)
    else if (wide > MIN_RULE_LENGTH_PT && high > MIN_RULE_LENGTH_PT && wide < width * 0.98)
      rules.push({ ...box, y1: box.y0 }, { ...box, y0: box.y1 }, { ...box, x1: box.x0 }, { ...box, x0: box.x1 })
  }
  return { rules, bars, drawn }
}

const MAX_CHARS = 200_000
/** Wider gaps, in ems, are not word spaces. */
const MAX_WORD_SPACE_EM = 1.15

function linesOf(pdfium: Pdfium, page: number, numbers: number, height: number): PdfRun[] {
  const text = pdfium._FPDFText_LoadPage(page)
  if (text === 0) return []
  const runs: PdfRun[] = []
  let line: PdfRun | undefined
  const memory = pdfium.wasmExports.malloc(FONT_NAME_BYTES)
  const style = makeFontStyleReader(pdfium, memory)
  const count = Math.min(pdfium._FPDFText_CountChars(text), MAX_CHARS)
  for (let index = 0; index < count; index++) {
    const code = pdfium._FPDFText_GetUnicode(text, index)
    if (code === 13 || code === 10) {
      if (line) runs.push(line)
      line = undefined
      continue
    }
    const char = code > 0 ? String.fromCodePoint(Math.min(code, 0x10ffff)) : ''
    const known = pdfium._FPDFText_GetCharBox(text, index, numbers, numbers + 8, numbers + 16, numbers + 24)
    if (!known || char.trim() === '') {
      if (line) line.text += char
      continue
    }
    const [x0 = 0, x1 = 0] = new Float64Array(pdfium.HEAPU8.buffer, numbers, 2)
    if (!pdfium._FPDFText_GetCharOrigin(text, index, numbers, numbers + 8)) continue
    const base = height - new Float64Array(pdfium.HEAPU8.buffer, numbers, 2)[1]!
    const { size, font } = style(text, index, pdfium._FPDFText_GetTextObject(text, index))
    // A different baseline starts a new line, and a wide gap a new cell or column.
    const away = line ? Math.max(line.x0 - x1, x0 - line.x1) : 0
    if (line && (Math.abs(base - line.base) > 0.5 * size || away > MAX_WORD_SPACE_EM * Math.min(size, line.size))) {
      runs.push(line)
      line = undefined
    }
    if (!line) {
      const place = { x0, x1, y0: base - 0.8 * size, y1: base + 0.2 * size, base, size }
      line = { ...PLAIN, ...place, text: char, bold: font.bold, font: font.name }
    } else {
      line.text += char
      line.x0 = Math.min(line.x0, x0)
      line.x1 = Math.max(line.x1, x1)
    }
  }
  if (line) runs.push(line)
  pdfium.wasmExports.free(memory)
  pdfium._FPDFText_ClosePage(text)
  return runs.map((run) => ({ ...run, text: run.text.trim() }))
}

const EMPTY_BITMAP: GreyBitmap = { width: 0, height: 0, grey: new Uint8Array(0) }

/** Renders a page and passes its BGRX pixels to `take` before the memory is freed. */
function withPaintedPage<T>(
  pdfium: Pdfium,
  page: number,
  dpi: number,
  take: (size: { width: number; height: number }, pixels: Uint8Array) => T,
): T | undefined {
  const { width, height } = renderedSizeOf(
    { width: pdfium._FPDF_GetPageWidth(page), height: pdfium._FPDF_GetPageHeight(page) },
    dpi,
  )
  const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, BGRX, 0, width * 4)
  if (bitmap === 0) return undefined
  try {
    pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff)
    pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, RENDER_ANNOTATIONS)
    const start = pdfium._FPDFBitmap_GetBuffer(bitmap)
    return take({ width, height }, pdfium.HEAPU8.subarray(start, start + width * height * 4))
  } finally {
    pdfium._FPDFBitmap_Destroy(bitmap)
  }
}

function greyOf(pixels: Uint8Array): Uint8Array {
  const grey = new Uint8Array(pixels.length / 4)
  for (let at = 0, from = 0; at < grey.length; at++, from += 4)
    grey[at] = (pixels[from]! * 29 + pixels[from + 1]! * 150 + pixels[from + 2]! * 77) >> 8
  return grey
}

function rgbOf(pixels: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((pixels.length / 4) * 3)
  for (let at = 0, from = 0; at < rgb.length; at += 3, from += 4) {
    rgb[at] = pixels[from + 2]!
    rgb[at + 1] = pixels[from + 1]!
    rgb[at + 2] = pixels[from]!
  }
  return rgb
}

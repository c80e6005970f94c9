// Reads a PDF: native text where usable, else OCR. The tools are injected, so this file loads no library.
import { appendAll } from '../../base/large-array-helpers.ts'
import { Problem } from '../../base/problem.ts'
import { analysePdfLayout } from './analyse-pdf-layout.ts'
import type { AssembledPdf } from './assemble-pages.ts'
import {
  imageCoverageOf,
  isBadTextLayer,
  isOcrNoise,
  isScannedSheet,
  nothingReadWarning,
  unsureOcrWarning,
} from './check-text-layers.ts'
import { itemsToSheet, type PdfPageFrame } from './items-to-sheet.ts'
import type { OcrReading, PdfRun, PdfSheet } from './page-layout-types.ts'
import type { GreyBitmap, PdfiumDocument, PdfiumFault } from './pdfium.ts'
import type { PdfMetadata } from './pdfium-text.ts'
import { readPlacedPictures } from './read-placed-pictures.ts'
import { OCR_DPI } from './rendered-size.ts'

export interface PdfOptions {
  mode: 'fast' | 'auto' | 'ocr'
  maxPages: number
  pageMarkers: boolean
}

/** Milliseconds left; OCR stops before 0. */
type TimeLeft = () => number

export interface PdfTools {
  pdfium: { open(bytes: Uint8Array): PdfiumDocument | PdfiumFault }
  /** Words of an image, positioned on a page of this size in points; undefined when the time ends first. */
  recognise(bitmap: GreyBitmap, page: { width: number; height: number }): Promise<OcrReading | undefined>
  timeLeft: TimeLeft
}

export interface PdfReading extends AssembledPdf {
  facts: PdfMetadata
  totalPages: number
  pagesRead: number
  links: string[]
  warnings: string[]
}

/** OCR takes 1–3 s per page; a page that might not finish is not started. */
const OCR_PAGE_MS = 4000

export async function readPdf(bytes: Uint8Array, options: PdfOptions, tools: PdfTools): Promise<PdfReading> {
  const document = tools.pdfium.open(bytes)
  if (document === 'encrypted') throw makeUnreadableProblem('the PDF is encrypted and opens only with its password')
  if (document === 'broken') throw makeUnreadableProblem('the PDF is damaged: its structure cannot be read')
  try {
    const totalPages = document.pageCount
    if (totalPages === 0) throw makeUnreadableProblem('the PDF has no pages')
    const pagesRead = Math.min(totalPages, options.maxPages)
    const state = new PageStates()
    const sheets = nativeSheets(document, pagesRead, state)
    await addOcr(sheets, document, options, tools, state)
    const made = analysePdfLayout(
      sheets.map(({ sheet }) => sheet),
      { pageMarkers: options.pageMarkers, status: (page) => state.of(page) },
    )
    const warnings = state.warnings()
    if (made.markdown === '' && warnings.length === 0) warnings.push('No text was found in this PDF.')
    return { ...made, facts: document.facts(), totalPages, pagesRead, links: linksOf(sheets), warnings }
  } finally {
    document.close()
  }
}

const makeUnreadableProblem = (because: string): Problem => new Problem('unreadable_file', { because })

interface FramedSheet {
  sheet: PdfSheet
  frame: PdfPageFrame
}

function nativeSheets(document: PdfiumDocument, count: number, state: PageStates): FramedSheet[] {
  const sheets: FramedSheet[] = []
  for (let number = 1; number <= count; number++) {
    const frame = document.frame(number - 1)
    if (frame.width === 0) state.failed(number, 'is broken')
    const sheet = itemsToSheet(number, document.items(number - 1), frame)
    appendAll(sheet.runs, fieldsOf(sheet, document))
    // OCR layers use a fixed-width font whatever the printed font is.
    if (isScannedSheet(sheet)) for (const run of sheet.runs) run.mono = false
    sheets.push({ sheet, frame })
  }
  return sheets
}

/** Form values are not page text; they are the difference between the filled page and its text. */
function fieldsOf({ runs, number }: PdfSheet, document: PdfiumDocument): PdfRun[] {
  // Must come first: flattening the form removes its checkboxes.
  const boxes = document.tickBoxes(number - 1)
  const filled = document.filledForm(number - 1) ?? []
  const known = new Set(runs.map(({ text }) => text.trim()))
  const isBox = ({ x0, x1, y0, y1 }: PdfRun) =>
    boxes.some((box) => x0 < box.x1 && x1 > box.x0 && y0 < box.y1 && y1 > box.y0)
  const written = filled.filter((line) => {
    const x = (line.x0 + line.x1) / 2
    const y = (line.y0 + line.y1) / 2
    const isKnown =
      known.has(line.text.trim()) || runs.some((run) => x > run.x0 && x < run.x1 && y > run.y0 && y < run.y1)
    return !isKnown && line.text.trim() !== '' && !isBox(line)
  })
  return [...boxes, ...written]
}

async function addOcr(
  sheets: FramedSheet[],
  document: PdfiumDocument,
  { mode }: PdfOptions,
  tools: PdfTools,
  state: PageStates,
): Promise<void> {
  // Without OCR, a bad layer is better than none.
  const lacking = sheets.filter(({ sheet, frame }) =>
    mode === 'ocr' ? frame.width > 0 : lacksText(sheet, frame) || (mode === 'auto' && isBadTextLayer(sheet)),
  )
  if (lacking.length === 0) return
  if (mode === 'fast') {
    if (lacking.length === sheets.length) throw new Problem('pdf_ocr_required')
    for (const { sheet } of lacking) state.failed(sheet.number, 'has no text, and `mode: "fast"` forbids OCR')
    return
  }
  for (const { sheet, frame } of lacking) {
    const { width, height } = frame
    const bitmap = tools.timeLeft() < OCR_PAGE_MS ? undefined : document.render(sheet.number - 1, OCR_DPI)
    const reading = bitmap && (await tools.recognise(bitmap, { width, height }))
    if (!reading) {
      state.failed(sheet.number, 'needs OCR, and the time limit of this document was reached')
      continue
    }
    // Text printed over a picture is exact; OCR only adds what is in the picture.
    const printed = mode === 'auto' && !isBadTextLayer(sheet) && !isGarbage(sheet) ? sheet.runs : []
    const read = isOcrNoise(reading.runs) ? [] : reading.runs
    const known = [...printed, ...apartFrom(printed, read)]
    const placed =
      tools.timeLeft() < OCR_PAGE_MS
        ? []
        : await readPlacedPictures(bitmap, frame, sheet.images, known, tools.recognise)
    // If OCR finds only noise, a bad layer is kept.
    if (read.length + placed.length === 0) {
      if (printed.length === 0 && (!isBadTextLayer(sheet) || mode === 'ocr')) {
        Object.assign(sheet, { runs: [], source: 'full_page' })
        state.unsure(sheet.number, nothingReadWarning(bitmap, reading))
      }
      continue
    }
    const unsure = unsureOcrWarning(reading)
    if (unsure) state.unsure(sheet.number, unsure)
    const runs = [...known, ...placed]
    Object.assign(sheet, { runs, turned: [], images: [], width, height, rules: frame.rules, source: 'full_page' })
  }
}

/** Fonts without a Unicode map yield private-use or replacement characters. */
const UNMAPPED_CHARACTER = /[\ufffd\ue000-\uf8ff]/g

function lacksText(sheet: PdfSheet, { drawn }: PdfPageFrame): boolean {
  const { runs } = sheet
  const text = runs.map((run) => run.text).join('')
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  const covered = imageCoverageOf(sheet)
  if (letters < 8) return covered > 0.02 || drawn > 30
  // A scan with a stamp or page number on top.
  if (letters < 80 && covered > 0.6) return true
  return isGarbage(sheet)
}

function isGarbage({ runs }: PdfSheet): boolean {
  const text = runs.map((run) => run.text).join('')
  return (text.match(UNMAPPED_CHARACTER)?.length ?? 0) > (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0)
}

/** Those whose middle is in none of the others; few, as pages with more text are not read by OCR. */
const apartFrom = (others: readonly PdfRun[], runs: readonly PdfRun[]): PdfRun[] =>
  runs.filter(({ x0, x1, y0, y1 }) => {
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2]
    return !others.some((other) => x > other.x0 && x < other.x1 && y > other.y0 && y < other.y1)
  })

function linksOf(sheets: readonly FramedSheet[]): string[] {
  const links = new Set<string>()
  for (const { sheet } of sheets) for (const { link } of sheet.runs) if (link) links.add(link)
  return [...links].slice(0, 10_000)
}

class PageStates {
  readonly #failed = new Map<number, string>()
  /** Pages whose text is missing or doubtful without a failure. */
  readonly #unsure = new Map<number, string>()
  failed(page: number, why: string): void {
    this.#failed.set(page, why)
  }
  unsure(page: number, why: string): void {
    this.#unsure.set(page, why)
  }
  of(page: number): 'ok' | 'failed' {
    return this.#failed.has(page) ? 'failed' : 'ok'
  }
  warnings(): string[] {
    const byReason = new Map<string, number[]>()
    for (const [page, why] of [...this.#failed, ...this.#unsure]) {
      const pages = byReason.get(why)
      if (pages) pages.push(page)
      else byReason.set(why, [page])
    }
    return [...byReason].map(([why, pages]) => {
      const shown = pages.slice(0, 10).join(', ')
      const more = pages.length > 10 ? ` and ${pages.length - 10} more` : ''
      return `${pages.length === 1 ? 'Page' : 'Pages'} ${shown}${more}: ${why}.`
    })
  }
}

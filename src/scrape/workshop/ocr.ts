// OCR by Tesseract, with the installed language data; the script of a page is the one that it is read with most surely.
import { mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { OcrReading, PdfRun } from '../../content/pdf/page-layout.ts'
import type { Bitmap } from '../../content/pdf/pdfium.ts'
import { ENGLISH, type InstalledLanguage, installedLanguages } from './ocr-languages.ts'

export interface Ocr {
  /** In points of the page. */
  recognise(bitmap: Bitmap, page: { width: number; height: number }): Promise<OcrReading>
  /** In points, `scale` points per pixel; undefined when the image cannot be decoded. */
  recogniseFile(bytes: Uint8Array): Promise<(OcrReading & { scale: number }) | undefined>
}

interface Word {
  text: string
  confidence: number
  bbox: { x0: number; y0: number; x1: number; y1: number }
}
interface Line {
  words: Word[]
  baseline: { y0: number; y1: number }
  bbox: Word['bbox']
  rowAttributes?: { rowHeight: number; descenders: number; ascenders: number }
}
interface Block {
  paragraphs: { lines: Line[] }[]
}

/** Image metadata is unreliable; this is typical of scans. */
const ASSUMED_DPI = 200
const FINDS_PARTS = '3'
/** Words below are usually specks and ornaments. */
const MIN_CONFIDENCE = 50

/** Pages of another script get at most 36, those of another language in the same script at least 76. */
const SURE = 65
/** OcrReading a page once more takes at most about this long. */
const AGAIN_MS = 4000

/** `timeLeft`: no further script is tried when it ends. */
export async function openOcr(folder?: string, timeLeft = () => Number.POSITIVE_INFINITY): Promise<Ocr> {
  const { createWorker } = await import('tesseract.js')
  const installed = installedLanguages(folder)
  const [first = [], ...others] = byScript(installed)
  let order = [first, ...others]
  let loaded = first
  const worker = await createWorker(first, 1, {
    langPath: linked(installed),
    cacheMethod: 'none',
    // Undecodable files are a result, not a crash.
    errorHandler: () => undefined,
  })
  const use = async (codes: string[]) => {
    if (loaded !== codes) await worker.reinitialize(codes.join('+'))
    loaded = codes
    // The default mode treats a page as one text block and reads noise in paper and pictures.
    await worker.setParameters({ user_defined_dpi: String(ASSUMED_DPI), tessedit_pageseg_mode: FINDS_PARTS } as never)
  }
  const readWith = async (codes: string[], image: Buffer, scale: number): Promise<OcrReading> => {
    await use(codes)
    const { data } = await worker.recognize(image, {}, { blocks: true, text: false })
    return readingOf((data.blocks ?? []) as unknown as Block[], scale)
  }
  const read = async (image: Buffer, scale: number): Promise<OcrReading> => {
    let best: (OcrReading & { codes: string[] }) | undefined
    for (const codes of order) {
      if (best && (best.confidence >= SURE || timeLeft() < AGAIN_MS)) break
      const reading = await readWith(codes, image, scale)
      if (!best || reading.confidence > best.confidence) best = { ...reading, codes }
    }
    // The next page is likely in the same script.
    const { codes = first, runs = [], confidence = 0 } = best ?? {}
    order = [codes, ...order.filter((one) => one !== codes)]
    return { runs, confidence }
  }
  return {
    async recognise(bitmap, page) {
      if (bitmap.width === 0) return { runs: [], confidence: 0 }
      return read(portableGrey(bitmap), page.width / bitmap.width)
    },
    async recogniseFile(bytes) {
      try {
        const scale = 72 / ASSUMED_DPI
        return { scale, ...(await read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), scale)) }
      } catch {
        return undefined
      }
    },
  }
}

/** The engine weights the first language most; pages of other scripts have Latin words too. */
function byScript(installed: readonly InstalledLanguage[]): string[][] {
  const scripts = new Map<string, string[]>()
  for (const { code, script } of installed) scripts.set(script, [...(scripts.get(script) ?? []), code])
  return [...scripts].map(([script, codes]) => (script === 'Latin' ? codes : [...codes, ENGLISH]))
}

/** The engine reads all data from one folder; that of the child process is removed with it. */
function linked(installed: readonly InstalledLanguage[]): string {
  const [first] = installed
  if (first && installed.length === 1) return dirname(first.file)
  const folder = mkdtempSync(join(tmpdir(), 'orb-ocr-'))
  for (const { file } of installed) symlinkSync(file, join(folder, basename(file)))
  return folder
}

function portableGrey({ width, height, grey }: Bitmap): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), grey])
}

function readingOf(blocks: readonly Block[], scale: number): OcrReading {
  const runs: PdfRun[] = []
  let sum = 0
  let weight = 0
  for (const { paragraphs } of blocks)
    for (const { lines } of paragraphs)
      for (const line of lines) {
        const { words, baseline } = line
        const size = Math.max(4, sizeOf(line) * scale)
        const base = ((baseline.y0 + baseline.y1) / 2) * scale
        for (const { text, confidence, bbox: box } of words) {
          sum += confidence * text.length
          weight += text.length
          if (confidence < MIN_CONFIDENCE || !text.trim()) continue
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

/** x-height as a share of the font size, typical of most fonts. */
const X_HEIGHT = 0.48

/**
 * From the x-height: a line without ascenders or descenders is not in a smaller font. Falls back to the line height
 * when implausible.
 */
function sizeOf({ bbox, rowAttributes }: Line): number {
  const height = bbox.y1 - bbox.y0
  const { rowHeight = 0, ascenders = 0, descenders = 0 } = rowAttributes ?? {}
  const size = (rowHeight - Math.abs(ascenders) - Math.abs(descenders)) / X_HEIGHT
  return size > height * 0.8 && size < height * 1.8 ? size : height * 0.85
}

// OCR by Tesseract. Nothing is downloaded: an operator adds languages by installing their data packages.
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Bitmap } from '../../content/pdf/pdfium.ts'
import type { PdfRun } from '../../content/pdf/sheet.ts'

export interface Ocr {
  recognise(bitmap: Bitmap, page: { width: number; height: number }): Promise<PdfRun[]>
  /** In points, `scale` points per pixel; undefined when the image cannot be decoded. */
  recogniseFile(bytes: Uint8Array): Promise<{ runs: PdfRun[]; scale: number } | undefined>
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

const VARIANT = '4.0.0_best_int'
/** Image metadata is unreliable; this is typical of scans. */
const ASSUMED_DPI = 200
const FINDS_PARTS = '3'
/** Words below are usually specks and ornaments. */
const MIN_CONFIDENCE = 50

export async function openOcr(): Promise<Ocr> {
  const { createWorker } = await import('tesseract.js')
  const { codes, folder, done } = languageData()
  const worker = await createWorker(codes, 1, {
    langPath: folder,
    cacheMethod: 'none',
    // Undecodable files are a result, not a crash.
    errorHandler: () => undefined,
  }).finally(done)
  // The default mode treats a page as one text block and reads noise in paper and pictures.
  await worker.setParameters({ user_defined_dpi: String(ASSUMED_DPI), tessedit_pageseg_mode: FINDS_PARTS } as never)
  const run = async (image: Buffer, scale: number): Promise<PdfRun[]> => {
    const { data } = await worker.recognize(image, {}, { blocks: true, text: false })
    return runsOf((data.blocks ?? []) as unknown as Block[], scale)
  }
  return {
    async recognise(bitmap, page) {
      if (bitmap.width === 0) return []
      return run(portableGrey(bitmap), page.width / bitmap.width)
    },
    async recogniseFile(bytes) {
      try {
        const scale = 72 / ASSUMED_DPI
        return { scale, runs: await run(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), scale) }
      } catch {
        return undefined
      }
    },
  }
}

export function ocrLanguages(): string[] {
  const { codes, done } = languageData()
  done()
  return codes
}

/**
 * English first: the engine weights the first language most. It reads all data from one folder, so packages are linked
 * together.
 */
function languageData(): { codes: string[]; folder: string; done(): void } {
  const english = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json'))
  const scope = dirname(english)
  const fileOf = (code: string) => join(scope, code, VARIANT, `${code}.traineddata.gz`)
  const others = readdirSync(scope).filter((code) => code !== 'eng' && existsSync(fileOf(code)))
  if (others.length === 0) return { codes: ['eng'], folder: join(english, VARIANT), done: () => undefined }
  const folder = mkdtempSync(join(tmpdir(), 'orb-ocr-'))
  const codes = ['eng', ...others]
  for (const code of codes) symlinkSync(fileOf(code), join(folder, `${code}.traineddata.gz`))
  return { codes, folder, done: () => rmSync(folder, { recursive: true, force: true }) }
}

function portableGrey({ width, height, grey }: Bitmap): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), grey])
}

function runsOf(blocks: readonly Block[], scale: number): PdfRun[] {
  const runs: PdfRun[] = []
  for (const { paragraphs } of blocks)
    for (const { lines } of paragraphs)
      for (const line of lines) {
        const { words, baseline } = line
        const size = Math.max(4, sizeOf(line) * scale)
        const base = ((baseline.y0 + baseline.y1) / 2) * scale
        for (const { text, confidence, bbox: box } of words) {
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
  return runs
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

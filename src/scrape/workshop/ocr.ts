// OCR by Tesseract, with the installed language data; the script of a page is the one that it is read with most surely.
import { mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withinTime } from '../../base/deadline.ts'
import { readImageSize } from '../../content/documents/read-image-size.ts'
import type { OcrReading } from '../../content/pdf/page-layout-types.ts'
import type { GreyBitmap } from '../../content/pdf/pdfium.ts'
import { ENGLISH_CODE, type InstalledOcrLanguage, listInstalledOcrLanguages } from './ocr-languages.ts'
import { type OcrBlock, readOcrBlocks } from './read-ocr-blocks.ts'

export interface Ocr {
  /** In points of the page; undefined when the time of the document ends first. */
  recognise(bitmap: GreyBitmap, page: { width: number; height: number }): Promise<OcrReading | undefined>
  /** In points, `scale` points per pixel; undefined when the image cannot be decoded. */
  recogniseFile(bytes: Uint8Array): Promise<(OcrReading & { scale: number }) | undefined>
}

/** The build has its own copy of the engine's thread, with those engines that a processor may need. */
const builtThread = import.meta.url.endsWith('.js') ? new URL('./ocr-thread/index.cjs', import.meta.url) : undefined

/** Image metadata is unreliable; this is typical of scans. */
const ASSUMED_DPI = 200
/** The short side of A4. A larger picture is taken for such a sheet: at too low a resolution, the engine finds no text. */
const SHEET_INCHES = 8.27
const FINDS_PARTS = '3'

/** Pages of another script get at most 36, those of another language in the same script at least 76. */
const MIN_SURE_CONFIDENCE = 65
/** Reading a page once more takes at most about this long. */
const SECOND_READING_MS = 4000
/** Remains after a page that takes too long, to answer with the others. */
const ANSWER_MS = 1000
/** The longest time of a timer. */
const MAX_WAIT_MS = 2 ** 31 - 1

/** `timeLeft`: no further script is tried when it ends. */
export async function openOcr(folder?: string, timeLeft = () => Number.POSITIVE_INFINITY): Promise<Ocr> {
  const { createWorker } = await import('tesseract.js')
  const installed = listInstalledOcrLanguages(folder)
  const [first = [], ...others] = byScript(installed)
  let order = [first, ...others]
  let loaded = first
  const langPath = linkLanguageData(installed)
  const open = () =>
    createWorker(first, 1, {
      langPath,
      ...(builtThread ? { workerPath: fileURLToPath(builtThread) } : {}),
      cacheMethod: 'none',
      // Undecodable files are a result, not a crash.
      errorHandler: () => undefined,
    })
  let worker: ReturnType<typeof open> | undefined = open()
  await worker
  /** A reading cannot be stopped: its thread ends, and the next page gets another one. */
  const abandonReading = () => {
    void worker?.then((one) => one.terminate())
    worker = undefined
    loaded = first
  }
  const use = async (codes: string[], dpi: number) => {
    worker ??= open()
    const engine = await worker
    if (loaded !== codes) await engine.reinitialize(codes.join('+'))
    loaded = codes
    // The default mode treats a page as one text block and reads noise in paper and pictures.
    await engine.setParameters({ user_defined_dpi: String(dpi), tessedit_pageseg_mode: FINDS_PARTS } as never)
    return engine
  }
  const readWith = async (codes: string[], image: Buffer, scale: number): Promise<OcrReading> => {
    const engine = await use(codes, Math.round(72 / scale))
    const { data } = await engine.recognize(image, {}, { blocks: true, text: false })
    return readOcrBlocks((data.blocks ?? []) as unknown as OcrBlock[], scale)
  }
  const read = async (image: Buffer, scale: number): Promise<OcrReading> => {
    let best: (OcrReading & { codes: string[] }) | undefined
    for (const codes of order) {
      if (best && (best.confidence >= MIN_SURE_CONFIDENCE || timeLeft() < SECOND_READING_MS)) break
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
      const limitMs = Math.min(MAX_WAIT_MS, Math.max(0, timeLeft() - ANSWER_MS))
      return withinTime(limitMs, read(portableGrey(bitmap), page.width / bitmap.width), () => {
        abandonReading()
        return undefined
      })
    },
    async recogniseFile(bytes) {
      try {
        const { width, height } = readImageSize(bytes) ?? { width: 0, height: 0 }
        const scale = 72 / Math.max(ASSUMED_DPI, Math.min(width, height) / SHEET_INCHES)
        return { scale, ...(await read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), scale)) }
      } catch {
        return undefined
      }
    },
  }
}

/** The engine weights the first language most; pages of other scripts have Latin words too. */
function byScript(installed: readonly InstalledOcrLanguage[]): string[][] {
  const scripts = new Map<string, string[]>()
  for (const { code, script } of installed) scripts.set(script, [...(scripts.get(script) ?? []), code])
  return [...scripts].map(([script, codes]) => (script === 'Latin' ? codes : [...codes, ENGLISH_CODE]))
}

/** The engine reads all data from one folder; that of the child process is removed with it. */
function linkLanguageData(installed: readonly InstalledOcrLanguage[]): string {
  const [first] = installed
  if (first && installed.length === 1) return dirname(first.file)
  const folder = mkdtempSync(join(tmpdir(), 'orb-ocr-'))
  for (const { file } of installed) symlinkSync(file, join(folder, basename(file)))
  return folder
}

function portableGrey({ width, height, grey }: GreyBitmap): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), grey])
}

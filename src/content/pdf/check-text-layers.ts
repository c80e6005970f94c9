// Decides whether the OCR layer of a scan is usable and whether our own OCR result is text, independently of language.
import type { OcrReading, PdfRun, PdfSheet } from './page-layout-types.ts'

export const imageCoverageOf = ({ images, width, height }: PdfSheet): number =>
  images.reduce((sum, { x0, x1, y0, y1 }) => sum + (x1 - x0) * (y1 - y0), 0) / Math.max(1, width * height)

const MIN_SCAN_COVERAGE = 0.8

export const isScannedSheet = (sheet: PdfSheet): boolean => imageCoverageOf(sheet) >= MIN_SCAN_COVERAGE

const MIN_WORDS = 20
const MAX_JUDGED = 3000

export function isBadTextLayer(sheet: PdfSheet): boolean {
  if (!isScannedSheet(sheet)) return false
  const runs = sheet.runs.slice(0, MAX_JUDGED)
  const words = runs.flatMap(({ text }) => text.split(/\s+/).filter(Boolean))
  if (words.length < MIN_WORDS) return false
  const broken = words.filter(isBroken).length / words.length
  return broken > 0.3 || countOverlapping(runs) > 0.3 || inFragments(words)
}

/** Few words longer than three letters; applies to alphabets whose words average five. */
function inFragments(words: readonly string[]): boolean {
  const lettered = words.filter((word) => /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word))
  return (
    lettered.length >= 2 * MIN_WORDS && lettered.filter(({ length }) => length <= 3).length > 0.85 * lettered.length
  )
}

const isBroken = (word: string): boolean => {
  const core = word.replace(/^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu, '')
  if (core === '') return !/^[\p{Pd}\p{Po}\p{Ps}\p{Pe}\p{Pi}\p{Pf}&=+]{1,3}$/u.test(word)
  if (/[\p{L}\p{N}][|^~<>\\{}¦§¬•]+[\p{L}\p{N}]/u.test(core)) return true
  return /\p{L}[^\p{L}\p{M}\p{N}'’.,:/@&_\u00ad-]\p{L}|\p{Ll}\d\p{Ll}|\p{Ll}\p{Lu}\p{Ll}*\p{Lu}/u.test(core)
}

/** Share of runs that overlap the previous run on their line by more than half. */
function countOverlapping(runs: readonly PdfRun[]): number {
  const sorted = [...runs].sort((a, b) => Math.round(a.base / 6) - Math.round(b.base / 6) || a.x0 - b.x0)
  let count = 0
  for (let at = 1; at < sorted.length; at++) {
    const [a, b] = [sorted[at - 1]!, sorted[at]!]
    const shared = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0)
    if (Math.abs(a.base - b.base) < 0.5 * b.size && shared > 0.5 * Math.min(a.x1 - a.x0, b.x1 - b.x0)) count++
  }
  return runs.length > 1 ? count / runs.length : 0
}

/** Few words with high OCR confidence, as in grain and specks. */
export function isOcrNoise(runs: readonly PdfRun[]): boolean {
  if (runs.length === 0) return true
  const sure = runs.filter(({ text, ocr = 0 }) => ocr >= 75 && /[\p{L}\p{N}]{2}|\p{Lo}/u.test(text))
  return sure.length * 4 < runs.length
}

/** With lower OCR confidence, the text is probably in a script without installed language data. */
const MIN_TRUSTED_CONFIDENCE = 65
const MORE_LANGUAGES =
  'text in another script needs its language data (`orb ocr add <language>`), and handwriting is not read'

/** Why a picture has no text. */
export function nothingReadWarning(
  { width, height }: { width: number; height: number },
  { confidence }: OcrReading,
): string {
  const picture = `the picture of ${width} × ${height} pixels (confidence ${Math.round(confidence)} of 100)`
  return `OCR found no reliable text in ${picture}${confidence > 0 ? `; ${MORE_LANGUAGES}` : ''}`
}

/** Undefined when the text can be trusted. */
export const unsureOcrWarning = ({ runs, confidence }: OcrReading): string | undefined =>
  runs.length === 0 || confidence >= MIN_TRUSTED_CONFIDENCE
    ? undefined
    : `OCR is unsure of its text (confidence ${Math.round(confidence)} of 100); ${MORE_LANGUAGES}`

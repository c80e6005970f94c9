// An image as a document of one page, read by OCR.
import { Problem } from '../../base/problem.ts'
import { analysePdfLayout } from '../pdf/analyse-pdf-layout.ts'
import { nothingReadWarning, unsureOcrWarning } from '../pdf/check-text-layers.ts'
import type { OcrReading, PdfSheet } from '../pdf/page-layout-types.ts'
import { readImageSize } from './read-image-size.ts'
import { type PdfReadOptions, pdfReadingToDocument } from './read-pdf-document.ts'
import type { DocumentReading } from './sniff-document.ts'

export interface ImageTools {
  /** Words in points, where a pixel is `scale` points; undefined if the image cannot be decoded. */
  recogniseFile(bytes: Uint8Array): Promise<(OcrReading & { scale: number }) | undefined>
}

export async function readImage(
  bytes: Uint8Array,
  options: PdfReadOptions,
  tools: ImageTools,
): Promise<DocumentReading> {
  const seen = await tools.recogniseFile(bytes)
  if (!seen)
    throw new Problem('unreadable_file', {
      because: 'the image is damaged, or of a type that OCR does not support (PNG, JPEG, GIF, BMP, WebP, TIFF)',
    })
  const size = readImageSize(bytes)
  const sheet: PdfSheet = {
    width: size ? size.width * seen.scale : Math.max(1, ...seen.runs.map(({ x1 }) => x1)),
    height: size ? size.height * seen.scale : Math.max(1, ...seen.runs.map(({ y1 }) => y1)),
    runs: seen.runs,
    number: 1,
    turned: [],
    images: [],
    rules: [],
    source: 'full_page',
  }
  const made = analysePdfLayout([sheet], { pageMarkers: false, status: () => 'ok', hasFurniture: false })
  const doubt = made.markdown === '' && size ? nothingReadWarning(size, seen) : unsureOcrWarning(seen)
  const warnings = doubt ? [`${doubt}.`] : []
  return pdfReadingToDocument(
    'image',
    { ...made, facts: {}, totalPages: 1, pagesRead: 1, links: [], warnings },
    options,
  )
}

// An image as a document of one page, read by OCR.
import { Problem } from '../../base/problem.ts'
import { layout } from '../pdf/layout.ts'
import type { OcrReading, PdfSheet } from '../pdf/page-layout.ts'
import { nothingRead, unsureReading } from '../pdf/text-layers.ts'
import type { DocumentReading } from './document.ts'
import { imageSize } from './image-size.ts'
import { documentOf, type PdfReadOptions } from './pdf.ts'

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
      because: 'the image is broken, or of a kind that OCR here does not take (PNG, JPEG, GIF, BMP, WebP, TIFF)',
    })
  const size = imageSize(bytes)
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
  const made = layout([sheet], { pageMarkers: false, status: () => 'ok', hasFurniture: false })
  const doubt = made.markdown === '' && size ? nothingRead(size, seen) : unsureReading(seen)
  const warnings = doubt ? [`${doubt}.`] : []
  return documentOf('image', { ...made, facts: {}, totalPages: 1, pagesRead: 1, links: [], warnings }, options)
}

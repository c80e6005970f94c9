// An image as a document of one page, read by OCR.
import { Problem } from '../../base/problem.ts'
import { layout } from '../pdf/layout.ts'
import type { Run, Sheet } from '../pdf/sheet.ts'
import type { DocumentReading } from './document.ts'
import { documentOf, type PdfWishes } from './pdf.ts'

export interface ImageTools {
  /** Undefined when the image cannot be decoded. Sizes in points. */
  recogniseFile(bytes: Uint8Array): Promise<{ width: number; height: number; runs: Run[] } | undefined>
}

export async function readImage(bytes: Uint8Array, wishes: PdfWishes, tools: ImageTools): Promise<DocumentReading> {
  const seen = await tools.recogniseFile(bytes)
  if (!seen)
    throw new Problem('unreadable_file', {
      because: 'the image is broken, or of a kind that OCR here does not take (PNG, JPEG, GIF, BMP, WebP, TIFF)',
    })
  const sheet: Sheet = { ...seen, number: 1, turned: [], images: [], rules: [], source: 'full_page' }
  const made = layout([sheet], { pageMarkers: false, status: () => 'ok' })
  return documentOf('image', { ...made, facts: {}, totalPages: 1, pagesRead: 1, links: [], warnings: [] }, wishes)
}

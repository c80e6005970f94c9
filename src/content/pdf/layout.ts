// Converts sheets to a document: first styles, words and running heads across all pages, then each page. Pure.
import { type Assembled, assemble, type PdfPageBlocks } from './assemble.ts'
import { isRightToLeft } from './bidi.ts'
import { stylesOf } from './headings.ts'
import { wordsOf } from './inline.ts'
import { blocksOf } from './page-blocks.ts'
import type { PdfSheet } from './page-layout.ts'
import { rowsOf } from './rows.ts'
import { furniture } from './running-heads.ts'

interface LayoutOptions {
  /** False for images, which have no running heads or page numbers. */
  hasFurniture?: boolean
  pageMarkers: boolean
  /** Reports pages that were read partly or not at all. */
  status(page: number): PdfPageBlocks['status']
}

export function layout(
  sheets: readonly PdfSheet[],
  { pageMarkers, status, hasFurniture = true }: LayoutOptions,
): Assembled {
  const styles = stylesOf(sheets)
  const words = wordsOf(texts(sheets))
  const sample = sampleOf(sheets)
  const rightToLeft = isRightToLeft(sample)
  const how = { styles, words, rightToLeft }
  const pages = sheets.map((sheet) => ({ sheet, rows: rowsOf(sheet.runs) }))
  const aside = hasFurniture ? furniture(pages, styles.bodySize) : new Map()
  const made = pages.map(({ sheet, rows }) => ({
    sheet,
    status: status(sheet.number),
    blocks: blocksOf(sheet, rows, aside, how),
  }))
  return assemble(made, words, pageMarkers)
}

function* texts(sheets: readonly PdfSheet[]): Generator<string> {
  for (const { runs } of sheets) for (const { text } of runs) yield text
}

export function sampleOf(sheets: readonly PdfSheet[]): string {
  let sample = ''
  for (const text of texts(sheets)) {
    sample += ` ${text}`
    if (sample.length > 50_000) break
  }
  return sample
}

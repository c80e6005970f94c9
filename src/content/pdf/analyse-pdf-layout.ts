// Converts sheets to a document: first styles, words and running heads across all pages, then each page.
import { type AssembledPdf, assemblePages, type PdfPageBlocks } from './assemble-pages.ts'
import { fontSizesOf } from './detect-headings.ts'
import { assembleFormulas } from './find-formulas.ts'
import { findHeadersAndFooters } from './find-headers-and-footers.ts'
import { groupIntoRows } from './group-rows.ts'
import type { PdfSheet } from './page-layout-types.ts'
import { isRightToLeft } from './right-to-left.ts'
import { collectWords } from './runs-to-markdown.ts'
import { sheetToBlocks } from './sheet-to-blocks.ts'

interface LayoutOptions {
  /** False for images, which have no running heads or page numbers. */
  hasFurniture?: boolean
  pageMarkers: boolean
  /** Reports pages that were read partly or not at all. */
  status(page: number): PdfPageBlocks['status']
}

export function analysePdfLayout(
  sheets: readonly PdfSheet[],
  { pageMarkers, status, hasFurniture = true }: LayoutOptions,
): AssembledPdf {
  const styles = fontSizesOf(sheets)
  const words = collectWords(texts(sheets))
  const sample = sampleText(sheets)
  const rightToLeft = isRightToLeft(sample)
  const how = { styles, words, rightToLeft }
  const pages = sheets.map(assembleFormulas).map((sheet) => ({ sheet, rows: groupIntoRows(sheet.runs) }))
  const aside = hasFurniture ? findHeadersAndFooters(pages, styles.bodySize) : new Map()
  const made = pages.map(({ sheet, rows }) => ({
    sheet,
    status: status(sheet.number),
    blocks: sheetToBlocks(sheet, rows, aside, how),
  }))
  return assemblePages(made, words, pageMarkers)
}

function* texts(sheets: readonly PdfSheet[]): Generator<string> {
  for (const { runs } of sheets) for (const { text } of runs) yield text
}

function sampleText(sheets: readonly PdfSheet[]): string {
  let sample = ''
  for (const text of texts(sheets)) {
    sample += ` ${text}`
    if (sample.length > 50_000) break
  }
  return sample
}

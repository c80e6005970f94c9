// A PDF's first page as a scanner would send it: an image without text.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../../scripts/setup.mjs'
import { imageOnly } from '../../../test/documents/pdfs.mjs'

const DPI = 150

export async function scanOf(pdf) {
  const { openPdfium } = await import(pathToFileURL(join(root, 'dist/content/pdf/pdfium.js')).href)
  const document = (await openPdfium()).open(pdf)
  try {
    return await imageOnly(document.render(0, DPI))
  } finally {
    document.close()
  }
}

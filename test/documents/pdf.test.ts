// PDFs that we made, each looked at beside its picture: what is read of them is written down in files/. And what holds for
// the blocks of any PDF, whatever was asked for.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { pdfReadingToDocument } from '../../src/content/documents/read-pdf-document.ts'
import { openPdfium } from '../../src/content/pdf/pdfium.ts'
import { type PdfOptions, type PdfTools, readPdf } from '../../src/content/pdf/read-pdf.ts'
import * as pdfs from './pdfs.mjs'

let tools: PdfTools
beforeAll(async () => {
  tools = {
    pdfium: await openPdfium(),
    recognise: () => Promise.reject(new Error('every page here has text')),
    timeLeft: () => 60_000,
  }
})

const read = (bytes: Uint8Array, options: Partial<PdfOptions> = {}) =>
  readPdf(bytes, { mode: 'auto', maxPages: 10_000, pageMarkers: false, ...options }, tools)

const fixtures = {
  paper: pdfs.twoColumnPaper,
  invoice: pdfs.invoice,
  deck: pdfs.slideDeck,
  table: pdfs.longTable,
  form: pdfs.form,
  letter: pdfs.letter,
  oddments: pdfs.oddments,
}
const all = Object.entries(fixtures)

describe('a PDF reads as it looks', () => {
  it.each(all)('%s', async (name, make) => {
    const { markdown } = await read(await make())
    await expect(`${markdown}\n`).toMatchFileSnapshot(`files/${name}.md`)
  })

  it('formulas of a page with two columns as TeX', async () => {
    const bytes = readFileSync(new URL('./files/formulas.pdf', import.meta.url))
    const { markdown, blocks } = await read(bytes)
    await expect(`${markdown}\n`).toMatchFileSnapshot('files/formulas.md')
    expect(blocks[0]!.items.filter(({ type }) => type === 'formula')).toHaveLength(4)
    const { html } = pdfReadingToDocument('pdf', await read(bytes), { pages: false, blocks: false })
    expect(html).toContain('\\begin{pmatrix} c &amp; -s \\\\ s &amp; c \\end{pmatrix}')
  })

  it('a title of several lines and the spaces beside wide letters of a right-to-left page', async () => {
    const { markdown } = await read(readFileSync(new URL('./files/arabic.pdf', import.meta.url)))
    await expect(`${markdown}\n`).toMatchFileSnapshot('files/arabic.md')
  })

  it('and its html has the same lists, signs and boxes', async () => {
    const html = pdfReadingToDocument('pdf', await read(await pdfs.slideDeck()), { pages: false, blocks: false }).html
    expect(html.replaceAll('\n', '')).toContain(
      '<ul><li>The board<ul><li>half of it</li><li>in two years</li></ul></li><li>The town</li>',
    )
  })
})

describe('blocks', () => {
  const cases = all.flatMap(([name, make]) =>
    [false, true].map(
      (pageMarkers) => [`${name}${pageMarkers ? ', with page markers' : ''}`, make, pageMarkers] as const,
    ),
  )
  it.each(cases)(
    'are slices of the markdown, in order, and lie on their page: %s',
    async (_name, make, pageMarkers) => {
      const { markdown, blocks } = await read(await make(), { pageMarkers })
      const ids = new Set<string>()
      const spans: [number, number][] = []
      for (const { pageNumber, items } of blocks)
        items.forEach(({ id, bbox, content, markdownSpan, readingOrder, type }, index) => {
          expect(id.startsWith(`p${pageNumber}.`)).toBe(true)
          ids.add(id)
          expect(readingOrder).toBe(index)
          const [x0, y0, x1, y1] = bbox!
          expect(x0 >= 0 && y0 >= 0 && x1 <= 1 && y1 <= 1 && x0 < x1 && y0 < y1).toBe(true)
          if (!markdownSpan) expect(['page_header', 'page_footer', 'page_number', 'figure']).toContain(type)
          else {
            expect(markdown.slice(...markdownSpan)).toBe(content)
            spans.push(markdownSpan)
          }
        })
      expect(ids.size).toBe(blocks.reduce((sum, { items }) => sum + items.length, 0))
      spans.sort((a, b) => a[0] - b[0])
      // They do not overlap, and leave nothing between them but what joins them.
      let at = 0
      for (const [from, to] of spans) {
        expect(markdown.slice(at, from)).toMatch(/^(?:|\s+|\n\n---\n\n<!-- page \d+ -->\n\n)$/)
        at = to
      }
      expect(at).toBe(markdown.length)
    },
  )
})

describe('a PDF of a thousand pages', () => {
  const bytes = pdfs.plainPages(1000)

  it('is read whole, page by page', async () => {
    const { markdown, pages, blocks, totalPages, pagesRead } = await read(bytes)
    expect([totalPages, pagesRead, pages.length, blocks.length]).toEqual([1000, 1000, 1000, 1000])
    expect(markdown.match(/Reading number \d+ of the gauge/g)).toHaveLength(1000)
    expect(pages[776]).toMatchObject({ pageNumber: 777, markdown: expect.stringMatching(/^Reading number 777 of/) })
  })

  it('is read as far as was asked for', async () => {
    const { pages, totalPages, pagesRead } = await read(bytes, { maxPages: 7 })
    expect([totalPages, pagesRead, pages.length]).toEqual([1000, 7, 7])
  })
})

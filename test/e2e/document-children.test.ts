// The processes that read documents: what happens when one takes too long, grows too large, dies, or is no longer wanted.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { JsonBytes } from '../../src/base/json-bytes.ts'
import { Problem } from '../../src/base/problem.ts'
import type { PdfReadOptions } from '../../src/content/documents/read-pdf-document.ts'
import { openPdfium, type PdfiumDocument } from '../../src/content/pdf/pdfium.ts'
import { type DocumentProcessPool, openDocumentProcessPool } from '../../src/scrape/workshop/document-process-pool.ts'
import { imageOnly, letter, plainPages, png, twoColumnPaper } from '../documents/pdfs.mjs'

const script = new URL('../../dist/scrape/workshop/document-child.js', import.meta.url)
const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
const pdf = { mode: 'auto', maxPages: 10_000, pageMarkers: false, pages: false, blocks: true } as const

const textOf = (material: Uint8Array | undefined): string => (material ? new JsonBytes<string>(material).value() : '')

let children: DocumentProcessPool
afterEach(() => {
  vi.unstubAllEnvs()
  return children.close()
})

const read = (
  bytes: Uint8Array,
  budgetMs = 240_000,
  signal = new AbortController().signal,
  options: PdfReadOptions = pdf,
) =>
  children.digest(
    {
      bytes,
      contentType: undefined,
      url: 'https://e.com/',
      choices,
      needs: ['markdown'],
      reads: [],
      name: 'a.pdf',
      options: { image: true, pdf: options },
    },
    budgetMs,
    signal,
  )
const failure = (work: Promise<unknown>): Promise<Problem> =>
  work.then(
    () => expect.fail('it did not fail'),
    (error) => error,
  )
const running = () =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)])
    .toString()
    .split('\n')
    .filter((line) => line.includes('document-child')).length

it('a document that takes too long fails alone, and the next is read', async () => {
  children = openDocumentProcessPool({ script, most: 1, memoryMb: 1500 })
  const slow = await failure(read(plainPages(4000), 700))
  expect(slow).toBeInstanceOf(Problem)
  expect(slow.kind).toBe('timeout')
  expect(textOf((await read(await twoColumnPaper())).materials.markdown)).toMatch(/^# On the Slow/)
})

it('leave nothing behind when they are killed in the middle', async () => {
  // A folder of its own: services of other tests work in the common one.
  const folder = mkdtempSync(join(tmpdir(), 'orb-children-'))
  vi.stubEnv('TMPDIR', folder)
  children = openDocumentProcessPool({ script, most: 1, memoryMb: 1500 })
  expect((await failure(read(plainPages(4000), 700))).kind).toBe('timeout')
  await expect.poll(() => readdirSync(folder)).toEqual([])
})

it('a document that needs too much memory ends its child, with the reason', async () => {
  children = openDocumentProcessPool({ script, most: 1, memoryMb: 50 })
  const big = await failure(read(plainPages(20)))
  expect(big.kind).toBe('unreadable_file')
  expect(big.message).toMatch(/memory|crashed/)
})

it('is killed at once when nobody waits for it any more', async () => {
  children = openDocumentProcessPool({ script, most: 1, memoryMb: 1500 })
  const gone = new AbortController()
  const work = failure(read(plainPages(4000), 30_000, gone.signal))
  await new Promise((resolve) => setTimeout(resolve, 400))
  gone.abort(new Problem('cancelled'))
  expect((await work).kind).toBe('cancelled')
  // A child that was not killed would live on, ready for the next document.
  await expect.poll(running).toBe(0)
})

it('more documents than children wait their turn', async () => {
  children = openDocumentProcessPool({ script, most: 2, memoryMb: 1500 })
  const paper = await twoColumnPaper()
  const all = await Promise.all(Array.from({ length: 5 }, () => read(paper)))
  expect(all.every(({ document }) => document?.numPages === 3)).toBe(true)
  expect(running()).toBeLessThanOrEqual(2)
})

it('a scan is read by OCR, with its confidence', async () => {
  children = openDocumentProcessPool({ script, most: 1, memoryMb: 1500 })
  const page = (await openPdfium()).open(await letter()) as PdfiumDocument
  const scan = page.render(0, 150)
  page.close()
  const { materials, document } = await read(await imageOnly(scan))
  expect(textOf(materials.markdown).replace(/\s+/g, ' ')).toContain('The monthly fee of 485 pounds stays as it is.')
  const [first] = document?.blocks?.[0]?.items ?? []
  expect(first?.source).toBe('full_page')
  expect(first?.confidence.ocr).toBeGreaterThan(0.8)
  // The upper quarter of it as a picture; its last line stands at the edge, and is no page number.
  const image = await read(png({ ...scan, height: Math.floor(scan.height / 4) }))
  expect(textOf(image.materials.markdown)).toContain('Dear Captain Ellis,')
  const broken = await failure(read(Buffer.from('\x89PNG\r\n\x1a\nbroken', 'latin1')))
  expect(broken.kind).toBe('unreadable_file')
})

it('a page that was never rendered to text is asked for OCR only where that is allowed', async () => {
  children = openDocumentProcessPool({ script, most: 1, memoryMb: 1500 })
  const blank = { width: 300, height: 400, grey: new Uint8Array(300 * 400).fill(250) }
  const fast = { ...pdf, mode: 'fast' } as const
  const refused = await failure(read(await imageOnly(blank), undefined, undefined, fast))
  expect(refused.kind).toBe('pdf_ocr_required')
})

// The processes that read documents: what happens when one takes too long, grows too large, dies, or is no longer wanted.
import { execFileSync } from 'node:child_process'
import { afterEach, expect, it } from 'vitest'
import { Problem } from '../../src/base/problem.ts'
import { type DocumentChildren, openDocumentChildren } from '../../src/scrape/workshop/document-children.ts'
import { imageOnly, manyPages, twoColumnPaper } from '../documents/pdfs.mjs'

const script = new URL('../../dist/scrape/workshop/document-child.js', import.meta.url)
const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
const pdf = { mode: 'auto', maxPages: 10_000, pageMarkers: false, pages: false, blocks: false } as const

let children: DocumentChildren
afterEach(() => children.close())

const read = (bytes: Uint8Array, budgetMs = 30_000, signal = new AbortController().signal) =>
  children.digest(
    {
      bytes,
      contentType: undefined,
      url: 'https://e.com/',
      choices,
      needs: ['markdown'],
      reads: [],
      name: 'a.pdf',
      wishes: { image: true, pdf },
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
  children = openDocumentChildren({ script, most: 1, memoryMb: 1500 })
  const slow = await failure(read(await manyPages(150), 1600))
  expect(slow).toBeInstanceOf(Problem)
  expect(slow.kind).toBe('timeout')
  expect((await read(await twoColumnPaper())).materials.markdown).toMatch(/^# On the Slow/)
})

it('a document that needs too much memory ends its child, with the reason', async () => {
  children = openDocumentChildren({ script, most: 1, memoryMb: 60 })
  const big = await failure(read(await manyPages(60)))
  expect(big.kind).toBe('unreadable_file')
  expect(big.message).toMatch(/memory|crashed/)
})

it('is killed at once when nobody waits for it any more', async () => {
  children = openDocumentChildren({ script, most: 1, memoryMb: 1500 })
  const gone = new AbortController()
  const work = failure(read(await manyPages(100), 30_000, gone.signal))
  await new Promise((resolve) => setTimeout(resolve, 400))
  gone.abort(new Problem('cancelled'))
  expect((await work).kind).toBe('cancelled')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(running()).toBe(0)
})

it('more documents than children wait their turn', async () => {
  children = openDocumentChildren({ script, most: 2, memoryMb: 1500 })
  const paper = await twoColumnPaper()
  const all = await Promise.all(Array.from({ length: 5 }, () => read(paper)))
  expect(all.every(({ document }) => document?.numPages === 3)).toBe(true)
  expect(running()).toBeLessThanOrEqual(2)
})

it('a scan is read by OCR, with its confidence, and bytes that are no image are refused', async () => {
  children = openDocumentChildren({ script, most: 1, memoryMb: 1500 })
  // A page of noise has nothing to say; what matters is that it goes the whole way.
  const width = 300
  const height = 400
  const scan = await imageOnly({ width, height, grey: new Uint8Array(width * height).fill(250) })
  expect((await read(scan)).materials.markdown).toBe('')
  const broken = await failure(read(Buffer.from('\x89PNG\r\n\x1a\nbroken', 'latin1'), 10_000))
  expect(broken.kind).toBe('unreadable_file')
})

// Documents at an address: the same scrape, whatever the file is and whatever its server calls it.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findOfficeProgram } from '../../src/scrape/workshop/convert-old-office-files.ts'
import { expectCost } from '../cost.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'

const { site, service } = shared()

const post = (path: string, options: object = {}): Promise<{ status: number; json: Json }> =>
  service.call('POST', '/v2/scrape', { url: site.url + path, maxAge: 0, ...options })

describe('a PDF', () => {
  it('reads in columns, without running heads, at a credit a page', async () => {
    const { json } = await post('/files/paper.pdf')
    const { markdown, metadata } = json.data
    expect(markdown).toMatch(/^# On the Slow Rise of Harbour Water\n\nMargaret Holloway/)
    const places = ['Left10', 'Left11', '1.1 Details', 'Right10', 'Right12', 'Left20', 'Right20', 'Left30'].map(
      (word) => markdown.indexOf(word),
    )
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(0)
    expect(markdown).not.toContain('Journal of Harbour Studies')
    expect(markdown).toContain('## 2. Section Two')
    expect(metadata).toMatchObject({
      title: 'On the Slow Rise of Harbour Water',
      author: 'M. Holloway',
      numPages: 3,
      totalPages: 3,
      creditsUsed: 3,
      contentType: 'application/pdf',
    })
    expect(json.data.pages).toBeUndefined()
  })

  it('costs as much when the cache answers', async () => {
    const url = `${site.url}/files/paper.pdf`
    await service.call('POST', '/v2/scrape', { url })
    const { json } = await service.call('POST', '/v2/scrape', { url })
    expect(json.data.metadata).toMatchObject({ cacheState: 'hit', creditsUsed: 3 })
  })

  it('gives blocks whose spans are slices of the markdown, and pages', async () => {
    const { json } = await post('/files/paper.pdf', {
      parsers: [{ type: 'pdf', blocks: true, pages: true }],
      formats: ['markdown', 'html'],
    })
    const { markdown, blocks, pages, html } = json.data
    expect(blocks.map((page: Json) => [page.pageNumber, page.width, page.height, page.status])).toEqual(
      [1, 2, 3].map((page) => [page, 1700, 2200, 'ok']),
    )
    const items = blocks.flatMap((page: Json) => page.items)
    for (const { markdownSpan, content, bbox } of items) {
      if (markdownSpan) expect(markdown.slice(...markdownSpan)).toBe(content)
      expect(bbox.every((share: number) => share >= 0 && share <= 1)).toBe(true)
    }
    const types = new Set(items.map(({ type }: Json) => type))
    expect([...types].sort()).toEqual(['caption', 'page_header', 'page_number', 'section_header', 'text', 'title'])
    expect(items.map(({ label }: Json) => label)).toContain('footnote')
    expect(
      items.filter(({ type }: Json) => type === 'page_header').every(({ markdownSpan }: Json) => markdownSpan === null),
    ).toBe(true)
    expect(items[0].id).toBe('p1.b0')
    expect(pages.map(({ pageNumber }: Json) => pageNumber)).toEqual([1, 2, 3])
    expect(pages[1].markdown).toMatch(/^## 2\. Section Two/)
    expect(html).toContain('<h2>2. Section Two</h2>')
  })

  it('gives chunks with their place in the markdown and on the pages, and no blocks that nobody asked for', async () => {
    const { json } = await post('/files/paper.pdf', {
      formats: ['markdown', { type: 'chunks', maxTokens: 128, by: 'page' }],
    })
    const { markdown, chunks, blocks } = json.data
    expect(blocks).toBeUndefined()
    expect(chunks.map(({ text }: Json) => text).join('')).toBe(markdown)
    for (const { text, span, page, boxes, url } of chunks) {
      expect(markdown.slice(...span)).toBe(text)
      expect(boxes[0].page).toBe(page)
      expect(url).toBe(`${site.url}/files/paper.pdf`)
    }
    expect(new Set(chunks.map(({ page }: Json) => page))).toEqual(new Set([1, 2, 3]))
    expect(new Set(chunks.map(({ id }: Json) => id)).size).toBe(chunks.length)
  })

  it('heeds maxPages and pageMarkers', async () => {
    const { json } = await post('/files/paper.pdf', { parsers: [{ type: 'pdf', maxPages: 2, pageMarkers: true }] })
    expect(json.data.metadata).toMatchObject({ numPages: 2, totalPages: 3, creditsUsed: 2 })
    expect(json.data.markdown.match(/\n\n---\n\n<!-- page \d -->\n\n/g)).toEqual(['\n\n---\n\n<!-- page 2 -->\n\n'])
  })

  it('puts a table that goes over five pages together again', async () => {
    const { json } = await post('/files/table.pdf')
    const lines = json.data.markdown.split('\n')
    expect(lines.slice(0, 2)).toEqual(['| No. | Station | Height | Date |', '| --- | --- | --- | --- |'])
    expect(lines).toHaveLength(202)
    expect(lines.at(-1)).toMatch(/^\| 200 \| Station \w+ \|/)
  })

  it('is known by its bytes, whatever its type says', async () => {
    const { json } = await post('/files/mislabelled')
    expect(json.data.markdown).toContain('| Mooring rope, 24 mm | 12 | 18.50 | 222.00 |')
  })

  it('that is blank is blank', async () => {
    const { status, json } = await post('/files/blank.pdf')
    expect(status).toBe(200)
    expect(json.data).toMatchObject({ markdown: '', metadata: { numPages: 1, creditsUsed: 1 } })
  })

  it.each([
    ['/files/truncated.pdf', /damaged/],
    ['/files/encrypted.pdf', /encrypted/],
  ])('that cannot be read says why, and is free: %s', async (path, why) => {
    const { status, json } = await post(path)
    expect(status).toBe(422)
    expect(json).toMatchObject({ success: false, code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' })
    expect(json.error).toMatch(why)
  })
})

const expected = (name: string): string =>
  readFileSync(new URL(`../documents/files/${name}.md`, import.meta.url), 'utf8').trim()

describe('an office file', () => {
  it.each([
    ...['text.docx', 'text.odt', 'text.rtf'],
    ...['slides.pptx', 'slides.odp'],
    ...['sheets.xlsx', 'sheets.xlsm', 'sheets.xlsb', 'sheets.xls', 'sheets.ods'],
  ])('%s reads the same as in any other format', async (name) => {
    const document = (await service.sdk.scrape(`${site.url}/files/saved/${name}`, { maxAge: 0 })) as Json
    expect(document.markdown).toBe(expected(name.split('.', 1)[0]!))
    expect(document.metadata.creditsUsed).toBe(1)
  })

  it('text.doc is read, and what is missing of it is said', async () => {
    const { json } = await post('/files/saved/text.doc')
    expect(json.data.markdown).toContain('Boats must be')
    expect(json.data.markdown).toContain('| Length | Fee in pounds |')
    if (!findOfficeProgram()) expect(json.data.warning).toMatch(/only where LibreOffice is installed/)
  })

  it.each([
    ['/files/rules.docx', '| 8 m | 120 |'],
    ['/files/download', '[the harbour pages](https://harbour.example/)'],
    ['/files/fees.xlsx', '## Fees\n\n| Length | Fee |\n| --- | --- |\n| 8 m | 120 |'],
    ['/files/fees.csv', '| 8; m | 120 |'],
    ['/files/fees.tsv', '| 8 m | 120 |'],
    ['/files/tales.epub', '# First chapter'],
    ['/files/berth.eml', 'Your lease is **extended** at the café.'],
    ['/files/notes.md', '# Notes'],
    ['/files/notes.txt', 'Low water at six.'],
    ['/files/data.json', '"level": 2.4'],
    ['/files/data.xml', '<tide>2.4</tide>'],
  ])('%s is read at one credit', async (path, text) => {
    const { json } = await post(path)
    expect(json.data.markdown).toContain(text)
    expect(json.data.metadata.creditsUsed).toBe(1)
    expect(json.data.metadata.numPages).toBeUndefined()
  })

  it('that is a bomb is refused', async () => {
    const { status, json } = await post('/files/bomb.docx')
    expect(status).toBe(422)
    expect(json.error).toMatch(/unpacks to more than is allowed/)
  })
})

it('an image is read only when asked for', async () => {
  const { status, json } = await post('/picture.png')
  expect(status).toBe(422)
  expect(json).toMatchObject({ code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' })
  expect(json.error).toMatch(/parsers/)
})

it('the service answers health while a document is read', async () => {
  const reading = post('/files/table.pdf')
  const started = performance.now()
  expect((await service.call('GET', '/health')).status).toBe(200)
  expectCost(performance.now() - started).toBeLessThan(1000)
  await reading
})

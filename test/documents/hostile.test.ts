// Files that lie, are broken or mean harm: each is refused with a sentence that says what is wrong with it, or read as what
// its bytes are. Nothing of it is run, followed or unpacked without limit.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Problem } from '../../src/base/problem.ts'
import { documentToPage } from '../../src/content/documents/document-to-page.ts'
import { type DocumentTools, readDocument } from '../../src/content/documents/read-document.ts'
import { openPdfium } from '../../src/content/pdf/pdfium.ts'
import { expectCost } from '../cost.ts'
import * as office from './office.mjs'
import * as pdfs from './pdfs.mjs'

const saved = (name: string): Buffer => readFileSync(new URL(`files/${name}`, import.meta.url))

const tools: DocumentTools = {
  pdf: async () => ({
    pdfium: await openPdfium(),
    recognise: async () => ({ runs: [], confidence: 0 }),
    timeLeft: () => 20_000,
  }),
  image: () => Promise.reject(new Error('no picture is looked at here')),
  convert: undefined,
}
const options = {
  image: false,
  pdf: { mode: 'auto', maxPages: 100, pageMarkers: false, pages: false, blocks: false },
} as const
const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }

async function markdownOf(bytes: Uint8Array, name: string, contentType?: string): Promise<string> {
  const reading = await readDocument(bytes, { contentType, name }, options, tools)
  return documentToPage(reading, `file:///${name}`, choices).markdown
}
const refusal = (bytes: Uint8Array, name: string): Promise<string> =>
  markdownOf(bytes, name).then(
    (markdown) => expect.fail(`it was read: ${markdown.slice(0, 100)}`),
    (error: Problem) => error.message,
  )

const ole = (...streams: string[]) =>
  Buffer.concat([
    Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'),
    Buffer.alloc(504),
    ...streams.map((name) => Buffer.from(name, 'utf16le')),
  ])

/** A zip whose parts say that they need a password. */
function lockedZip(): Buffer {
  const bytes = office.docx()
  for (let at = bytes.indexOf('PK\x01\x02'); at !== -1; at = bytes.indexOf('PK\x01\x02', at + 4)) bytes[at + 8] = 1
  return bytes
}

function lockedPpt(): Buffer {
  const bytes = saved('slides.ppt')
  bytes.set([0xdf, 0xc4, 0xd1, 0xf3], bytes.indexOf(Buffer.from([0x5f, 0xc0, 0x91, 0xe3])))
  return bytes
}

describe('a sentence says what is wrong with', () => {
  it.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
    ['a PDF with a password', () => saved('locked.pdf'), /the PDF is encrypted and opens only with its password/],
    ['a PDF cut short', async () => (await pdfs.invoice()).subarray(0, 400), /the PDF is damaged/],
    ['a Word file with a password', () => ole('EncryptedPackage'), /encrypted and opens only with its password/],
    [
      'an OpenDocument with a password',
      () =>
        office.zip({
          mimetype: 'application/vnd.oasis.opendocument.text',
          'content.xml': Buffer.from([9, 8, 7]),
          'META-INF/manifest.xml': '<manifest:manifest><manifest:encryption-data/></manifest:manifest>',
        }),
      /encrypted and opens only with its password/,
    ],
    ['a zip with a password', lockedZip, /the archive is encrypted/],
    [
      'a book that its publisher locked',
      () =>
        office.zip({
          mimetype: 'application/epub+zip',
          'META-INF/container.xml': '<container><rootfile full-path="a.opf"/></container>',
          'META-INF/encryption.xml': '<encryption/>',
          'META-INF/rights.xml': '<rights/>',
          'a.opf': '<package/>',
        }),
      /locked by its publisher/,
    ],
    ['a Word file cut short', () => office.docx().subarray(0, 600), /the archive is broken or cut short/],
    ['a Word file without a text', () => office.zip({ 'word/document.xml': '<w:other/>' }), /no main document part/],
    ['a workbook that is none', () => ole('Workbook'), /the workbook is broken/],
    ['an old PowerPoint file that is none', () => ole('PowerPoint Document'), /the PowerPoint file is damaged/],
    ['an old PowerPoint file cut short', () => saved('slides.ppt').subarray(0, 9000), /the PowerPoint file is damaged/],
    ['an old PowerPoint file with a password', lockedPpt, /encrypted and opens only with its password/],
    ['an old Word file that is none', () => ole('WordDocument'), /the Word file is damaged/],
    [
      'an old Word file with a password',
      () =>
        Buffer.concat([
          ole('WordDocument'),
          Buffer.alloc(488),
          Buffer.from([0xec, 0xa5, ...Array(9).fill(0), 1]),
          Buffer.alloc(500),
        ]),
      /encrypted and opens only with its password/,
    ],
    [
      'an archive of something else',
      () => office.zip({ 'a.txt': 'hello' }),
      /an archive, but not one of an office file/,
    ],
    ['a compound file of something else', () => ole('Outlook'), /a compound file of no kind that is known/],
    [
      'a picture nobody asked to read',
      () => pdfs.png({ width: 2, height: 1, grey: Buffer.from([0, 9]) }),
      /an image \(.*\), and/,
    ],
  ])('%s', async (_what, make, words) => {
    const message = await refusal(await make(), 'a.bin')
    expect(message).toMatch(words)
    expect(message).toMatch(/^This (?:file|kind of file) cannot be read: /)
  })
})

describe('a bomb is not unpacked', () => {
  it('when it says how large it is', async () => {
    expect(await refusal(office.bomb(), 'a.docx')).toMatch(/unpacks to more than is allowed/)
  })

  it('when it lies about its size', async () => {
    const bytes = office.zip({ 'word/document.xml': Buffer.alloc(30_000_000, 32) }, { lie: 1000 })
    expect(await refusal(bytes, 'a.docx')).toMatch(/does not unpack to what it should/)
  })

  it('when it has more parts than any document', async () => {
    const parts = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`p${at}`, '']))
    expect(await refusal(office.zip(parts), 'a.docx')).toMatch(/it has 10001 parts, more than the 10000 allowed/)
  })

  it('when its entities multiply, or name files of ours', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orb-xxe-'))
    try {
      writeFileSync(join(folder, 'key'), 'TOP SECRET')
      const document = `<!DOCTYPE d [<!ENTITY x SYSTEM "${pathToFileURL(join(folder, 'key')).href}">]><w:document><w:body><w:p><w:r><w:t>&x;</w:t></w:r></w:p></w:body></w:document>`
      expect(await refusal(office.docx({ document }), 'a.docx')).toMatch(/its XML declares custom entities/)
      // Beyond where the declaration is looked for nobody reads it either.
      const late = document.replace('<!DOCTYPE', `<!--${' '.repeat(5000)}--><!DOCTYPE`)
      expect(await markdownOf(office.docx({ document: late }), 'a.docx')).not.toContain('SECRET')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

it('a Word file with very many signs of one note has the note once', async () => {
  const sign = '<w:r><w:footnoteReference w:id="2"/></w:r>'
  const note = `<w:footnote w:id="2"><w:p><w:r><w:t>${'Fine print. '.repeat(2000)}</w:t></w:r></w:p></w:footnote>`
  const file = office.zip({
    'word/document.xml': `<w:document><w:body><w:p><w:r><w:t>Text</w:t></w:r>${sign.repeat(2000)}</w:p></w:body></w:document>`,
    'word/footnotes.xml': `<w:footnotes>${note}</w:footnotes>`,
  })
  const markdown = await markdownOf(file, 'a.docx')
  expect(markdown).toMatch(/^Text\[\^1\]/)
  expect(markdown.match(/Fine print/g)).toHaveLength(2000)
})

it('a Word file with very many line breaks in a row is read in time', async () => {
  const text = (words: string) => `<w:r><w:t>${words}</w:t></w:r>`
  const body = `<w:p>${text('One')}<w:r>${'<w:br/>'.repeat(200_000)}</w:r>${text('two')}</w:p>`
  const file = office.zip({ 'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>` })
  const started = performance.now()
  expect(await markdownOf(file, 'a.docx')).toMatch(/^One[\s\S]*two$/)
  expectCost(performance.now() - started).toBeLessThan(15_000)
})

it('a Word file with more parts in one place than a call takes arguments is read', async () => {
  const row = '<w:tr><w:tc><w:p><w:r><w:t>Tide table</w:t></w:r></w:p></w:tc></w:tr>'
  const table = `<w:tbl><w:sdt>${'<w:x/>'.repeat(200_000)}${row}</w:sdt></w:tbl>`
  const file = office.zip({ 'word/document.xml': `<w:document><w:body>${table}</w:body></w:document>` })
  expect(await markdownOf(file, 'a.docx')).toContain('Tide table')
})

it('a list that begins at no countable number, or on no level, is read', async () => {
  const start = (value: string) =>
    `<w:lvl w:ilvl="0"><w:start w:val="${value}"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1)"/></w:lvl>`
  const paragraph = (level: string, kind = '') =>
    `<w:p><w:pPr>${kind}<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>Rope</w:t></w:r></w:p>`
  const word = (value: string) =>
    office.zip({
      'word/document.xml': `<w:document><w:body>${paragraph('0.5', '<w:outlineLvl w:val="0"/>')}${paragraph('0')}</w:body></w:document>`,
      'word/numbering.xml': `<w:numbering><w:abstractNum w:abstractNumId="0">${start(value)}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    })
  for (const value of ['1e999', '1e300', '-1e999', '0.5', ''])
    expect(await markdownOf(word(value), 'a.docx')).toBe('# a) Rope\n\n2. Rope')
  const text = office.zip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml':
      '<office:document-content><office:body><office:text><text:h text:outline-level="1.5">Rope</text:h><text:list text:style-name="L"><text:list-item text:start-value="1e999"><text:p>Knot</text:p></text:list-item></text:list></office:text></office:body><office:automatic-styles><text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style></office:automatic-styles></office:document-content>',
  })
  expect(await markdownOf(text, 'a.odt')).toBe('# Rope\n\n1. Knot')
})

it('a book with very many signs of one note is read in time', async () => {
  const many = (make: (at: number) => string) => Array.from({ length: 20_000 }, (_, at) => make(at)).join('')
  const signs = many((at) => `<sup><a href="#n${at}">1</a></sup>`)
  const names = many((at) => `<a id="n${at}"></a>`)
  const book = office.zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfile full-path="a.opf"/></container>',
    'a.opf': '<package><manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>',
    'a.xhtml': `<html><body><p>Text${signs}</p><div>${names}The note.</div></body></html>`,
  })
  const started = performance.now()
  expect(await markdownOf(book, 'a.epub')).toContain('[^1]: The note.')
  expectCost(performance.now() - started).toBeLessThan(15_000)
})

describe('bytes decide, whatever the name says', () => {
  it('a Word file called .pdf, and a PDF called .docx', async () => {
    expect(await markdownOf(office.docx(), 'a.pdf', 'application/pdf')).toContain('# Harbour rules')
    expect(await markdownOf(await pdfs.invoice(), 'a.docx', 'application/msword')).toContain('# INVOICE 2026-117')
  })

  it('a PDF that is a page as well is a PDF, and what it would run is not there', async () => {
    const both = Buffer.concat([await pdfs.invoice(), Buffer.from('\n<script>alert(1)</script><h1>Page</h1>')])
    const markdown = await markdownOf(both, 'a.html', 'text/html')
    expect(markdown).toContain('# INVOICE 2026-117')
    expect(markdown).not.toMatch(/script|Page/)
  })

  it('a PDF that is an archive as well is a PDF', async () => {
    const both = Buffer.concat([await pdfs.invoice(), office.docx()])
    expect(await markdownOf(both, 'a.docx')).toContain('# INVOICE 2026-117')
  })

  it('a file with macros gives its text, and nothing of them', async () => {
    const markdown = await markdownOf(office.docx({ macros: true }), 'a.docm')
    expect(markdown).toContain('# Harbour rules')
    expect(markdown).not.toContain('AutoOpen')
  })

  it('a link that would run something is no link', async () => {
    const rtf = String.raw`{\rtf1{\field{\*\fldinst HYPERLINK "javascript:alert(1)"}{\fldrslt here}}\par}`
    expect(await markdownOf(Buffer.from(rtf), 'a.rtf')).toBe('here')
  })
})

describe('what is empty is empty', () => {
  it.each<[string, () => Buffer | Promise<Buffer>]>([
    ['a blank PDF', () => pdfs.blank()],
    ['a Word file', () => office.docx({ document: '<w:document><w:body><w:p/></w:body></w:document>' })],
    ['a CSV', () => Buffer.from('\n\n')],
    ['an RTF', () => Buffer.from('{\\rtf1 }')],
  ])('%s', async (_what, make) => {
    expect(await markdownOf(await make(), 'a.csv')).toBe('')
  })

  it('and a PDF that may be read but not copied is read', async () => {
    expect(await markdownOf(saved('restricted.pdf'), 'a.pdf')).toBe('# Harbour rules\n\nBoats must be moored by dusk.')
  })
})

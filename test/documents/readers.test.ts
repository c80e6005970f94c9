// Every reader of office files, on the same documents in all formats: what is read of a handbook, a talk or a book of fees
// does not depend on the program that saved it. The files were made by LibreOffice, and the .xlsb by SheetJS.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../src/base/problem.ts'
import { documentToPage } from '../../src/content/documents/document-to-page.ts'
import { type DocumentTools, readDocument } from '../../src/content/documents/read-document.ts'
import { readCsv } from '../../src/content/documents/read-spreadsheets.ts'
import { findOfficeProgram, makeOfficeConverter } from '../../src/scrape/workshop/convert-old-office-files.ts'
import { expectLinear } from '../cost.ts'
import * as office from './office.mjs'

const file = (name: string): Buffer => readFileSync(new URL(`files/${name}`, import.meta.url))
const expected = (name: string): string => file(`${name}.md`).toString().trim()

const never = () => Promise.reject(new Error('no file here needs it'))
const bare: DocumentTools = { pdf: never, image: never, convert: undefined }
const options = {
  image: false,
  pdf: { mode: 'fast', maxPages: 1, pageMarkers: false, pages: false, blocks: false },
} as const
const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }

async function read(bytes: Uint8Array, name = 'a', tools = bare, pageEdges = false) {
  const reading = await readDocument(bytes, { contentType: undefined, name }, { ...options, pageEdges }, tools)
  const page = documentToPage(reading, `file:///${name}`, choices)
  return { markdown: page.markdown, metadata: page.metadata, warnings: reading.warnings, kind: reading.kind }
}
const failure = (bytes: Uint8Array, name?: string): Promise<Problem> =>
  read(bytes, name).then(
    () => expect.fail('it was read'),
    (error) => error as Problem,
  )

describe('one document in many formats reads the same', () => {
  it.each(['text.docx', 'text.odt', 'text.rtf'])('%s', async (name) => {
    const { markdown, metadata } = await read(file(name))
    expect(markdown).toBe(expected('text'))
    expect(metadata).toMatchObject({ title: 'Harbour handbook', author: 'M. Holloway', subject: 'Berths' })
  })

  it.each(['slides.pptx', 'slides.odp'])('%s', async (name) => {
    const { markdown, metadata } = await read(file(name))
    expect(markdown).toBe(expected('slides'))
    expect(metadata).toMatchObject({ title: 'Where the water goes' })
  })

  it.each(['sheets.xlsx', 'sheets.xlsm', 'sheets.xlsb', 'sheets.xls', 'sheets.ods'])('%s', async (name) => {
    const { markdown, metadata } = await read(file(name))
    expect(markdown).toBe(expected('sheets'))
    expect(metadata).toMatchObject({ title: 'Fees of 2026', author: 'M. Holloway' })
  })

  it('and none of them shows a comment, a deleted word or a running head', () => {
    for (const name of ['text', 'slides', 'sheets'])
      expect(expected(name)).not.toMatch(/SECRET COMMENT|DELETED WORDS|RUNNING HEAD/)
  })
})

describe('an old Word file', () => {
  it('gives its text, tables and notes everywhere, and says what is missing', async () => {
    const { markdown, warnings } = await read(file('text.doc'))
    for (const text of ['Boats must be moored by dusk', '| Length | Fee in pounds |', 'Владивосток', 'Local time, see'])
      expect(markdown).toContain(text)
    expect(markdown).not.toContain('SECRET COMMENT')
    expect(warnings).toEqual([
      expect.stringMatching(/headings, lists and links are known only where LibreOffice is inst/),
    ])
  })

  it('that LibreOffice cannot convert is read all the same', async () => {
    const convert = () => Promise.reject(new Problem('unreadable_file', { because: 'no' }))
    const { markdown, warnings } = await read(file('text.doc'), 'a', { ...bare, convert })
    expect(markdown).toContain('Boats must be moored by dusk')
    expect(warnings).toEqual([expect.stringMatching(/and it failed/)])
  })

  it.skipIf(!findOfficeProgram())(
    'loses nothing where LibreOffice is, and cannot send it anywhere (skipped where it is not)',
    { timeout: 60_000 },
    async () => {
      const asked: string[] = []
      const server = createServer((request, response) => {
        asked.push(request.url ?? '')
        response.end()
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const port = String((server.address() as AddressInfo).port)
      try {
        // The file names a picture at a port of five digits.
        const bytes = file('linked.doc')
        const place = bytes.indexOf(Buffer.from('47999', 'utf16le'))
        expect([port.length, place > 0]).toEqual([5, true])
        bytes.write(port, place, 'utf16le')
        const convert = makeOfficeConverter(() => 50_000)
        const { markdown, warnings, kind } = await read(bytes, 'a', { ...bare, convert })
        // The picture's text is lost by the format itself.
        expect(markdown).toBe(expected('text').replace('[Image: A map of the harbour]\n\n', ''))
        expect([warnings, kind, asked]).toEqual([[], 'doc', []])
      } finally {
        server.close()
      }
    },
  )
})

it('an old PowerPoint file gives its texts and notes everywhere, and says what is missing', async () => {
  const { markdown, warnings, kind } = await read(file('slides.ppt'))
  expect(markdown).toMatch(
    /^## Where the water goes\n\nA talk for the harbour board\n\n> Notes: Welcome everybody first\.\n>\n> Then breathe\.\n\n## Slide 2\n\nWhat we measured\n\nLevels rise slowly/,
  )
  expect(warnings).toEqual([expect.stringMatching(/links and pictures are known only where LibreOffice is installed/)])
  expect(kind).toBe('ppt')
})

describe('Word', () => {
  const w = (body: string) =>
    `<w:document xmlns:w="w" xmlns:m="m" xmlns:r="r" xmlns:mc="mc" xmlns:v="v"><w:body>${body}</w:body></w:document>`
  const p = (...runs: string[]) => `<w:p>${runs.join('')}</w:p>`
  const r = (text: string, properties = '') =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
  const markdownOf = async (body: string) => (await read(office.docx({ document: w(body) }))).markdown

  it('writes a formula as TeX, on lines of its own where it has its own paragraph', async () => {
    const m = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
    const fraction = `<m:f><m:num>${m('a+b')}</m:num><m:den>${m('2')}</m:den></m:f>`
    const square = `<m:sSup><m:e>${m('c')}</m:e><m:sup>${m('2')}</m:sup></m:sSup>`
    const root = `<m:rad><m:deg/><m:e>${m('x')}</m:e></m:rad>`
    expect(await markdownOf(p(r('It is '), `<m:oMath>${m('E=')}${fraction}${square}+${root}</m:oMath>`))).toBe(
      'It is $E=\\frac{a+b}{2}c^{2}\\sqrt{x}$',
    )
    const sum = `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${m('k=1')}</m:sub><m:sup/><m:e>${m('α')}</m:e></m:nary>`
    const row = `<m:mr><m:e>${m('1')}</m:e><m:e>${m('0')}</m:e></m:mr>`
    const grid = `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e><m:m>${row}${row}</m:m></m:e></m:d>`
    const hat = `<m:acc><m:e>${m('x')}</m:e></m:acc>`
    expect(await markdownOf(p(`<m:oMathPara><m:oMath>${sum}${hat}${grid}</m:oMath></m:oMathPara>`))).toBe(
      '$$\n\\sum _{k=1}\\alpha \\hat{x}[\\begin{matrix}1 & 0 \\\\ 1 & 0\\end{matrix}]\n$$',
    )
  })

  it('converts each part of a formula once, however deep, and takes its signs from itself', async () => {
    let root = '<m:r><m:t>x</m:t></m:r>'
    for (let depth = 0; depth < 30; depth++) root = `<m:rad><m:deg>${root}</m:deg><m:e/></m:rad>`
    expect((await markdownOf(p(`<m:oMath>${root}</m:oMath>`))).match(/sqrt/g)).toHaveLength(30)
    const inner =
      '<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e><m:r><m:t>y</m:t></m:r></m:e></m:d>'
    expect(await markdownOf(p(`<m:oMath><m:d><m:e>${inner}</m:e></m:d></m:oMath>`))).toBe('$([y])$')
  })

  it('keeps the words of a formula, and the braces of its cases', async () => {
    const m = (text: string, properties = '') =>
      `<m:r><m:rPr>${properties}</m:rPr><m:t xml:space="preserve">${text}</m:t></m:r>`
    const formula = (...parts: string[]) => markdownOf(p(`<m:oMath>${parts.join('')}</m:oMath>`))
    expect(await formula(m('if x is even and y is odd'))).toBe('$\\text{if }x\\text{ is even and }y\\text{ is odd}$')
    expect(await formula(m('n'), m(' mod 10% is ', '<m:nor/>'), m('max', '<m:sty m:val="p"/>'), m('ab = c'))).toBe(
      '$n\\text{ mod 10\\% is }\\text{max}ab=c$',
    )
    expect(await formula(m('so to say', '<m:sty m:val="i"/>'))).toBe('$sotosay$')
    const cases = `<m:eqArr><m:e>${m('0')}</m:e><m:e>${m('1')}</m:e></m:eqArr>`
    const brace = '<m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>'
    expect(await formula(`<m:d>${brace}<m:e>${cases}</m:e></m:d>`)).toBe(
      '$\\left\\{ \\begin{matrix}0 \\\\ 1\\end{matrix} \\right.$',
    )
  })

  it('numbers headings as its numbering says', async () => {
    const level = (at: number, format: string, text: string) =>
      `<w:lvl w:ilvl="${at}"><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`
    const heading = (at: number, text: string) =>
      `<w:p><w:pPr><w:outlineLvl w:val="${at}"/><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="1"/></w:numPr></w:pPr>${r(text)}</w:p>`
    const bytes = office.zip({
      'word/document.xml': w(heading(0, 'Tides') + heading(1, 'Spring') + heading(1, 'Neap') + heading(0, 'Winds')),
      'word/numbering.xml': `<w:numbering><w:abstractNum w:abstractNumId="0">${level(0, 'upperRoman', 'Part %1')}${level(1, 'decimal', '%1.%2')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    })
    expect((await read(bytes, 'a.docx')).markdown).toBe(
      '# Part I Tides\n\n## I.1 Spring\n\n## I.2 Neap\n\n# Part II Winds',
    )
  })

  it('takes proposed changes as made, and hidden text as none', async () => {
    const deleted = `<w:del><w:r><w:delText>old</w:delText></w:r></w:del>`
    expect(
      await markdownOf(p(r('The '), deleted, `<w:ins>${r('new')}</w:ins>`, r('secret', '<w:vanish/>'), r(' pier'))),
    ).toBe('The new pier')
  })

  it('gives headers and footers of the pages on request, each once, around the text', async () => {
    const plain = await read(file('text.docx'))
    const asked = await read(file('text.docx'), 'a', bare, true)
    expect(plain.markdown).not.toMatch(/RUNNING HEAD/)
    expect(asked.markdown.match(/RUNNING HEAD/g)).toHaveLength(1)
    expect(asked.markdown).toContain(expected('text'))
  })

  it('joins runs that only its editor divided', async () => {
    expect(await markdownOf(p(r('mo', '<w:b/>'), r('ored', '<w:b/>'), r(' now', '<w:b w:val="0"/>')))).toBe(
      '**moored** now',
    )
  })

  it('follows a link that is a field', async () => {
    const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
    const link = `${mark('begin')}<w:r><w:instrText> HYPERLINK "https://harbour.example/" </w:instrText></w:r>${mark('separate')}${r('pages')}${mark('end')}`
    expect(await markdownOf(p(r('See '), link, r('.')))).toBe('See [pages](https://harbour.example/).')
  })

  it('puts a text box after its paragraph, once', async () => {
    const box = (text: string) => `<w:txbxContent>${p(r(text))}</w:txbxContent>`
    const drawn = `<w:r><mc:AlternateContent><mc:Choice>${box('In a box')}</mc:Choice><mc:Fallback><w:pict>${box('In a box')}</w:pict></mc:Fallback></mc:AlternateContent></w:r>`
    expect(await markdownOf(p(r('Before'), drawn) + p(r('After')))).toBe('Before\n\nIn a box\n\nAfter')
  })

  it('is found under whatever name its parts have', async () => {
    const rels = (type: string, target: string) =>
      `<Relationships><Relationship Id="r1" Type="http://x/relationships/${type}" Target="${target}"/></Relationships>`
    const bytes = office.zip({
      '_rels/.rels': rels('officeDocument', '/word/document2.xml'),
      'word/document2.xml': w(`<w:p><w:pPr><w:pStyle w:val="H"/></w:pPr>${r('Rules')}</w:p>`),
      'word/_rels/document2.xml.rels': rels('styles', 'styles7.xml'),
      'word/styles7.xml': '<w:styles><w:style w:styleId="H"><w:name w:val="heading 2"/></w:style></w:styles>',
    })
    expect((await read(bytes)).markdown).toBe('## Rules')
  })

  it('nested beyond reason is read in time', async () => {
    const deep = '<w:tbl><w:tr><w:tc>'.repeat(3000) + p(r('deep')) + '</w:tc></w:tr></w:tbl>'.repeat(3000)
    expect(await markdownOf(p(r('Before')) + deep)).toContain('Before')
  })
})

describe('RTF', () => {
  const markdownOf = async (body: string) =>
    (await read(Buffer.from(`{\\rtf1\\ansi\\ansicpg1252${body}}`, 'latin1'), 'a.rtf')).markdown

  it('reads letters by the character set of their font', async () => {
    const fonts = String.raw`{\fonttbl{\f0 Times;}{\f1\fcharset204 Times;}}`
    expect(await markdownOf(String.raw`${fonts}{\f1 \'cf\'ee\'f0\'f2}{\f0  caf\'e9}\par`)).toBe('Порт café')
  })

  it('reads the bullets of old editors', async () => {
    const item = (text: string) => String.raw`\pard{\pntext\'B7\tab}{\*\pn\pnlvlblt}${text}\par`
    expect(await markdownOf(item('Ropes') + item('Fenders'))).toBe('- Ropes\n- Fenders')
  })

  it('passes over what is packed into it', async () => {
    expect(await markdownOf(String.raw`{\pict\pngblip\bin5 }}}}}}Text{\*\unknown hidden}\par`)).toBe('Text')
  })

  it('that never ends its groups ends with the file, and too many are refused', async () => {
    expect(await markdownOf('{{{\\b open')).toBe('**open**')
    expect((await failure(Buffer.from(`{\\rtf1${'{'.repeat(5000)}`), 'a.rtf')).message).toMatch(/nested too deep/)
  })
})

describe('a book', () => {
  const chapter = (body: string) => `<html xmlns:epub="e"><head><title/></head><body>${body}</body></html>`
  const book = (parts: Record<string, string>) => {
    const names = Object.keys(parts)
    return office.zip({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="O/c.opf"/></rootfiles></container>',
      'O/c.opf': `<package><manifest>${names.map((name) => `<item id="${name}" href="t/${name}"/>`).join('')}</manifest><spine>${names.map((name) => `<itemref idref="${name}"/>`).join('')}</spine></package>`,
      ...Object.fromEntries(names.map((name) => [`O/t/${name}`, chapter(parts[name]!)])),
    })
  }

  it('numbers the notes of its chapters through, wherever they stand', async () => {
    const { markdown } = await read(
      book({
        'a.xhtml':
          '<h1><a id="p"/>One</h1><p>In<a epub:type="noteref" href="#n1">1</a>, see <a href="b.xhtml">two</a>.</p><aside id="n1"><p><a href="#r">1</a> Of the moon.</p></aside>',
        'b.xhtml': '<h1>Two</h1><p id="back">Out<sup id="r"><a href="n.xhtml#n1">1</a></sup>.</p>',
        'n.xhtml': '<p id="n1"><sup><a href="b.xhtml#r">1</a></sup> By the moon.</p><p>The end.</p>',
      }),
    )
    expect(markdown).toBe(
      '# One\n\nIn[^1], see two.\n\n# Two\n\nOut[^2].\n\nThe end.\n\n[^1]: Of the moon.\n\n[^2]: By the moon.',
    )
  })

  it('keeps the texts of its pictures, not the names of their files', async () => {
    const { markdown } = await read(book({ 'a.xhtml': '<p><img src="a.png" alt="A ship"/><img alt="b.png"/></p>' }))
    expect(markdown).toBe('[Image: A ship]')
  })
})

it('a chart of a text document gives its figures', async () => {
  const point = (v: string | number) => `<c:pt idx="0"><c:v>${v}</c:v></c:pt>`
  const bytes = office.zip({
    'word/document.xml':
      '<w:document><w:body><w:p><w:r><w:t>Tides</w:t></w:r><w:r><w:drawing><c:chart r:id="c"/></w:drawing></w:r></w:p></w:body></w:document>',
    'word/_rels/document.xml.rels':
      '<Relationships><Relationship Id="c" Type="x/chart" Target="charts/c.xml"/></Relationships>',
    'word/charts/c.xml': `<c:chart><c:ser><c:tx><c:v>Pier</c:v></c:tx><c:cat>${point(1911)}</c:cat><c:val>${point(2.4)}</c:val></c:ser></c:chart>`,
  })
  expect((await read(bytes)).markdown).toBe('Tides\n\n| | Pier |\n| --- | --- |\n| 1911 | 2.4 |')
})

it('headings of an OpenDocument text have the numbers of its outline', async () => {
  const level = (at: number, attributes: string) => `<text:outline-level-style text:level="${at}" ${attributes}/>`
  const heading = (at: number, text: string, more = '') => `<text:h text:outline-level="${at}" ${more}>${text}</text:h>`
  const bytes = office.zip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'styles.xml': `<office:document-styles><office:styles><text:outline-style>${level(1, 'style:num-format="A" style:num-suffix="."')}${level(2, 'style:num-format="1" text:display-levels="2"')}${level(3, 'style:num-format=""')}</text:outline-style></office:styles></office:document-styles>`,
    'content.xml': `<office:document-content><office:body><office:text>${heading(1, 'Preface', 'text:is-list-header="true"')}${heading(1, 'Tides')}${heading(2, 'Spring')}${heading(2, 'Neap')}${heading(3, 'Moon')}${heading(1, 'Winds')}</office:text></office:body></office:document-content>`,
  })
  expect((await read(bytes)).markdown).toBe(
    '# Preface\n\n# A. Tides\n\n## A.1 Spring\n\n## A.2 Neap\n\n### Moon\n\n# B. Winds',
  )
})

it('headings in a numbered list have its numbers, and rows repeat', async () => {
  const level = (at: number, attributes: string) =>
    `<text:list-level-style-number text:level="${at}" style:num-format="1" ${attributes}/>`
  const list = (inner: string, more = '') =>
    `<text:list text:style-name="L" ${more}><text:list-item>${inner}</text:list-item></text:list>`
  const heading = (at: number, text: string) => `<text:h text:outline-level="${at}">${text}</text:h>`
  const goesOn = 'text:continue-numbering="true"'
  const inner = (text: string) =>
    list(`<text:list><text:list-item>${heading(2, text)}</text:list-item></text:list>`, goesOn)
  const row = (text: string, more = '') =>
    `<table:table-row ${more}><table:table-cell><text:p>${text}</text:p></table:table-cell></table:table-row>`
  const bytes = office.zip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'styles.xml': `<office:document-styles><office:styles><text:list-style style:name="L">${level(1, '')}${level(2, 'text:display-levels="2"')}</text:list-style></office:styles></office:document-styles>`,
    'content.xml': `<office:document-content><office:body><office:text>${list(heading(1, 'Tides'))}${inner('Spring')}<text:p>High.</text:p>${inner('Neap')}${list(heading(1, 'Winds'), goesOn)}<table:table>${row('a')}${row('b', 'table:number-rows-repeated="2"')}</table:table></office:text></office:body></office:document-content>`,
  })
  expect((await read(bytes)).markdown).toBe(
    '# 1 Tides\n\n## 1.1 Spring\n\nHigh.\n\n## 1.2 Neap\n\n# 2 Winds\n\n| a |\n| --- |\n| b |\n| b |',
  )
})

it('charts of a workbook and of OpenDocument files give their figures', async () => {
  const { utils, write } = await import('@e965/xlsx')
  const { unzipSync } = await import('fflate')
  const book = utils.book_new()
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([
      ['A', 'B'],
      [1, 2],
    ]),
    'S',
  )
  const parts = unzipSync(new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' })))
  const rels = (type: string, target: string) =>
    `<Relationships><Relationship Id="r" Type="x/${type}" Target="${target}"/></Relationships>`
  const point = (v: string | number) => `<c:pt idx="0"><c:v>${v}</c:v></c:pt>`
  const workbook = office.zip({
    ...Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, Buffer.from(bytes).toString()])),
    'xl/worksheets/_rels/sheet1.xml.rels': rels('drawing', '../drawings/d.xml'),
    'xl/drawings/d.xml': '<xdr:wsDr/>',
    'xl/drawings/_rels/d.xml.rels': rels('chart', '../charts/c.xml'),
    'xl/charts/c.xml': `<c:chart><c:ser><c:tx><c:v>Pier</c:v></c:tx><c:cat>${point(1911)}</c:cat><c:val>${point(2.4)}</c:val></c:ser></c:chart>`,
  })
  const figures = '| Level | Pier |\n| --- | --- |\n| 1911 | 2.4 |'
  expect((await read(workbook)).markdown).toContain(figures.replace('Level', '').replace('|  |', '| |'))
  const cells = (...texts: (string | number)[]) =>
    `<table:table-row>${texts.map((text) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`).join('')}</table:table-row>`
  const document = office.zip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml':
      '<office:document-content><office:body><office:text><text:p>Tides<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p></office:text></office:body></office:document-content>',
    'Object 1/content.xml': `<office:document-content><office:body><office:chart><chart:title><text:p>Level</text:p></chart:title><table:table><table:table-header-rows>${cells('', 'Pier')}</table:table-header-rows><table:table-rows>${cells(1911, 2.4)}</table:table-rows></table:table></office:chart></office:body></office:document-content>`,
  })
  expect((await read(document)).markdown).toBe(`Tides\n\n${figures}`)
})

it('tables of one sheet stay apart', async () => {
  const { utils, write } = await import('@e965/xlsx')
  const book = utils.book_new()
  const rows = [
    ['Prices of May'],
    [],
    ['Item', 'Price', null, 'Day', 'Tide'],
    ['Rope', 3, null, 'Mon', 2.4],
    [],
    ['Name', 'Port'],
    ['Ann', 'Kiel'],
    [],
    ['Only'],
    ['one'],
  ]
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'S')
  const { markdown } = await read(new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' })))
  expect(markdown).toBe(
    [
      '## S\n\nPrices of May',
      '| Item | Price |\n| --- | --- |\n| Rope | 3 |',
      '| Day | Tide |\n| --- | --- |\n| Mon | 2.4 |',
      '| Name | Port |\n| --- | --- |\n| Ann | Kiel |',
      '| Only |\n| --- |\n| one |',
    ].join('\n\n'),
  )
})

it('lines around a table of a sheet, lines of a cell, spacers and dates are what they show', async () => {
  const { utils, write } = await import('@e965/xlsx')
  const book = utils.book_new()
  const sheet = utils.aoa_to_sheet([
    ['Fees of May'],
    ['in euros'],
    ['Item', null, 'Fee', 'Since'],
    ['Rope\nnew', null, 3, 45749],
    [],
    ['Chain', null, 4, 45750],
    ['Estimated'],
  ])
  for (const at of ['D4', 'D6']) sheet[at].z = 'dd.mm.yyyy'
  utils.book_append_sheet(book, sheet, 'S')
  const { markdown } = await read(new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' })))
  expect(markdown).toBe(
    [
      '## S\n\nFees of May\n\nin euros',
      '| Item | Fee | Since |\n| --- | --- | --- |\n| Rope<br>new | 3 | 02.04.2025 |\n| Chain | 4 | 03.04.2025 |',
      'Estimated',
    ].join('\n\n'),
  )
})

it('a lone figure below a table of a sheet is the sum of its column, and long blanks cost little', async () => {
  const { utils, write } = await import('@e965/xlsx')
  const book = utils.book_new()
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([
      ['Item', 'Fee'],
      ['Rope', 3],
      ['Chain', 4],
      [null, 7],
    ]),
    'S',
  )
  const { markdown } = await read(new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' })))
  expect(markdown).toBe('## S\n\n| Item | Fee |\n| --- | --- |\n| Rope | 3 |\n| Chain | 4 |\n| | 7 |')
  expectLinear(20_000, (n) => readCsv(new TextEncoder().encode(`a,b\n"x${' '.repeat(n)}y",2`), 'text/csv'))
})

it('a row of a sheet with a name only stays in its table', async () => {
  const { utils, write } = await import('@e965/xlsx')
  const book = utils.book_new()
  const rows = [['Member', 'Paid'], ['Alice', 3], ['Carol', 4], ['Bob']]
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'S')
  const { markdown } = await read(new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' })))
  expect(markdown).toBe('## S\n\n| Member | Paid |\n| --- | --- |\n| Alice | 3 |\n| Carol | 4 |\n| Bob | |')
})

it('rows of tables in cells do not multiply', async () => {
  const table = (inner: string) =>
    `<table:table><table:table-row table:number-rows-repeated="99"><table:table-cell table:number-columns-repeated="99">${inner}</table:table-cell></table:table-row></table:table>`
  const bytes = office.zip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content><office:body><office:text>${table(table(table(table('<text:p>a</text:p>'))))}</office:text></office:body></office:document-content>`,
  })
  expect((await read(bytes)).markdown.length).toBeLessThan(3_000_000)
})

it('a heading style may be named in the language of the program', async () => {
  const bytes = office.zip({
    'word/document.xml':
      '<w:document><w:body><w:p><w:pPr><w:pStyle w:val="T2"/></w:pPr><w:r><w:t>Tides</w:t></w:r></w:p></w:body></w:document>',
    'word/styles.xml': '<w:styles><w:style w:styleId="T2"><w:name w:val="Titre 2"/></w:style></w:styles>',
  })
  expect((await read(bytes)).markdown).toBe('## Tides')
})

describe('slides', () => {
  it('give a chart as its figures, and a diagram as its points', async () => {
    const rel = (id: string, target: string) => `<Relationship Id="${id}" Type="x/${id}" Target="${target}"/>`
    const points = (...values: (string | number)[]) =>
      values.map((v, at) => `<c:pt idx="${at}"><c:v>${v}</c:v></c:pt>`).join('')
    const bytes = office.zip({
      'ppt/presentation.xml': '<p:presentation><p:sldId r:id="s"/></p:presentation>',
      'ppt/_rels/presentation.xml.rels': `<Relationships>${rel('s', 'slides/s.xml')}</Relationships>`,
      'ppt/slides/s.xml':
        '<p:sld><p:spTree><p:graphicFrame><c:chart r:id="c"/></p:graphicFrame><p:graphicFrame><dgm:relIds r:dm="d"/></p:graphicFrame><p:sp><p:txBody><a:p><a:pPr><a:buAutoNum/></a:pPr><a:r><a:t>First</a:t></a:r></a:p><a:p><a:pPr><a:buAutoNum/></a:pPr><a:r><a:t>Second</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:sld>',
      'ppt/slides/_rels/s.xml.rels': `<Relationships>${rel('c', '../c.xml')}${rel('d', '../d.xml')}</Relationships>`,
      'ppt/c.xml': `<c:chart><c:title><a:t>Level</a:t></c:title><c:ser><c:tx><c:v>Pier</c:v></c:tx><c:cat>${points(1911, 1912)}</c:cat><c:val>${points(2.4, 2.5)}</c:val></c:ser></c:chart>`,
      'ppt/d.xml': '<dgm:pt><dgm:t><a:p><a:r><a:t>Rise</a:t></a:r></a:p></dgm:t></dgm:pt>',
    })
    expect((await read(bytes)).markdown).toBe(
      '## Slide 1\n\n| Level | Pier |\n| --- | --- |\n| 1911 | 2.4 |\n| 1912 | 2.5 |\n\n- Rise\n\n1. First\n2. Second',
    )
  })
})

it('mail keeps what was forwarded and marks what was quoted', async () => {
  const mail = [
    'From: a@harbour.example',
    'Subject: Berth',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    'I agree.\n\n> Shall we move?\n> Soon?',
    '--b',
    'Content-Type: message/rfc822',
    '',
    'From: b@harbour.example',
    'Subject: Dredger',
    '',
    'It is free.',
    '--b--',
  ].join('\n')
  const { markdown } = await read(Buffer.from(mail), 'a.eml')
  expect(markdown).toContain('I agree.\n\n> Shall we move?  \n> Soon?')
  expect(markdown).toContain('## Dredger\n\n**From:** b@harbour.example\n\nIt is free.')
})

it('mail names attachments by every way of naming, and joins letters that were split', async () => {
  const split = Buffer.from('Gr\u00fc\u00dfe')
  const word = (bytes: Uint8Array) => `=?utf-8?B?${Buffer.from(bytes).toString('base64')}?=`
  const mail = [
    'From: =?iso-8859-1?Q?J=F6rg?= <a@harbour.example>',
    // The two bytes of one letter stand in two words.
    `Subject: ${word(split.subarray(0, 3))} ${word(split.subarray(3))}`,
    'Date: Mon, 2 Mar 2026 09:00:00 +0100',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Sch=C3=B6n.',
    '--b',
    'Content-Type: application/pdf',
    "Content-Disposition: attachment; filename*=utf-8''Pl%C3%A4ne%202026.pdf",
    '',
    'x',
    '--b',
    'Content-Type: image/png',
    "Content-Disposition: attachment; filename*0*=utf-8''K%C3%BCs; filename*1*=te.png",
    '',
    'x',
    '--b--',
  ].join('\r\n')
  const { markdown, metadata } = await read(Buffer.from(mail), 'a.eml')
  expect(metadata).toMatchObject({ title: 'Gr\u00fc\u00dfe', publishedTime: '2026-03-02T08:00:00.000Z' })
  expect(metadata.author).toBe('J\u00f6rg <a@harbour.example>')
  expect(markdown).toContain('Sch\u00f6n.')
  expect(markdown).toContain('- Pl\u00e4ne 2026.pdf\n- K\u00fcste.png')
})

it('a CSV in UTF-16, as Excel writes it, is text', async () => {
  const text = Buffer.from('\ufeffName,Größe\nPier,2', 'utf16le')
  expect((await read(text, 'a.csv')).markdown).toBe('| Name | Größe |\n| --- | --- |\n| Pier | 2 |')
})

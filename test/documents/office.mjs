// Office files, books and mail for tests, written by hand: small, and each with what its reader must find.
import { deflateRawSync } from 'node:zlib'
import { crc } from './pdfs.mjs'

/** A zip of these parts; `lie` writes another size into its directory. */
export function zip(parts, { lie } = {}) {
  const files = []
  const directory = []
  const known = new Map()
  let at = 0
  for (const [name, content] of Object.entries(parts)) {
    const raw = Buffer.isBuffer(content) ? content : Buffer.from(content)
    const packed = known.get(raw) ?? deflateRawSync(raw)
    known.set(raw, packed)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(20, 4)
    head.writeUInt16LE(8, 8)
    // Nobody checks the sum of a part that is refused for its size.
    head.writeUInt32LE(raw.length > 1_000_000 ? 0 : crc(raw), 14)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(lie ?? raw.length, 22)
    head.writeUInt16LE(Buffer.byteLength(name), 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(20, 4)
    entry.writeUInt16LE(20, 6)
    entry.writeUInt16LE(8, 10)
    head.copy(entry, 16, 14, 28)
    entry.writeUInt32LE(at, 42)
    files.push(head, Buffer.from(name), packed)
    directory.push(entry, Buffer.from(name))
    at += 30 + Buffer.byteLength(name) + packed.length
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(parts).length, 8)
  end.writeUInt16LE(Object.keys(parts).length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...files, ...directory, end])
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const W =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const core = `${XML}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Harbour rules</dc:title><dc:creator>M. Holloway</dc:creator></cp:coreProperties>`
const rels = (...rows) =>
  `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows.join('')}</Relationships>`
const rel = (id, type, target, mode = '') =>
  `<Relationship Id="${id}" Type="${REL}/${type}" Target="${target}"${mode && ` TargetMode="${mode}"`}/>`
const p = (text, style = '') =>
  `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
const cell = (text) => `<w:tc>${p(text)}</w:tc>`

export function docx({ document, macros = false } = {}) {
  const body =
    document ??
    `${XML}<w:document ${W}><w:body>${p('Harbour rules', 'Heading1')}${p('Boats must be moored by dusk.')}<w:p><w:r><w:t>See </w:t></w:r><w:hyperlink r:id="rLink"><w:r><w:t>the harbour pages</w:t></w:r></w:hyperlink></w:p>${p('Fees', 'Heading2')}<w:tbl><w:tr>${cell('Length')}${cell('Fee')}</w:tr><w:tr>${cell('8 m')}${cell('120')}</w:tr></w:tbl></w:body></w:document>`
  const main = macros
    ? 'application/vnd.ms-word.document.macroEnabled.main+xml'
    : 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
  return zip({
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    '_rels/.rels': rels(rel('r1', 'officeDocument', 'word/document.xml')),
    'word/document.xml': body,
    'word/styles.xml': `${XML}<w:styles ${W}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style><w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/></w:style></w:styles>`,
    'word/_rels/document.xml.rels': rels(
      rel('rLink', 'hyperlink', 'https://harbour.example/', 'External'),
      rel('rStyles', 'styles', 'styles.xml'),
    ),
    'docProps/core.xml': core,
    ...(macros ? { 'word/vbaProject.bin': Buffer.from('Sub AutoOpen()') } : {}),
  })
}

const A =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const shape = (type, ...lines) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph${type ? ` type="${type}"` : ''}/></p:nvPr></p:nvSpPr><p:txBody>${lines.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join('')}</p:txBody></p:sp>`
const slide = (...shapes) => `${XML}<p:sld ${A}><p:cSld><p:spTree>${shapes.join('')}</p:spTree></p:cSld></p:sld>`

export function pptx() {
  const pic = '<p:pic><p:nvPicPr><p:cNvPr id="9" name="x" descr="A map of the harbour"/></p:nvPicPr></p:pic>'
  const table =
    '<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Year</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>Level</a:t></a:r></a:p></a:txBody></a:tc></a:tr><a:tr><a:tc><a:txBody><a:p><a:r><a:t>1911</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>2.4</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>'
  return zip({
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    'ppt/presentation.xml': `${XML}<p:presentation ${A}><p:sldIdLst><p:sldId id="1" r:id="r2"/><p:sldId id="2" r:id="r1"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': rels(
      rel('r1', 'slide', 'slides/slide1.xml'),
      rel('r2', 'slide', 'slides/slide2.xml'),
    ),
    'ppt/slides/slide2.xml': slide(
      shape('title', 'Where the water goes'),
      shape('', 'Levels rise slowly', 'Storms leave marks'),
      pic,
    ),
    'ppt/slides/_rels/slide2.xml.rels': rels(rel('n1', 'notesSlide', '../notesSlides/notesSlide1.xml')),
    'ppt/notesSlides/notesSlide1.xml': slide(shape('body', 'Speak slowly here')),
    'ppt/slides/slide1.xml': slide(shape('ctrTitle', 'Readings'), table),
    'docProps/core.xml': core,
  })
}

const ODF =
  'xmlns:office="o" xmlns:text="t" xmlns:table="tb" xmlns:draw="d" xmlns:presentation="pr" xmlns:xlink="x" xmlns:svg="s"'

export const odt = () =>
  zip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `${XML}<office:document-content ${ODF}><office:body><office:text><text:h text:outline-level="1">Harbour rules</text:h><text:p>Boats must be <text:span>moored</text:span> by dusk<text:note><text:note-body><text:p>Local time.</text:p></text:note-body></text:note>. <text:a xlink:href="https://harbour.example/">More</text:a><office:annotation><text:p>secret comment</text:p></office:annotation></text:p><text:list><text:list-item><text:p>Ropes</text:p></text:list-item><text:list-item><text:p>Fenders</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>Length</text:p></table:table-cell><table:table-cell><text:p>Fee</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>8 m</text:p></table:table-cell><table:table-cell><text:p>120</text:p></table:table-cell></table:table-row></table:table></office:text></office:body></office:document-content>`,
    'meta.xml': `${XML}<office:document-meta ${ODF} xmlns:dc="dc"><office:meta><dc:title>Harbour rules</dc:title></office:meta></office:document-meta>`,
  })

export const odp = () =>
  zip({
    mimetype: 'application/vnd.oasis.opendocument.presentation',
    'content.xml': `${XML}<office:document-content ${ODF}><office:body><office:presentation><draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Where the water goes</text:p></draw:text-box></draw:frame><draw:frame presentation:class="outline"><draw:text-box><text:list><text:list-item><text:p>Levels rise slowly</text:p></text:list-item></text:list></draw:text-box></draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>Speak slowly here</text:p></draw:text-box></draw:frame></presentation:notes></draw:page></office:presentation></office:body></office:document-content>`,
  })

export const epub = () =>
  zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': `${XML}<container><rootfiles><rootfile full-path="OEBPS/content.opf"/></rootfiles></container>`,
    'OEBPS/content.opf': `${XML}<package xmlns:dc="dc"><metadata><dc:title>Harbour tales</dc:title><dc:creator>T. Renn</dc:creator><dc:language>en</dc:language></metadata><manifest><item id="a" href="one.xhtml"/><item id="b" href="two.xhtml"/></manifest><spine><itemref idref="b"/><itemref idref="a"/></spine></package>`,
    'OEBPS/one.xhtml': '<html><body><h1>Second chapter</h1><p>The tide went out.</p></body></html>',
    'OEBPS/two.xhtml': '<html><body><h1>First chapter</h1><p>The tide came in.</p></body></html>',
  })

export const rtf = () =>
  Buffer.from(
    String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Times;}}{\*\generator x;}{\info{\title hidden}}\pard\outlinelevel0 Harbour rules\par\pard Boats must be \b moored\b0  by dusk at the caf\'e9 \u8211?\par\trowd\pard\intbl Length\cell Fee\cell\row\trowd\pard\intbl 8 m\cell 120\cell\row\pard The end.\par}`,
    'latin1',
  )

export const eml = () =>
  Buffer.from(
    [
      'From: =?utf-8?B?TWFyZ2FyZXQgSMO2cm4=?= <m@harbour.example>',
      'To: ellis@harbour.example',
      'Subject: =?utf-8?Q?Berth_caf=C3=A9?=',
      'Date: Wed, 04 Mar 2026 08:30:00 +0000',
      'Content-Type: multipart/mixed; boundary="b1"',
      '',
      '--b1',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '<html><body><p>Your lease is <b>extended</b> at the caf=C3=A9.</p></body></html>',
      '--b1',
      'Content-Type: application/pdf; name="form.pdf"',
      'Content-Disposition: attachment; filename="form.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      'JVBERi0=',
      '--b1--',
      '',
    ].join('\r\n'),
  )

export const csv = () => Buffer.from('Length;Fee\n"8; m";120\n"10 ""m""";150\n')

/** One workbook in the wanted format. */
export async function workbook(bookType) {
  const { utils, write } = (await import('@e965/xlsx')).default ?? (await import('@e965/xlsx'))
  const book = utils.book_new()
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([
      ['Length', 'Fee'],
      ['8 m', 120],
      ['10 m', 150.5],
    ]),
    'Fees',
  )
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([
      ['Berth', 'Free'],
      ['N1', true],
    ]),
    'Berths',
  )
  return Buffer.from(write(book, { type: 'buffer', bookType }))
}

/** Nearly two hundred million zeros in two hundred kilobytes. */
export const bomb = () => {
  const zeros = Buffer.alloc(60_000_000)
  return zip({ 'word/document.xml': zeros, 'word/a.xml': zeros, 'word/b.xml': zeros })
}

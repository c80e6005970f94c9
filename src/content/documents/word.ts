// Word: .docx and .docm by mammoth, the old .doc by word-extractor. Macros and comments are left where they are.
import { Problem } from '../../base/problem.ts'
import type { DocumentReading } from './document.ts'
import { escaped, htmlPage, tableHtml } from './markup.ts'
import { officeFacts, titleOf } from './office-facts.ts'
import type { Archive } from './zip.ts'

/** Styles that mammoth does not know by itself. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='Code'] => pre:separator('\\n')",
  "p[style-name='HTML Preformatted'] => pre:separator('\\n')",
]

export async function readDocx(bytes: Uint8Array, archive: Archive): Promise<DocumentReading> {
  // Read through our own caps first: the library would unpack whatever it is given.
  if (archive.text('word/document.xml') === undefined)
    throw new Problem('unreadable_file', { because: 'it has no main document part' })
  for (const name of archive.names) if (/^word\/[^/]+\.xml$/.test(name)) archive.text(name)
  const { default: mammoth } = await import('mammoth')
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { value } = await mammoth.convertToHtml({ buffer }, {
    styleMap: STYLES,
    convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    externalFileAccess: false,
  } as Parameters<typeof mammoth.convertToHtml>[1])
  const metadata = officeFacts(archive)
  return { kind: 'docx', html: htmlPage(titleOf(metadata), withImageTexts(value)), metadata, warnings: [] }
}

/** A picture inside a file has no address; what is said about it is kept. */
const withImageTexts = (html: string): string =>
  html.replace(/<img\b[^>]*>/g, (image) => {
    const alt = /\balt="([^"]*)"/.exec(image)?.[1]
    return alt ? `[Image: ${alt}]` : ''
  })

export async function readDoc(bytes: Uint8Array): Promise<DocumentReading> {
  const { default: WordExtractor } = await import('word-extractor')
  const document = await new WordExtractor().extract(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const notes = document.getFootnotes().trim()
  const body = linesToHtml(document.getBody()) + (notes ? `<hr>${linesToHtml(notes)}` : '')
  return { kind: 'doc', html: htmlPage(undefined, body), metadata: {}, warnings: [] }
}

/** Cells of a table come with tabs between them; lines that have as many make a table. */
function linesToHtml(text: string): string {
  const lines = text.split(/\r\n?|\n/)
  const parts: string[] = []
  let rows: string[][] = []
  const flush = () => {
    if (rows.length > 1) parts.push(tableHtml(rows))
    else for (const row of rows) parts.push(`<p>${row.join(' ')}</p>`)
    rows = []
  }
  for (const line of lines) {
    if (line.includes('\t') && line.trim())
      rows.push(
        line
          .replace(/\t$/, '')
          .split('\t')
          .map((cell) => escaped(cell.trim())),
      )
    else {
      flush()
      if (line.trim()) parts.push(`<p>${escaped(line.trim())}</p>`)
    }
  }
  flush()
  return parts.join('\n')
}

// Reads binary .doc files: by conversion with LibreOffice if installed, else text and tables from word-extractor.
import { escapeHtml } from '../../base/escape-html.ts'
import { Problem } from '../../base/problem.ts'
import { makeHtmlPage, tableToHtml } from '../escape-and-build-html.ts'
import type { OldOfficeConverter } from './old-office-converter-type.ts'
import { readDocx } from './read-docx.ts'
import { type DocumentReading, encryptedDocumentProblem } from './sniff-document.ts'
import { openArchive } from './zip-archive.ts'

const PLAIN =
  'This old Word file (.doc) is read as text and tables; headings, lists and links are known only where LibreOffice'

export async function readDoc(
  bytes: Uint8Array,
  convert: OldOfficeConverter | undefined,
  pageEdges: boolean,
): Promise<DocumentReading> {
  if (isLocked(bytes)) throw encryptedDocumentProblem()
  if (!convert) return plainDoc(bytes, `${PLAIN} is installed.`, pageEdges)
  try {
    return { ...readDocx(openArchive(await convert(bytes, 'doc', 'docx')), undefined, pageEdges), kind: 'doc' }
  } catch {
    return plainDoc(bytes, `${PLAIN} can read the file, and it failed.`, pageEdges)
  }
}

const SECTOR = 512
const LOCKED = 0x01_00

/** The FIB starts at a sector boundary with its signature and holds the encryption flag. */
function isLocked(bytes: Uint8Array): boolean {
  for (let at = SECTOR; at + SECTOR <= bytes.byteLength; at += SECTOR)
    if (bytes[at] === 0xec && bytes[at + 1] === 0xa5) return ((bytes[at + 10]! | (bytes[at + 11]! << 8)) & LOCKED) !== 0
  return false
}

async function plainDoc(bytes: Uint8Array, warning: string, pageEdges: boolean): Promise<DocumentReading> {
  const { default: WordExtractor } = await import('word-extractor')
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const document = await new WordExtractor().extract(buffer).catch((cause: unknown) => {
    throw new Problem('unreadable_file', { because: 'the Word file is damaged', cause })
  })
  const notes = [document.getFootnotes(), document.getEndnotes()].map((text) => text.trim()).filter(Boolean)
  const edges = pageEdges ? [document.getHeaders({ includeFooters: false }), document.getFooters()] : ['', '']
  const [before = '', after = ''] = edges.map((text) => [...new Set(text.split(/\r\n?|\n/))].join('\n'))
  const parts = [before, document.getBody(), notes.join('\n'), after].filter((text) => text.trim() !== '')
  return {
    kind: 'doc',
    html: makeHtmlPage(undefined, parts.map(linesToHtml).join('<hr>')),
    metadata: {},
    warnings: [warning],
  }
}

/** Cells end with tabs and rows with a newline; a row with missing cells continues on the next line. */
function linesToHtml(text: string): string {
  const parts: string[] = []
  let rows: string[][] = []
  const flush = () => {
    if (rows.length > 1) parts.push(tableToHtml(rows))
    else for (const row of rows) parts.push(`<p>${row.join(' ')}</p>`)
    rows = []
  }
  for (const line of text.split(/\r\n?|\n/)) {
    if (line.includes('\t') && line.trim())
      rows.push(
        line
          .replace(/\t$/, '')
          .split('\t')
          .map((cell) => escapeHtml(cell.trim())),
      )
    else {
      flush()
      if (line.trim()) parts.push(`<p>${escapeHtml(line.trim())}</p>`)
    }
  }
  flush()
  return parts.join('\n')
}

// Entry point of all document readers. The bytes decide the format, not the extension or header; containers are
// inspected first.
import { Problem } from '../../base/problem.ts'
import { trueType } from '../media-type.ts'
import type { PdfTools } from '../pdf/read.ts'
import type { Convert } from './convert.ts'
import { type DocumentReading, encrypted, type FileHints, type Sniffed, sniffDocument } from './document.ts'
import { readEmail } from './email.ts'
import { readEpub } from './epub.ts'
import { type ImageTools, readImage } from './image.ts'
import { officeFacts } from './office-facts.ts'
import { readPpt } from './old-slides.ts'
import { readDoc } from './old-word.ts'
import { readOpenDocument } from './open-document.ts'
import { type PdfReadOptions, pdfDocument } from './pdf.ts'
import { mainPart } from './relations.ts'
import { readRtf } from './rtf.ts'
import { readCsv, readWorkbook } from './sheets.ts'
import { readPptx } from './slides.ts'
import { readDocx } from './word.ts'
import { type Archive, openArchive } from './zip.ts'

export interface DocumentOptions {
  pdf: PdfReadOptions
  image: boolean
  pageEdges?: boolean
}

export interface Tools {
  pdf(): Promise<PdfTools>
  image(): Promise<ImageTools>
  convert: Convert | undefined
}

export async function readDocument(
  bytes: Uint8Array,
  hints: FileHints,
  options: DocumentOptions,
  tools: Tools,
): Promise<DocumentReading> {
  const kind = sniffDocument(bytes, hints)
  if (!kind) throw new Problem('unsupported_file', { because: 'its first bytes are of no format that is known' })
  return readers[kind](bytes, hints, options, tools)
}

type Read = (bytes: Uint8Array, hints: FileHints, options: DocumentOptions, tools: Tools) => Promise<DocumentReading>

const readers: Readonly<Record<Sniffed, Read>> = {
  pdf: async (bytes, _hints, { pdf }, tools) => pdfDocument(bytes, pdf, await tools.pdf()),
  async image(bytes, hints, { image, pdf }, tools) {
    if (!image)
      throw new Problem('unsupported_file', {
        because: `it is an image (${trueType(bytes, hints.contentType) || 'of an unnamed type'}), and \`parsers\` does not include "image"; the format \`rawBase64\` returns it as it is`,
      })
    return readImage(bytes, pdf, await tools.image())
  },
  zip: async (bytes, _hints, { pageEdges = false }) => readContainer(bytes, pageEdges),
  ole: readOld,
  rtf: async (bytes) => readRtf(bytes),
  csv: async (bytes, { contentType }) => readCsv(bytes, contentType),
  email: async (bytes) => readEmail(bytes),
}

/** The mimetype entry or the names of its parts identify a zip format. */
async function readContainer(bytes: Uint8Array, pageEdges: boolean): Promise<DocumentReading> {
  const archive = openArchive(bytes)
  const mimetype = archive.has('mimetype') ? (archive.text('mimetype') ?? '').trim() : ''
  if (mimetype && /<manifest:encryption-data/.test(archive.text('META-INF/manifest.xml') ?? '')) throw encrypted()
  const workbook = (kind: string) => readWorkbook(checkedParts(bytes, archive), kind, officeFacts(archive))
  if (mimetype === 'application/epub+zip' || archive.has('META-INF/container.xml')) return readEpub(archive)
  if (/opendocument\.text/.test(mimetype)) return readOpenDocument(archive, 'odt')
  if (/opendocument\.presentation/.test(mimetype)) return readOpenDocument(archive, 'odp')
  if (/opendocument\.spreadsheet/.test(mimetype)) return workbook('ods')
  const main = mainPart(archive)
  if (main.startsWith('word/')) return readDocx(archive, main, pageEdges)
  if (main.startsWith('ppt/')) return readPptx(archive, main)
  if (main.startsWith('xl/')) return workbook(main.endsWith('.bin') ? 'xlsb' : 'xlsx')
  throw new Problem('unsupported_file', { because: 'it is an archive, but not one of an office file or a book' })
}

/** Unpacks every part once within our limits, because the library has none. */
function checkedParts(bytes: Uint8Array, archive: Archive): Uint8Array {
  for (const name of archive.names) if (/\.(?:xml|rels|bin)$/.test(name)) archive.bytes(name)
  return bytes
}

/** Compound files contain their stream names in UTF-16. */
async function readOld(
  bytes: Uint8Array,
  _hints: FileHints,
  { pageEdges = false }: DocumentOptions,
  { convert }: Tools,
): Promise<DocumentReading> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const has = (name: string) => buffer.includes(Buffer.from(name, 'utf16le'))
  if (has('EncryptedPackage')) throw encrypted()
  if (has('WordDocument')) return readDoc(bytes, convert, pageEdges)
  if (has('Workbook') || has('Book')) return readWorkbook(bytes, 'xls')
  if (!has('PowerPoint Document'))
    throw new Problem('unsupported_file', { because: 'it is a compound file of no kind that is known' })
  return readPpt(bytes, convert)
}

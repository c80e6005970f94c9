// Entry point of all document readers. The bytes decide the format, not the extension or header; containers are
// inspected first.
import { Problem } from '../../base/problem.ts'
import type { PdfTools } from '../pdf/read-pdf.ts'
import { mediaTypeBySignatureOrHeader } from '../sniff-media-type.ts'
import { readOfficeMetadata } from './office-metadata.ts'
import { findMainPart } from './office-relations.ts'
import type { OldOfficeConverter } from './old-office-converter-type.ts'
import { readDoc } from './read-doc.ts'
import { readDocx } from './read-docx.ts'
import { readEmail } from './read-email.ts'
import { readEpub } from './read-epub.ts'
import { type ImageTools, readImage } from './read-image.ts'
import { readOdtOrOdp } from './read-odt-and-odp.ts'
import { type PdfReadOptions, readPdfDocument } from './read-pdf-document.ts'
import { readPpt } from './read-ppt.ts'
import { readPptx } from './read-pptx.ts'
import { readRtf } from './read-rtf.ts'
import { readCsv, readWorkbook } from './read-spreadsheets.ts'
import {
  type DocumentFileKind,
  type DocumentReading,
  encryptedDocumentProblem,
  type FileHints,
  sniffDocument,
} from './sniff-document.ts'
import { readOdsCharts, readWorkbookCharts } from './workbook-charts.ts'
import { type Archive, openArchive } from './zip-archive.ts'

export interface DocumentOptions {
  pdf: PdfReadOptions
  image: boolean
  pageEdges?: boolean
}

export interface DocumentTools {
  pdf(): Promise<PdfTools>
  image(): Promise<ImageTools>
  convert: OldOfficeConverter | undefined
}

export async function readDocument(
  bytes: Uint8Array,
  hints: FileHints,
  options: DocumentOptions,
  tools: DocumentTools,
): Promise<DocumentReading> {
  const kind = sniffDocument(bytes, hints)
  if (!kind) throw new Problem('unsupported_file', { because: 'its first bytes are of no format that is known' })
  return readers[kind](bytes, hints, options, tools)
}

type Read = (
  bytes: Uint8Array,
  hints: FileHints,
  options: DocumentOptions,
  tools: DocumentTools,
) => Promise<DocumentReading>

const readers: Readonly<Record<DocumentFileKind, Read>> = {
  pdf: async (bytes, _hints, { pdf }, tools) => readPdfDocument(bytes, pdf, await tools.pdf()),
  async image(bytes, hints, { image, pdf }, tools) {
    if (!image)
      throw new Problem('unsupported_file', {
        because: `it is an image (${mediaTypeBySignatureOrHeader(bytes, hints.contentType) || 'of an unnamed type'}), and \`parsers\` does not include "image"; the format \`rawBase64\` returns it as it is`,
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
  if (mimetype && /<manifest:encryption-data/.test(archive.text('META-INF/manifest.xml') ?? ''))
    throw encryptedDocumentProblem()
  const workbook = (kind: string, readCharts = readWorkbookCharts) =>
    readWorkbook(checkedParts(bytes, archive), kind, readOfficeMetadata(archive), readCharts(archive))
  if (mimetype === 'application/epub+zip' || archive.has('META-INF/container.xml')) return readEpub(archive)
  if (/opendocument\.text/.test(mimetype)) return readOdtOrOdp(archive, 'odt')
  if (/opendocument\.presentation/.test(mimetype)) return readOdtOrOdp(archive, 'odp')
  if (/opendocument\.spreadsheet/.test(mimetype)) return workbook('ods', readOdsCharts)
  const main = findMainPart(archive)
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
  { convert }: DocumentTools,
): Promise<DocumentReading> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const has = (name: string) => buffer.includes(Buffer.from(name, 'utf16le'))
  if (has('EncryptedPackage')) throw encryptedDocumentProblem()
  if (has('WordDocument')) return readDoc(bytes, convert, pageEdges)
  if (has('Workbook') || has('Book')) return readWorkbook(bytes, 'xls')
  if (!has('PowerPoint Document'))
    throw new Problem('unsupported_file', { because: 'it is a compound file of no kind that is known' })
  return readPpt(bytes, convert)
}

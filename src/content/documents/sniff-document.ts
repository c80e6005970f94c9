// Result type of all document readers, and detection of file kinds. The first bytes decide.

import { makeLookupTable } from '../../base/lookup-table.ts'
import { Problem } from '../../base/problem.ts'
import type { PageMetadata } from '../metadata.ts'
import type { PdfPageBlocks } from '../pdf/assemble-pages.ts'
import { typeBySignature } from '../sniff-media-type.ts'

export interface DocumentReading {
  kind: string
  html: string
  markdown?: string
  metadata: PageMetadata
  /** Pages read of a PDF or image; determines the price. */
  numPages?: number
  totalPages?: number
  pages?: { pageNumber: number; markdown: string }[]
  blocks?: PdfPageBlocks[]
  warnings: readonly string[]
}

export const encryptedDocumentProblem = (): Problem =>
  new Problem('unreadable_file', { because: 'the document is encrypted and opens only with its password' })

export type DocumentFileKind = 'pdf' | 'image' | 'zip' | 'ole' | 'rtf' | 'csv' | 'email'

export interface FileHints {
  contentType: string | undefined
  name: string | undefined
}

const CONTAINERS = makeLookupTable<DocumentFileKind>({
  'application/zip': 'zip',
  'application/x-ole-storage': 'ole',
  'application/rtf': 'rtf',
})

export function sniffDocument(
  bytes: Uint8Array,
  { contentType = '', name = '' }: FileHints,
): DocumentFileKind | undefined {
  const head = readLatin(bytes, 0, 16)
  if (isPdf(bytes)) return 'pdf'
  const signed = typeBySignature(head) ?? ''
  if (CONTAINERS[signed]) return CONTAINERS[signed]
  // `BM` is too short for a signature: a text may begin with it.
  const isBitmap = head.startsWith('BM') && (/^image\//i.test(contentType) || /\.bmp$/i.test(name))
  if (signed.startsWith('image/') || isBitmap) return 'image'
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image'
  if (/^ftyp(?:avif|avis|mif1|heic)/.test(head.slice(4, 12))) return 'image'
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  const isText = (!head.includes('\0') || /^(?:\xff\xfe|\xfe\xff)/.test(head)) && !/^\s*</.test(head)
  if (
    isText &&
    (/^text\/(?:csv|tab-separated-values)$|^application\/csv$/.test(type) || hasEnding(name, type, /\.(?:csv|tsv)$/i))
  )
    return 'csv'
  if (isText && (type === 'message/rfc822' || hasEnding(name, type, /\.eml$/i))) return 'email'
  return undefined
}

/** The name decides only if the header is missing or generic. */
const hasEnding = (name: string, type: string, ending: RegExp): boolean =>
  ending.test(name) &&
  /^(?:|text\/plain|application\/octet-stream|application\/unknown|binary\/octet-stream|application\/vnd\.ms-excel)$/.test(
    type,
  )

/** The signature may be anywhere in the first kilobyte: some servers send blank lines or headers before it. */
function isPdf(bytes: Uint8Array): boolean {
  if (bytes[0] === 0x25) return readLatin(bytes, 0, 5) === '%PDF-'
  // A file that begins with markup is a page, even if it contains the signature.
  const first = bytes[0] ?? 0
  if (first === 0x3c || first === 0x7b) return false
  const at = readLatin(bytes, 0, 1024).indexOf('%PDF-')
  return (
    at > 0 &&
    /^[\s\0\xef\xbb\xbf]*$|\r?\n$/.test(readLatin(bytes, 0, at)) &&
    /%PDF-\d\.\d/.test(readLatin(bytes, at, at + 8))
  )
}

function readLatin(bytes: Uint8Array, from: number, to: number): string {
  let text = ''
  for (let at = from; at < Math.min(bytes.length, to); at++) text += String.fromCharCode(bytes[at]!)
  return text
}

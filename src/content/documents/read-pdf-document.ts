// Turns a PDF reading into a document with metadata names of the API.
import type { PageMetadata } from '../metadata.ts'
import { blocksToHtml } from '../pdf/blocks-to-html.ts'
import type { PdfMetadata } from '../pdf/pdfium-text.ts'
import { type PdfOptions, type PdfReading, type PdfTools, readPdf } from '../pdf/read-pdf.ts'
import type { DocumentReading } from './sniff-document.ts'

export interface PdfReadOptions extends PdfOptions {
  pages: boolean
  blocks: boolean
}

export async function readPdfDocument(
  bytes: Uint8Array,
  options: PdfReadOptions,
  tools: PdfTools,
): Promise<DocumentReading> {
  return pdfReadingToDocument('pdf', await readPdf(bytes, options, tools), options)
}

export function pdfReadingToDocument(
  kind: string,
  reading: PdfReading,
  options: Pick<PdfReadOptions, 'pages' | 'blocks'>,
): DocumentReading {
  const { markdown, pages, blocks, facts, pagesRead, totalPages, warnings } = reading
  const metadata = metadataOf(facts)
  const title = blocks[0]?.items.find(({ type }) => type === 'title')?.content.replace(/^#+ /, '')
  if (metadata.title === undefined && title) metadata.title = title
  return {
    kind,
    html: blocksToHtml(blocks, typeof metadata.title === 'string' ? metadata.title : undefined),
    markdown,
    metadata,
    numPages: pagesRead,
    totalPages,
    ...(options.pages ? { pages } : {}),
    ...(options.blocks ? { blocks } : {}),
    warnings,
  }
}

const MAX_FACT = 2000

function metadataOf(facts: PdfMetadata): PageMetadata {
  const metadata: PageMetadata = {}
  const put = (name: string, text: string | undefined) => {
    const value = text
      ?.replace(/[\0\s]+/g, ' ')
      .trim()
      .slice(0, MAX_FACT)
    if (value) metadata[name] = value
  }
  put('title', facts.title)
  put('author', facts.author)
  put('description', facts.subject)
  put('keywords', facts.keywords)
  put('creator', facts.creator)
  put('producer', facts.producer)
  put('publishedTime', isoDate(facts.creationDate))
  put('modifiedTime', isoDate(facts.modDate))
  return metadata
}

/** Converts `D:20260304083000+01'00'` to ISO 8601; undefined for anything else. */
function isoDate(text: string | undefined): string | undefined {
  const found = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(Z|[+-]\d\d'?\d\d)?/.exec(text?.trim() ?? '')
  if (!found) return undefined
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', zone = 'Z'] = found
  const offset = zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.replace("'", '').slice(3, 5)}`
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

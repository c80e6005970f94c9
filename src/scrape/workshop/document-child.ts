// The document child process: reads one document at a time, received by message and a separate pipe for its bytes.
import { createReadStream } from 'node:fs'
import { Problem, type SerialisedProblem } from '../../base/problem.ts'
import { documentToPage } from '../../content/documents/document-to-page.ts'
import { type DocumentTools, readDocument } from '../../content/documents/read-document.ts'
import { encodePng } from '../../content/pdf/encode-png.ts'
import type { PdfTools } from '../../content/pdf/read-pdf.ts'
import { findFormat } from '../formats/index.ts'
import { checkAndRedactPage } from './check-and-redact-page.ts'
import { makeOfficeConverter } from './convert-old-office-files.ts'
import type { DigestReply, DocumentRequest, RenderedPdfPage, RenderPdfPageRequest } from './digest-page.ts'
import { digestPage } from './digest-page.ts'
import { type Ocr, openOcr } from './ocr.ts'

interface Order {
  size: number
  budgetMs: number
}
export interface DocumentMaterialsMessage extends Omit<DocumentRequest, 'bytes'>, Order {}
export interface RenderPdfPageMessage extends Omit<RenderPdfPageRequest, 'bytes'>, Order {}

const BYTES_FD = 4

async function main(): Promise<void> {
  const chunks = createReadStream('', { fd: BYTES_FD, highWaterMark: 1024 * 1024 })[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const take = async (size: number): Promise<Buffer> => {
    const bytes = Buffer.allocUnsafe(size)
    let filled = rest.copy(bytes, 0, 0, Math.min(size, rest.length))
    rest = rest.subarray(filled)
    while (filled < size) {
      const { value, done } = await chunks.next()
      if (done) throw new Error('the pipe ended early')
      const chunk = value as Buffer
      const taken = chunk.copy(bytes, filled, 0, Math.min(chunk.length, size - filled))
      filled += taken
      if (taken < chunk.length) rest = chunk.subarray(taken)
    }
    return bytes
  }
  const tools = toolbox()
  process.on('message', (order: DocumentMaterialsMessage | RenderPdfPageMessage) => {
    void take(order.size)
      .then<object>((bytes) => ('dpi' in order ? drawPage(bytes, order, tools) : digestDocument(bytes, order, tools)))
      .then((reply) => process.send?.(reply))
      .catch((error: unknown) => {
        process.send?.({ problem: new Problem('internal', { because: String(error) }).toJSON() })
      })
  })
  // The parent is gone: kill the whole process group, including LibreOffice.
  process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'))
  process.send?.('ready')
}

async function digestDocument(
  bytes: Uint8Array,
  order: DocumentMaterialsMessage,
  tools: ReturnType<typeof toolbox>,
): Promise<DigestReply> {
  const started = performance.now()
  tools.deadline = started + order.budgetMs
  try {
    const { contentType, name, options, url, choices } = order
    const readsBlocks = order.reads.some(({ type }) => findFormat(type)?.readsBlocks)
    const pdf = { ...options.pdf, blocks: options.pdf.blocks || readsBlocks }
    const reading = await readDocument(bytes, { contentType, name }, { ...options, pdf }, tools)
    const { numPages, totalPages, pages, blocks } = reading
    const page = await checkAndRedactPage(documentToPage(reading, url, choices), order.treatment)
    const digest = await digestPage(page, { ...order, bytes }, started, blocks)
    return {
      digest: {
        ...digest,
        document: {
          ...(numPages === undefined ? {} : { numPages, totalPages }),
          ...(pages ? { pages } : {}),
          ...(blocks && options.pdf.blocks ? { blocks } : {}),
        },
      },
    }
  } catch (error) {
    if (error instanceof Problem) return { problem: error.toJSON() }
    const because = `its reader failed (${error instanceof Error ? error.message.slice(0, 200) : 'unknown'})`
    return { problem: new Problem('unreadable_file', { because }).toJSON() }
  }
}

async function drawPage(
  bytes: Uint8Array,
  { page, dpi, area }: RenderPdfPageMessage,
  tools: DocumentTools,
): Promise<{ picture: RenderedPdfPage } | { problem: SerialisedProblem }> {
  const { pdfium } = await tools.pdf()
  const document = pdfium.open(bytes)
  const refuse = (because: string) => ({ problem: new Problem('unreadable_file', { because }).toJSON() })
  if (document === 'encrypted') return refuse('the PDF is encrypted and opens only with its password')
  if (document === 'broken') return refuse('it is not a PDF, or it is damaged')
  try {
    const totalPages = document.pageCount
    if (page > totalPages) return refuse(`it has ${totalPages} pages, and page ${page} was requested`)
    const drawn = document.draw(page - 1, dpi)
    return drawn ? { picture: { png: encodePng(drawn, area), totalPages } } : refuse('this page is broken')
  } finally {
    document.close()
  }
}

function toolbox(): DocumentTools & { deadline: number } {
  let ocr: Promise<Ocr> | undefined
  const engine = () => {
    ocr ??= openOcr(process.argv[2], () => box.deadline - performance.now())
    return ocr
  }
  let pdf: Promise<PdfTools> | undefined
  const box: DocumentTools & { deadline: number } = {
    deadline: 0,
    image: engine,
    convert: makeOfficeConverter(() => box.deadline - performance.now()),
    pdf: () => {
      pdf ??= pdfTools(engine, () => box.deadline - performance.now())
      return pdf
    },
  }
  return box
}

async function pdfTools(ocr: () => Promise<Ocr>, timeLeft: () => number): Promise<PdfTools> {
  const { openPdfium } = await import('../../content/pdf/pdfium.ts')
  return {
    pdfium: await openPdfium(),
    recognise: async (bitmap, page) => (await ocr()).recognise(bitmap, page),
    timeLeft,
  }
}

await main()

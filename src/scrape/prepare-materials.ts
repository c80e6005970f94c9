// Prepares the materials for the formats: the worker's digest, or the file itself where it must not be opened.
import { JsonBytes } from '../base/json-bytes.ts'
import { asProblem, Problem } from '../base/problem.ts'
import { inSpan } from '../base/spans.ts'
import type { Capture } from '../base/visit-and-capture-types.ts'
import type { DocumentOptions } from '../content/documents/read-document.ts'
import { sniffDocument } from '../content/documents/sniff-document.ts'
import type { Materials } from './formats/format.ts'
import { isMediaFile, mediaOfFileUrl } from './media/page-media-fetcher.ts'
import type { ScrapePlan } from './scrape-plan.ts'
import type { ContentWorkerPool } from './workshop/content-worker-pool.ts'
import type { DigestedMaterials, PageDigest } from './workshop/digest-page.ts'

export interface PreparedMaterials {
  have: Partial<Materials>
  digest: PageDigest
}

export async function prepareMaterials(
  capture: Capture,
  plan: ScrapePlan,
  workshop: ContentWorkerPool,
  { budgetMs, owner }: { budgetMs: number; owner: string },
  signal: AbortSignal,
): Promise<PreparedMaterials> {
  const { body: bytes, headers, url } = capture
  const contentType = headers['content-type']
  const request = {
    bytes,
    contentType,
    url,
    choices: plan.choices,
    needs: plan.needs,
    treatment: plan.treatment,
    known: plan.known,
    network: capture.network,
    reads: plan.formats.flatMap(({ format, options }) => (format.read ? [options] : [])),
  }
  if (plan.needs.includes('media') && isMediaFile(capture)) return unopenedMedia(capture, plan)
  const name = fileName(capture)
  const kind = sniffDocument(bytes, { contentType, name })
  // Return raw bytes if only they were requested, or if PDF parsing is disabled.
  const onlyBytes = request.reads.length === 0 && plan.needs.every((need) => need === 'base64')
  if (kind && onlyBytes) return { have: { base64: base64Of(bytes) }, digest: makeUnreadDigest() }
  if (kind === 'pdf' && !plan.parsers.some(({ type }) => type === 'pdf')) return prepareUnopened(capture)
  const digest = await inSpan(kind ? `read ${kind}` : 'digest', {}, () =>
    kind
      ? workshop
          .digestDocument({ ...request, name, options: documentOptionsOf(plan.parsers) }, budgetMs, signal)
          .catch((error: unknown) => {
            throw kind === 'pdf' && asProblem(error).kind === 'timeout' ? tooLong(plan.timeoutMs) : error
          })
      : workshop.digest(request, owner, signal),
  )
  return { have: reviveMaterials(digest.materials), digest }
}

const tooLong = (timeoutMs: number): Problem =>
  new Problem('pdf_time', {
    because: `${timeoutMs} ms were given; raise \`timeout\`, or read fewer pages with \`parsers: [{ type: "pdf", maxPages }]\``,
  })

const reviveMaterials = (materials: DigestedMaterials): Partial<Materials> =>
  Object.fromEntries(Object.entries(materials).map(([need, made]) => [need, new JsonBytes(made)]))

const base64Of = ({ buffer, byteOffset, byteLength }: Uint8Array): JsonBytes<string> =>
  JsonBytes.of(Buffer.from(buffer, byteOffset, byteLength).toString('base64'))

/** A hint for type detection, never used as a local path. */
function fileName({ headers, url }: Capture): string | undefined {
  const given = /filename\*?=(?:UTF-8'')?"?([^";]{1,300})/i.exec(headers['content-disposition'] ?? '')?.[1]
  return given ?? url.split(/[?#]/, 1)[0]?.split('/').at(-1)
}

function documentOptionsOf(parsers: ScrapePlan['parsers']): DocumentOptions {
  const pdf = parsers.find((parser) => parser.type === 'pdf')
  return {
    image: parsers.some(({ type }) => type === 'image'),
    pageEdges: parsers.some((parser) => parser.type === 'docx' && parser.headersAndFooters === true),
    pdf: {
      mode: pdf?.mode ?? 'auto',
      maxPages: pdf?.maxPages ?? MAX_PAGES,
      pageMarkers: pdf?.pageMarkers ?? false,
      pages: pdf?.pages ?? pdf?.pageMarkdown ?? false,
      blocks: pdf?.blocks ?? false,
    },
  }
}

const MAX_PAGES = 10_000

const makeUnreadDigest = (): PageDigest => ({
  kind: 'file',
  charset: '',
  metadata: {},
  materials: {},
  reads: {},
  failures: {},
  cuts: '[]',
  warnings: [],
  ms: 0,
})

/** Formats fetch audio and video themselves; no other material can be made of such a file. */
function unopenedMedia(capture: Capture, plan: ScrapePlan): PreparedMaterials {
  const read = mediaOfFileUrl(capture)
  const reads = Object.fromEntries(
    plan.formats.filter(({ format }) => format.needs.includes('media')).map(({ format }) => [format.name, read]),
  )
  const others = plan.needs.filter((need) => need !== 'media')
  const failures = Object.fromEntries(others.map((need) => [need, 'the URL is audio or video, not a page']))
  return { have: {}, digest: { ...makeUnreadDigest(), reads, failures } }
}

/** With `parsers: []` a PDF is returned as Base64 in every text field. */
function prepareUnopened({ body }: Capture): PreparedMaterials {
  const base64 = base64Of(body)
  const none = JsonBytes.of<string[]>([])
  const have = { base64, markdown: base64, html: base64, rawHtml: base64, links: none, images: none }
  return { have, digest: makeUnreadDigest() }
}

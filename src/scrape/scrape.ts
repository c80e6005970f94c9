// One page, start to finish: the table of contents of the product. It neither admits nor charges; whoever calls it
// stores the record in a transaction of its own, together with whatever else must be true at that moment.
import { STATUS_CODES } from 'node:http'
import { Trace, type TraceStep } from '../base/log.ts'
import type { Capture, Document, MetadataValue } from '../base/page.ts'
import type { Cut } from '../content/page.ts'
import type { Engine } from '../fetch/engine.ts'
import type { NewRecord, Pages } from '../store/pages.ts'
import { type Acquired, acquire } from './acquire.ts'
import { prepare } from './materials.ts'
import type { ScrapeBody } from './options.ts'
import type { Plan } from './plan.ts'
import { produce } from './produce.ts'
import type { Workshop } from './workshop/workshop.ts'

export interface ScraperParts {
  engines: readonly Engine[]
  workshop: Workshop
  pages: Pick<Pages, 'findDocument' | 'keepBody'>
  /** Told how long each digest took, for the metrics. */
  onDigest(seconds: number): void
}

export interface ScrapeCall {
  id: string
  teamId: string
  keyId: string | null
  body: ScrapeBody
  plan: Plan
  /** What the wait for a slot was, for the document's metadata. */
  queue: { limited: boolean; waitedMs: number }
}

export interface Scraped {
  document: Document
  /** What to store so that the result can be read again; absent when nothing may be kept. */
  record: NewRecord | undefined
}

/** How a document came about; kept with the scrape and returned on request. */
export interface Explain {
  engine: string
  cache: 'hit' | 'miss' | 'not consulted'
  kind?: string
  charset?: string
  digestMs?: number
  cuts?: readonly Cut[]
  steps: readonly TraceStep[]
}

export type Scraper = (call: ScrapeCall, signal: AbortSignal) => Promise<Scraped>

export const createScraper =
  (parts: ScraperParts): Scraper =>
  async (call, signal) => {
    const trace = new Trace()
    const { plan } = call
    trace.add('plan', { needs: plan.needs, formats: plan.formats.map(({ format }) => format.name) })
    const acquired = await acquire(plan, parts.engines, trace, signal)
    const made =
      (await knownDocument(parts.pages, acquired.capture, plan, trace)) ??
      (await makeDocument(parts, acquired, plan, trace, signal))
    return finish(call, acquired.capture, made, trace, parts.pages)
  }

interface Made {
  /** The document without what belongs to this one scrape. */
  body: Document
  /** The stored document that this is, when it is one. */
  id?: string
  explain: Partial<Explain>
}

/** A cached page that was asked for in the same way before: its document is there already. */
async function knownDocument(
  pages: ScraperParts['pages'],
  capture: Capture,
  plan: Plan,
  trace: Trace,
): Promise<Made | undefined> {
  if (!capture.cacheId) return undefined
  const known = await pages.findDocument(capture.cacheId, plan.digestKey)
  if (!known) return undefined
  trace.add('document', { reused: true })
  return { id: known.id, body: JSON.parse(known.body) as Document, explain: {} }
}

async function makeDocument(
  parts: ScraperParts,
  acquired: Acquired,
  plan: Plan,
  trace: Trace,
  signal: AbortSignal,
): Promise<Made> {
  const { capture } = acquired
  const prepared = await prepare(capture, plan, parts.workshop, signal)
  const { digest } = prepared
  parts.onDigest(digest.ms / 1000)
  trace.add('digest', { kind: digest.kind, charset: digest.charset, ms: digest.ms })
  const { fields, warnings } = await produce(plan.formats, prepared)
  const allWarnings = [acquired.warning, ...capture.warnings, ...digest.warnings, ...warnings].filter(
    (text) => text !== undefined,
  )
  const metadata: Document['metadata'] = { ...digest.metadata, ...captureFacts(capture) }
  return {
    body: { ...fields, ...(allWarnings.length > 0 ? { warning: allWarnings.join(' ') } : {}), metadata },
    explain: { kind: digest.kind, charset: digest.charset, digestMs: digest.ms, cuts: digest.cuts },
  }
}

function captureFacts({ url, status, headers, proxyUsed }: Capture): Record<string, MetadataValue> {
  const contentType = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  return {
    url,
    statusCode: status,
    ...(contentType ? { contentType } : {}),
    ...(status >= 400 ? { error: STATUS_CODES[status] ?? `Status ${status}` } : {}),
    proxyUsed,
  }
}

async function finish(
  call: ScrapeCall,
  capture: Capture,
  made: Made,
  trace: Trace,
  pages: ScraperParts['pages'],
): Promise<Scraped> {
  const { plan, body, queue } = call
  const hit = capture.cacheId !== undefined
  // An error page is worth returning, not worth returning for two days.
  const cacheable = plan.storeInCache && !hit && capture.status < 400
  const consulted = plan.visit.cache.read
  const overlay: Document['metadata'] = {
    sourceURL: body.url,
    scrapeId: call.id,
    ...(consulted ? { cacheState: hit ? 'hit' : 'miss' } : {}),
    ...(hit || cacheable ? { cachedAt: new Date(capture.fetchedAt).toISOString() } : {}),
    creditsUsed: plan.credits,
    concurrencyLimited: queue.limited,
    ...(queue.limited ? { concurrencyQueueDurationMs: Math.round(queue.waitedMs) } : {}),
  }
  const explain: Explain = {
    engine: capture.engine,
    cache: hit ? 'hit' : consulted ? 'miss' : 'not consulted',
    ...made.explain,
    steps: trace.steps(),
  }
  const document = { ...made.body, metadata: { ...made.body.metadata, ...overlay } }
  if (!plan.keep) return { document, record: undefined }
  return {
    document,
    record: {
      scrape: {
        id: call.id,
        teamId: call.teamId,
        keyId: call.keyId,
        url: body.url,
        options: body,
        overlay,
        explain,
        credits: plan.credits,
      },
      document: made.id ? { id: made.id } : { digestKey: plan.digestKey, body: JSON.stringify(made.body) },
      capture: capture.cacheId
        ? { id: capture.cacheId }
        : cacheable
          ? { cacheKey: plan.cacheKey, capture, body: await pages.keepBody(capture.body) }
          : undefined,
    },
  }
}

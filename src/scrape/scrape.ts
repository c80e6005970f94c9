// One page, start to finish: the table of contents of the product. It neither admits nor charges; whoever calls it
// stores the record in a transaction of its own, together with whatever else must be true at that moment.
import { STATUS_CODES } from 'node:http'
import type { JsonBytes } from '../base/json.ts'
import { Trace, type TraceStep } from '../base/log.ts'
import { layOver, metadataIn, pack, warningOf } from '../base/packed.ts'
import type { Capture, Document, Marks, MetadataValue } from '../base/page.ts'
import type { Clock } from '../base/time.ts'
import type { Controls } from '../content/controls.ts'
import { trueType } from '../content/media-type.ts'
import type { Cut } from '../content/page.ts'
import type { Engine } from '../fetch/engine.ts'
import { isSetApart } from '../fetch/reach.ts'
import { about } from '../llm/index.ts'
import type { Llm, PageSource } from '../llm/llm.ts'
import type { Blobs } from '../store/blobs.ts'
import type { KeptBody, NewRecord } from '../store/new-record.ts'
import type { Pages } from '../store/pages.ts'
import type { Profiles } from '../store/profiles.ts'
import type { NewSnapshot, Snapshots } from '../store/snapshots.ts'
import { type Acquired, acquire, isUnchanged } from './acquire.ts'
import { type DiffFormat, historyOf } from './history.ts'
import type { HostMemory } from './host-memory.ts'
import { prepare } from './materials.ts'
import type { MediaService } from './media/media.ts'
import { pageMedia } from './media/page-media.ts'
import type { ScrapeBody } from './options.ts'
import { fits, mayAsk } from './page-cache.ts'
import { PICTURE_LIFE_MS, pictures } from './pictures.ts'
import { cacheKeyOf, type ScrapePlan } from './plan.ts'
import { produce } from './produce.ts'
import { withProfile } from './profile.ts'
import { NO_SCAN, type ThreatScan, type ThreatService, underPolicy } from './threats.ts'
import type { History } from './tracking.ts'
import { cleaned, redacted } from './treatments.ts'
import type { Digest } from './workshop/digest.ts'
import type { Workshop } from './workshop/workshop.ts'

export interface ScraperParts {
  engines: readonly Engine[]
  hosts: HostMemory
  workshop: Workshop
  pages: Pick<Pages, 'findAnswer' | 'keepBody'>
  blobs: Pick<Blobs, 'put' | 'sign'>
  profiles: Profiles
  llm: Llm
  snapshots: Pick<Snapshots, 'find'>
  media: MediaService
  threats: ThreatService
  diffFormat: DiffFormat
  clock: Clock
  /** Told how long each digest took, for the metrics. */
  onDigest(seconds: number): void
  /** Runs the work with what a key may reach beside the public web. */
  as<T>(keyId: string | null, work: () => Promise<T>): Promise<T>
}

export interface ScrapeCall {
  id: string
  teamId: string
  keyId: string | null
  body: ScrapeBody
  plan: ScrapePlan
  /** The document is kept for its job although nothing else is: how else could the caller fetch it? */
  keepDocument?: boolean
  /** Links for the caller's own use, whether or not they are a format of the document. */
  wantsLinks?: boolean
  /** What can be pressed on the page, for the caller's own use. */
  wantsControls?: boolean
  /** Base of the links in the document. */
  baseUrl: string
  /** What the wait for a slot was, for the document's metadata. */
  queue: { limited: boolean; waitedMs: number }
  /** The page was known only from an earlier crawl: nothing leads to it any more. */
  hidden?: boolean
  /** Who remembers the page in place of the snapshots of the team. */
  history?: History
  /** How long links to pictures of it work; a day unless told. */
  picturesMs?: number
  /** A file that the caller brought along: nothing is visited. */
  upload?: { capture: Capture; name: string }
}

export interface Scraped {
  id: string
  /** The document as JSON bytes, ready to be sent. */
  json: Buffer
  /** The same as an object, made when asked for. */
  document(): Document
  warning: string | undefined
  /** Where the page came from: the cache, an engine, or an upload. */
  source: string
  /** What it cost: known only now, since a PDF is paid by the page. */
  credits: number
  /** What to store so that the result can be read again; absent when nothing may be kept. */
  record: NewRecord | undefined
  /** The page's links, when the call wanted them; absent when a finished document answered. */
  links?: readonly string[]
  /** What can be pressed on the page, when the call wanted to know; absent when a finished document answered. */
  controls?: Controls
  /** How the site answered, for whoever visits more of it. */
  answered: { url: string; status: number; retryAfter: string | undefined; canonical?: string; marks?: Marks }
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

export interface Scraper {
  /** The finished document that the cache holds for this very question, if it does: no visit, no thread, no slot. */
  recall(call: ScrapeCall): Promise<Scraped | undefined>
  scrape(call: ScrapeCall, signal: AbortSignal): Promise<Scraped>
}

export function createScraper(parts: ScraperParts): Scraper {
  return {
    recall: (call) =>
      parts.as(call.keyId, () => underPolicy(parts.threats, call, (scan) => recallPage(parts, setApart(call), scan))),
    scrape: (call, signal) =>
      call.upload
        ? scrapePage(parts, call, NO_SCAN, signal)
        : parts.as(call.keyId, () =>
            underPolicy(parts.threats, call, (scan) => scrapePage(parts, setApart(call), scan, signal)),
          ),
  }
}

/** The same, with a place of its own in the cache when what is brought home is not for everybody. */
function setApart(call: ScrapeCall): ScrapeCall {
  if (!isSetApart()) return call
  const visit = { ...call.plan.visit, apart: true as const }
  return { ...call, plan: { ...call.plan, visit, cacheKey: cacheKeyOf(visit) } }
}

async function recallPage(parts: ScraperParts, call: ScrapeCall, scan: ThreatScan): Promise<Scraped | undefined> {
  const { cacheKey, digestKey, visit } = call.plan
  // What changed since the last look is another answer each time.
  if (!mayAsk(visit.cache) || call.plan.needs.includes('history')) return undefined
  const known = await parts.pages.findAnswer(cacheKey, digestKey)
  if (!known || !fits(visit.cache, known.fetchedAt, parts.clock.now())) return undefined
  // A document whose picture will soon be gone is not worth returning.
  if (visit.screenshot && parts.clock.now() - known.fetchedAt > PICTURE_LIFE_MS / 2) return undefined
  const trace = new Trace()
  trace.add('recall', { document: known.documentId })
  const metadata = metadataIn(known.body)
  const made = { id: known.documentId, packed: known.body, metadata, explain: {} }
  const source = { engine: 'cache', fetchedAt: known.fetchedAt, cacheId: known.captureId }
  const arrived = String(metadata.url ?? call.body.url)
  parts.threats.guard.assert(new URL(arrived))
  if (scan.said) trace.add('threats', scan.said)
  return finish(call, source, made, trace, { scan, led: [arrived] })
}

async function scrapePage(
  parts: ScraperParts,
  call: ScrapeCall,
  scan: ThreatScan,
  signal: AbortSignal,
): Promise<Scraped> {
  const trace = new Trace()
  if (scan.said) trace.add('threats', scan.said)
  const plan = withNeeds(call)
  trace.add('plan', { needs: plan.needs, formats: plan.formats.map(({ format }) => format.name) })
  const use = { id: call.id, teamId: call.teamId, profile: call.body.profile, timeoutMs: plan.timeoutMs }
  const endsAt = performance.now() + plan.timeoutMs - trace.elapsedMs()
  const acquired: Acquired =
    call.upload ??
    (await withProfile(parts.profiles, use, (memories) =>
      acquire({ ...plan, visit: { ...plan.visit, ...memories, endsAt, team: call.teamId } }, parts, trace, signal),
    ))
  const { capture } = acquired
  const isSame = isUnchanged(plan.visit, capture)
  const made = isSame ? unchanged(capture) : await makeDocument(parts, acquired, { ...call, plan }, trace, signal)
  // An error page is worth returning, not worth returning for two days.
  const keep = plan.storeInCache && !capture.cacheId && !isSame && capture.status < 400
  const kept = keep ? { capture: bare(capture), body: await parts.pages.keepBody(capture.body) } : undefined
  const led = [...capture.hops.map(({ url }) => url), capture.url]
  return {
    ...finish(call, capture, made, trace, { scan, led }, kept),
    ...(call.wantsLinks ? { links: scan.allowed(made.links?.value() ?? []) } : {}),
    ...(call.wantsControls && made.controls ? { controls: made.controls.value() } : {}),
  }
}

/** The page alone: pictures have a place of their own, and what the browser remembers is nobody else's. */
function bare(capture: Capture): Capture {
  const {
    screenshot: _shot,
    look: _look,
    requests: _requests,
    actions: _actions,
    remembers: _memories,
    ...page
  } = capture
  return page
}

interface Made {
  /** The document without what belongs to this one scrape, as it is stored. */
  packed: Uint8Array
  /** The metadata in it, if they were read already. */
  metadata?: Document['metadata']
  /** The stored document that this is, when it is one. */
  id?: string
  explain: Partial<Explain>
  /** Some of it is not to be served again: it is stored for its caller, under a key that nobody else asks for. */
  fleeting?: boolean
  links?: JsonBytes<string[]> | undefined
  controls?: JsonBytes<Controls> | undefined
  retryAfter?: string | undefined
  marks?: Marks | undefined
  snapshot?: NewSnapshot | undefined
}

/** A page that is what it was has no document of its own: whoever sent its marks knows it. */
const unchanged = (capture: Capture): Made => ({ packed: pack({ metadata: captureFacts(capture) }), explain: {} })

/** Of a page that was read as it was sent: what a browser made of it is more than its bytes. */
function marksOf({ engine, status, headers }: Capture): Marks | undefined {
  const { etag, 'last-modified': lastModified } = headers
  if (engine !== 'http' || status !== 200 || (!etag && !lastModified)) return undefined
  return { ...(etag ? { etag } : {}), ...(lastModified ? { lastModified } : {}) }
}

/** What the formats need, and what the caller wants to know beside them. */
function withNeeds({ plan, wantsLinks, wantsControls }: ScrapeCall): ScrapePlan {
  const also = [...(wantsLinks ? (['links'] as const) : []), ...(wantsControls ? (['controls'] as const) : [])]
  return also.length === 0 ? plan : { ...plan, needs: [...new Set([...plan.needs, ...also])] }
}

async function makeDocument(
  parts: ScraperParts,
  acquired: Acquired,
  { plan, teamId, baseUrl, body, hidden, history: own, picturesMs: lifeMs }: ScrapeCall,
  trace: Trace,
  signal: AbortSignal,
): Promise<Made> {
  const { capture } = acquired
  const budgetMs = plan.timeoutMs - trace.elapsedMs()
  const prepared = await prepare(capture, plan, parts.workshop, { budgetMs, owner: teamId }, signal)
  const { digest } = prepared
  const { numPages, totalPages, ...documentFields } = digest.document ?? {}
  parts.onDigest(digest.ms / 1000)
  trace.add('digest', { kind: digest.kind, charset: digest.charset, ms: digest.ms })
  const { screenshot, actions } = await pictures(parts, { teamId, baseUrl, keep: plan.keep, lifeMs }, capture)
  const llm = about(parts.llm, sourceOf(capture, digest, plan.treatment.redact !== undefined))
  const history =
    own ??
    historyOf(parts, {
      ...{ teamId, url: body.url, status: capture.status, seenAt: capture.fetchedAt, keep: plan.keep },
      visibility: hidden ? 'hidden' : 'visible',
    })
  const { markdown } = prepared.have
  const look = capture.look ?? null
  const clean = plan.treatment.clean && markdown ? await cleaned(markdown, llm, signal) : undefined
  if (clean?.told) trace.add('answer', { option: 'onlyCleanContent', by: clean.told.by, ...clean.told.usage })
  const media = pageMedia(parts, { plan, capture, teamId, baseUrl })
  const text = clean ? { markdown: clean.markdown } : {}
  const have = { ...prepared.have, ...text, screenshot, look, llm, history, media }
  const { fields, warnings, steps, fleeting } = await produce(plan.formats, { ...prepared, have }, signal)
  for (const step of steps) trace.add('answer', step)
  const allWarnings = [
    ...new Set([acquired.warning, ...capture.warnings, ...digest.warnings, ...(clean?.warnings ?? []), ...warnings]),
  ].filter((text) => text !== undefined)
  const metadata: Document['metadata'] = {
    ...digest.metadata,
    ...(numPages === undefined ? {} : { numPages }),
    ...(totalPages === undefined ? {} : { totalPages }),
    ...captureFacts(capture),
  }
  const whole: Document = {
    ...fields,
    ...(actions ? { actions } : {}),
    ...documentFields,
    ...(allWarnings.length > 0 ? { warning: allWarnings.join(' ') } : {}),
    metadata,
  }
  const { redact } = plan.treatment
  return {
    packed: pack(redact ? await redacted(whole, redact, digest.names ?? [], parts.workshop, signal) : whole),
    snapshot: history.toKeep(),
    explain: { kind: digest.kind, charset: digest.charset, digestMs: digest.ms, cuts: digest.cuts },
    fleeting: fleeting || clean?.told?.fleeting === true,
    links: prepared.have.links,
    controls: prepared.have.controls,
    retryAfter: capture.headers['retry-after'],
    marks: marksOf(capture),
  }
}

/** What a model is told of where the page is from; nothing that may name somebody when that is to be taken out. */
function sourceOf({ url, fetchedAt }: Capture, { metadata }: Digest, isRedacted: boolean): PageSource {
  const visited = new Date(fetchedAt).toISOString().slice(0, 10)
  if (isRedacted) return { url: URL.canParse(url) ? new URL(url).origin : 'an upload', visited }
  const fact = (name: string) => [metadata[name]].flat()[0]?.slice(0, 300)
  const [title, description, published, modified] = ['title', 'description', 'publishedTime', 'modifiedTime'].map(fact)
  return {
    url,
    visited,
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    ...(published ? { published } : {}),
    ...(modified ? { modified } : {}),
  }
}

function captureFacts({ engine, url, status, headers, body, proxyUsed }: Capture): Record<string, MetadataValue> {
  const contentType = trueType(body, headers['content-type'])
  return {
    url,
    statusCode: status,
    ...(contentType ? { contentType } : {}),
    ...(status >= 400 ? { error: STATUS_CODES[status] ?? `Status ${status}` } : {}),
    ...(engine === 'upload' ? {} : { proxyUsed }),
  }
}

/** Where the page came from; a Capture is one. */
type Source = Pick<Capture, 'engine' | 'fetchedAt' | 'cacheId'>
type Kept = { capture: Capture; body: KeptBody }

/** What threat protection said of the address and of those it led through. */
interface Scanned {
  scan: ThreatScan
  led: readonly string[]
}

function finish(call: ScrapeCall, source: Source, made: Made, trace: Trace, scanned: Scanned, kept?: Kept): Scraped {
  const threatWarning = scanned.scan.warning(scanned.led)
  const { plan, body, queue } = call
  const { cacheId } = source
  const cache = cacheId ? 'hit' : plan.visit.cache.read ? 'miss' : undefined
  const own = made.metadata ?? metadataIn(made.packed)
  const { numPages } = own
  const credits =
    (typeof numPages === 'number' ? plan.creditsFor(numPages) : plan.credits) + scanned.scan.creditsFor(scanned.led)
  const overlay: Document['metadata'] = {
    sourceURL: body.url,
    ...(call.upload ? { url: call.upload.name, sourceFile: call.upload.name } : {}),
    scrapeId: call.id,
    ...(cache ? { cacheState: cache } : {}),
    ...(cacheId || kept ? { cachedAt: new Date(source.fetchedAt).toISOString() } : {}),
    creditsUsed: credits,
    ...(threatWarning ? { threatWarning } : {}),
    concurrencyLimited: queue.limited,
    ...(queue.limited ? { concurrencyQueueDurationMs: Math.round(queue.waitedMs) } : {}),
  }
  const { json, metadata } = layOver(made.packed, overlay, own)
  const { url, statusCode, canonical } = metadata
  const answer = {
    id: call.id,
    json,
    document: () => JSON.parse(json.toString()) as Document,
    warning: warningOf(made.packed),
    source: cacheId ? 'cache' : source.engine,
    credits,
    answered: {
      url: String(url),
      status: Number(statusCode),
      retryAfter: made.retryAfter,
      ...(typeof canonical === 'string' ? { canonical } : {}),
      ...(made.marks ? { marks: made.marks } : {}),
    },
  }
  if (!plan.keep && !call.keepDocument) return { ...answer, record: undefined }
  const explain: Explain = {
    engine: source.engine,
    cache: cache ?? 'not consulted',
    ...made.explain,
    steps: trace.steps(),
  }
  return {
    ...answer,
    record: {
      scrape: {
        id: call.id,
        teamId: call.teamId,
        keyId: call.keyId,
        url: body.url,
        options: plan.keep ? body : null,
        overlay,
        explain: plan.keep ? explain : null,
        credits,
      },
      document: made.id
        ? { id: made.id }
        : {
            digestKey: made.fleeting ? `${plan.digestKey} ${call.id}` : plan.digestKey,
            body: made.packed,
            // It stays until the caller has fetched it, and only for that.
            ...(plan.keep ? {} : { sealed: true }),
          },
      capture: cacheId ? { id: cacheId } : kept ? { cacheKey: plan.cacheKey, ...kept } : undefined,
      snapshot: plan.keep ? made.snapshot : undefined,
      findable: plan.keep ? findable(call, answer.answered, source) : undefined,
    },
  }
}

/** What searches of the team may find again. */
function findable(call: ScrapeCall, { url, status }: Scraped['answered'], { fetchedAt: at }: Source) {
  if (call.upload) return { url: call.upload.capture.url, at, kind: 'private' as const }
  if (status === 404 || status === 410) return { url, at, kind: 'gone' as const }
  if (status >= 400) return undefined
  // What may not be kept in the cache may not be found by a search either.
  const { headers = {}, actions = [], profile, storeInCache } = call.body
  const isOwn = Object.keys(headers).length > 0 || actions.length > 0 || profile !== undefined
  return isOwn || !storeInCache ? undefined : { url, at, kind: 'page' as const }
}

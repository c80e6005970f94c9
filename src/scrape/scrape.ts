// Scrapes one page from start to finish, without admission or charging. The caller stores the record in its own
// transaction.
import { STATUS_CODES } from 'node:http'
import type { Clock } from '../base/clock.ts'
import type { JsonBytes } from '../base/json.ts'
import { Trace } from '../base/log.ts'
import { type FramedDocument, layOver, metadataIn, pack, warningOf } from '../base/packed-document.ts'
import type { CacheValidators, Capture, Document, MetadataValue } from '../base/page.ts'
import { prices } from '../base/prices.ts'
import { asProblem } from '../base/problem.ts'
import { inSpan } from '../base/spans.ts'
import type { Controls } from '../content/controls.ts'
import { trueType } from '../content/media-type.ts'
import { isSetApart } from '../fetch/caller-reach.ts'
import type { Engine } from '../fetch/engine.ts'
import { about } from '../llm/index.ts'
import type { Llm, PageSource } from '../llm/llm.ts'
import type { Blobs } from '../store/blobs.ts'
import type { Pages } from '../store/pages.ts'
import type { KeptBody, NewRecord } from '../store/scrape-record.ts'
import type { NewSnapshot, Snapshots } from '../store/snapshots.ts'
import type { PagePrints } from '../understanding/changes/fingerprints.ts'
import { type Acquired, acquire, hashOf, isUnchanged } from './acquire.ts'
import type { History } from './change-tracking-types.ts'
import { cleaned, redacted } from './clean-and-redact.ts'
import { type DiffFormat, historyOf } from './history.ts'
import type { HostMemory } from './host-memory.ts'
import { prepareMaterials } from './materials.ts'
import type { MediaService } from './media/media.ts'
import { pageMedia } from './media/page-media.ts'
import type { ScrapeBody } from './options.ts'
import { fits, mayAsk } from './page-cache.ts'
import { type KeptDownload, PICTURE_LIFE_MS, pictures } from './picture-links.ts'
import { cacheKeyOf, type ScrapePlan } from './plan.ts'
import { produce } from './produce.ts'
import { withProfile } from './profile.ts'
import type { Profiles } from './store/profiles.ts'
import { NO_SCAN, type ThreatScan, type ThreatService, underPolicy } from './threats.ts'
import type { Digest } from './workshop/digest.ts'
import type { Workshop } from './workshop/workshop.ts'

interface ScraperParts {
  engines: readonly Engine[]
  hosts: HostMemory
  hasEnhancedProxies: boolean
  indexesPages: boolean
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
  onDigest(seconds: number): void
  as<T>(keyId: string | null, work: () => Promise<T>): Promise<T>
}

export interface ScrapeCall {
  id: string
  teamId: string
  keyId: string | null
  body: ScrapeBody
  plan: ScrapePlan
  /** Keep the document until its job's caller fetches it, even with zero retention. */
  keepDocument?: boolean
  wantsLinks?: boolean
  wantsControls?: boolean
  wantsPrints?: boolean
  baseUrl: string
  queue: { limited: boolean; waitedMs: number }
  /** Known only from an earlier crawl: no page links to it now. */
  hidden?: boolean
  history?: History
  picturesMs?: number
  upload?: { capture: Capture; name: string }
}

export interface Scraped {
  id: string
  json: FramedDocument
  document(): Document
  warning: string | undefined
  source: string
  /** Known only now: a PDF is charged per page. */
  credits: number
  record: NewRecord | undefined
  /** Absent when a cached document was returned. */
  links?: readonly string[]
  controls?: Controls
  prints?: PagePrints
  /** The site's response, for crawling more of it. */
  answered: {
    url: string
    status: number
    retryAfter: string | undefined
    canonical?: string
    marks?: CacheValidators
    /** The page is as the visit's marks say; there is no document. */
    unchanged?: boolean
  }
}

interface Explain {
  kind?: string
  charset?: string
  digestMs?: number
  /** JSON text. */
  cuts?: string
}

export interface Scraper {
  /** A cached finished document for the same request: no visit, thread or slot. */
  recall(call: ScrapeCall): Promise<Scraped | undefined>
  scrape(call: ScrapeCall, signal: AbortSignal): Promise<Scraped>
}

export function createScraper(parts: ScraperParts): Scraper {
  /** The model may change while the service runs: what another one answered is not served. */
  const byModel = (call: ScrapeCall): ScrapeCall => ({
    ...call,
    plan: { ...call.plan, digestKey: `${call.plan.digestKey} ${parts.llm.name}` },
  })
  return {
    recall: (given) => {
      const call = byModel(given)
      return parts.as(call.keyId, () =>
        underPolicy(parts.threats, call, (scan) => recallPage(parts, setApart(call), scan)),
      )
    },
    scrape: (given, signal) => {
      const call = byModel(given)
      return inSpan('scrape', {}, () =>
        call.upload
          ? scrapePage(parts, call, NO_SCAN, signal)
          : parts.as(call.keyId, () =>
              underPolicy(parts.threats, call, (scan) => scrapePage(parts, setApart(call), scan, signal)),
            ),
      )
    },
  }
}

/** Captures from private addresses get a separate cache key. */
function setApart(call: ScrapeCall): ScrapeCall {
  if (!isSetApart()) return call
  const visit = { ...call.plan.visit, apart: true as const }
  return { ...call, plan: { ...call.plan, visit, cacheKey: cacheKeyOf(visit) } }
}

const isRefresh = ({ plan }: ScrapeCall): boolean =>
  plan.parsers.some((parser) => parser.type === 'pdf' && parser.refresh === true)

async function recallPage(parts: ScraperParts, call: ScrapeCall, scan: ThreatScan): Promise<Scraped | undefined> {
  const { cacheKey, digestKey, visit } = call.plan
  // Change tracking gives a different result each time, and a cached page has run no actions.
  if (call.plan.visit.actions.length > 0 || isRefresh(call)) return undefined
  if (!mayAsk(visit.cache) || call.plan.needs.includes('history')) return undefined
  const known = await parts.pages.findAnswer(cacheKey, digestKey)
  if (!known || !fits(visit.cache, known.fetchedAt, parts.clock.now())) return undefined
  // The document's screenshot link would expire soon.
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
  const plan = withNeeds(call, parts.indexesPages)
  trace.add('plan', { needs: plan.needs, formats: plan.formats.map(({ format }) => format.name) })
  const use = { id: call.id, teamId: call.teamId, profile: call.body.profile, timeoutMs: plan.timeoutMs }
  const endsAt = performance.now() + plan.timeoutMs - trace.elapsedMs()
  parts.workshop.warmUp()
  const acquired: Acquired =
    call.upload ??
    (await withProfile(parts.profiles, use, (memories) =>
      acquire({ ...plan, visit: { ...plan.visit, ...memories, endsAt, team: call.teamId } }, parts, trace, signal),
    ))
  const { capture } = acquired
  const isSame = isUnchanged(plan.visit, capture)
  const made = isSame ? unchanged(capture) : await makeDocument(parts, acquired, { ...call, plan }, trace, signal)
  // Do not cache error pages.
  const keep = plan.storeInCache && !capture.cacheId && !isSame && capture.status < 400
  const kept = keep ? { capture: bare(capture), body: await parts.pages.keepBody(capture.body) } : undefined
  const led = [...capture.hops.map(({ url }) => url), capture.url]
  return {
    ...finish(call, capture, made, trace, { scan, led }, kept),
    ...(call.wantsLinks ? { links: scan.allowed(made.links?.value() ?? []) } : {}),
    ...(call.wantsControls && made.controls ? { controls: made.controls.value() } : {}),
    ...(call.wantsPrints && made.prints ? { prints: made.prints.value() } : {}),
  }
}

/** Pictures are stored separately, and browser state is private to the caller. */
function bare(capture: Capture): Capture {
  const {
    screenshot: _shot,
    computedStyle: _look,
    requests: _requests,
    actions: _actions,
    remembers: _memories,
    ...page
  } = capture
  return page
}

interface Made {
  packed: Uint8Array
  metadata?: Document['metadata']
  id?: string
  explain: Explain
  /** Stored for its caller only, under a key that no other request uses. */
  fleeting?: boolean
  links?: JsonBytes<string[]> | undefined
  /** Stored form of the main content, when the document has another text. */
  mainText?: Uint8Array | undefined
  controls?: JsonBytes<Controls> | undefined
  prints?: JsonBytes<PagePrints> | undefined
  retryAfter?: string | undefined
  marks?: CacheValidators | undefined
  unchanged?: true
  snapshot?: NewSnapshot | undefined
  downloadedPages?: number
}

/** A page that is the same has no document: the caller already has it. */
const unchanged = (capture: Capture): Made => ({
  packed: pack({ metadata: captureFacts(capture) }),
  explain: {},
  unchanged: true,
})

/** Only for plain HTTP captures: validators do not cover a rendered page. */
function marksOf({ engine, status, headers, body }: Capture, hashesBody: boolean): CacheValidators | undefined {
  const { etag, 'last-modified': lastModified } = headers
  if (engine !== 'http' || status !== 200 || (!etag && !lastModified && !hashesBody)) return undefined
  return {
    ...(etag ? { etag } : {}),
    ...(lastModified ? { lastModified } : {}),
    ...(hashesBody ? { body: hashOf(body) } : {}),
  }
}

const onlyBytes = ({ needs }: ScrapePlan): boolean => needs.every((need) => need === 'base64')

function withNeeds(call: ScrapeCall, indexesPages: boolean): ScrapePlan {
  const { plan, wantsLinks, wantsControls, wantsPrints } = call
  // Its own document needs a capture to belong to.
  const wantsMainText = indexesPages && !plan.isMainText && plan.storeInCache && !isOwn(call.body) && !onlyBytes(plan)
  const also = [
    ...(wantsLinks ? (['links'] as const) : []),
    ...(wantsControls ? (['controls'] as const) : []),
    ...(wantsPrints ? (['prints'] as const) : []),
    ...(wantsMainText ? (['mainText'] as const) : []),
  ]
  return also.length === 0 ? plan : { ...plan, needs: [...new Set([...plan.needs, ...also])] }
}

async function makeDocument(
  parts: ScraperParts,
  acquired: Acquired,
  call: ScrapeCall,
  trace: Trace,
  signal: AbortSignal,
): Promise<Made> {
  const { plan, teamId, baseUrl, body, hidden, history: own, picturesMs: lifeMs } = call
  const { capture } = acquired
  const budgetMs = plan.timeoutMs - trace.elapsedMs()
  const prepared = await prepareMaterials(capture, plan, parts.workshop, { budgetMs, owner: teamId }, signal)
  const { digest } = prepared
  const { numPages, totalPages, ...documentFields } = digest.document ?? {}
  parts.onDigest(digest.ms / 1000)
  trace.add('digest', { kind: digest.kind, charset: digest.charset, ms: digest.ms })
  const { screenshot, actions, downloads } = await pictures(
    parts,
    { teamId, baseUrl, keep: plan.keep, lifeMs },
    capture,
  )
  const files = downloads && (await parsedFiles(parts, call, capture, downloads, signal))
  const llm = about(parts.llm, sourceOf(capture, digest, plan.treatment.redact !== undefined))
  const history =
    own ??
    historyOf(parts, {
      ...{ teamId, url: body.url, status: capture.status, seenAt: capture.fetchedAt, keep: plan.keep },
      visibility: hidden ? 'hidden' : 'visible',
    })
  const { markdown } = prepared.have
  const computedStyle = capture.computedStyle ?? null
  const clean = plan.treatment.clean && markdown ? await cleaned(markdown, llm, signal) : undefined
  if (clean?.answer) trace.add('answer', { option: 'onlyCleanContent', by: clean.answer.by, ...clean.answer.usage })
  const media = pageMedia(parts, { plan, capture, teamId, baseUrl })
  const text = clean ? { markdown: clean.markdown } : {}
  const have = { ...prepared.have, ...text, screenshot, computedStyle, llm, history, media }
  const { fields, warnings, steps, fleeting } = await produce(plan.formats, { ...prepared, have }, signal)
  for (const step of steps) trace.add('answer', step)
  const allWarnings = [
    ...new Set([
      acquired.warning,
      ...capture.warnings,
      ...digest.warnings,
      ...(clean?.warnings ?? []),
      ...warnings,
      ...(files?.warnings ?? []),
    ]),
  ].filter((text) => text !== undefined)
  const metadata: Document['metadata'] = {
    ...digest.metadata,
    ...(numPages === undefined ? {} : { numPages }),
    ...(totalPages === undefined ? {} : { totalPages }),
    ...captureFacts(capture),
  }
  const whole: Document = {
    ...fields,
    ...(actions || body.actions ? { actions: actions ?? NO_ACTIONS } : {}),
    ...(body.downloads ? { downloads: files?.downloads ?? [] } : {}),
    ...documentFields,
    ...(allWarnings.length > 0 ? { warning: allWarnings.join(' ') } : {}),
    metadata,
  }
  const { redact } = plan.treatment
  return {
    packed: pack(redact ? await redacted(whole, redact, digest.names ?? [], parts.workshop, signal) : whole),
    snapshot: history.toKeep(),
    downloadedPages: files?.pages ?? 0,
    explain: { kind: digest.kind, charset: digest.charset, digestMs: digest.ms, cuts: digest.cuts },
    fleeting: fleeting || clean?.answer?.fleeting === true,
    links: prepared.have.links,
    mainText: prepared.have.mainText && pack({ markdown: prepared.have.mainText, metadata }),
    controls: prepared.have.controls,
    prints: prepared.have.prints,
    retryAfter: capture.headers['retry-after'],
    marks: marksOf(capture, call.wantsPrints === true),
  }
}

/** A file that cannot be read keeps its link, and a warning says why. */
async function parsedFiles(
  { workshop }: ScraperParts,
  { plan, body, teamId }: ScrapeCall,
  capture: Capture,
  downloads: readonly KeptDownload[],
  signal: AbortSignal,
): Promise<{ downloads: object[]; pages: number; warnings: string[] }> {
  const parsed: object[] = []
  const warnings: string[] = []
  let pages = 0
  for (const [at, file] of downloads.entries()) {
    const { bytes, contentType, name } = capture.actions!.downloads[at]!
    const headers = { 'content-type': contentType, 'content-disposition': `attachment; filename="${name}"` }
    const ofFile = { ...capture, body: bytes, headers }
    const toMarkdown = { ...plan, formats: [], needs: ['markdown' as const] }
    const budget = { budgetMs: plan.timeoutMs, owner: teamId }
    try {
      const prepared = body.downloads?.parse
        ? await prepareMaterials(ofFile, toMarkdown, workshop, budget, signal)
        : undefined
      if (prepared) pages += prepared.digest.document?.numPages ?? 1
      parsed.push({ ...file, ...(prepared ? { markdown: prepared.have.markdown?.value() ?? '' } : {}) })
    } catch (error) {
      const problem = asProblem(error)
      if (signal.aborted || problem.kind === 'prompt_injection') throw problem
      warnings.push(`The download "${name.slice(0, 200)}" could not be read: ${problem.message}`)
      parsed.push(file)
    }
  }
  return { downloads: parsed, pages, warnings }
}

const NO_ACTIONS = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] }

/** Page source for the model's prompt; with redaction, without anything that may name a person. */
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

type Source = Pick<Capture, 'engine' | 'fetchedAt' | 'cacheId'>
type Kept = { capture: Capture; body: KeptBody }

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
    (typeof numPages === 'number' ? plan.creditsFor(numPages) : plan.credits) +
    (made.downloadedPages ?? 0) * prices.page +
    scanned.scan.creditsFor(scanned.led)
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
    document: () => JSON.parse(json().toString()) as Document,
    warning: warningOf(made.packed),
    source: cacheId ? 'cache' : source.engine,
    credits,
    answered: {
      url: String(url),
      status: Number(statusCode),
      retryAfter: made.retryAfter,
      ...(typeof canonical === 'string' ? { canonical } : {}),
      ...(made.marks ? { marks: made.marks } : {}),
      ...(made.unchanged ? { unchanged: true } : {}),
    },
  }
  if (!plan.keep && !call.keepDocument) return { ...answer, record: undefined }
  return {
    ...answer,
    record: {
      scrape: {
        id: call.id,
        teamId: call.teamId,
        keyId: call.keyId,
        url: body.url,
        options: plan.keep ? withoutValues(body) : null,
        overlay,
        explain: plan.keep ? explainText(source.engine, cache, made.explain, trace) : null,
        credits,
      },
      document: made.id
        ? { id: made.id }
        : {
            digestKey: made.fleeting ? `${plan.digestKey} ${call.id}` : plan.digestKey,
            body: made.packed,
            // Kept only until the caller has fetched it.
            ...(plan.keep ? {} : { sealed: true }),
          },
      capture: cacheId ? { id: cacheId } : kept ? { cacheKey: plan.cacheKey, ...kept } : undefined,
      snapshot: plan.keep ? made.snapshot : undefined,
      findable: plan.keep ? findable(call, answer.answered, source, made) : undefined,
    },
  }
}

function explainText(
  engine: string,
  cache: 'hit' | 'miss' | undefined,
  { cuts, ...facts }: Explain,
  trace: Trace,
): string {
  const head = JSON.stringify({ engine, cache: cache ?? 'not consulted', ...facts }).slice(0, -1)
  return `${head}${cuts === undefined ? '' : `,"cuts":${cuts}`},"steps":${JSON.stringify(trace.steps())}}`
}

/** Values of flows may be secret, and nothing reads them again. */
const withoutValues = (body: ScrapeBody): ScrapeBody =>
  body.actions?.some(({ type }) => type === 'flow')
    ? { ...body, actions: body.actions.map((one) => (one.type === 'flow' ? { ...one, with: {} } : one)) }
    : body

function findable(
  { plan, upload, body }: ScrapeCall,
  { url, status }: Scraped['answered'],
  { fetchedAt: at }: Source,
  { mainText }: Made,
): NewRecord['findable'] {
  if (!upload && (status === 404 || status === 410)) return { url, at, kind: 'gone' }
  if (!upload && (status >= 400 || isOwn(body) || !body.storeInCache)) return undefined
  // A page is found by its main content, whatever this caller asked for.
  const by = plan.isMainText ? {} : { by: { digestKey: plan.mainTextKey(), body: mainText } }
  return upload ? { url: upload.capture.url, at, kind: 'private', ...by } : { url, at, kind: 'page', ...by }
}

/** A page that depends on the caller is kept out of cache and search. */
const isOwn = ({ headers = {}, actions = [], profile }: ScrapeBody): boolean =>
  Object.keys(headers).length > 0 || actions.length > 0 || profile !== undefined

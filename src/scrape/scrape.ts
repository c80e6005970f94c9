// Scrapes one page from start to finish, without admission or charging. The caller stores the record in its own
// transaction.
import { STATUS_CODES } from 'node:http'
import type { Clock } from '../base/clock.ts'
import {
  mergeMetadataIntoJson,
  readMetadataOfJson,
  readWarningOfJson,
  serialiseDocument,
  type WriteDocumentJson,
} from '../base/document-json.ts'
import type { JsonBytes } from '../base/json-bytes.ts'
import { ScrapeTrace } from '../base/log.ts'
import type { Reservation } from '../base/page-uses.ts'
import { prices } from '../base/prices.ts'
import { asProblem } from '../base/problem.ts'
import { inSpan } from '../base/spans.ts'
import type { CacheValidators, Capture, Document, MetadataValue } from '../base/visit-and-capture-types.ts'
import type { ButtonsAndLinks } from '../content/list-buttons-and-links.ts'
import type { AlternatePage } from '../content/list-links.ts'
import { mediaTypeBySignatureOrHeader } from '../content/sniff-media-type.ts'
import type { FetchEngine } from '../fetch/fetch-engine.ts'
import { cacheScope } from '../fetch/private-address-access.ts'
import { withPageSource } from '../llm/index.ts'
import { type Llm, type PageSource, sumModelUsage, type TokenUsage } from '../llm/llm.ts'
import type { Blobs } from '../store/blobs.ts'
import type { PageStore } from '../store/captures-and-scrapes.ts'
import type { KeptBody, NewScrapeRecord } from '../store/new-scrape-record.ts'
import type { NewTrackedSnapshot, TrackedPageSnapshots } from '../store/tracked-page-snapshots.ts'
import type { PageFingerprints } from '../understanding/changes/page-fingerprints.ts'
import { type AcquiredCapture, acquireCapture, hashBody, isNotModified } from './acquire-capture.ts'
import { withBrowserProfile } from './browser-profile.ts'
import { CAPTURE_FILE_LIFE_MS, type DownloadWithLink, makeCaptureFileLinks } from './capture-file-links.ts'
import { type DiffFormat, makeChangeTracker } from './change-tracker.ts'
import type { ChangeTracker } from './change-tracking-types.ts'
import { cleanMarkdownWithModel, redactDocument } from './clean-and-redact.ts'
import type { ReadingByExtractor } from './formats/read-by-extractor.ts'
import type { HostVisitHistory } from './host-visit-history.ts'
import type { ExtractorLookup, LearningTask, Lesson } from './learnt-extractor.ts'
import type { MediaService } from './media/media-service.ts'
import { makePageMediaFetcher } from './media/page-media-fetcher.ts'
import { describeReservations, type OptOutParts, type OptOuts, openOptOuts, reservationsIn } from './opt-outs.ts'
import { isCacheAgeAllowed, mayReadCache } from './page-cache.ts'
import { type PreparedMaterials, prepareMaterials } from './prepare-materials.ts'
import { produceFields } from './produce-fields.ts'
import type { ScrapeBody } from './scrape-options.ts'
import { cacheKeyOf, type ScrapePlan } from './scrape-plan.ts'
import type { BrowserProfiles } from './store/browser-profiles.ts'
import { NO_THREAT_SCAN, scrapeUnderThreatPolicy, type ThreatScan, type ThreatService } from './threat-service.ts'
import type { ContentWorkerPool } from './workshop/content-worker-pool.ts'
import type { PageDigest } from './workshop/digest-page.ts'

interface ScraperParts {
  engines: readonly FetchEngine[]
  hosts: HostVisitHistory
  hasEnhancedProxies(): boolean
  indexesPages: boolean
  workshop: ContentWorkerPool
  pages: Pick<PageStore, 'findAnswer' | 'keepBody'>
  blobs: Pick<Blobs, 'put' | 'sign'>
  profiles: BrowserProfiles
  llm: Llm
  snapshots: Pick<TrackedPageSnapshots, 'find'>
  media: MediaService
  threats: ThreatService
  optOuts: OptOutParts
  extractors: ExtractorLookup
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
  /** The address as the caller wrote it. */
  sourceUrl?: string | undefined
  plan: ScrapePlan
  /** Keep the document until its job's caller fetches it, even with zero retention. */
  keepDocument?: boolean
  wantsLinks?: boolean
  wantsControls?: boolean
  /** Reads fields of a `json` schema with the team's extractors of the page, where they have them. */
  usesExtractors?: boolean
  wantsPrints?: boolean
  baseUrl: string
  queue: { limited: boolean; waitedMs: number }
  /** Known only from an earlier crawl: no page links to it now. */
  hidden?: boolean
  history?: ChangeTracker
  picturesMs?: number
  upload?: { capture: Capture; name: string }
}

export interface ScrapedPage {
  id: string
  json: WriteDocumentJson
  document(): Document
  warning: string | undefined
  source: string
  /** Known only now: a PDF is charged per page. */
  credits: number
  record: NewScrapeRecord | undefined
  /** Absent when a cached document was returned. */
  links?: readonly string[]
  alternates?: readonly AlternatePage[]
  controls?: ButtonsAndLinks
  prints?: PageFingerprints
  /** The site's response, for crawling more of it. */
  answered: {
    url: string
    status: number
    retryAfter: string | undefined
    canonical?: string
    language?: string
    /** Of its markdown; absent for one too short to tell pages apart. */
    textHash?: string
    marks?: CacheValidators
    /** The page is as the visit's marks say; there is no document. */
    unchanged?: boolean
    /** The text is as it was known before; there is no document. */
    sameText?: boolean
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
  findCachedDocument(call: ScrapeCall): Promise<ScrapedPage | undefined>
  scrape(call: ScrapeCall, signal: AbortSignal): Promise<ScrapedPage>
}

export function createScraper(parts: ScraperParts): Scraper {
  const here = planAdapter(parts.llm)
  return {
    findCachedDocument: (call) =>
      parts.as(call.keyId, async () => {
        const own = await withExtractor(parts, here(call))
        return scrapeUnderThreatPolicy(parts.threats, call, (scan) => recallPage(parts, own, scan))
      }),
    scrape: (call, signal) =>
      inSpan('scrape', {}, async () => {
        const own = await withExtractor(parts, here(call))
        return call.upload
          ? scrapePage(parts, own, NO_THREAT_SCAN, signal)
          : parts.as(call.keyId, () =>
              scrapeUnderThreatPolicy(parts.threats, call, (scan) => scrapePage(parts, own, scan, signal)),
            )
      }),
  }
}

/**
 * Adapts plans to the current model, which may change while the service runs, and to the caller's reach: captures from
 * private addresses, or through proxies of a team, get a separate cache key. Plans of repeated requests are adapted once.
 */
function planAdapter(llm: Llm): (call: ScrapeCall) => ScrapeCall {
  const known = new WeakMap<ScrapePlan, { model: string; apart: string | undefined; plan: ScrapePlan }>()
  const adaptPlan = (plan: ScrapePlan, model: string, apart: string | undefined): ScrapePlan => {
    const digestKey = `${plan.digestKey} ${model}`
    if (apart === undefined) return { ...plan, digestKey }
    const visit = { ...plan.visit, apart }
    return { ...plan, digestKey, visit, cacheKey: cacheKeyOf(visit) }
  }
  return (call) => {
    const model = llm.name
    const apart = call.upload ? undefined : cacheScope()
    const before = known.get(call.plan)
    if (before?.model === model && before.apart === apart) return { ...call, plan: before.plan }
    const plan = adaptPlan(call.plan, model, apart)
    known.set(call.plan, { model, apart, plan })
    return { ...call, plan }
  }
}

/** Gives formats the program of the extractor that they name; documents of another version are not reused. */
async function withExtractor(parts: ScraperParts, call: ScrapeCall): Promise<ScrapeCall> {
  const { extractors } = parts
  const reference = call.plan.formats.find(({ options }) => options.extractor !== undefined)?.options.extractor
  if (typeof reference !== 'string') return withOfferedPrograms(parts, call)
  const learnt = await extractors.find(call.teamId, reference, call.body.url)
  const formats = call.plan.formats.map((one) =>
    one.options.extractor === undefined || !learnt ? one : { ...one, options: { ...one.options, learnt } },
  )
  const digestKey = `${call.plan.digestKey} ${learnt ? `${learnt.id}.${learnt.version}` : 'none'}`
  // A program reads the page itself.
  const needs = formats.flatMap(({ format, options }) =>
    format.needs.filter((need) => !(options.learnt && format.name === 'json' && need === 'markdown')),
  )
  return { ...call, plan: { ...call.plan, formats, needs: [...new Set(needs)], digestKey } }
}

/**
 * Programs that may read some fields of a schema. Documents by those that the model taught are as good as the model's and
 * share its key.
 */
async function withOfferedPrograms({ extractors, llm }: ScraperParts, call: ScrapeCall): Promise<ScrapeCall> {
  if (llm.by !== 'model' && !call.usesExtractors) return call
  let { digestKey } = call.plan
  const formats = await Promise.all(
    call.plan.formats.map(async (one) => {
      const { schema, prompt } = one.options as Partial<LearningTask>
      if (one.format.name !== 'json' || !schema) return one
      const { teamId, body } = call
      const ofTeam = call.usesExtractors ? await extractors.forSchema(teamId, schema, body.url) : []
      for (const { id, version } of ofTeam) digestKey += ` ${id}.${version}`
      const isTaught = llm.by === 'model' && mayLearn(call)
      const taught = isTaught ? await extractors.taughtByModel(teamId, { schema, prompt }, body.url) : []
      const offered = [...ofTeam, ...taught]
      return offered.length === 0 ? one : { ...one, options: { ...one.options, taught: offered } }
    }),
  )
  return { ...call, plan: { ...call.plan, formats, digestKey } }
}

/** A page that may not be kept teaches nothing, nor does one that only its caller can see. */
const mayLearn = ({ plan, body, upload }: ScrapeCall): boolean =>
  !upload && plan.keep && !plan.treatment.redact && !isOwn(body)

const MAX_TAUGHT_BYTES = 2_000_000

function learnFromModel(
  { extractors }: ScraperParts,
  call: ScrapeCall,
  { body, status, url }: Capture,
  { kind, charset }: PageDigest,
  lessons: readonly Lesson[],
): void {
  const [lesson] = lessons
  if (!lesson || kind !== 'html' || status !== 200 || body.byteLength > MAX_TAUGHT_BYTES || !mayLearn(call)) return
  extractors.learn(call.teamId, lesson, { html: new TextDecoder(charset).decode(body), url })
}

const isRefresh = ({ plan }: ScrapeCall): boolean =>
  plan.parsers.some((parser) => parser.type === 'pdf' && parser.refresh === true)

async function recallPage(parts: ScraperParts, call: ScrapeCall, scan: ThreatScan): Promise<ScrapedPage | undefined> {
  const { cacheKey, digestKey, visit } = call.plan
  // Change tracking gives a different result each time, and a cached page has run none of the caller's own actions.
  if (call.body.actions?.length || isRefresh(call)) return undefined
  if (!mayReadCache(visit.cache) || call.plan.needs.includes('history')) return undefined
  const known = await parts.pages.findAnswer(cacheKey, digestKey)
  if (!known || !isCacheAgeAllowed(visit.cache, known.fetchedAt, parts.clock.now())) return undefined
  // The document's screenshot link would expire soon.
  if (visit.screenshot && parts.clock.now() - known.fetchedAt > CAPTURE_FILE_LIFE_MS / 2) return undefined
  const trace = new ScrapeTrace()
  trace.add('recall', { document: known.documentId })
  const metadata = readMetadataOfJson(known.body)
  const made = { stored: { id: known.documentId, keepUntil: known.keepUntil }, packed: known.body, explain: {} }
  const source = { engine: 'cache', fetchedAt: known.fetchedAt, cacheId: known.captureId }
  const arrived = String(metadata.url ?? call.body.url)
  if (arrived !== call.body.url) parts.threats.guard.assert(new URL(arrived))
  const optOuts = await optOutsOf(parts, call)
  optOuts.assert(arrived, reservationsIn(metadata))
  const reserved = await optOuts.ofSite(arrived)
  if (scan.said) trace.add('threats', scan.said)
  return finish(call, source, made, trace, { scan, led: [arrived], reserved })
}

const optOutsOf = ({ optOuts }: ScraperParts, { teamId, plan, upload }: ScrapeCall, signal?: AbortSignal) =>
  openOptOuts(optOuts, { teamId, mayFetch: !upload && !plan.visit.cache.only }, signal)

async function scrapePage(
  parts: ScraperParts,
  call: ScrapeCall,
  scan: ThreatScan,
  signal: AbortSignal,
): Promise<ScrapedPage> {
  const trace = new ScrapeTrace()
  if (scan.said) trace.add('threats', scan.said)
  const plan = withNeeds(call, parts.indexesPages)
  trace.add('plan', { needs: plan.needs, formats: plan.formats.map(({ format }) => format.name) })
  const use = { id: call.id, teamId: call.teamId, profile: call.body.profile, timeoutMs: plan.timeoutMs }
  const endsAt = performance.now() + plan.timeoutMs - trace.elapsedMs()
  const acceptsMarkdown = canReadMarkdown(plan, call)
  parts.workshop.warmUp()
  const optOuts = await optOutsOf(parts, call, signal)
  const reservedHere = await optOuts.ofSite(call.body.url)
  const acquired: AcquiredCapture =
    call.upload ??
    (await withBrowserProfile(parts.profiles, use, (memories) =>
      acquireCapture(
        { ...plan, visit: { ...plan.visit, ...memories, endsAt, acceptsMarkdown, team: call.teamId } },
        parts,
        trace,
        signal,
      ),
    ))
  const { capture } = acquired
  const reserved = capture.url === call.body.url ? reservedHere : await optOuts.ofSite(capture.url)
  const isSame = isNotModified(plan.visit, capture)
  // Only at its own address: one that leads elsewhere is another page now.
  const known = capture.status === 200 && capture.hops.length === 0 ? plan.known : undefined
  const made = isSame
    ? makeUnchangedDocument(capture)
    : await makeDocument(parts, acquired, { ...call, plan: { ...plan, known }, optOuts }, trace, signal)
  // Do not cache error pages.
  const keep = plan.storeInCache && !capture.cacheId && !isSame && !made.sameText && capture.status < 400
  const kept = keep
    ? { capture: removePrivateParts(capture), body: await parts.pages.keepBody(capture.body) }
    : undefined
  const led = [...capture.hops.map(({ url }) => url), capture.url]
  return {
    ...finish(call, capture, made, trace, { scan, led, reserved }, kept),
    ...readingsForCrawls(call, scan, made),
  }
}

/** Links, controls and fingerprints are read from HTML. */
const canReadMarkdown = (plan: ScrapePlan, { wantsLinks, wantsControls, wantsPrints }: ScrapeCall): boolean =>
  plan.isTextOnly && plan.wants.length === 0 && !wantsLinks && !wantsControls && !wantsPrints

const readingsForCrawls = (
  { wantsLinks, wantsControls, wantsPrints }: ScrapeCall,
  scan: ThreatScan,
  { links, alternates, controls, prints }: MadeDocument,
): Pick<ScrapedPage, 'links' | 'alternates' | 'controls' | 'prints'> => ({
  ...(wantsLinks ? { links: scan.allowed(links?.value() ?? []), alternates: alternates?.value() ?? [] } : {}),
  ...(wantsControls && controls ? { controls: controls.value() } : {}),
  ...(wantsPrints && prints ? { prints: prints.value() } : {}),
})

/** Pictures are stored separately, and browser state is private to the caller. */
function removePrivateParts(capture: Capture): Capture {
  const {
    screenshot: _shot,
    computedStyle: _look,
    requests: _requests,
    network: _network,
    actions: _actions,
    remembers: _memories,
    ...page
  } = capture
  return page
}

interface MadeDocument {
  packed: Uint8Array
  stored?: { id: string; keepUntil: number }
  explain: Explain
  /** Stored for its caller only, under a key that no other request uses. */
  doNotCache?: boolean
  modelUsage?: TokenUsage
  links?: JsonBytes<string[]> | undefined
  alternates?: JsonBytes<AlternatePage[]> | undefined
  textHash?: string | undefined
  /** Stored form of the main content, when the document has another text. */
  mainText?: Uint8Array | undefined
  controls?: JsonBytes<ButtonsAndLinks> | undefined
  prints?: JsonBytes<PageFingerprints> | undefined
  retryAfter?: string | undefined
  marks?: CacheValidators | undefined
  unchanged?: true
  sameText?: true
  snapshot?: NewTrackedSnapshot | undefined
  downloadedPages?: number
}

/** A page that is the same has no document: the caller already has it. */
const makeUnchangedDocument = (capture: Capture): MadeDocument => ({
  packed: serialiseDocument({ metadata: captureFacts(capture) }),
  explain: {},
  unchanged: true,
})

/** Shorter texts, such as a loading message, are the same on different pages. */
const MIN_HASHED_BYTES = 300

const hashLongText = (text: Uint8Array | undefined): string | undefined =>
  text && text.byteLength >= MIN_HASHED_BYTES ? hashBody(text) : undefined

/** A page whose text is the same has no document either. */
const sameText = (capture: Capture, { digest, have }: PreparedMaterials): MadeDocument => ({
  packed: serialiseDocument({ metadata: { ...digest.metadata, ...captureFacts(capture) } }),
  explain: { kind: digest.kind, charset: digest.charset, digestMs: digest.ms },
  sameText: true,
  links: have.links,
  prints: have.prints,
  retryAfter: capture.headers['retry-after'],
  marks: marksOf(capture, true),
})

/** Only for plain HTTP captures: validators do not cover a rendered page. */
function marksOf({ engine, status, headers, body }: Capture, hashesBody: boolean): CacheValidators | undefined {
  const { etag, 'last-modified': lastModified } = headers
  if (engine !== 'http' || status !== 200 || (!etag && !lastModified && !hashesBody)) return undefined
  return {
    ...(etag ? { etag } : {}),
    ...(lastModified ? { lastModified } : {}),
    ...(hashesBody ? { body: hashBody(body) } : {}),
  }
}

const onlyBytes = ({ needs }: ScrapePlan): boolean => needs.every((need) => need === 'base64')

function withNeeds(call: ScrapeCall, indexesPages: boolean): ScrapePlan {
  const { plan, wantsLinks, wantsControls, wantsPrints } = call
  // Its own document needs a capture to belong to.
  const wantsMainText = indexesPages && !plan.isMainText && plan.storeInCache && !isOwn(call.body) && !onlyBytes(plan)
  const also = [
    ...(wantsLinks ? (['links', 'alternates'] as const) : []),
    ...(wantsControls ? (['controls'] as const) : []),
    ...(wantsPrints ? (['prints'] as const) : []),
    ...(wantsMainText ? (['mainText'] as const) : []),
  ]
  return also.length === 0 ? plan : { ...plan, needs: [...new Set([...plan.needs, ...also])] }
}

async function makeDocument(
  parts: ScraperParts,
  acquired: AcquiredCapture,
  call: ScrapeCall & { optOuts: OptOuts },
  trace: ScrapeTrace,
  signal: AbortSignal,
): Promise<MadeDocument> {
  const { plan, teamId, baseUrl, body, picturesMs: lifeMs, optOuts } = call
  const { capture } = acquired
  const budgetMs = plan.timeoutMs - trace.elapsedMs()
  const prepared = await prepareMaterials(capture, plan, parts.workshop, { budgetMs, owner: teamId }, signal)
  const { digest } = prepared
  parts.onDigest(digest.ms / 1000)
  trace.add('digest', { kind: digest.kind, charset: digest.charset, ms: digest.ms })
  const reserved = optOuts.ofPage(capture, digest.metadata)
  if (digest.isSame) return sameText(capture, prepared)
  const { screenshot, actions, downloads } = await makeCaptureFileLinks(
    parts,
    { teamId, baseUrl, keep: plan.keep, lifeMs },
    capture,
  )
  const files = downloads && (await parsedFiles(parts, call, capture, downloads, signal))
  const llm = withPageSource(parts.llm, sourceOf(capture, digest, plan.treatment.redact !== undefined))
  const history = call.history ?? trackerOf(parts, call, capture)
  const { markdown, links, alternates, controls, prints, mainText } = prepared.have
  const computedStyle = capture.computedStyle ?? null
  const clean = plan.clean && markdown ? await cleanMarkdownWithModel(markdown, llm, signal) : undefined
  if (clean?.answer) trace.add('answer', { option: 'onlyCleanContent', by: clean.answer.by, ...clean.answer.usage })
  const media = makePageMediaFetcher(parts, { plan, capture, teamId, baseUrl })
  const text = clean ? { markdown: clean.markdown } : {}
  const have = { ...prepared.have, ...text, screenshot, computedStyle, llm, history, media }
  const {
    fields,
    metadata: made,
    warnings,
    steps,
    doNotCache,
    lessons,
  } = await produceFields(plan.formats, { ...prepared, have }, signal)
  learnFromModel(parts, call, capture, digest, lessons)
  for (const step of steps) trace.add('answer', step)
  const modelUsage = sumModelUsage([clean?.answer?.usage, ...(steps as Partial<TokenUsage>[])])
  const { metadata: ofPage, ...documentFields } = readFacts(digest)
  const metadata: Document['metadata'] = {
    ...ofPage,
    ...captureFacts(capture),
    ...reserved,
    ...(made as Document['metadata']),
  }
  reportReading(parts, call, digest.reads)
  const whole: Document = {
    ...fields,
    ...(body.actions ? { actions: actions ?? NO_ACTIONS } : {}),
    ...(body.downloads ? { downloads: files?.downloads ?? [] } : {}),
    ...documentFields,
    ...warningOf([acquired, capture, digest, clean, { warnings }, files]),
    metadata,
  }
  const { redact } = plan.treatment
  return {
    packed: serialiseDocument(
      redact ? await redactDocument(whole, redact, digest.names ?? [], parts.workshop, signal) : whole,
    ),
    snapshot: history.toKeep(),
    downloadedPages: files?.pages ?? 0,
    explain: { kind: digest.kind, charset: digest.charset, digestMs: digest.ms, cuts: digest.cuts },
    doNotCache: doNotCache || clean?.answer?.doNotCache === true,
    ...(modelUsage ? { modelUsage } : {}),
    ...{ links, alternates, controls, prints },
    textHash: hashLongText(markdown?.bytes),
    mainText: mainText && serialiseDocument({ markdown: mainText, metadata }),
    retryAfter: capture.headers['retry-after'],
    marks: marksOf(capture, call.wantsPrints === true),
  }
}

const trackerOf = (parts: ScraperParts, { teamId, body, plan, hidden }: ScrapeCall, { status, fetchedAt }: Capture) =>
  makeChangeTracker(parts, {
    ...{ teamId, url: body.url, status, seenAt: fetchedAt, keep: plan.keep },
    visibility: hidden ? 'hidden' : 'visible',
  })

/** What the digest has read: fields of the document, and its metadata. */
function readFacts({ document, metadata }: PageDigest): Document {
  const { numPages, totalPages, ...fields } = document ?? {}
  const pages = { ...(numPages === undefined ? {} : { numPages }), ...(totalPages === undefined ? {} : { totalPages }) }
  return { ...fields, metadata: { ...metadata, ...pages } }
}

/** The warnings of all steps, each once, as one text. */
function warningOf(
  steps: readonly ({ warning?: string; warnings?: readonly string[] } | undefined)[],
): Pick<Document, 'warning'> {
  const all = steps.flatMap((step) => step?.warnings ?? step?.warning ?? [])
  return all.length > 0 ? { warning: [...new Set(all)].join(' ') } : {}
}

function reportReading({ extractors }: ScraperParts, call: ScrapeCall, reads: PageDigest['reads']): void {
  type Read = Partial<ReadingByExtractor> & { taught?: ReadingByExtractor }
  const json = reads.json as Read | undefined
  const tracked = reads.changeTracking as { learnt?: ReadingByExtractor } | undefined
  const { learnt, reading } = tracked?.learnt ?? json?.taught ?? json ?? {}
  // Of an offered program only some fields are read: that is no whole page to remember.
  const isKept = mayLearn(call) && !call.usesExtractors
  if (learnt && reading) extractors.report(call.teamId, learnt, reading, call.body.url, isKept)
}

/** A file that cannot be read keeps its link, and a warning says why. */
async function parsedFiles(
  { workshop }: ScraperParts,
  { plan, body, teamId }: ScrapeCall,
  capture: Capture,
  downloads: readonly DownloadWithLink[],
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
function sourceOf({ url, fetchedAt }: Capture, { metadata }: PageDigest, isRedacted: boolean): PageSource {
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
  const contentType = mediaTypeBySignatureOrHeader(body, headers['content-type'])
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
  /** By the site, beside what the document says itself. */
  reserved: readonly Reservation[]
}

function finish(
  call: ScrapeCall,
  source: Source,
  made: MadeDocument,
  trace: ScrapeTrace,
  scanned: Scanned,
  kept?: Kept,
): ScrapedPage {
  const { plan, body, upload } = call
  const { cacheId } = source
  const cache = cacheId ? 'hit' : plan.visit.cache.read ? 'miss' : undefined
  const own = readMetadataOfJson(made.packed)
  const credits = creditsOf(plan, own, made, scanned)
  const overlay: Document['metadata'] = {
    sourceURL: call.sourceUrl ?? body.url,
    ...(upload ? { sourceFile: upload.name, url: upload.name } : {}),
    scrapeId: call.id,
    ...(cache ? { cacheState: cache } : {}),
    ...(cacheId || kept ? { cachedAt: new Date(source.fetchedAt).toISOString() } : {}),
    creditsUsed: credits,
    ...modelFacts(made),
    ...siteFacts(own, scanned),
    ...queueFacts(call),
  }
  const overlayText = JSON.stringify(overlay)
  const json = mergeMetadataIntoJson(made.packed, overlay, overlayText)
  const answer = {
    id: call.id,
    json,
    document: () => JSON.parse(json().toString()) as Document,
    warning: readWarningOfJson(made.packed),
    source: cacheId ? 'cache' : source.engine,
    credits,
    answered: siteResponse({ ...own, ...overlay }, made),
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
        overlay: overlayText,
        explain: plan.keep ? explainText(source.engine, cache, made.explain, trace) : null,
        credits,
      },
      document: made.stored ?? {
        digestKey: made.doNotCache ? `${plan.digestKey} ${call.id}` : plan.digestKey,
        body: made.packed,
        // Kept only until the caller has fetched it.
        ...(plan.keep ? {} : { sealed: true }),
      },
      capture: cacheId ? { id: cacheId } : kept ? { cacheKey: plan.cacheKey, ...kept } : undefined,
      snapshot: plan.keep ? made.snapshot : undefined,
      findable: plan.keep ? toFindablePage(call, answer.answered, source, made) : undefined,
    },
  }
}

const creditsOf = (
  plan: ScrapePlan,
  { numPages }: Document['metadata'],
  { downloadedPages = 0 }: MadeDocument,
  { scan, led }: Scanned,
): number =>
  (typeof numPages === 'number' ? plan.creditsFor(numPages) : plan.credits) +
  downloadedPages * prices.page +
  scan.creditsFor(led)

/** None for a cached document: nothing was requested for it. */
function modelFacts({ modelUsage }: MadeDocument): Document['metadata'] {
  if (!modelUsage) return {}
  const { inputTokens, outputTokens, cost } = modelUsage
  return { modelTokens: inputTokens + outputTokens, ...(cost === undefined ? {} : { modelCost: cost }) }
}

function siteFacts(own: Document['metadata'], { scan, led, reserved }: Scanned): Document['metadata'] {
  const threatWarning = scan.warning(led)
  return {
    ...(threatWarning ? { threatWarning } : {}),
    ...(reserved.length > 0 ? describeReservations([...reservationsIn(own), ...reserved]) : {}),
  }
}

const queueFacts = ({ queue: { limited, waitedMs } }: ScrapeCall): Document['metadata'] => ({
  concurrencyLimited: limited,
  ...(limited ? { concurrencyQueueDurationMs: Math.round(waitedMs) } : {}),
})

const siteResponse = (
  { url, statusCode, canonical, language }: Document['metadata'],
  { retryAfter, textHash, marks, unchanged, sameText }: MadeDocument,
): ScrapedPage['answered'] => ({
  url: String(url),
  status: Number(statusCode),
  retryAfter,
  ...(typeof canonical === 'string' ? { canonical } : {}),
  ...(typeof language === 'string' ? { language } : {}),
  ...(textHash ? { textHash } : {}),
  ...(marks ? { marks } : {}),
  ...(unchanged ? { unchanged } : {}),
  ...(sameText ? { sameText } : {}),
})

function explainText(
  engine: string,
  cache: 'hit' | 'miss' | undefined,
  { cuts, ...facts }: Explain,
  trace: ScrapeTrace,
): string {
  const head = JSON.stringify({ engine, cache: cache ?? 'not consulted', ...facts }).slice(0, -1)
  return `${head}${cuts === undefined ? '' : `,"cuts":${cuts}`},"steps":${JSON.stringify(trace.steps())}}`
}

/** Values of flows may be secret, and nothing reads them again. */
const withoutValues = (body: ScrapeBody): ScrapeBody =>
  body.actions?.some(({ type }) => type === 'flow')
    ? { ...body, actions: body.actions.map((one) => (one.type === 'flow' ? { ...one, with: {} } : one)) }
    : body

function toFindablePage(
  { plan, upload, body }: ScrapeCall,
  { url, status }: ScrapedPage['answered'],
  { fetchedAt: at }: Source,
  { mainText }: MadeDocument,
): NewScrapeRecord['findable'] {
  if (!upload && (status === 404 || status === 410)) return { url, at, kind: 'gone' }
  if (!upload && (status >= 400 || isOwn(body) || !body.storeInCache)) return undefined
  // A page is found by its main content, whatever this caller asked for.
  const by = plan.isMainText ? {} : { by: { digestKey: plan.mainTextKey(), body: mainText } }
  return upload ? { url: upload.capture.url, at, kind: 'private', ...by } : { url, at, kind: 'page', ...by }
}

/** A page that depends on the caller is kept out of cache and search. */
const isOwn = ({ headers = {}, actions = [], profile }: ScrapeBody): boolean =>
  Object.keys(headers).length > 0 || actions.length > 0 || profile !== undefined

// The composition root: the only file that constructs and introduces. Whoever opens here is closed here, in reverse.

import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { dashboardNotes } from './api/dashboard.ts'
import { reportingHealth } from './api/health-checks.ts'
import { openKeyless } from './api/keyless.ts'
import { createMetrics, serviceGauges } from './api/metrics.ts'
import { buildServer } from './api/server.ts'
import { conditionOf } from './api/service-state.ts'
import { signInCode } from './api/session.ts'
import { openOwnSite, type Zoo } from './api/zoo/zoo.ts'
import type { Clock } from './base/clock.ts'
import { JsonBytes } from './base/json.ts'
import { OpenedResources } from './base/opened-resources.ts'
import { Problem } from './base/problem.ts'
import { noSpans, type Spans } from './base/spans.ts'
import type { JobWork } from './capabilities/capability.ts'
import { capabilities, declared, storages } from './capabilities/index.ts'
import type { CapabilityContext, Opened } from './capabilities/opened-services.ts'
import { allServices, type Services } from './capabilities/route.ts'
import { bucketIn, type Config, isLocalOnly, setTemporary } from './config.ts'
import { type Browsing, openBrowsing } from './fetch/browsing.ts'
import { mayUseAllowList } from './fetch/caller-reach.ts'
import type { RunFlow } from './fetch/chrome/actions.ts'
import { type Egress, openEgress } from './fetch/egress.ts'
import { headersFor } from './fetch/http.ts'
import { engines } from './fetch/index.ts'
import { openOtlp } from './fetch/otlp.ts'
import { completeHandler } from './jobs/complete-handlers.ts'
import { deliveryAnswer, type Post } from './jobs/delivery.ts'
import { discoveryAnswer } from './jobs/discovery.ts'
import { openHosts } from './jobs/host-politeness.ts'
import { openNews } from './jobs/job-changes.ts'
import { openJobService } from './jobs/job-service.ts'
import { pageAnswer } from './jobs/pages.ts'
import { openStoreQueue } from './jobs/store-queue.ts'
import type { WakeUpQueue } from './jobs/wake-up-queue.ts'
import { keepCapacity } from './jobs/worker-capacity.ts'
import { startWorkerPool } from './jobs/worker-pool.ts'
import { type LlmSwitch, type ModelChoice, openSwitch } from './llm/current-model.ts'
import type { Llm } from './llm/llm.ts'
import { findLocalModels, offerOf } from './llm/local.ts'
import { openTranscriber } from './llm/transcribe.ts'
import { defaultConcurrency, type Machine } from './machine.ts'
import { openHostMemory } from './scrape/host-memory.ts'
import { openMediaService } from './scrape/media/media.ts'
import { pageCache } from './scrape/page-cache.ts'
import { createScraper, type Scraper } from './scrape/scrape.ts'
import { profileStore } from './scrape/store/index.ts'
import { ocrFolder } from './scrape/workshop/ocr-languages.ts'
import { openWorkshop, type Workshop } from './scrape/workshop/workshop.ts'
import { filesIn } from './site/kept-files.ts'
import type { ReadPage, SiteFetch } from './site/ports.ts'
import { createSite, type Site } from './site/site.ts'
import { closeToOthers } from './store/folder.ts'
import { openStore, type Store } from './store/index.ts'
import { startJanitor } from './store/janitor.ts'
import { lockDataDir } from './store/lock.ts'
import { MODEL_KEY, MODEL_SETTING, TEAM_MODEL, teamModelKey } from './store/settings.ts'
import { openScratch } from './store/temp-folder.ts'
import { type Admission, createAdmission } from './teams/admission.ts'
import { authenticate, ensureFirstKey } from './teams/keys.ts'
import { createRateLimiter } from './teams/limits.ts'
import { type KeyReach, openReach } from './teams/may-reach-private.ts'
import { openMeter } from './teams/meter.ts'
import { shareAdmission } from './teams/shared-admission.ts'
import { teamStore } from './teams/store/index.ts'
import { openThreats, type Threats } from './teams/threats.ts'

/** What a process does: answers requests, works on jobs, or both. */
export type ProcessRole = 'serve' | 'work' | 'both'

export interface App {
  /** Undefined in a process that only works. */
  server: FastifyInstance | undefined
  /** For whoever starts it: the key that this start has made, and the code that signs in to the dashboard here, once. */
  greeting: { needsKey: boolean; newKey: string | undefined; signInCode: string | undefined }
  /** Lets requests under way finish, at most this long, then ends everything. */
  close(drainMs: number): Promise<void>
}

interface AppOptions {
  config: Config
  machine: Machine
  clock: Clock
  log: Logger
  version: string
  role: ProcessRole
}

/** Scrapes that may wait for each one under way; a longer line would outlast the callers' patience. */
const WAITING_PER_SLOT = 10

/** Heap for one page in a worker thread: a tree of 20 MiB of markup needs about 600 MB. */
const THREAD_MEMORY_MB = 1024

/** All that a child may hold for one piece of media; two hours of sound need about 200 MB. */
const MEDIA_MEMORY_MB = 600

/** All that a child may hold for one document; a PDF of 1,000 pages of text needs about 400 MB. */
const DOCUMENT_MEMORY_MB = 1500

export async function openApp(options: AppOptions): Promise<App> {
  const closing = new OpenedResources()
  try {
    return await open(options, closing)
  } catch (error) {
    await closing.run()
    throw error
  }
}

async function open(options: AppOptions, closing: OpenedResources): Promise<App> {
  const { config, machine, clock, log, version, role } = options
  const dataDir = resolve(config.dataDir)
  const store = await openMemory(options, dataDir, closing)
  const first = await ensureFirstKey({ store, dataDir, configuredKey: config.apiKey })
  const concurrency = config.concurrency ?? defaultConcurrency(machine)
  const admission = openAdmission(store, concurrency, clock, log)
  const spans = openTraces(options, closing)
  const metrics = createMetrics({ load: admission.load, ...serviceGauges(store, () => scraping) })
  const everyone = config.allowPrivate.length === 0 || config.allowPrivateFor === 'everyone'
  const reach = openReach({ store, clock, everyone, byTeam: config.llmTeams === 'on' })
  const zoo = role === 'work' ? undefined : await openOwnSite(config, clock, closing)
  const runFlow: RunFlow = (...args) => services.flows.runFlow(...args)
  const making = { machine, clock, log, store, dataDir, reach, onDigest: metrics.digest, runFlow }
  const scraping = await openScraper({ ...making, config, zoo }, closing)
  const { egress, browsing, modelOffers, scraper, site, threats, drawPage, llm, models, comparePages } = scraping
  const news = openNews()
  const queue = await openQueue(store, clock, log)
  const kinds = new Map(capabilities.flatMap(({ jobs }) => jobs.map((job) => [job.name, job])))
  const jobService = openJobService({ store, queue, news, clock, kinds })
  const linkBase = config.publicUrl ?? `http://localhost:${config.port}`
  if (role === 'work' && config.publicUrl === undefined)
    log.warn(`ORB_PUBLIC_URL is not set: links to files of monitors and agents lead to ${linkBase}`)
  const stopping = new AbortController()
  const maker = version
  await chosenModels(store, models)
  const following = setInterval(() => void chosenModels(store, models).catch(() => undefined), MODEL_CHECK_MS)
  following.unref()
  closing.add(() => clearInterval(following))
  const opened = await openCapabilities({
    ...{ config, store, clock, log, version, maker, llm, live: browsing.live, comparePages, closing },
    post: postFor(egress),
    services: () => services,
  })
  const parts = { store, browsing, llm, dataDir, stopping: stopping.signal, others: opened.parts }
  const health = reportingHealth(parts, () => [...dashboardNotes(), ...modelOffers, ...opened.notes()], version, clock)
  const meter = openMeter({
    store: teamStore(store),
    clock,
    log,
    onPage: metrics.page,
  })
  closing.add(() => meter.stop())
  const services = complete({
    ...opened.services,
    core: { store, clock, log, version },
    pages: { scraper, drawPage, maker, linkBase, admission, meter },
    web: { site, assertVisitable: egress.check, robotsChoice: config.robotsChoice === 'on', reach, threats },
    models: { llm, models },
    jobs: { jobService, news, queue },
    service: {
      rates: createRateLimiter(clock, store.dialect === 'postgres' ? teamStore(store).limits : undefined),
      declared: declared(),
      condition: () => conditionOf({ store, admission, browsing, health, concurrency, dataDir, role }),
    },
    own: opened.own,
  })
  // Before the queue, whose last answers still need all the rest.
  closing.add(() => queue.close())
  if (role === 'serve') closing.add(keepCapacity(store, jobService))
  else await startWork({ services, spans, post: postFor(egress), concurrency }, closing)

  const anybody = config.auth === 'off' ? first.caller : undefined
  const local = isLocalOnly(config) && !anybody ? { key: first.key, code: signInCode() } : undefined
  const { publicUrl, trustedProxies } = config
  const server =
    role === 'work'
      ? undefined
      : await buildServer({
          ...{ capabilities, services, metrics, spans, health, log, publicUrl, trustedProxies, local, zoo },
          authenticate: async (presented) => anybody ?? (await authenticate(store, presented)),
          keylessKey: await openKeyless(store, config),
          blockOwnPort: egress.blockOwnPort,
          upgrades: opened.upgrades,
          strictBodies: config.strictBodies === 'on',
          checkReplies: config.checkReplies === 'on',
          stopping: stopping.signal,
        })
  return {
    server,
    greeting: { needsKey: !anybody, newKey: first.isNew ? first.key : undefined, signInCode: local?.code },
    async close(drainMs) {
      const timer = setTimeout(() => stopping.abort(new Problem('unavailable', { because: 'it is stopping' })), drainMs)
      await server?.close()
      clearTimeout(timer)
      await closing.run()
    },
  }
}

/** Spans for the collector that the operator named. */
function openTraces({ config, version, role, log }: AppOptions, closing: OpenedResources): Spans {
  const { otlpEndpoint: endpoint, otlpHeaders: headers, otelServiceName: name, dnsServers } = config
  if (endpoint === undefined) return noSpans
  const service = { name, version, role, instance: randomUUID() }
  const otlp = openOtlp({ endpoint, headers, service, dnsServers, log })
  closing.add(() => otlp.close())
  return otlp.spans
}

/** What capabilities open themselves. */
async function openCapabilities(context: CapabilityContext) {
  const all: Opened<object>[] = []
  for (const capability of capabilities) all.push(await capability.open(context))
  return {
    services: Object.assign({}, ...all.map(({ services }) => services)) as Partial<Services>,
    own: Object.fromEntries(all.map(({ own = {} }, at) => [capabilities[at]!.name, own])),
    notes: () => all.flatMap(({ notes }) => notes?.() ?? []),
    parts: all.flatMap(({ part }) => part ?? []),
    upgrades: all.flatMap(({ upgrade }) => upgrade ?? []),
  }
}

/** A service that a capability needs and nobody opened is noticed at start, and not by the first caller. */
function complete(services: Partial<Services>): Services {
  for (const { name, needs } of capabilities)
    for (const need of needs)
      if (services[need] === undefined) throw new Error(`the capability ${name} needs ${need}, which nothing opens`)
  return services as Services
}

/** The slots of this process; on PostgreSQL a team's slots are counted in all processes together. */
function openAdmission(store: Store, concurrency: number, clock: Clock, log: Logger): Admission {
  const maxWaiting = concurrency * WAITING_PER_SLOT
  const local = createAdmission({ concurrency, maxWaiting })
  return store.dialect === 'postgres'
    ? shareAdmission({ local, limits: teamStore(store).limits, maxWaiting, clock, log })
    : local
}

/** The data folder, locked, and the store in it, kept clean. */
async function openMemory(options: AppOptions, dataDir: string, closing: OpenedResources): Promise<Store> {
  const { config, clock, log, role } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  closeToOthers(dataDir)
  // With PostgreSQL the truth is elsewhere, and as many processes as wanted share it.
  if (config.databaseUrl === undefined) {
    const lock = lockDataDir(dataDir)
    closing.add(() => lock.release())
  }
  const store = await openStore({
    databaseUrl: config.databaseUrl,
    secretKeyFile: config.secretKeyFile,
    storages,
    bucket: bucketIn(config),
    ...(role === 'both' ? {} : { blobsInDatabase: true }),
    dataDir,
    clock,
    log,
    cacheMaxBytes: config.cacheMaxMb * 1024 * 1024,
    searchIndex: config.searchIndex !== 'never',
    snapshotsMaxBytes: config.snapshotsMaxMb * 1024 * 1024,
    cacheMaxAgeMs: config.cacheMaxDays * 86_400_000,
    auditMaxAgeMs: config.auditDays * 86_400_000,
  })
  closing.add(() => store.close())
  const scratch = openScratch(dataDir)
  closing.add(() => scratch.remove())
  setTemporary(scratch.path)
  const janitor = startJanitor(store, { clock, log })
  closing.add(() => janitor.stop())
  return store
}

interface ScraperOptions extends Omit<AppOptions, 'version' | 'role'> {
  store: Store
  dataDir: string
  reach: KeyReach
  onDigest(seconds: number): void
  runFlow: RunFlow
  zoo: Zoo | undefined
}

interface ScraperServices {
  llm: Llm
  models: LlmSwitch
  egress: Egress
  browsing: Browsing
  scraper: Scraper
  site: Site
  threats: Threats
  drawPage: Workshop['drawPage']
  comparePages: Workshop['watch']
  /** For operators: a model server that was found and is not used. */
  modelOffers: string[]
}

/** The model that is set, or one that was found on this machine when the operator wants that. */
async function openModelFor(config: Config, egress: Egress, log: Logger, closing: OpenedResources) {
  const probing = new AbortController()
  closing.add(() => probing.abort())
  const wantsLocal = config.llmUrl === undefined && config.llmReplay === undefined
  const taken = wantsLocal && config.llmAuto === 'on' ? await findLocalModels(config.llmLocal, probing.signal) : []
  const models = openSwitch(
    {
      url: config.llmUrl ?? taken[0]?.url ?? (config.llmReplay ? 'http://replay.invalid/v1' : undefined),
      model: config.llmModel ?? taken[0]?.model ?? (config.llmReplay ? 'recorded' : undefined),
      key: config.llmKey,
      contextTokens: config.llmContext,
      timeoutMs: config.llmTimeout * 1000,
      small: config.llmSmall,
      price: config.llmPrice,
      smallPrice: config.llmSmallPrice,
      record: config.llmRecord,
      replay: config.llmReplay,
      log,
    },
    config.llmTeams === 'on' ? modelFetch(egress) : undefined,
  )
  // In the background: a model that is slow to say what it is holds nothing up.
  void models.llm.probe(probing.signal)
  const modelOffers: string[] = []
  if (wantsLocal && taken.length === 0)
    void findLocalModels(config.llmLocal, probing.signal).then(([found]) => {
      if (!found) return
      modelOffers.push(offerOf(found))
      log.info(found, 'a language model was found on this machine and is not used')
    })
  return { models, modelOffers }
}

/** Another process may have changed the model. */
const MODEL_CHECK_MS = 15_000

/** Takes the models that the operator and teams chose in the dashboard; they win over the environment. */
async function chosenModels(store: Store, models: LlmSwitch): Promise<void> {
  const { settings } = store
  models.use(await chosenIn(store, await settings.get(MODEL_SETTING), MODEL_KEY))
  if (!models.mayTeams) return
  const stored = await settings.named(TEAM_MODEL)
  const teams = new Map(stored.map(({ name, value }) => [name.slice(TEAM_MODEL.length), value]))
  for (const teamId of models.teams()) if (!teams.has(teamId)) models.useFor(teamId, undefined)
  for (const [teamId, value] of teams) models.useFor(teamId, await chosenIn(store, value, teamModelKey(teamId)))
}

async function chosenIn(
  { settings }: Store,
  stored: string | undefined,
  keyName: string,
): Promise<ModelChoice | undefined> {
  if (!stored) return undefined
  const { url, model } = JSON.parse(stored) as { url: string; model: string }
  const key = (await settings.get(keyName)) ?? ''
  return { url, model, ...(key === '' ? {} : { key }) }
}

const MODEL_REPLY_BYTES = 10 * 1024 * 1024

/** Requests to the endpoint that a team named, under the same policy as its pages. */
const modelFetch =
  (egress: Egress): typeof fetch =>
  async (url, init) => {
    const { body } = init ?? {}
    const {
      status,
      headers,
      body: bytes,
    } = await egress.fetch(
      {
        url: String(url),
        method: init?.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init?.headers)),
        ...(typeof body === 'string' ? { body: Buffer.from(body) } : {}),
        skipTlsVerification: false,
        proxy: 'basic',
        maxRedirects: 0,
        maxBytes: MODEL_REPLY_BYTES,
      },
      init?.signal ?? new AbortController().signal,
    )
    // The body is decoded already.
    const { 'content-encoding': _, 'content-length': __, ...kept } = headers
    return new Response(status === 204 || status === 304 ? null : Buffer.from(bytes), { status, headers: kept })
  }

/** The outside web, the worker threads, and the roads between them: of one page, and of what a site has. */
async function openScraper(options: ScraperOptions, closing: OpenedResources): Promise<ScraperServices> {
  const { config, machine, clock, log, store, dataDir, reach, onDigest, zoo } = options
  const threats = await openThreats({ config, store, dataDir, clock, log })
  closing.add(() => threats.guard.close())
  const egress = openEgress({
    allowPrivate: config.allowPrivate,
    openToAll: zoo ? [zoo.host] : [],
    dnsServers: config.dnsServers,
    proxies: { basic: config.proxiesBasic, enhanced: config.proxiesEnhanced },
    log,
    guard: threats.guard,
    mayUseAllowList,
  })
  closing.add(() => egress.close())
  const { chromium, browserEndpoints: endpoints, egressAddress, browserSandbox: sandbox } = config
  const browsing = openBrowsing({
    egress,
    chromium,
    endpoints,
    egressAddress,
    sandbox,
    leases: store.leases,
    maxSessions: config.maxSessions,
    clock,
    dataDir,
    machine,
    log,
    runFlow: options.runFlow,
  })
  closing.add(() => browsing.close())
  const workshop = openWorkshop({
    script: new URL('./scrape/workshop/worker.js', import.meta.url),
    threads: machine.cores,
    memoryMb: THREAD_MEMORY_MB,
    documentScript: new URL('./scrape/workshop/document-child.js', import.meta.url),
    documentMemoryMb: DOCUMENT_MEMORY_MB,
    ocrFolder: ocrFolder(dataDir),
  })
  closing.add(() => workshop.close())
  const { models, modelOffers } = await openModelFor(config, egress, log, closing)
  const { llm } = models
  const scraper = createScraper({
    engines: engines({
      egress,
      pageCache: pageCache(store.pages, clock),
      browser: browsing.engine,
      disguise: browsing.disguise,
    }),
    hosts: openHostMemory(clock),
    indexesPages: config.searchIndex !== 'never',
    hasEnhancedProxies: config.proxiesEnhanced.length > 0,
    workshop,
    pages: store.pages,
    blobs: store.blobs,
    profiles: profileStore(store),
    llm,
    snapshots: store.snapshots,
    diffFormat: config.diffFormat,
    threats,
    media: openMediaService({
      fetch: (request, signal) => egress.fetch({ ...request, skipTlsVerification: true, proxy: 'basic' }, signal),
      child: { script: new URL('./scrape/media/child.js', import.meta.url), memoryMb: MEDIA_MEMORY_MB },
      workDir: join(dataDir, 'work'),
      maxBytes: config.mediaMaxMb * 1024 * 1024,
      ffmpeg: config.ffmpeg,
      extractor: config.mediaExtractor,
      transcribe: openTranscriber(config),
      blobs: store.blobs,
      clock,
      log,
    }),
    clock,
    onDigest,
    as: reach.as,
  })
  const site = openSite(egress, workshop, store, clock)
  return {
    egress,
    browsing,
    scraper,
    site,
    threats,
    llm,
    models,
    drawPage: workshop.drawPage,
    comparePages: workshop.watch,
    modelOffers,
  }
}

const openSite = (egress: Egress, workshop: Workshop, store: Store, clock: Clock): Site =>
  createSite({
    fetch: fetchFor(egress),
    readPage: readerIn(workshop),
    files: filesIn(store.pages),
    sharesRobots: store.dialect === 'postgres',
    clock,
  })

async function openQueue(store: Store, clock: Clock, log: Logger): Promise<WakeUpQueue> {
  const { wakeUps, wakeUpSignals: signals } = store
  // The lock on the data folder says that nobody else is at work: what was leased belongs to a process that is gone.
  if (!signals) await wakeUps.freeAll()
  return openStoreQueue({ wakeUps, signals, clock, log })
}

interface WorkParts {
  services: Services
  spans: Spans
  post: Post
  concurrency: number
}

/** The worker pool of this process, for the jobs that capabilities declare. */
async function startWork({ services, spans, post, concurrency }: WorkParts, closing: OpenedResources): Promise<void> {
  const all = allServices(services)
  const { store, queue, clock, log, reach, threats } = all
  const { as } = reach
  const { under } = threats
  const jobs = capabilities.flatMap((capability) =>
    capability.jobs.map((job) => [job.name, job.work(services)] as const),
  )
  const others = capabilities.map((capability) => capability.work(services))
  for (const { close } of others) if (close) closing.add(close)
  const ofKind = <Name extends keyof JobWork>(name: Name) =>
    new Map(jobs.flatMap(([kind, work]) => (work[name] ? [[kind, work[name]] as const] : [])))
  let processes = 1
  const hosts = openHosts({ clock, shared: store.hostTurns, processes: () => processes })
  const workerPool = await startWorkerPool({
    ...all,
    concurrency,
    async onBeat() {
      if (store.hostTurns) processes = await store.workers.count()
    },
    answers: {
      page: pageAnswer({ ...all, hosts, visits: ofKind('visit'), as, spans }),
      discover: discoveryAnswer({ ...all, as, under }, ofKind('discover')),
      settle: completeHandler(all, ofKind('complete')),
      webhook: deliveryAnswer({ store, queue, clock, log, post, as, under }),
    },
    wakeUps: new Map(others.flatMap(({ wakeUps = {} }) => Object.entries(wakeUps))),
    polls: others.flatMap(({ poll: look }) => look ?? []),
  })
  closing.add(() => workerPool.stop())
}

/** What webhooks may ask of the web: one POST, no redirects, and hardly any answer. */
const postFor =
  (egress: Egress): Post =>
  ({ url, headers, body }, signal) =>
    egress.fetch(
      {
        url,
        method: 'POST',
        headers,
        body,
        skipTlsVerification: false,
        proxy: 'basic',
        maxRedirects: 0,
        maxBytes: 4096,
      },
      signal,
    )

/** What site/ may ask of the web: plain visits through the one door. */
const fetchFor =
  (egress: Egress): SiteFetch =>
  ({ url, headers, credentialHosts, maxBytes }, signal) =>
    egress.fetch(
      {
        url,
        credentialHosts,
        headers: headersFor({ headers, languages: ['en-US', 'en'], mobile: false }),
        skipTlsVerification: true,
        proxy: 'basic',
        maxBytes,
      },
      signal,
    )

const WHOLE_PAGE = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }

const readerIn =
  (workshop: Workshop): ReadPage =>
  async ({ body, headers, url }, signal) => {
    const page = { bytes: body, contentType: headers['content-type'], url, choices: WHOLE_PAGE }
    const { materials, metadata } = await workshop.digest({ ...page, needs: ['links'], reads: [] }, 'sites', signal)
    const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)
    return {
      links: materials.links ? new JsonBytes<string[]>(materials.links).value() : [],
      title: first(metadata.title),
      description: first(metadata.description),
    }
  }

// The composition root: the only file that constructs services and connects them. What it opens it closes, in reverse.
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { openKeylessAccess } from './api/client-address.ts'
import { dashboardWarnings } from './api/dashboard.ts'
import { newSignInCode } from './api/dashboard-session.ts'
import { makeHealthReporter } from './api/health-reporter.ts'
import { createMetrics, type Metrics, makeGaugeReaders } from './api/metrics.ts'
import { readServiceStatus } from './api/read-service-status.ts'
import { buildServer } from './api/server.ts'
import { openZooSite, type Zoo } from './api/zoo/zoo.ts'
import { callContext } from './base/call-context.ts'
import { type Clock, DAY_MS } from './base/clock.ts'
import { collectAtRest } from './base/collect-garbage.ts'
import { JsonBytes } from './base/json-bytes.ts'
import { OpenedResources } from './base/opened-resources.ts'
import { Problem } from './base/problem.ts'
import { disabledSpans, type Spans } from './base/spans.ts'
import type { JobHandlers } from './capabilities/capability.ts'
import type { CapabilityContext, OpenedCapability } from './capabilities/capability-context.ts'
import { capabilities, declaredGroupsAndActivities, storages } from './capabilities/index.ts'
import type { AllServices } from './capabilities/route.ts'
import { bucketOptionsOf, type Config, listensLocallyOnly, setTemporaryFolder } from './config.ts'
import { botIdentity, openBotIdentity, setBotIdentity } from './fetch/bot-identity.ts'
import type { RunFlow } from './fetch/chrome/run-actions.ts'
import { type Egress, openEgress } from './fetch/egress.ts'
import { makeBrowserHeaders } from './fetch/http-engine.ts'
import { listEngines } from './fetch/index.ts'
import { type OnDemandPackages, openOnDemandPackages } from './fetch/on-demand-packages.ts'
import { type BrowserServices, openBrowserServices } from './fetch/open-browser-services.ts'
import { openOperatorFetch } from './fetch/operator-fetch.ts'
import { openOtlpExporter } from './fetch/otlp-exporter.ts'
import { mayUseAllowList, setTeamsWithProxies } from './fetch/private-address-access.ts'
import { hasProxyFor, teamsOfProxies } from './fetch/proxy-selector.ts'
import { makeJobCompletionHandler } from './jobs/complete-jobs.ts'
import { makeWebhookDeliveryHandler, type PostWebhook } from './jobs/deliver-webhooks.ts'
import { openHostPoliteness } from './jobs/host-politeness.ts'
import { openJobChangeNotifier } from './jobs/job-change-notifier.ts'
import { openJobService } from './jobs/job-service.ts'
import { makePageHandler } from './jobs/process-pages.ts'
import { makeDiscoveryHandler } from './jobs/run-discovery.ts'
import type { WorkQueue } from './jobs/work-queue.ts'
import { openWorkQueueInStore } from './jobs/work-queue-in-store.ts'
import { pollWorkerCapacity } from './jobs/worker-capacity.ts'
import { startWorkerPool } from './jobs/worker-pool.ts'
import { type CurrentModel, type ModelChoice, openCurrentModel, readModelKey } from './llm/current-model.ts'
import { describeLocalModels, findLocalModels } from './llm/find-local-models.ts'
import type { Llm } from './llm/llm.ts'
import { openTranscriber } from './llm/transcribe.ts'
import { defaultConcurrency, type MachineResources } from './machine.ts'
import { openHostVisitHistory } from './scrape/host-visit-history.ts'
import type { ExtractorLookup } from './scrape/learnt-extractor.ts'
import { type MediaService, openMediaService } from './scrape/media/media-service.ts'
import type { UsePolicy } from './scrape/opt-outs.ts'
import { makePageCache } from './scrape/page-cache.ts'
import { createScraper, type Scraper } from './scrape/scrape.ts'
import { browserProfileStore } from './scrape/store/index.ts'
import { type ContentWorkerPool, openContentWorkerPool } from './scrape/workshop/content-worker-pool.ts'
import { ocrFolderPath } from './scrape/workshop/ocr-languages.ts'
import { createSiteDiscoverer, type SiteDiscoverer } from './site/discover-site.ts'
import { robotsAgent } from './site/fetch-robots.ts'
import type { ParseSitePage, SiteFetch } from './site/site-fetch-types.ts'
import { makeSiteFileCache } from './site/site-file-cache.ts'
import { makeSiteReservationReader } from './site/site-reservations.ts'
import { openStore, type Store } from './store/index.ts'
import { lockDataDir, restrictToOwner } from './store/lock-data-folder.ts'
import { MODEL_KEY_SETTING, MODEL_SETTING, TEAM_MODEL_PREFIX, teamModelKeyName } from './store/settings.ts'
import { startJanitor } from './store/start-janitor.ts'
import { type AdmissionControl, createAdmissionControl } from './teams/concurrency-slots.ts'
import { openJwtVerifier } from './teams/identity-assertions.ts'
import { authenticate, ensureFirstKey } from './teams/keys.ts'
import { type ModelBudget, openModelBudget } from './teams/model-budget.ts'
import { type OidcSignIn, openOidcSignIn } from './teams/oidc-sign-in.ts'
import { openPrivateNetworkReach, type PrivateNetworkReach } from './teams/private-network-reach.ts'
import { createRateLimiter } from './teams/rate-limits.ts'
import { makeSharedAdmissionControl } from './teams/shared-admission-control.ts'
import { teamStore } from './teams/store/index.ts'
import { openTeamSetting, type TeamSetting } from './teams/team-setting.ts'
import { openTeamThreatPolicies, type TeamThreatPolicies } from './teams/team-threat-policies.ts'
import { openUsageMeter } from './teams/usage-meter.ts'
import { openTempFolder } from './temp-folder.ts'

/** What a process does: answers requests, works on jobs, or both. */
export type ProcessRole = 'serve' | 'work' | 'both'

export interface App {
  /** Undefined in a process that only works. */
  server: FastifyInstance | undefined
  /** Printed at the start: the API key if this start created one, and a one-time sign-in code for the dashboard. */
  greeting: { needsKey: boolean; newKey: string | undefined; signInCode: string | undefined }
  /** Lets requests under way finish, at most this long, then ends everything. */
  close(drainMs: number): Promise<void>
}

interface AppOptions {
  config: Config
  machine: MachineResources
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

const webAccess = ({ check, fetch }: Egress, { robotsChoice }: Config) => ({
  assertVisitable: check,
  sendRequest: fetch,
  robotsChoice: robotsChoice === 'on',
})

async function open(options: AppOptions, closing: OpenedResources): Promise<App> {
  const { config, machine, clock, log, version, role } = options
  const dataDir = resolve(config.dataDir)
  const store = await openMemory(options, dataDir, closing)
  startBotIdentity(options, store)
  const first = await ensureFirstKey({ store, dataDir, configuredKey: config.apiKey })
  const concurrency = config.concurrency ?? defaultConcurrency(machine)
  const admission = openAdmission(store, concurrency, clock, log)
  const spans = openTraces(options, closing)
  const metrics = createMetrics({ load: admission.load, ...makeGaugeReaders(store, () => scraping) })
  const reach = openReach(config, store, clock)
  const zoo = role === 'work' ? undefined : await openZooSite(config, clock, closing)
  const runFlow: RunFlow = (...args) => services.runFlow(...args)
  const extractors = lateExtractors(() => services)
  const { meter, modelBudget } = openMeters(store, clock, log, metrics.page, closing)
  const making = { machine, clock, log, store, dataDir, reach, onDigest: metrics.digest, runFlow, extractors }
  const scraping = await openScraper({ ...making, config, zoo, modelBudget }, closing)
  const { egress, browsing, llm, models, comparePages, learnFromPages } = scraping
  const news = openJobChangeNotifier()
  const queue = await openQueue(store, clock, log)
  const jobService = openJobService({ store, queue, news, clock, kinds: listJobKinds() })
  const linkBase = linkBaseOf(options)
  const stopping = new AbortController()
  await followChosenModels(store, models, closing)
  const basics = { store, clock, log, version, maker: version, llm }
  const opened = await openCapabilities({
    ...basics,
    config,
    live: browsing.live,
    comparePages,
    learnFromPages,
    post: postFor(egress),
    closing,
    services: () => services,
  })
  const parts = { store, browsing, llm, dataDir, stopping: stopping.signal, others: opened.parts }
  const notes = () => [...dashboardWarnings(), ...scraping.modelOffers, ...opened.notes()]
  const health = makeHealthReporter(parts, notes, version, clock)
  const services = complete({
    ...opened.services,
    ...scraping,
    ...webAccess(egress, config),
    ...basics,
    linkBase,
    admission,
    meter,
    reach,
    modelBudget,
    jobService,
    news,
    queue,
    rates: createRateLimiter(clock, store.dialect === 'postgres' ? teamStore(store).limits : undefined),
    declared: declaredGroupsAndActivities(),
    condition: () => readServiceStatus({ store, admission, browsing, health, concurrency, dataDir, role }),
    own: opened.own,
  })
  // Before the queue, whose last answers still need all the rest.
  closing.add(() => queue.close())
  if (role === 'serve') closing.add(pollWorkerCapacity(store, jobService))
  else await startWork({ services, spans, post: postFor(egress), concurrency }, closing)
  const anybody = config.auth === 'off' ? first.caller : undefined
  const local = listensLocallyOnly(config) && !anybody ? { key: first.key, code: newSignInCode() } : undefined
  const server =
    role === 'work'
      ? undefined
      : await buildServer({
          ...{ capabilities, services, metrics, spans, health, log, local, zoo },
          publicUrl: config.publicUrl,
          trustedProxies: config.trustedProxies,
          authenticate: async (presented) => anybody ?? (await authenticate(store, presented)),
          keylessKey: await openKeylessAccess(store, config),
          blockOwnPort: egress.blockOwnPort,
          upgrades: opened.upgrades,
          ...{ strictBodies: config.strictBodies === 'on', checkReplies: config.checkReplies === 'on' },
          otherApis: config.otherApis,
          oidc: openOidc(options, store, closing),
          stopping: stopping.signal,
        })
  return {
    server,
    greeting: { needsKey: !anybody, newKey: first.isNew ? first.key : undefined, signInCode: local?.code },
    async close(drainMs) {
      await drainServer(server, stopping, drainMs)
      await closing.run()
    },
  }
}

/** Requests that still run after that time are aborted. */
async function drainServer(server: App['server'], stopping: AbortController, drainMs: number) {
  const timer = setTimeout(() => stopping.abort(new Problem('unavailable', { because: 'it is stopping' })), drainMs)
  await server?.close()
  clearTimeout(timer)
}

function openReach(config: Config, store: Store, clock: Clock) {
  const everyone = config.allowPrivate.length === 0 || config.allowPrivateFor === 'everyone'
  return openPrivateNetworkReach({ store, clock, everyone, byTeam: differsByTeam(config) })
}

const listJobKinds = () => new Map(capabilities.flatMap(({ jobs }) => jobs.map((job) => [job.name, job])))

function linkBaseOf({ config, role, log }: AppOptions): string {
  const linkBase = config.publicUrl ?? `http://localhost:${config.port}`
  if (role === 'work' && config.publicUrl === undefined)
    log.warn(`ORB_PUBLIC_URL is not set: links to files of monitors and agents lead to ${linkBase}`)
  return linkBase
}

async function followChosenModels(store: Store, models: Parameters<typeof chosenModels>[1], closing: OpenedResources) {
  await chosenModels(store, models)
  const following = setInterval(() => void chosenModels(store, models).catch(() => undefined), MODEL_CHECK_MS)
  following.unref()
  closing.add(() => clearInterval(following))
}

function startBotIdentity({ config, version, clock }: AppOptions, { settings: secrets }: Store): void {
  const { botName: name, botContact: contact, publicUrl } = config
  setBotIdentity(name && publicUrl ? openBotIdentity({ name, contact, version, publicUrl, secrets, clock }) : undefined)
}

function openMeters(store: Store, clock: Clock, log: Logger, onPage: Metrics['page'], closing: OpenedResources) {
  const meter = openUsageMeter({ store: teamStore(store), clock, log, onPage })
  closing.add(() => meter.stop())
  return { meter, modelBudget: openModelBudget({ store, usage: teamStore(store).usage, meter, clock }) }
}

function openOidc({ config, clock, log }: AppOptions, store: Store, closing: OpenedResources): OidcSignIn | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, publicUrl, dnsServers } = config
  if (!issuer || !clientId || !clientSecret || !publicUrl) return undefined
  const documents = openOperatorFetch({ addresses: [issuer], dnsServers, log })
  closing.add(() => documents.close())
  const { fetchJson } = documents
  const { oidcDomains: domains, oidcGroups: groups, oidcAdminGroups: adminGroups } = config
  const redirectUri = `${publicUrl}/api/session/oidc/callback`
  const options = { issuer, clientId, clientSecret, redirectUri, domains, groups, adminGroups }
  return openOidcSignIn({ options, store, clock, fetchJson, verifyJwt: openJwtVerifier({ fetchJson, clock }) })
}

/** Capabilities open after the scraper. */
const lateExtractors = (services: () => AllServices): ExtractorLookup => ({
  find: (...args) => services().extractors.find(...args),
  forSchema: (...args) => services().extractors.forSchema(...args),
  taughtByModel: (...args) => services().extractors.taughtByModel(...args),
  learn: (...args) => services().extractors.learn(...args),
  report: (...args) => services().extractors.report(...args),
})

function openTraces({ config, version, role, log }: AppOptions, closing: OpenedResources): Spans {
  const { otlpEndpoint: endpoint, otlpHeaders: headers, otelServiceName: name, dnsServers } = config
  if (endpoint === undefined) return disabledSpans
  const service = { name, version, role, instance: randomUUID() }
  const otlp = openOtlpExporter({ endpoint, headers, service, dnsServers, log })
  closing.add(() => otlp.close())
  return otlp.spans
}

async function openCapabilities(context: CapabilityContext) {
  const all: OpenedCapability<object>[] = []
  for (const capability of capabilities) all.push(await capability.open(context))
  return {
    services: Object.assign({}, ...all.map(({ services }) => services)) as Partial<AllServices>,
    own: Object.fromEntries(all.map(({ own = {} }, at) => [capabilities[at]!.name, own])),
    notes: () => all.flatMap(({ notes }) => notes?.() ?? []),
    parts: all.flatMap(({ part }) => part ?? []),
    upgrades: all.flatMap(({ upgrade }) => upgrade ?? []),
  }
}

/** Fails at start, not at the first request, when a capability needs a service that no other one opens. */
function complete(services: Partial<AllServices>): AllServices {
  for (const { name, needs } of capabilities)
    for (const need of needs)
      if (services[need] === undefined) throw new Error(`the capability ${name} needs ${need}, which no other opens`)
  return services as AllServices
}

/** The slots of this process; on PostgreSQL a team's slots are counted in all processes together. */
function openAdmission(store: Store, concurrency: number, clock: Clock, log: Logger): AdmissionControl {
  const maxWaiting = concurrency * WAITING_PER_SLOT
  const local = createAdmissionControl({ concurrency, maxWaiting })
  return store.dialect === 'postgres'
    ? makeSharedAdmissionControl({ local, limits: teamStore(store).limits, maxWaiting, clock, log })
    : local
}

/** The data folder, locked, and the store in it, kept clean. */
async function openMemory(options: AppOptions, dataDir: string, closing: OpenedResources): Promise<Store> {
  const { config, clock, log, role } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  restrictToOwner(dataDir)
  // With PostgreSQL the truth is elsewhere, and as many processes as wanted share it.
  if (config.databaseUrl === undefined) {
    const lock = lockDataDir(dataDir)
    closing.add(() => lock.release())
  }
  const store = await openStore({
    databaseUrl: config.databaseUrl,
    secretKeyFile: config.secretKeyFile,
    storages,
    bucket: bucketOptionsOf(config),
    ...(role === 'both' ? {} : { blobsInDatabase: true }),
    dataDir,
    clock,
    log,
    cacheMaxBytes: config.cacheMaxMb * 1024 * 1024,
    searchIndex: config.searchIndex !== 'never',
    snapshotsMaxBytes: config.snapshotsMaxMb * 1024 * 1024,
    cacheMaxAgeMs: config.cacheMaxDays * DAY_MS,
    auditMaxAgeMs: config.auditDays * DAY_MS,
  })
  closing.add(() => store.close())
  const scratch = openTempFolder(dataDir)
  closing.add(() => scratch.remove())
  setTemporaryFolder(scratch.path)
  const janitor = startJanitor(store, { clock, log })
  closing.add(() => janitor.stop())
  return store
}

interface ScraperOptions extends Omit<AppOptions, 'version' | 'role'> {
  store: Store
  dataDir: string
  reach: PrivateNetworkReach
  onDigest(seconds: number): void
  runFlow: RunFlow
  extractors: ExtractorLookup
  modelBudget: ModelBudget
  zoo: Zoo | undefined
}

interface ScraperServices {
  llm: Llm
  models: CurrentModel
  egress: Egress
  browsing: BrowserServices
  scraper: Scraper
  site: SiteDiscoverer
  usePolicies: TeamSetting<UsePolicy>
  threats: TeamThreatPolicies
  drawPage: ContentWorkerPool['drawPage']
  comparePages: ContentWorkerPool['watch']
  learnFromPages: ContentWorkerPool['learn']
  /** For operators: a model server that was found and is not used. */
  modelOffers: string[]
}

/** The model that is set, or one that was found on this machine when the operator wants that. */
async function openModelFor(
  { config, log, modelBudget: meter }: Pick<ScraperOptions, 'config' | 'log' | 'modelBudget'>,
  egress: Egress,
  closing: OpenedResources,
) {
  const probing = new AbortController()
  closing.add(() => probing.abort())
  const wantsLocal = config.llmUrl === undefined
  const taken = wantsLocal && config.llmAuto === 'on' ? await findLocalModels(config.llmLocal, probing.signal) : []
  const models = openCurrentModel(
    {
      url: config.llmUrl ?? taken[0]?.url,
      model: config.llmModel ?? taken[0]?.model,
      key: config.llmKey,
      contextTokens: config.llmContext,
      timeoutMs: config.llmTimeout * 1000,
      small: config.llmSmall,
      price: config.llmPrice,
      smallPrice: config.llmSmallPrice,
      proxy: config.llmProxy,
      certificates: config.llmCertificates,
      log,
      meter,
    },
    config.llmTeams === 'on' ? modelFetch(egress) : undefined,
  )
  // In the background: a model that is slow to say what it is holds nothing up.
  void models.llm.probe(probing.signal)
  const modelOffers: string[] = []
  if (wantsLocal && taken.length === 0)
    void findLocalModels(config.llmLocal, probing.signal).then((found) => {
      modelOffers.push(...describeLocalModels(found))
      if (found[0]) log.info(found[0], 'a language model was found on this machine and is not used')
    })
  return { models, modelOffers }
}

/** Another process may have changed the model. */
const MODEL_CHECK_MS = 15_000

/** Takes the models that the operator and teams chose in the dashboard; they win over the environment. */
async function chosenModels(store: Store, models: CurrentModel): Promise<void> {
  const { settings } = store
  const before = models.changes
  const service = await chosenIn(store, await settings.get(MODEL_SETTING), MODEL_KEY_SETTING)
  const teams = new Map<string, ModelChoice | undefined>()
  if (models.mayTeams)
    for (const { name, value } of await settings.named(TEAM_MODEL_PREFIX)) {
      const teamId = name.slice(TEAM_MODEL_PREFIX.length)
      teams.set(teamId, await chosenIn(store, value, teamModelKeyName(teamId)))
    }
  // Changed here while it was read: what was read may be older.
  if (models.changes !== before) return
  models.use(service)
  for (const teamId of models.teams()) if (!teams.has(teamId)) models.useFor(teamId, undefined)
  for (const [teamId, choice] of teams) models.useFor(teamId, choice)
}

async function chosenIn(
  { settings }: Store,
  stored: string | undefined,
  keyName: string,
): Promise<ModelChoice | undefined> {
  if (!stored) return undefined
  const { url, model } = JSON.parse(stored) as { url: string; model: string }
  const key = readModelKey(await settings.get(keyName), url)
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

const differsByTeam = (config: Config): boolean =>
  config.llmTeams === 'on' || teamsOfProxies(proxiesOf(config)).length > 0

const proxiesOf = ({ proxiesBasic, proxiesEnhanced }: Config) => [...proxiesBasic, ...proxiesEnhanced]

/** The outside web, the worker threads, and the roads between them: of one page, and of what a site has. */
async function openScraper(options: ScraperOptions, closing: OpenedResources): Promise<ScraperServices> {
  const { config, machine, clock, log, store, dataDir, reach, onDigest, zoo } = options
  const threats = await openTeamThreatPolicies({ config, store, dataDir, clock, log })
  closing.add(() => threats.guard.close())
  setTeamsWithProxies(teamsOfProxies(proxiesOf(config)))
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
  const packages = openOnDemandPackages({
    dataDir,
    registry: { registry: config.npmRegistry, dnsServers: config.dnsServers, proxies: config.proxiesBasic, log },
  })
  const { chromium, browserEndpoints: endpoints, egressAddress, browserSandbox: sandbox } = config
  const browsing = openBrowserServices({
    egress,
    chromium,
    endpoints,
    egressAddress,
    sandbox,
    packages,
    clock,
    dataDir,
    machine,
    log,
    leases: store.leases,
    maxSessions: config.maxSessions,
    runFlow: options.runFlow,
  })
  closing.add(() => browsing.close())
  const workshop = openWorkshop(machine.cores, dataDir, closing)
  const { models, modelOffers } = await openModelFor(options, egress, closing)
  const { llm } = models
  const { site, readReservations } = openSite(egress, workshop, store, clock)
  const usePolicies = openTeamSetting<UsePolicy>(store.settings, 'use-policy', { uses: [], enforce: true }, clock)
  const scraper = createScraper({
    optOuts: { policyOf: usePolicies.read, readSite: readReservations, product: robotsAgent() },
    engines: listEngines({
      egress,
      pageCache: makePageCache(store.pages, clock),
      browser: browsing.engine,
      disguise: botIdentity() ? undefined : browsing.disguise,
      browserFound: browsing.found,
    }),
    hosts: openHostVisitHistory(clock),
    indexesPages: config.searchIndex !== 'never',
    hasEnhancedProxies: () => hasProxyFor(callContext().teamId, config.proxiesEnhanced),
    workshop,
    extractors: options.extractors,
    pages: store.pages,
    blobs: store.blobs,
    profiles: browserProfileStore(store),
    llm,
    snapshots: store.snapshots,
    diffFormat: config.diffFormat,
    threats,
    media: openMedia(options, egress, packages),
    clock,
    onDigest,
    as: reach.as,
  })
  return {
    egress,
    browsing,
    scraper,
    site,
    usePolicies,
    threats,
    llm,
    models,
    drawPage: workshop.drawPage,
    comparePages: workshop.watch,
    learnFromPages: workshop.learn,
    modelOffers,
  }
}

function openMedia(
  { config, clock, log, store, dataDir }: ScraperOptions,
  egress: Egress,
  packages: OnDemandPackages,
): MediaService {
  return openMediaService({
    fetch: (request, signal) => egress.fetch({ ...request, skipTlsVerification: true, proxy: 'basic' }, signal),
    child: {
      script: new URL('./scrape/media/media-child.js', import.meta.url),
      memoryMb: MEDIA_MEMORY_MB,
      audioDecoder: (signal) => packages.nativeFileOf('node-web-audio-api', signal),
    },
    workDir: join(dataDir, 'work'),
    maxBytes: config.mediaMaxMb * 1024 * 1024,
    ffmpeg: config.ffmpeg,
    extractor: config.mediaExtractor,
    transcribe: openTranscriber(config),
    blobs: store.blobs,
    clock,
    log,
  })
}

function openWorkshop(threads: number, dataDir: string, closing: OpenedResources): ContentWorkerPool {
  const workshop = openContentWorkerPool({
    script: new URL('./scrape/workshop/content-worker.js', import.meta.url),
    threads,
    memoryMb: THREAD_MEMORY_MB,
    documentScript: new URL('./scrape/workshop/document-child.js', import.meta.url),
    documentMemoryMb: DOCUMENT_MEMORY_MB,
    ocrFolder: ocrFolderPath(dataDir),
  })
  closing.add(() => workshop.close())
  closing.add(collectAtRest(workshop.collectGarbage))
  return workshop
}

function openSite(egress: Egress, workshop: ContentWorkerPool, store: Store, clock: Clock) {
  const fetch = fetchFor(egress)
  const files = makeSiteFileCache(store.pages)
  const readPage = readerIn(workshop)
  const site = createSiteDiscoverer({ fetch, readPage, files, sharesRobots: store.dialect === 'postgres', clock })
  return { site, readReservations: makeSiteReservationReader(site, fetch, clock) }
}

async function openQueue(store: Store, clock: Clock, log: Logger): Promise<WorkQueue> {
  const { wakeUps, wakeUpSignals: signals } = store
  // The lock on the data folder says that nobody else is at work: what was leased belongs to a process that is gone.
  if (!signals) await wakeUps.freeAll()
  return openWorkQueueInStore({ wakeUps, signals, clock, log })
}

interface WorkParts {
  services: AllServices
  spans: Spans
  post: PostWebhook
  concurrency: number
}

async function startWork({ services, spans, post, concurrency }: WorkParts, closing: OpenedResources): Promise<void> {
  const { store, queue, clock, log, reach, threats } = services
  const { as } = reach
  const { under } = threats
  const jobs = capabilities.flatMap((capability) =>
    capability.jobs.map((job) => [job.name, job.work(services)] as const),
  )
  const others = capabilities.map((capability) => capability.work(services))
  for (const { close } of others) if (close) closing.add(close)
  const ofKind = <Name extends keyof JobHandlers>(name: Name) =>
    new Map(jobs.flatMap(([kind, work]) => (work[name] ? [[kind, work[name]] as const] : [])))
  let processes = 1
  const hosts = openHostPoliteness({ clock, shared: store.hostTurns, processes: () => processes })
  const workerPool = await startWorkerPool({
    ...services,
    concurrency,
    async onBeat() {
      if (store.hostTurns) processes = await store.workers.count()
    },
    answers: {
      page: makePageHandler({ ...services, hosts, visits: ofKind('visit'), as, spans }),
      discover: makeDiscoveryHandler({ ...services, as, under }, ofKind('discover')),
      settle: makeJobCompletionHandler(services, ofKind('complete')),
      webhook: makeWebhookDeliveryHandler({ store, queue, clock, log, post, as, under }),
    },
    wakeUps: new Map(others.flatMap(({ wakeUps = {} }) => Object.entries(wakeUps))),
    polls: others.flatMap(({ poll: look }) => look ?? []),
  })
  closing.add(() => workerPool.stop())
}

/** What webhooks may ask of the web: one POST, no redirects, and hardly any answer. */
const postFor =
  (egress: Egress): PostWebhook =>
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
        headers: makeBrowserHeaders({ headers, languages: ['en-US', 'en'], mobile: false }),
        skipTlsVerification: true,
        proxy: 'basic',
        maxBytes,
      },
      signal,
    )

const WHOLE_PAGE = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }

const readerIn =
  (workshop: ContentWorkerPool): ParseSitePage =>
  async ({ body, headers, url }, signal) => {
    const page = { bytes: body, contentType: headers['content-type'], url, choices: WHOLE_PAGE }
    const { materials, metadata } = await workshop.digest({ ...page, needs: ['links'], reads: [] }, 'sites', signal)
    const firstValueOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)
    return {
      links: materials.links ? new JsonBytes<string[]>(materials.links).value() : [],
      title: firstValueOf(metadata.title),
      description: firstValueOf(metadata.description),
    }
  }

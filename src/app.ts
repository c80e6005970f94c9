// The composition root: the only file that constructs and introduces. Whoever opens here is closed here, in reverse.
import { mkdirSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type HealthCheck, healthReport } from './api/health.ts'
import { createMetrics } from './api/metrics.ts'
import { buildServer } from './api/server.ts'
import { Problem } from './base/problem.ts'
import type { Clock } from './base/time.ts'
import { capabilities } from './capabilities/index.ts'
import type { Services } from './capabilities/route.ts'
import type { Config } from './config.ts'
import { openEgress } from './fetch/egress.ts'
import { engines } from './fetch/index.ts'
import { defaultConcurrency, type Machine } from './machine.ts'
import { pageCache } from './scrape/page-cache.ts'
import { createScraper, type Scraper } from './scrape/scrape.ts'
import { openWorkshop } from './scrape/workshop/workshop.ts'
import { openStore, type Store } from './store/index.ts'
import { startJanitor } from './store/janitor.ts'
import { lockDataDir } from './store/lock.ts'
import { createAdmission } from './teams/admission.ts'
import { authenticate, ensureFirstKey } from './teams/keys.ts'
import { createRateLimiter } from './teams/limits.ts'

export interface App {
  server: FastifyInstance
  /** The key to show to whoever starts the service; absent when keys are off. */
  firstKey: string | undefined
  /** Lets requests under way finish, at most this long, then ends everything. */
  close(drainMs: number): Promise<void>
}

export interface AppOptions {
  config: Config
  machine: Machine
  clock: Clock
  log: Logger
  version: string
}

/** Scrapes that may wait for each one under way; a longer line would outlast the callers' patience. */
const WAITING_PER_SLOT = 10

/** Heap for one page in a worker thread: a tree of 20 MiB of markup needs about 600 MB. */
const THREAD_MEMORY_MB = 1024

/** All that a child may hold for one document; a PDF of 1,000 pages of text needs about 400 MB. */
const DOCUMENT_MEMORY_MB = 1500

export async function openApp(options: AppOptions): Promise<App> {
  const closing = new Closing()
  try {
    return await open(options, closing)
  } catch (error) {
    await closing.run()
    throw error
  }
}

/** What was opened, closed in reverse order. */
class Closing {
  readonly #steps: (() => Promise<void> | void)[] = []
  add(step: () => Promise<void> | void): void {
    this.#steps.push(step)
  }
  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step()
  }
}

async function open({ config, machine, clock, log, version }: AppOptions, closing: Closing): Promise<App> {
  const dataDir = resolve(config.dataDir)
  const store = await openMemory(config, dataDir, clock, log, closing)
  const first = await ensureFirstKey({ store, dataDir, configuredKey: config.apiKey })
  const concurrency = config.concurrency ?? defaultConcurrency(machine)
  const admission = createAdmission({ concurrency, maxWaiting: concurrency * WAITING_PER_SLOT })
  const metrics = createMetrics({ load: admission.load })
  const scraper = openScraper({ config, machine, clock, log, store, onDigest: metrics.digest }, closing)
  const services: Services = { scraper, store, admission, clock, log, version }

  const startedAt = clock.now()
  const stopping = new AbortController()
  const checks = healthChecks(store, dataDir, stopping.signal)
  const everyone = config.auth === 'off' ? first.caller : undefined
  const server = await buildServer({
    capabilities,
    services,
    authenticate: async (presented) => everyone ?? (await authenticate(store, presented)),
    rates: createRateLimiter(clock),
    metrics,
    health: () => healthReport(checks, version, startedAt, clock.now()),
    log,
    publicUrl: config.publicUrl,
    stopping: stopping.signal,
  })
  return {
    server,
    firstKey: everyone ? undefined : first.key,
    async close(drainMs) {
      const timer = setTimeout(() => stopping.abort(new Problem('unavailable', { because: 'it is stopping' })), drainMs)
      await server.close()
      clearTimeout(timer)
      await closing.run()
    },
  }
}

/** The data folder, locked, and the store in it, kept clean. */
async function openMemory(
  config: Config,
  dataDir: string,
  clock: Clock,
  log: Logger,
  closing: Closing,
): Promise<Store> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const lock = lockDataDir(dataDir)
  closing.add(() => lock.release())
  const store = await openStore({
    databaseUrl: config.databaseUrl,
    dataDir,
    clock,
    log,
    cacheMaxBytes: config.cacheMaxMb * 1024 * 1024,
    cacheMaxAgeMs: config.cacheMaxDays * 86_400_000,
  })
  closing.add(() => store.close())
  const janitor = startJanitor(store, { clock, log })
  closing.add(() => janitor.stop())
  return store
}

interface ScraperWish extends Omit<AppOptions, 'version'> {
  store: Store
  onDigest(seconds: number): void
}

/** The outside web, the worker threads, and the scrape road between them. */
function openScraper({ config, machine, clock, log, store, onDigest }: ScraperWish, closing: Closing): Scraper {
  const egress = openEgress({
    allowPrivate: config.allowPrivate,
    dnsServers: config.dnsServers,
    proxies: { basic: config.proxiesBasic, enhanced: config.proxiesEnhanced },
    log,
  })
  closing.add(() => egress.close())
  const workshop = openWorkshop({
    script: new URL('./scrape/workshop/worker.js', import.meta.url),
    threads: machine.cores,
    memoryMb: THREAD_MEMORY_MB,
    documentScript: new URL('./scrape/workshop/document-child.js', import.meta.url),
    documentMemoryMb: DOCUMENT_MEMORY_MB,
  })
  closing.add(() => workshop.close())
  return createScraper({
    engines: engines({ egress, pageCache: pageCache(store.pages, clock) }),
    workshop,
    pages: store.pages,
    clock,
    onDigest,
  })
}

const healthChecks = (store: Store, dataDir: string, stopping: AbortSignal): HealthCheck[] => [
  { name: 'store', needed: true, check: () => store.ping() },
  { name: 'data folder', needed: true, check: () => access(dataDir, constants.W_OK) },
  { name: 'service', needed: true, check: async () => stopping.throwIfAborted() },
]

// The composition root: the only file that constructs and introduces. Whoever opens here is closed here, in reverse.
import { mkdirSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { healthReport } from './api/health.ts'
import { createMetrics, type Metrics } from './api/metrics.ts'
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
import { createScraper } from './scrape/scrape.ts'
import { openWorkshop } from './scrape/workshop/workshop.ts'
import { openStore } from './store/index.ts'
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

export async function openApp({ config, machine, clock, log, version }: AppOptions): Promise<App> {
  const closers: (() => Promise<void> | void)[] = []
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    const dataDir = resolve(config.dataDir)
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const lock = lockDataDir(dataDir)
    closers.push(() => lock.release())
    const store = await openStore({
      databaseUrl: config.databaseUrl,
      dataDir,
      clock,
      log,
      cacheMaxBytes: config.cacheMaxMb * 1024 * 1024,
      cacheMaxAgeMs: config.cacheMaxDays * 86_400_000,
    })
    closers.push(() => store.close())
    const janitor = startJanitor(store, { clock, log })
    closers.push(() => janitor.stop())
    const first = await ensureFirstKey({ store, dataDir, configuredKey: config.apiKey })

    const egress = openEgress({
      allowPrivate: config.allowPrivate,
      dnsServers: config.dnsServers,
      proxies: { basic: config.proxiesBasic, enhanced: config.proxiesEnhanced },
      log,
    })
    closers.push(() => egress.close())
    const workshop = openWorkshop({
      script: new URL('./scrape/workshop/worker.js', import.meta.url),
      threads: machine.cores,
      memoryMb: THREAD_MEMORY_MB,
    })
    closers.push(() => workshop.close())

    const concurrency = config.concurrency ?? defaultConcurrency(machine)
    const admission = createAdmission({ concurrency, maxWaiting: concurrency * WAITING_PER_SLOT })
    const metrics: Metrics = createMetrics({ load: admission.load })
    const services: Services = {
      scraper: createScraper({
        engines: engines({ egress, pageCache: pageCache(store.pages, clock) }),
        workshop,
        pages: store.pages,
        clock,
        onDigest: metrics.digest,
      }),
      store,
      admission,
      clock,
      log,
      version,
    }

    const startedAt = clock.now()
    const stopping = new AbortController()
    let draining = false
    const checks = [
      { name: 'store', needed: true, check: () => store.ping() },
      { name: 'data folder', needed: true, check: () => access(dataDir, constants.W_OK) },
      {
        name: 'service',
        needed: true,
        async check() {
          if (draining) throw new Error('is stopping')
        },
      },
    ]
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
        draining = true
        const timer = setTimeout(() => stopping.abort(new Problem('unavailable', { because: 'it is stopping' })), drainMs)
        await server.close()
        clearTimeout(timer)
        await closeAll()
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

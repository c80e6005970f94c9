// Wires binary, pool, proxy and engine into one object to open and close. Nothing starts before the first visit that
// needs it.
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { homedir, hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { Problem } from '../base/problem.ts'
import { tolerateRejections } from '../base/unhandled-rejections.ts'
import { browserEngine } from './browser.ts'
import { type Disguise, hasDisguise, NO_DISGUISE, openDisguise } from './browser-fingerprint.ts'
import { type BrowserProxy, openBrowserProxy } from './browser-proxy.ts'
import type { RunFlow } from './chrome/actions.ts'
import { adHosts } from './chrome/ads.ts'
import { openConsentRules } from './chrome/consent.ts'
import { type Binary, type BinaryOptions, findBinary } from './chrome/find-chromium.ts'
import { eastAsianFonts, NO_EAST_ASIAN_FONT, writeFontsConf } from './chrome/fonts.ts'
import { getBrowser } from './chrome/get-browser.ts'
import { isolated } from './chrome/host-isolation.ts'
import { type LeaseRows, openLeaseBook } from './chrome/lease-records.ts'
import { openPool } from './chrome/pool.ts'
import { openRemoteSupply } from './chrome/remote.ts'
import { chooseSandbox, type SandboxMode } from './chrome/sandbox.ts'
import { type BrowserStarter, openSupply } from './chrome/start-browsers.ts'
import type { Egress } from './egress.ts'
import type { Engine } from './engine.ts'
import { type LiveBrowsers, openLive } from './live.ts'

export interface BrowsingOptions {
  egress: Egress
  chromium: string | undefined
  endpoints: readonly string[]
  /** `host:port` under which remote browsers reach our proxy; undefined: they run on this machine. */
  egressAddress: string | undefined
  sandbox: SandboxMode
  dataDir: string
  leases: LeaseRows
  machine: { cores: number; memoryBytes: number }
  maxSessions: number | undefined
  clock: Clock
  log: Log
  runFlow: RunFlow
}

export interface Browsing {
  engine: Engine
  live: LiveBrowsers
  /** Plain HTTP visits with a browser's TLS fingerprint. */
  disguise: Disguise
  check(): Promise<void>
  running(): number
  notes(): Promise<string[]>
  close(): Promise<void>
}

const LIBRARY = /[\\/]node_modules[\\/](?:playwright|patchright)-core[\\/]/
const MB = 1024 * 1024
const CONTEXT_BYTES = 150 * MB
const MAX_BROWSER_BYTES = 3072 * MB

export const browserBinary = (chromium: string | undefined, dataDir: string): Promise<Binary> =>
  findBinary(browserOptions(chromium, dataDir))

const browserOptions = (chromium: string | undefined, dataDir: string): BinaryOptions => ({
  given: chromium,
  cacheDirs: [join(homedir(), '.cache', 'orbweaver'), join(dataDir, 'browser')],
})

export const obtainBrowser = (
  chromium: string | undefined,
  dataDir: string,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Binary> => getBrowser(browserOptions(chromium, dataDir), { say }, signal)

/** Optional packages without a build for this machine, each with the fallback. */
export const missingParts = async (): Promise<string[]> => ((await hasDisguise()) ? [] : [NO_DISGUISE])

export const sandboxNote = (options: SandboxMode): string | undefined => chooseSandbox(options).note

export async function isolationNote(binary: Binary, dataDir: string): Promise<string | undefined> {
  // Outside the data folder, where a running service keeps its own.
  const folder = await mkdtemp(join(tmpdir(), 'orb-isolation-'))
  try {
    return (await isolated(binary, dataDir, folder)).note
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const drawsEastAsian = (dataDir: string): Promise<boolean> => eastAsianFonts(dataDir)()

export function openBrowsing(options: BrowsingOptions): Browsing {
  const { egress, endpoints, egressAddress, machine, log } = options
  const { cores, memoryBytes } = machine
  // When a browser dies mid-call, the library leaves rejected promises unhandled. The lost lease reports the failure.
  const stopListening = tolerateRejections(
    ({ stack = '', message }) => LIBRARY.test(stack) && /closed|crashed|detached|disconnected/i.test(message),
    ({ message }) => log.warn({ because: message.split('\n', 1)[0] }, 'the browser library lost an answer'),
  )
  // The fonts of a remote browser are unknown here.
  const hasEastAsianFonts = endpoints.length > 0 ? async () => true : eastAsianFonts(options.dataDir)
  let opening: Promise<BrowserProxy> | undefined
  let lane: (() => string) | undefined
  const noteLanes = (opened: BrowserProxy) => {
    lane = opened.lane
    return opened
  }
  const proxy = () => {
    opening ??= openBrowserProxy(egress, egressAddress).then(noteLanes, (cause) => {
      opening = undefined
      const because = `its proxy cannot listen at ${egressAddress ?? 'loopback'}: ${(cause as Error).message}`
      throw new Problem('no_browser', { because, cause })
    })
    return opening
  }
  const holder = `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`
  const common = {
    supply: endpoints.length > 0 ? openRemoteSupply({ endpoints, log }) : localSupply(options, proxy),
    maxBrowserBytes: Math.min(MAX_BROWSER_BYTES, memoryBytes * 0.5),
    log,
  }
  const pool = openPool({
    ...common,
    lane: () => lane?.(),
    book: openLeaseBook(options.leases, holder, log),
    maxContexts: Math.max(1, Math.min(cores * 4, Math.floor((memoryBytes * 0.5) / CONTEXT_BYTES))),
    forOthers: 1,
  })
  const byMemory = Math.max(1, Math.min(64, Math.floor((memoryBytes * 0.4) / CONTEXT_BYTES)))
  const most = options.maxSessions ?? byMemory
  const livePool = openPool({
    ...common,
    book: openLeaseBook(options.leases, `${holder} live`, log),
    maxContexts: most,
  })
  const isAd = adHosts()
  const live = openLive({ pool: livePool, pagePool: pool, proxy, egress, isAd, most, clock: options.clock })
  return {
    live,
    engine: browserEngine({
      pool,
      proxy,
      egress,
      isAd,
      refuseByRules: openConsentRules(),
      hasEastAsianFonts,
      runFlow: options.runFlow,
    }),
    disguise: openDisguise(proxy, (because) =>
      log.warn({ because }, 'plain visits of the enhanced tier do not look like a browser here'),
    ),
    check: () => pool.check(),
    running: () => pool.browsers() + livePool.browsers(),
    notes: async () => [
      ...pool.notes(),
      ...((await hasEastAsianFonts()) ? [] : [NO_EAST_ASIAN_FONT]),
      ...(await missingParts()),
    ],
    async close() {
      await live.close()
      await pool.close()
      await (await opening)?.close()
      stopListening()
    },
  }
}

const localSupply = (
  { chromium, dataDir, sandbox, log }: BrowsingOptions,
  proxy: () => Promise<BrowserProxy>,
): BrowserStarter =>
  openSupply({
    findBinary: () => browserBinary(chromium, dataDir),
    fontsConf: ({ fonts }) => writeFontsConf(dataDir, fonts),
    // One service per data folder: processes with its mark at startup are orphans.
    mark: createHash('sha256').update(dataDir).digest('hex').slice(0, 16),
    proxyServer: async () => (await proxy()).server,
    sandbox,
    safetyDir: join(dataDir, 'browser'),
    dataDir,
    log,
  })

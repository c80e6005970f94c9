// Wires binary, pool, proxy and engine into one object to open and close. Nothing starts before the first visit that
// needs it.

import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { homedir, hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { withinTime } from '../base/deadline.ts'
import type { Log } from '../base/log.ts'
import { Problem } from '../base/problem.ts'
import { tolerateUnhandledRejections } from '../base/unhandled-rejections.ts'
import { once } from '../base/values.ts'
import { makeBrowserEngine } from './browser-engine.ts'
import { type BrowserProxy, openBrowserProxy } from './browser-proxy.ts'
import {
  type BrowserTlsTransport,
  NO_TLS_FINGERPRINT_WARNING,
  openBrowserTlsTransport,
} from './browser-tls-fingerprint.ts'
import { makeAdHostCheck } from './chrome/ad-hosts.ts'
import { openBrowserPool } from './chrome/browser-pool.ts'
import { chooseSandbox, type SandboxMode } from './chrome/choose-sandbox.ts'
import { openCookieOptOutScripts } from './chrome/cookie-opt-out-script.ts'
import { findOrDownloadChromium } from './chrome/download-chromium.ts'
import {
  type ChromiumBinary,
  type FindChromiumOptions,
  findChromium,
  findFullChromium,
} from './chrome/find-chromium.ts'
import { makeEastAsianFontCheck, NO_EAST_ASIAN_FONT, writeFontsConf } from './chrome/fonts.ts'
import { isolateChromiumProcess } from './chrome/isolate-chromium-process.ts'
import { type LeaseTable, openLeaseRecorder } from './chrome/lease-records.ts'
import { isLostReply } from './chrome/playwright-errors.ts'
import { openRemoteBrowsers } from './chrome/remote-browsers.ts'
import type { RunFlow } from './chrome/run-actions.ts'
import { type BrowserStarter, makeLocalBrowserStarter } from './chrome/start-browsers.ts'
import type { Egress } from './egress.ts'
import type { FetchEngine } from './fetch-engine.ts'
import { setChromiumVersion } from './http-engine.ts'
import { type LiveSessionPool, openLiveSessionPool } from './live-session-pool.ts'
import { hasBuildForThisMachine, type OnDemandPackages } from './on-demand-packages.ts'

export interface BrowserServicesOptions {
  egress: Egress
  chromium: string | undefined
  endpoints: readonly string[]
  /** `host:port` under which remote browsers reach our proxy; undefined: they run on this machine. */
  egressAddress: string | undefined
  sandbox: SandboxMode
  dataDir: string
  packages: OnDemandPackages
  leases: LeaseTable
  machine: { cores: number; memoryBytes: number }
  maxSessions: number | undefined
  clock: Clock
  log: Log
  runFlow: RunFlow
}

export interface BrowserServices {
  engine: FetchEngine
  live: LiveSessionPool
  /** Plain HTTP visits with a browser's TLS fingerprint. */
  disguise: BrowserTlsTransport
  /** Resolves once the local browser is looked for, after half a second at the latest. */
  found(): Promise<unknown>
  check(): Promise<void>
  running(): number
  notes(): Promise<string[]>
  close(): Promise<void>
}

const MB = 1024 * 1024
const CONTEXT_BYTES = 150 * MB
/** The first plain request waits this long for the version of the browser. */
const FIND_MS = 500
const MAX_BROWSER_BYTES = 3072 * MB
const ignore = () => {}

export const findBrowserBinary = (chromium: string | undefined, dataDir: string): Promise<ChromiumBinary> =>
  findChromium(browserOptions(chromium, dataDir))

export const findFullBrowserBinary = (
  chromium: string | undefined,
  dataDir: string,
): Promise<ChromiumBinary | undefined> => findFullChromium(browserOptions(chromium, dataDir))

const browserOptions = (chromium: string | undefined, dataDir: string): FindChromiumOptions => ({
  given: chromium,
  cacheDirs: [join(homedir(), '.cache', 'orbweaver'), join(dataDir, 'browser')],
})

export const downloadBrowser = (
  chromium: string | undefined,
  dataDir: string,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<ChromiumBinary> => findOrDownloadChromium(browserOptions(chromium, dataDir), { say }, signal)

/** Packages without a build for this machine, each with the fallback. */
export const listMissingPackages = (): string[] =>
  hasBuildForThisMachine('wreq-js') ? [] : [NO_TLS_FINGERPRINT_WARNING]

export const sandboxWarning = (options: SandboxMode): string | undefined => chooseSandbox(options).note

export async function checkChromiumIsolation(binary: ChromiumBinary, dataDir: string): Promise<string | undefined> {
  // Outside the data folder, where a running service keeps its own.
  const folder = await mkdtemp(join(tmpdir(), 'orb-isolation-'))
  try {
    return (await isolateChromiumProcess(binary, dataDir, folder)).note
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const hasEastAsianFonts = (dataDir: string): Promise<boolean> => makeEastAsianFontCheck(dataDir)()

export function openBrowserServices(options: BrowserServicesOptions): BrowserServices {
  const { egress, endpoints, egressAddress, machine, log } = options
  const { cores, memoryBytes } = machine
  // The lost lease reports the failure.
  const stopListening = tolerateUnhandledRejections(isLostReply, ({ message }) =>
    log.warn({ because: message.split('\n', 1)[0] }, 'the browser library lost an answer'),
  )
  // The fonts of a remote browser are unknown here.
  const hasEastAsianFonts = endpoints.length > 0 ? async () => true : makeEastAsianFontCheck(options.dataDir)
  let opening: Promise<BrowserProxy> | undefined
  let lane: (() => string) | undefined
  const noteLanes = (opened: BrowserProxy) => {
    lane = opened.nextListenerAddress
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
  let finding: Promise<ChromiumBinary> | undefined
  const find = () => {
    finding ??= findAndNoteVersion(options).catch((error) => {
      finding = undefined
      throw error
    })
    return finding
  }
  const common = {
    supply: endpoints.length > 0 ? openRemoteBrowsers({ endpoints, log }) : localSupply(options, proxy, find),
    maxBrowserBytes: Math.min(MAX_BROWSER_BYTES, memoryBytes * 0.5),
    log,
  }
  const pool = openBrowserPool({
    ...common,
    lane: () => lane?.(),
    book: openLeaseRecorder(options.leases, holder, log),
    maxContexts: Math.max(1, Math.min(cores * 4, Math.floor((memoryBytes * 0.5) / CONTEXT_BYTES))),
    forOthers: 1,
  })
  const byMemory = Math.max(1, Math.min(64, Math.floor((memoryBytes * 0.4) / CONTEXT_BYTES)))
  const most = options.maxSessions ?? byMemory
  const liveBook = openLeaseRecorder(options.leases, `${holder} live`, log)
  const livePool = openBrowserPool({ ...common, book: liveBook, maxContexts: most })
  const isAd = makeAdHostCheck()
  const disguise = openBrowserTlsTransport(proxy, options.packages, (because) =>
    log.warn({ because }, 'plain visits of the enhanced tier do not look like a browser here'),
  )
  const live = openLiveSessionPool({ pool: livePool, pagePool: pool, proxy, egress, isAd, most, clock: options.clock })
  return {
    live,
    engine: makeBrowserEngine({
      ...{ pool, proxy, egress, isAd, hasEastAsianFonts },
      refuseByRules: openCookieOptOutScripts(),
      runFlow: options.runFlow,
    }),
    disguise,
    found: once(async () => void (endpoints.length === 0 && (await withinTime(FIND_MS, find().catch(ignore))))),
    check: () => pool.check(),
    running: () => pool.browsers() + livePool.browsers(),
    notes: async () => [
      ...pool.notes(),
      ...((await hasEastAsianFonts()) ? [] : [NO_EAST_ASIAN_FONT]),
      ...listMissingPackages(),
      ...[disguise.note() ?? []].flat(),
    ],
    async close() {
      await live.close()
      await pool.close()
      await (await opening)?.close()
      stopListening()
    },
  }
}

async function findAndNoteVersion({ chromium, dataDir }: BrowserServicesOptions): Promise<ChromiumBinary> {
  const binary = await findBrowserBinary(chromium, dataDir)
  setChromiumVersion(binary.version ?? '')
  return binary
}

const localSupply = (
  { chromium, dataDir, sandbox, log }: BrowserServicesOptions,
  proxy: () => Promise<BrowserProxy>,
  findBinary: () => Promise<ChromiumBinary>,
): BrowserStarter =>
  makeLocalBrowserStarter({
    findBinary,
    findFullBinary: () => findFullBrowserBinary(chromium, dataDir),
    fontsConf: ({ fonts }) => writeFontsConf(dataDir, fonts),
    // One service per data folder: processes with its mark at startup are orphans.
    mark: createHash('sha256').update(dataDir).digest('hex').slice(0, 16),
    proxyServer: async () => (await proxy()).server,
    sandbox,
    safetyDir: join(dataDir, 'browser'),
    dataDir,
    log,
  })

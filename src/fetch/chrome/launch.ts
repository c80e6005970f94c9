// Starts one Chromium in its own process group. The control pipe makes it exit when the service is killed; all its
// traffic goes through our proxy.
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import type { BrowserType } from 'playwright-core'
import { lowerProcessPriority } from '../../base/priority.ts'
import { launchUndrawn, launchWired } from './cdp-launch.ts'
import { USUAL } from './emulate.ts'
import type { Binary } from './find-chromium.ts'
import { LIVE_FLAGS, liveContexts } from './live-contexts.ts'
import type { OpenContext } from './open-context.ts'
import { drawnContexts, type LeasedContext, unroutedContexts } from './playwright-contexts.ts'
import { browsersMarked, endBrowser, groupOf, processTreeOf } from './processes.ts'

/**
 * `still` draws no frames unless requested, for pages that are only read; `drawn` renders normally; `enhanced` uses a
 * library with fewer traces of automation; `live` holds sessions that outlive a request.
 */
export type BrowserKind = 'still' | 'drawn' | 'enhanced' | 'live'

interface LaunchOptions {
  binary: Binary
  kind: BrowserKind
  mark: string
  proxyServer: string
  sandbox: boolean
  cheap: boolean
}

export interface RunningBrowser {
  kind: BrowserKind
  pid: number | undefined
  version: string
  openContext: OpenContext<LeasedContext>
  isConnected(): boolean
  onEnd(listener: () => void): void
  end(): Promise<void>
}

const LAUNCH_MS = 20_000
const KIND_END_MS = 3000
/** V8 heap limit; beyond it only the page crashes. */
const SCRIPT_HEAP_MB = 1024

export function launchBrowser(options: LaunchOptions): Promise<RunningBrowser> {
  return options.kind === 'still' || options.kind === 'live' ? launchOnWire(options) : launchWithLibrary(options)
}

async function launchOnWire(options: LaunchOptions): Promise<RunningBrowser> {
  const { kind } = options
  const binary = { ...options.binary, env: { ...environment(options), TZ: USUAL.timezone } }
  const { sandbox, cheap } = options
  const { pid, ended, close, ...browser } =
    kind === 'live'
      ? await launchWired(binary, flags(options), {
          sandbox,
          timeoutMs: LAUNCH_MS,
          own: LIVE_FLAGS,
          contexts: liveContexts,
        })
      : await launchUndrawn(binary, flags(options), { sandbox, cheap, timeoutMs: LAUNCH_MS })
  return {
    ...browser,
    kind,
    pid,
    isConnected: () => !ended.aborted,
    onEnd: (listener) => ended.addEventListener('abort', listener, { once: true }),
    end: () => end(close(), pid),
  }
}

async function launchWithLibrary(options: LaunchOptions): Promise<RunningBrowser> {
  const { kind, mark } = options
  const chromium = driver(kind)
  const browser = await chromium.launch({
    executablePath: options.binary.path,
    headless: true,
    chromiumSandbox: options.sandbox,
    args: flags(options),
    // The flag would reveal automation to every page.
    ignoreDefaultArgs: ['--enable-automation'],
    env: environment(options),
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
    timeout: LAUNCH_MS,
  })
  // The operator's Chromium may be a script that waits for the browser: signal the group it leads.
  const marked = browsersMarked(`--orb-mark=${mark}`)
  const pid = marked.find((one) => groupOf(one) === one) ?? marked[0]
  if (pid !== undefined) for (const one of processTreeOf(pid)) lowerProcessPriority(one.pid, 'helpers')
  return {
    kind,
    pid,
    version: browser.version(),
    openContext: kind === 'enhanced' ? unroutedContexts(drawnContexts(browser)) : drawnContexts(browser),
    isConnected: () => browser.isConnected(),
    onEnd: (listener) => void browser.on('disconnected', listener),
    end: () => end(browser.close(), pid),
  }
}

const environment = ({ binary }: LaunchOptions) => ({
  ...binary.env,
  HOME: '/nonexistent',
  LANG: 'en_US.UTF-8',
  ...(process.platform === 'linux' ? { TMPDIR: tmpdir() } : {}),
})

const require = createRequire(import.meta.url)

/**
 * Loaded with the first lease. `require`, because importing these CommonJS packages reads their three megabytes twice.
 */
export function driver(kind: BrowserKind): BrowserType {
  const library: { chromium: BrowserType } = require(kind === 'enhanced' ? 'patchright-core' : 'playwright-core')
  return library.chromium
}

function flags({ proxyServer, kind, mark }: LaunchOptions): string[] {
  return [
    `--orb-mark=${mark}`,
    `--proxy-server=${proxyServer}`,
    '--proxy-bypass-list=<-loopback>',
    // Names are resolved by the proxy only.
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    '--dns-prefetch-disable',
    '--disable-quic',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--no-pings',
    '--disable-blink-features=AutomationControlled',
    '--disable-gpu',
    '--mute-audio',
    '--hide-scrollbars',
    `--js-flags=--max-old-space-size=${SCRIPT_HEAP_MB}`,
    ...(kind === 'enhanced' ? ['--lang=en-US'] : []),
  ]
}

async function end(closing: Promise<void>, pid: number | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, KIND_END_MS)
  })
  await Promise.race([closing.catch(() => {}), patience])
  clearTimeout(timer)
  if (pid !== undefined) endBrowser(pid)
}

export function endOrphans(mark: string): number {
  const orphans = browsersMarked(`--orb-mark=${mark}-`)
  for (const pid of orphans) endBrowser(pid)
  return orphans.length
}

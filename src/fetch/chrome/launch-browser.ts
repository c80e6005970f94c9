// Starts one Chromium in its own process group. The control pipe makes it exit when the service is killed.
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import type { BrowserType } from 'playwright-core'
import { lowerProcessPriority } from '../../base/cpu-priority.ts'
import { withinTime } from '../../base/deadline.ts'
import type { BrowserContextOpener } from './browser-context-opener-type.ts'
import { findBrowsersByMark, killBrowser, listBrowserProcesses, processGroupOf } from './browser-processes.ts'
import { disableFeatures, launchOverPipe, launchUnpaintedBrowser } from './cdp-launch.ts'
import { DEFAULT_LOCALE_AND_ZONE } from './emulate-device.ts'
import type { ChromiumBinary } from './find-chromium.ts'
import { LIVE_BROWSER_FLAGS, makeLiveContextOpener } from './live-contexts.ts'
import { type LeasedContext, makePatchrightContextOpener, makePlaywrightContextOpener } from './playwright-contexts.ts'
import { displayMark, type VirtualDisplay } from './virtual-display.ts'

/**
 * `still` draws no frames unless requested, for pages that are only read; `drawn` renders normally; `enhanced` uses a
 * library with fewer traces of automation; `live` holds sessions that outlive a request.
 */
export type BrowserKind = 'still' | 'drawn' | 'enhanced' | 'live'

interface LaunchOptions {
  binary: ChromiumBinary
  kind: BrowserKind
  mark: string
  proxyServer: string
  sandbox: boolean
  cheap: boolean
  /** Headful on this display, which ends with the browser. */
  display?: VirtualDisplay | undefined
}

export interface RunningBrowser {
  kind: BrowserKind
  pid: number | undefined
  version: string
  openContext: BrowserContextOpener<LeasedContext>
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
  const binary = { ...options.binary, env: { ...environment(options), TZ: DEFAULT_LOCALE_AND_ZONE.timezone } }
  const { sandbox, cheap } = options
  const { pid, ended, close, ...browser } =
    kind === 'live'
      ? await launchOverPipe(binary, flags(options), {
          sandbox,
          timeoutMs: LAUNCH_MS,
          own: LIVE_BROWSER_FLAGS,
          contexts: makeLiveContextOpener,
        })
      : await launchUnpaintedBrowser(binary, flags(options), { sandbox, cheap, timeoutMs: LAUNCH_MS })
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
  const { kind, mark, display } = options
  const chromium = browserTypeFor(kind)
  const browser = await chromium.launch({
    executablePath: options.binary.path,
    headless: display === undefined,
    chromiumSandbox: options.sandbox,
    args: [...flags(options), disableFeatures(LIBRARY_DISABLED_FEATURES)],
    // The flag would reveal automation to every page.
    ignoreDefaultArgs: ['--enable-automation'],
    env: { ...environment(options), ...(display ? { DISPLAY: display.name } : {}) },
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
    timeout: LAUNCH_MS,
  })
  // The operator's Chromium may be a script that waits for the browser: signal the group it leads.
  const marked = findBrowsersByMark(`--orb-mark=${mark}`)
  if (display) browser.on('disconnected', () => display.end())
  const pid = marked.find((one) => processGroupOf(one) === one) ?? marked[0]
  if (pid !== undefined) for (const one of listBrowserProcesses(pid)) lowerProcessPriority(one.pid, 'helpers')
  return {
    kind,
    pid,
    version: browser.version(),
    openContext:
      kind === 'enhanced'
        ? makePatchrightContextOpener(browser, display !== undefined)
        : makePlaywrightContextOpener(browser),
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
export function browserTypeFor(kind: BrowserKind): BrowserType {
  const library: { chromium: BrowserType } = require(kind === 'enhanced' ? 'patchright-core' : 'playwright-core')
  return library.chromium
}

/** What Playwright and Patchright disable by themselves: Chromium obeys only the last such flag, which is ours. */
const LIBRARY_DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'BlockOriginHeaderModificationOnRedirect',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'Translate',
]

/** Without a graphics card WebGL is drawn in software; few browsers of people have none. */
const ENHANCED_FLAGS = [
  '--lang=en-US',
  '--accept-lang=en-US,en',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
]

function flags({ proxyServer, kind, mark, display }: LaunchOptions): string[] {
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
    ...(display ? [] : ['--hide-scrollbars']),
    `--js-flags=--max-old-space-size=${SCRIPT_HEAP_MB}`,
    ...(kind === 'enhanced' ? ENHANCED_FLAGS : []),
  ]
}

async function end(closing: Promise<void>, pid: number | undefined): Promise<void> {
  const ended = closing.catch(() => {})
  await withinTime(KIND_END_MS, ended)
  if (pid !== undefined) killBrowser(pid)
}

export function killOrphanedBrowsers(mark: string): number {
  const orphans = [`--orb-mark=${mark}-`, displayMark(`${mark}-`)].flatMap(findBrowsersByMark)
  for (const pid of orphans) killBrowser(pid)
  return orphans.length
}

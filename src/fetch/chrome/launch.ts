// Starts one Chromium in a process group of its own. It talks over a pipe, so that it ends by itself when the service
// is killed; every byte it asks for goes through our proxy. Only this folder imports the browser library.
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import type { BrowserType } from 'playwright-core'
import { giveWay } from '../../base/priority.ts'
import type { Binary } from './binary.ts'
import { LIVE_FLAGS, liveRooms } from './live-rooms.ts'
import type { OpenRoom } from './open-room.ts'
import { browsersMarked, endBrowser, familyOf, groupOf } from './processes.ts'
import { type BrowserRoom, drawnRooms, quietRooms } from './rooms.ts'
import { launchStill, launchWired } from './still-launch.ts'
import { USUAL } from './still-rooms.ts'

/**
 * `still` draws no frames unless told to, for pages that are only read; `drawn` shows them as to a person; `enhanced` is
 * driven by a library that leaves fewer traces of automation; `live` holds sessions that outlive a request.
 */
export type BrowserKind = 'still' | 'drawn' | 'enhanced' | 'live'

export interface LaunchOptions {
  binary: Binary
  kind: BrowserKind
  /** Marks this browser on its command line. */
  mark: string
  proxyServer: string
  /** Whether Chromium keeps its own sandbox around pages. */
  sandbox: boolean
  /** Flags that save work, as long as no browser has died of them. */
  cheap: boolean
}

export interface RunningBrowser {
  kind: BrowserKind
  /** Undefined where /proc does not tell. */
  pid: number | undefined
  version: string
  openRoom: OpenRoom<BrowserRoom>
  isConnected(): boolean
  onEnd(listener: () => void): void
  /** Ends it, kindly at first. */
  end(): Promise<void>
}

const LAUNCH_MS = 20_000
const KIND_END_MS = 3000
/** Heap of one page's scripts; beyond it the page crashes, and only the page. */
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
      ? await launchWired(binary, flags(options), { sandbox, timeoutMs: LAUNCH_MS, own: LIVE_FLAGS, rooms: liveRooms })
      : await launchStill(binary, flags(options), { sandbox, cheap, timeoutMs: LAUNCH_MS })
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
    // The flag would tell every page that a program drives the browser.
    ignoreDefaultArgs: ['--enable-automation'],
    env: environment(options),
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
    timeout: LAUNCH_MS,
  })
  // The operator's Chromium may be a script that waits for the browser: signals go to the group that it leads.
  const marked = browsersMarked(`--orb-mark=${mark}`)
  const pid = marked.find((one) => groupOf(one) === one) ?? marked[0]
  if (pid !== undefined) for (const one of familyOf(pid)) giveWay(one.pid, 'helpers')
  return {
    kind,
    pid,
    version: browser.version(),
    openRoom: kind === 'enhanced' ? quietRooms(drawnRooms(browser)) : drawnRooms(browser),
    isConnected: () => browser.isConnected(),
    onEnd: (listener) => void browser.on('disconnected', listener),
    end: () => end(browser.close(), pid),
  }
}

const environment = ({ binary }: LaunchOptions) => ({
  ...binary.env,
  HOME: '/nonexistent',
  LANG: 'en_US.UTF-8',
  // What it leaves when it is killed is swept with the folder. Elsewhere the path would be too long for its sockets.
  ...(process.platform === 'linux' ? { TMPDIR: tmpdir() } : {}),
})

const require = createRequire(import.meta.url)

/**
 * Loaded on the first lease only: a service that renders nothing does not carry the library. Both are CommonJS, and required
 * as such: an import reads their three megabytes twice, the first time for names alone.
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
    // Names are resolved behind the proxy or not at all.
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

/** Ends what an earlier service of the same mark left behind; says how many there were. */
export function endOrphans(mark: string): number {
  const orphans = browsersMarked(`--orb-mark=${mark}-`)
  for (const pid of orphans) endBrowser(pid)
  return orphans.length
}

// Remote browsers over CDP: least used first, skipping for a while those that failed.
import { connect } from 'node:net'
import type { Browser } from 'playwright-core'
import { withinTime } from '../../base/deadline.ts'
import type { Log } from '../../base/log.ts'
import { Problem } from '../../base/problem.ts'
import { portOf } from '../../base/values.ts'
import { setChromiumVersion } from '../http-engine.ts'
import type { BrowserContextOpener } from './browser-context-opener-type.ts'
import { type BrowserKind, browserTypeFor, type RunningBrowser } from './launch-browser.ts'
import { makePlaywrightContextOpener, type PlaywrightContext } from './playwright-contexts.ts'
import { isTimeout } from './playwright-errors.ts'
import type { BrowserStarter } from './start-browsers.ts'

interface RemoteOptions {
  endpoints: readonly string[]
  log: Log
}

interface Endpoint {
  url: URL
  open: number
  pausedUntil: number
}

const CONNECT_MS = 10_000
const CLOSE_MS = 3000
const PAUSE_MS = 15_000
const CHECK_MS = 500

export function openRemoteBrowsers({ endpoints, log }: RemoteOptions): BrowserStarter {
  const all = endpoints.map((text): Endpoint => ({ url: new URL(text), open: 0, pausedUntil: 0 }))

  const inTurn = () => {
    const now = performance.now()
    const awake = all.filter(({ pausedUntil }) => pausedUntil <= now)
    return awake.sort((a, b) => a.open - b.open)
  }

  async function start(requested: BrowserKind): Promise<RunningBrowser> {
    const kind = offers(requested)
    let because = 'all of them failed a moment ago'
    let isLate = false
    for (const endpoint of inTurn()) {
      try {
        return await connectTo(endpoint, kind)
      } catch (error) {
        because = (error as Error).message.split('\n', 1)[0] ?? ''
        isLate = isTimeout(error)
        endpoint.pausedUntil = performance.now() + PAUSE_MS
        log.warn({ endpoint: endpoint.url.host, because }, 'a remote browser does not respond')
      }
    }
    throw new Problem(isLate ? 'remote_browser_timeout' : 'remote_browser_failed', { because })
  }

  // We cannot change how a remote browser is started.
  return { offers, spread: all.length, start, died() {}, check: () => anyAnswers(all), notes: () => [] }
}

/** `still` depends on launch flags, which we do not control here. */
const offers = (kind: BrowserKind): BrowserKind => (kind === 'still' ? 'drawn' : kind)

async function connectTo(endpoint: Endpoint, kind: BrowserKind): Promise<RunningBrowser> {
  const chromium = browserTypeFor(kind)
  const browser = await chromium.connectOverCDP(endpoint.url.href, { timeout: CONNECT_MS })
  setChromiumVersion(browser.version())
  endpoint.open += 1
  browser.on('disconnected', () => {
    endpoint.open -= 1
  })
  return {
    kind,
    pid: undefined,
    version: browser.version(),
    isConnected: () => browser.isConnected(),
    onEnd: (listener) => void browser.on('disconnected', listener),
    openContext: withoutSideDoors(makePlaywrightContextOpener(browser)),
    end: () => leave(browser),
  }
}

/** WebRTC and WebTransport bypass proxies unless a flag forbids it, so remove them from remote browsers' pages. */
const withoutSideDoors =
  (open: BrowserContextOpener<PlaywrightContext>): BrowserContextOpener<PlaywrightContext> =>
  async (options) => {
    const context = await open(options)
    await context.context.addInitScript(
      `for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) delete globalThis[name]`,
    )
    return context
  }

/** Closing the connection closes our contexts; the browser itself keeps running. */
const leave = (browser: Browser): Promise<void> =>
  withinTime(
    CLOSE_MS,
    browser.close().catch(() => {}),
  )

async function anyAnswers(all: readonly Endpoint[]): Promise<void> {
  if (all.some(({ open }) => open > 0)) return
  await Promise.any(all.map(({ url }) => accepts(url))).catch((cause) => {
    throw new Problem('remote_browser_failed', { cause })
  })
}

function accepts(url: URL): Promise<void> {
  const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port: portOf(url) })
  return new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject).setTimeout(CHECK_MS, resolve)
  }).finally(() => socket.destroy())
}

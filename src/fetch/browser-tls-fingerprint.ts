// Sends one request with a browser's TLS and HTTP/2 fingerprint, for the enhanced tier. It dials through the browser
// proxy, so egress rules apply.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { limitWithin, problemOfAbort, withinTime } from '../base/deadline.ts'
import { Problem } from '../base/problem.ts'
import type { BrowserProxy, ProxyLogin } from './browser-proxy.ts'
import { openBodyCollector } from './collect-body.ts'
import type { HttpTransport, TransportOptions } from './http-transport-type.ts'
import type { OnDemandPackages } from './on-demand-packages.ts'
import type { ExchangeRequest, ExchangeResponse } from './send-request.ts'
import { problemOfWreqError } from './wreq-errors.ts'

type Library = typeof import('wreq-js')

const MAX_HEADERS_MS = 60_000

const READY_MS = 15_000
/** What a visit needs after it has waited. */
const VISIT_MS = 10_000

export interface BrowserTlsTransport {
  wire: HttpTransport
  /** Loads the library, which may have to be fetched; a visit that waits long goes without. */
  ready(signal: AbortSignal): Promise<void>
  /** Why it could not be loaded at the last attempt. */
  note(): string | undefined
}

export const NO_TLS_FINGERPRINT_WARNING =
  'wreq-js has no build for this machine: plain visits of the enhanced tier send the headers of a browser, but not its TLS handshake.'

export function openBrowserTlsTransport(
  proxy: () => Promise<BrowserProxy>,
  packages: OnDemandPackages,
  onMissing: (because: string) => void,
): BrowserTlsTransport {
  let library: Library | undefined
  let lastReason = ''
  const load = async (signal: AbortSignal) => {
    try {
      const folder = await packages.folderOf('wreq-js', signal)
      library = await import(pathToFileURL(join(folder, 'dist', 'wreq-js.js')).href)
    } catch (error) {
      if (signal.aborted) return
      const because = (error as Error).message.split('\n', 1)[0] ?? ''
      if (because !== lastReason) onMissing(because)
      lastReason = because
    }
  }
  return {
    async ready(signal) {
      if (!library) await withinTime(limitWithin(signal, READY_MS, VISIT_MS), load(signal))
    },
    note: () => (lastReason === '' || library ? undefined : `wreq-js could not be fetched: ${lastReason}`),
    wire: (request, options, signal) => (library ? send(library, proxy, request, options, signal) : undefined),
  }
}

async function send(
  { createTransport, fetch }: Library,
  proxy: () => Promise<BrowserProxy>,
  request: ExchangeRequest,
  { route, skipTlsVerification }: TransportOptions,
  signal: AbortSignal,
): Promise<ExchangeResponse> {
  const started = performance.now()
  const proxyUrl = await proxy()
  const pass = proxyUrl.admit({ route, blocks: () => false })
  const through = new URL(proxyUrl.server)
  through.username = pass.user
  through.password = pass.password
  const transport = await createTransport({
    proxy: through.href,
    browser: 'chrome_147',
    os: /Android/.test(request.headers['user-agent'] ?? '') ? 'android' : 'linux',
    insecure: skipTlsVerification,
    poolMaxIdlePerHost: 0,
  })
  try {
    const response = await fetch(request.url, {
      transport,
      method: request.method,
      headers: Object.entries(request.headers),
      ...(request.body ? { body: request.body } : {}),
      disableDefaultHeaders: true,
      redirect: 'manual',
      // Decoded by our own decoders, which enforce the budget.
      compress: false,
      timeout: MAX_HEADERS_MS,
      signal,
    })
    const failure = pass.failure(request.url)
    if (failure) throw failure
    const headers: Record<string, string> = {}
    for (const [name, value] of response.headers.entries()) headers[name.toLowerCase()] = value
    const setCookie = splitSetCookies(headers['set-cookie'])
    const firstByteMs = performance.now() - started
    const body = await readBody(response.body, headers, request.budget(response.status, headers), signal)
    return { status: response.status, headers, setCookie, firstByteMs, ...body }
  } catch (error) {
    throw problemOf(error, pass, request.url, signal)
  } finally {
    pass.close()
    void transport.close().catch(() => {})
  }
}

/** The library joins repeated headers with commas. Dates contain commas too, but not followed by a name and `=`. */
export const splitSetCookies = (joined: string | undefined): string[] => joined?.split(/,\s*(?=[^\s;,=]+=)/) ?? []

type Plain = Pick<ExchangeResponse, 'body' | 'truncated' | 'warnings'>
type Stream = { getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array }>; cancel(): Promise<void> } }

function readBody(
  stream: Stream | null,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Plain> {
  if (maxBytes === 0 || stream === null)
    return Promise.resolve({ body: new Uint8Array(0), truncated: false, warnings: [] })
  const reader = stream.getReader()
  return new Promise((resolve, reject) => {
    let over = false
    let drained: (() => void) | undefined
    let lagging = false
    const finish = (act: () => void) => {
      over = true
      drained?.()
      signal.removeEventListener('abort', stop)
      void reader.cancel().catch(() => {})
      act()
    }
    const stop = () => finish(() => reject(problemOfAbort(signal)))
    signal.addEventListener('abort', stop, { once: true })
    const length = Number(headers['content-length']) || 0
    const body = openBodyCollector(headers['content-encoding'], length, maxBytes, {
      pause: () => {
        lagging = true
      },
      drain: () => {
        lagging = false
        drained?.()
      },
      done: ({ bytes, truncated, warnings }) => finish(() => resolve({ body: bytes, truncated, warnings })),
      fail: (problem) => finish(() => reject(problem)),
    })
    const pump = async () => {
      while (!over) {
        const { done, value } = await reader.read()
        if (done || over) return
        if (value) body.write(Buffer.from(value.buffer, value.byteOffset, value.byteLength))
        if (lagging)
          await new Promise<void>((free) => {
            drained = free
          })
      }
    }
    pump().then(
      () => over || body.end(false),
      () => over || body.end(true),
    )
  })
}

function problemOf(error: unknown, pass: ProxyLogin, url: URL, signal: AbortSignal): unknown {
  if (signal.aborted) return problemOfAbort(signal)
  if (error instanceof Problem) return error
  const known = pass.failure(url)
  if (known) return known
  return problemOfWreqError(error)
}

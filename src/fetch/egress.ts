// The ONE door out: every request to an address that a caller, a redirect or a page named goes through here. Address
// policy, pinned DNS, redirects, budgets and proxies; it does not know what a page is.
import { Agent } from 'undici'
import type { Log } from '../base/log.ts'
import type { Hop } from '../base/page.ts'
import { Problem } from '../base/problem.ts'
import { abortProblem } from '../base/time.ts'
import { type AddressPolicy, addressPolicy, type Permit } from './address.ts'
import { connector } from './connect.ts'
import { cookieJar } from './cookies.ts'
import { type ExchangeAnswer, exchange } from './exchange.ts'
import { isHangUp, ProxyFault, wireProblem } from './failure.ts'
import { openProxies, type ProxyChoice, type ProxyLists } from './proxies.ts'
import { follow, isRedirect, type Journey } from './redirect.ts'
import { openResolver } from './resolve.ts'

export interface Budgets {
  /** Decoded bytes of a page; beyond them it is cut. */
  pageBytes: number
  /** The same for PDF and office files, which cannot be read when cut. */
  documentBytes: number
  headerBytes: number
  dnsMs: number
  connectMs: number
  socketsPerOrigin: number
}

export interface EgressOptions {
  allowPrivate: readonly string[]
  dnsServers: readonly string[]
  proxies: ProxyLists
  log: Log
  limits?: Partial<Budgets>
  /** PEM certificates trusted beside the system's. */
  trust?: readonly string[]
}

export interface EgressRequest {
  url: string
  method?: string
  headers: Readonly<Record<string, string>>
  body?: Uint8Array
  skipTlsVerification: boolean
  proxy: 'basic' | 'enhanced'
  /** 10 unless told; 0: a redirect is the answer. */
  maxRedirects?: number
  /** Decoded bytes to keep; the budget of a page or document unless told. */
  maxBytes?: number
  /** False: this caller may not use the operator's allow-list. */
  mayUseAllowList?: boolean
}

export interface EgressResponse {
  /** The address that answered, after redirects. */
  url: string
  status: number
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  truncated: boolean
  hops: readonly Hop[]
  proxyUsed: 'basic' | 'stealth'
  timings: { dnsMs?: number; firstByteMs: number; totalMs: number }
  warnings: readonly string[]
}

export interface Egress {
  fetch(request: EgressRequest, signal: AbortSignal): Promise<EgressResponse>
  close(): Promise<void>
}

const MIB = 1024 * 1024
const DEFAULTS: Budgets = {
  pageBytes: 20 * MIB,
  documentBytes: 50 * MIB,
  // Twice what Node allows by default: long Content-Security-Policy headers are real.
  headerBytes: 32_768,
  dnsMs: 10_000,
  connectMs: 10_000,
  socketsPerOrigin: 32,
}
const MAX_REDIRECTS = 10
const DOCUMENT = /pdf|officedocument|opendocument|msword|ms-excel|ms-powerpoint|epub|application\/zip/
const MAX_ORIGINS = 1000
// Names a connection is made of, and those that would let a caller speak for another host or break the framing.
const NEVER_SENT =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|expect|http2-settings)$/
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/

/** What the last new connection to an origin was like. */
interface Connection {
  permit: Permit
  dnsMs: number
  at: number
}

interface Sent {
  answer: ExchangeAnswer
  proxy: ProxyChoice | undefined
  connection: Connection | undefined
}

export function openEgress(options: EgressOptions): Egress {
  const limits = { ...DEFAULTS, ...options.limits }
  const resolve = openResolver({ servers: options.dnsServers, timeoutMs: limits.dnsMs })
  const policies = { listed: addressPolicy(options.allowPrivate), publicOnly: addressPolicy([]) }
  const proxies = openProxies(options.proxies, () => performance.now())
  const lines = new Map<string, Line>()

  function line(listed: boolean, skipTlsVerification: boolean, proxy: URL | undefined): Line {
    const key = `${listed} ${skipTlsVerification} ${proxy?.href ?? ''}`
    let found = lines.get(key)
    if (found === undefined) {
      const policy = listed ? policies.listed : policies.publicOnly
      found = openLine({ policy, resolve, limits, skipTlsVerification, proxy, trust: options.trust ?? [] })
      lines.set(key, found)
    }
    return found
  }

  async function send(request: EgressRequest, journey: Journey, signal: AbortSignal): Promise<Sent> {
    const listed = request.mayUseAllowList ?? true
    const { hostname, port, protocol } = journey.url
    const policy = listed ? policies.listed : policies.publicOnly
    policy.checkHost(hostname, Number(port) || (protocol === 'https:' ? 443 : 80))
    const budget = (status: number, headers: Readonly<Record<string, string>>) => {
      if (isRedirect(status) && headers.location !== undefined && request.maxRedirects !== 0) return 0
      return (
        request.maxBytes ?? (DOCUMENT.test(headers['content-type'] ?? '') ? limits.documentBytes : limits.pageBytes)
      )
    }
    let fault: unknown
    const choices = proxies.candidates(request.proxy)
    for (const proxy of choices.length > 0 ? choices : [undefined]) {
      const through = line(listed, request.skipTlsVerification, proxy?.url)
      try {
        const answer = await through.send({ ...journey, budget }, signal)
        return { answer, proxy, connection: through.connection(journey.url.origin) }
      } catch (error) {
        if (signal.aborted) throw abortProblem(signal)
        if (!(error instanceof ProxyFault)) throw wireProblem(error)
        if (error.resting) proxies.rest(proxy!)
        options.log.warn({ proxy: proxy!.url.host, because: error.message }, 'a proxy failed')
        fault = error
      }
    }
    throw new Problem('proxy_failed', { because: (fault as Error).message, cause: fault })
  }

  async function fetch(request: EgressRequest, signal: AbortSignal): Promise<EgressResponse> {
    const started = performance.now()
    const maxRedirects = request.maxRedirects ?? MAX_REDIRECTS
    const jar = cookieJar()
    const hops: Hop[] = []
    let logged = false
    let dnsMs: number | undefined
    let journey = firstLeg(request)
    for (;;) {
      const sentAt = performance.now()
      const cookie = jar.header(journey.url, journey.headers.cookie)
      const headers = cookie === undefined ? journey.headers : { ...journey.headers, cookie }
      const { answer, proxy, connection } = await send(request, { ...journey, headers }, signal)
      if (connection !== undefined && connection.at >= sentAt) dnsMs = (dnsMs ?? 0) + connection.dnsMs
      if (connection !== undefined && connection.permit !== 'public' && !logged) {
        logged = true
        options.log.info({ host: journey.url.host, rule: connection.permit.rule }, 'visited through the allow-list')
      }
      const { status, headers: received } = answer
      if (!isRedirect(status) || received.location === undefined || maxRedirects === 0) {
        return {
          url: journey.url.href,
          status,
          headers: received,
          body: answer.body,
          truncated: answer.truncated,
          hops,
          proxyUsed: proxy?.tier === 'enhanced' ? 'stealth' : 'basic',
          timings: {
            ...(dnsMs === undefined ? {} : { dnsMs: rounded(dnsMs) }),
            firstByteMs: rounded(sentAt - started + answer.firstByteMs),
            totalMs: rounded(performance.now() - started),
          },
          warnings: answer.warnings,
        }
      }
      if (hops.length >= maxRedirects)
        throw new Problem('redirect_loop', { because: `more than ${maxRedirects} times` })
      jar.keep(journey.url, answer.setCookie)
      hops.push({ url: journey.url.href, status, location: received.location })
      journey = follow(journey, status, received.location)
    }
  }

  return {
    fetch,
    close: async () => {
      await Promise.all([...lines.values()].map((open) => open.close()))
      lines.clear()
    },
  }
}

interface LineOptions {
  policy: AddressPolicy
  resolve: ReturnType<typeof openResolver>
  limits: Budgets
  skipTlsVerification: boolean
  proxy: URL | undefined
  trust: readonly string[]
}

/** Kept-alive connections of one kind: connections are never shared between kinds, so none escapes its checks. */
interface Line {
  send(request: Parameters<typeof exchange>[1], signal: AbortSignal): Promise<ExchangeAnswer>
  connection(origin: string): Connection | undefined
  close(): Promise<void>
}

function openLine({ limits, ...options }: LineOptions): Line {
  const connections = new Map<string, Connection>()
  const remember = (origin: string, connection: Connection) => {
    connections.delete(origin)
    if (connections.size >= MAX_ORIGINS) connections.delete(connections.keys().next().value!)
    connections.set(origin, connection)
  }
  const agent = new Agent({
    connect: connector({
      ...options,
      timeoutMs: limits.connectMs,
      onConnect: (origin, facts) => remember(origin, { ...facts, at: performance.now() }),
    }),
    connections: limits.socketsPerOrigin,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 30_000,
    maxHeaderSize: limits.headerBytes,
  })
  return {
    async send(request, signal) {
      const sentAt = performance.now()
      try {
        return await exchange(agent, request, signal)
      } catch (error) {
        // A kept-alive socket that the server closed as we wrote: the request was never read, so it is sent once more.
        const reused = (connections.get(request.url.origin)?.at ?? 0) < sentAt
        const harmless = request.method === 'GET' || request.method === 'HEAD'
        if (!reused || !harmless || signal.aborted || !isHangUp(error)) throw error
        return exchange(agent, request, signal)
      }
    },
    connection(origin) {
      const found = connections.get(origin)
      if (found !== undefined) remember(origin, found)
      return found
    },
    close: () => agent.destroy(),
  }
}

function firstLeg(request: EgressRequest): Journey {
  let url: URL
  try {
    url = new URL(request.url)
  } catch (cause) {
    throw new Problem('invalid_url', { cause })
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Problem('invalid_url', { because: 'only http and https addresses can be visited' })
  }
  url.hash = ''
  url.username = ''
  url.password = ''
  return { url, method: request.method ?? 'GET', headers: sendable(request.headers), body: request.body }
}

function sendable(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase()
    if (!HEADER_NAME.test(name) || NEVER_SENT.test(name) || !isPrintable(value)) continue
    kept[name] = value
  }
  return kept
}

// What HTTP allows in a header value: no control characters but the tab, nothing beyond one byte.
function isPrintable(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if ((code < 0x20 && code !== 0x09) || code === 0x7f || code > 0xff) return false
  }
  return true
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100

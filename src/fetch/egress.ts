// Egress: all requests to addresses named by callers, redirects or pages. Applies address policy, pinned DNS,
// redirects, budgets and proxies.
import type { Socket } from 'node:net'
import { callContext } from '../base/call-context.ts'
import { findHeaderFault } from '../base/caller-headers.ts'
import { problemOfAbort } from '../base/deadline.ts'
import type { Log } from '../base/log.ts'
import { Problem } from '../base/problem.ts'
import { portOf } from '../base/values.ts'
import type { Capture, RedirectHop } from '../base/visit-and-capture-types.ts'
import { type AddressPolicy, makeAddressPolicy } from './address-policy.ts'
import { botIdentity } from './bot-identity.ts'
import { openCheckedSocket } from './checked-sockets.ts'
import { type ConnectionPool, type OriginConnectionInfo, openConnectionPool } from './connection-pool.ts'
import { makeCookieJar } from './cookie-jar.ts'
import {
  type CredentialRecipients,
  isRedirectStatus,
  makeRedirectedRequest,
  type RedirectState,
} from './follow-redirects.ts'
import type { HttpTransport } from './http-transport-type.ts'
import { ProxyError, problemOfProxyError, problemOfSocketError } from './map-network-errors.ts'
import {
  openProxySelector,
  type ProxyChoice,
  type ProxyCriteria,
  type ProxyLists,
  type ProxySelector,
} from './proxy-selector.ts'
import { openResolver, type ResolveHost } from './resolve-host.ts'
import type { ExchangeResponse } from './send-request.ts'

export interface EgressLimits {
  pageBytes: number
  /** For PDF and office files, which cannot be parsed when truncated. */
  documentBytes: number
  headerBytes: number
  dnsMs: number
  connectMs: number
  socketsPerOrigin: number
}

export interface EgressOptions {
  allowPrivate: readonly string[]
  /** Like `allowPrivate`, but for every caller: public sites of our own. */
  openToAll?: readonly string[]
  dnsServers: readonly string[]
  /** None: every connection is direct. */
  proxies?: ProxyLists
  log: Log
  limits?: Partial<EgressLimits>
  /** Refuses addresses the caller chose to block, before any connection and at each hop. */
  guard?: UrlGuard | undefined
  mayUseAllowList?: () => boolean
  trust?: readonly string[]
}

interface UrlGuard {
  assert(url: URL): void
  /** Undefined: no address is listed, so none is resolved. */
  assertAddresses(url: URL, resolve: () => Promise<readonly string[]>): Promise<void> | undefined
}

export interface EgressRequest {
  url: string
  method?: string
  headers: Readonly<Record<string, string>>
  /** Hosts besides the origin of `url` that keep the headers after a redirect. */
  credentialHosts?: readonly string[] | undefined
  body?: Uint8Array
  skipTlsVerification: boolean
  proxy: 'basic' | 'enhanced'
  /** ISO country of the proxy, if the operator has one there. */
  country?: string
  maxRedirects?: number
  maxBytes?: number
  /** Bytes to keep of an audio or video response, when the caller fetches media separately. */
  mediaBytes?: number
  /** Receives a successful body undecoded as it arrives; `maxBytes` still applies. */
  into?: (chunk: Uint8Array) => Promise<void>
  wire?: HttpTransport
}

type CapturedPart = 'url' | 'status' | 'headers' | 'body' | 'truncated' | 'hops' | 'proxyUsed' | 'warnings'

export interface EgressResponse extends Pick<Capture, CapturedPart> {
  timings: { dnsMs?: number; firstByteMs: number; totalMs: number }
}

export interface Egress {
  fetch(request: EgressRequest, signal: AbortSignal): Promise<EgressResponse>
  /**
   * A raw connection under the same policy, for the browser proxy; failures are Problems. `listed`: result of
   * `mayUseList`.
   */
  dial(
    hostname: string,
    port: number,
    route: ProxyCriteria,
    listed: boolean,
  ): Promise<{ socket: Socket; viaTier: ProxyTier }>
  mayUseList(): boolean
  /** Throws `refused_address` when that is certain without DNS. */
  check(url: string): void
  checkResolved(url: string): Promise<void>
  /** Never dial this local port, regardless of the allow-list: it is our own listener (SSRF). */
  blockOwnPort(port: number): void
  close(): Promise<void>
}

type ProxyTier = 'none' | 'basic' | 'enhanced'

type Headers = Readonly<Record<string, string>>

const MIB = 1024 * 1024
const DEFAULTS: EgressLimits = {
  pageBytes: 20 * MIB,
  documentBytes: 50 * MIB,
  // Twice what Node allows by default: long Content-Security-Policy headers are real.
  headerBytes: 32_768,
  dnsMs: 10_000,
  connectMs: 10_000,
  socketsPerOrigin: 32,
}
const MAX_REDIRECTS = 10
const REFUSALS = new Set([403, 429])
const MAX_NOTED = 1000
const DOCUMENT = /pdf|officedocument|opendocument|msword|ms-excel|ms-powerpoint|epub|application\/zip/
const MEDIA = /^\s*(?:audio|video)\/(?!x?-?mpegurl|vnd\.apple\.mpegurl)/i
interface Trip {
  request: EgressRequest
  route: ProxyCriteria
  started: number
  dnsMs: number | undefined
  hops: RedirectHop[]
  logged: boolean
  proxy: ProxyChoice | undefined
}

const newTrip = (request: EgressRequest, { hostname }: URL): Trip => ({
  request,
  route: { tier: request.proxy, site: hostname, country: request.country, team: callContext().teamId },
  started: performance.now(),
  dnsMs: undefined,
  hops: [],
  logged: false,
  proxy: undefined,
})

function policiesOf(
  { allowPrivate, openToAll = [] }: EgressOptions,
  ownPorts: ReadonlySet<number>,
): (listed: boolean) => AddressPolicy {
  const withList = makeAddressPolicy([...allowPrivate, ...openToAll], ownPorts)
  const publicOnly = makeAddressPolicy(openToAll, ownPorts)
  return (listed) => (listed ? withList : publicOnly)
}

export function openEgress(options: EgressOptions): Egress {
  const limits = { ...DEFAULTS, ...options.limits }
  const { trust = [], mayUseAllowList: mayUseList = () => true } = options
  const resolve = openResolver({ servers: options.dnsServers, timeoutMs: limits.dnsMs })
  const ownPorts = new Set<number>()
  const policy = policiesOf(options, ownPorts)
  const proxies = openProxySelector(options.proxies ?? { basic: [], enhanced: [] }, () => performance.now())
  const lines = new Map<string, ConnectionPool>()

  function line(listed: boolean, skipTlsVerification: boolean, proxy: URL | undefined): ConnectionPool {
    const key = `${listed} ${skipTlsVerification} ${proxy?.href ?? ''}`
    let found = lines.get(key)
    if (found === undefined) {
      found = openConnectionPool({ policy: policy(listed), resolve, limits, skipTlsVerification, proxy, trust })
      lines.set(key, found)
    }
    return found
  }

  function note(trip: Trip, host: string, connection: OriginConnectionInfo | undefined, sentAt: number): void {
    if (connection === undefined) return
    if (connection.at >= sentAt) trip.dnsMs = (trip.dnsMs ?? 0) + connection.dnsMs
    if (connection.permit === 'public' || trip.logged) return
    trip.logged = true
    options.log.info({ host, rule: connection.permit.rule }, 'visited through the allow-list')
  }

  async function send(trip: Trip, journey: RedirectState, signal: AbortSignal): Promise<ExchangeResponse> {
    const { request } = trip
    const listed = mayUseList()
    const { host, origin } = journey.url
    await checkResolved(policy(listed), journey.url, options.guard, resolve)
    const sentAt = performance.now()
    const budget = (status: number, headers: Headers) => budgetFor(request, limits, status, headers)
    const { skipTlsVerification, wire } = request
    const wired = wire?.({ ...journey, budget }, { route: trip.route, skipTlsVerification }, signal)
    if (wired) return wired
    let fault: unknown
    const choices = proxies.candidates(trip.route)
    for (const proxy of choices.length > 0 ? choices : [undefined]) {
      const through = line(listed, skipTlsVerification, proxy?.url)
      trip.proxy = proxy
      try {
        const answer = await through.send({ ...journey, budget, into: request.into }, signal)
        note(trip, host, through.connection(origin), sentAt)
        if (proxy) proxies.markWorking(proxy)
        if (REFUSALS.has(answer.status)) proxies.switchToNextProxy(trip.route)
        return answer
      } catch (error) {
        const problem = signal.aborted ? problemOfAbort(signal) : problemOfSocketError(error)
        if (problem.kind !== 'refused_address') note(trip, host, through.connection(origin), sentAt)
        if (signal.aborted || !(error instanceof ProxyError)) throw problem
        if (error.resting) proxies.pauseProxy(proxy!)
        options.log.warn({ proxy: proxy!.url.host, because: error.message }, 'a proxy failed')
        fault = error
      }
    }
    throw problemOfProxyError(fault as ProxyError)
  }

  async function fetch(request: EgressRequest, signal: AbortSignal): Promise<EgressResponse> {
    const first = firstLeg(request)
    const trip = newTrip(request, first.url)
    const maxRedirects = request.maxRedirects ?? MAX_REDIRECTS
    const jar = makeCookieJar()
    let journey = first
    for (;;) {
      const sentAt = performance.now()
      const cookie = jar.header(journey.url, journey.headers.cookie)
      const headers = cookie === undefined ? journey.headers : { ...journey.headers, cookie }
      const answer = await send(trip, { ...journey, headers: await signedHeaders(headers, journey.url) }, signal)
      const { location } = answer.headers
      if (!isRedirectStatus(answer.status) || location === undefined || maxRedirects === 0) {
        return makeResponse(trip, journey.url, answer, sentAt)
      }
      if (trip.hops.length >= maxRedirects) {
        throw new Problem('redirect_loop', { because: `more than ${maxRedirects} times` })
      }
      jar.keep(journey.url, answer.setCookie)
      trip.hops.push({ url: journey.url.href, status: answer.status, location })
      journey = makeRedirectedRequest(journey, answer.status, location, recipientsOf(request))
    }
  }

  return {
    fetch,
    dial: dialler(policy, resolve, proxies, limits.connectMs, options.log),
    mayUseList,
    blockOwnPort: (port) => void ownPorts.add(port),
    check: (url) => checkUrl(policy(mayUseList()), new URL(url), options.guard),
    checkResolved: (url) => checkResolved(policy(mayUseList()), new URL(url), options.guard, resolve),
    close: () => closeAll(lines),
  }
}

async function closeAll(lines: Map<string, ConnectionPool>): Promise<void> {
  await Promise.all([...lines.values()].map((open) => open.close()))
  lines.clear()
}

function checkUrl(policy: AddressPolicy, url: URL, guard: EgressOptions['guard']): void {
  policy.checkHost(url.hostname, portOf(url))
  guard?.assert(url)
}

async function checkResolved(
  policy: AddressPolicy,
  url: URL,
  guard: EgressOptions['guard'],
  resolve: ResolveHost,
): Promise<void> {
  checkUrl(policy, url, guard)
  await guard?.assertAddresses(url, async () => (await resolve(url.hostname)).map(({ address }) => address))
}

function dialler(
  policyFor: (listed: boolean) => AddressPolicy,
  resolve: ResolveHost,
  proxies: ProxySelector,
  timeoutMs: number,
  log: Log,
): Egress['dial'] {
  const noted = new Set<string>()
  return async (hostname, port, route, listed) => {
    const policy = policyFor(listed)
    policy.checkHost(hostname, port)
    let fault: unknown
    const choices = proxies.candidates(route)
    for (const proxy of choices.length > 0 ? choices : [undefined]) {
      try {
        const { permit, socket } = await openCheckedSocket(
          { policy, resolve, timeoutMs, proxy: proxy?.url },
          hostname,
          port,
        )
        if (permit !== 'public' && !noted.has(hostname) && noted.size < MAX_NOTED) {
          noted.add(hostname)
          log.info({ host: hostname, rule: permit.rule }, 'visited through the allow-list')
        }
        if (proxy) proxies.markWorking(proxy)
        return { socket, viaTier: proxy?.tier ?? 'none' }
      } catch (error) {
        if (!(error instanceof ProxyError)) throw problemOfSocketError(error)
        if (error.resting) proxies.pauseProxy(proxy!)
        fault = error
      }
    }
    throw problemOfProxyError(fault as ProxyError)
  }
}

function budgetFor(request: EgressRequest, limits: EgressLimits, status: number, headers: Headers): number {
  // The body of a followed redirect is not used.
  if (isRedirectStatus(status) && headers.location !== undefined && request.maxRedirects !== 0) return 0
  if (request.maxBytes !== undefined) return request.maxBytes
  if (request.mediaBytes !== undefined && MEDIA.test(headers['content-type'] ?? '')) return request.mediaBytes
  return DOCUMENT.test(headers['content-type'] ?? '') ? limits.documentBytes : limits.pageBytes
}

function makeResponse(trip: Trip, url: URL, answer: ExchangeResponse, sentAt: number): EgressResponse {
  const { status, headers, body, truncated, warnings } = answer
  return {
    url: url.href,
    status,
    headers,
    body,
    truncated,
    hops: trip.hops,
    proxyUsed: trip.proxy?.tier === 'enhanced' ? 'stealth' : 'basic',
    timings: {
      ...(trip.dnsMs === undefined ? {} : { dnsMs: roundMs(trip.dnsMs) }),
      firstByteMs: roundMs(sentAt - trip.started + answer.firstByteMs),
      totalMs: roundMs(performance.now() - trip.started),
    },
    warnings,
  }
}

function firstLeg(request: EgressRequest): RedirectState {
  let url: URL
  try {
    url = new URL(request.url)
  } catch (cause) {
    throw new Problem('invalid_url', { cause })
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Problem('invalid_url', { because: 'only http and https URLs can be visited' })
  }
  url.hash = ''
  url.username = ''
  url.password = ''
  return { url, method: request.method ?? 'GET', headers: keepSendable(request.headers), body: request.body }
}

/** Each hop has a signature of its own. A request that carries another name has none. */
async function signedHeaders(headers: Headers, { href }: URL): Promise<Headers> {
  const bot = botIdentity()
  return bot && headers['user-agent'] === bot.userAgent ? { ...headers, ...(await bot.sign(href)) } : headers
}

const recipientsOf = ({ url, credentialHosts }: EgressRequest): CredentialRecipients => ({
  urls: [url],
  hosts: credentialHosts,
})

function keepSendable(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase()
    if (findHeaderFault(name, value) || !isOneByte(value)) continue
    kept[name] = value
  }
  return kept
}

/** Header values are sent as Latin-1. */
function isOneByte(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0xff) return false
  return true
}

const roundMs = (ms: number): number => Math.round(ms * 100) / 100

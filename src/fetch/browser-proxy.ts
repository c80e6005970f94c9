// An HTTP proxy for browsers that dials every connection through egress, with its address policy and pinned DNS. Each
// visit has its own credentials.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { asProblem, Problem } from '../base/problem.ts'
import { portOf } from '../base/values.ts'
import type { Egress } from './egress.ts'
import type { ProxyCriteria } from './proxy-selector.ts'

export interface ProxyLoginOptions {
  route: ProxyCriteria
  blocks(hostname: string): boolean
  maxBytes?: number
  assert?(address: string): Promise<void>
}

export interface ProxyLogin {
  user: string
  password: string
  /** Why the connection to this URL failed. */
  failure(url: URL): Problem | undefined
  refused(): number
  enhanced(): boolean
  bytes(): number
  abandonRequestsTo(addresses: readonly string[]): void
  /** Ends and refuses connections to other addresses until the returned function is called. */
  restrictRequests(allows: (address: string) => boolean): () => void
  close(): void
}

export interface BrowserProxy {
  server: string
  /** The next listener address in rotation; each visit's credentials are valid on all of them. */
  nextListenerAddress(): string
  admit(options: ProxyLoginOptions): ProxyLogin
  close(): Promise<void>
}

interface ProxyConnection {
  to: string
  end(): void
}

interface OpenPass extends ProxyLogin {
  options: ProxyLoginOptions
  listed: boolean
  sockets: Set<Duplex>
  connections: Set<ProxyConnection>
  givenUp: Map<string, number>
  restrictions: Set<(address: string) => boolean>
  failures: Map<string, Problem>
  count: { refused: number; bytes: number; enhanced: boolean }
}

/** Per visit, both directions: far above any real page. */
const MAX_VISIT_BYTES = 256 * 1024 * 1024
const MAX_SOCKETS = 256
const MAX_FAILURES = 200
/** A browser retries an aborted request immediately; after this time the document has moved on. */
const ABANDONED_REQUEST_MS = 1500
const HOP_HEADERS = /^(?:proxy-.*|connection|keep-alive|te|trailer|upgrade)$/i
/** `.invalid` never resolves (RFC 2606). */
export const PROXY_LOGIN_HOST = 'hello.orb.invalid'
const REALM = 'Basic realm="orb"'

/** Chromium opens at most 32 connections per proxy for all pages, so contexts are spread over this many ports. */
const LISTENER_COUNT = 16

interface Lane {
  server: http.Server
  address: string
}

export async function openBrowserProxy(egress: Egress, reachedUnder?: string): Promise<BrowserProxy> {
  const passes = new Map<string, OpenPass>()
  const find = (request: IncomingMessage): OpenPass | undefined => passes.get(loginOf(request))
  const opening = Array.from({ length: reachedUnder === undefined ? LISTENER_COUNT : 1 }, () =>
    openLane(egress, find, reachedUnder),
  )
  const lanes = await Promise.all(opening)
  let used = 0
  return {
    server: lanes[0]!.address,
    nextListenerAddress: () => lanes[used++ % lanes.length]!.address,
    admit(options) {
      const pass = newPass(options, egress.mayUseList(), (user, password) => passes.delete(login(user, password)))
      passes.set(login(pass.user, pass.password), pass)
      return pass
    },
    async close() {
      for (const pass of passes.values()) pass.close()
      await Promise.all(lanes.map(({ server }) => closeServer(server)))
    },
  }
}

const closeServer = (server: http.Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

async function openLane(
  egress: Egress,
  find: (request: IncomingMessage) => OpenPass | undefined,
  reachedUnder: string | undefined,
): Promise<Lane> {
  const server = http.createServer({ maxHeaderSize: 65_536 })
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => client.destroy())
    const pass = find(request)
    if (!pass)
      return void client.end(
        `HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${REALM}\r\nX-Orb-Proxy: login\r\nContent-Length: 0\r\n\r\n`,
      )
    void tunnel(egress, pass, request.url ?? '', client, head)
  })
  server.on('request', (request, response) => {
    const pass = find(request)
    if (!pass) {
      response.writeHead(407, { 'proxy-authenticate': REALM, 'x-orb-proxy': 'login', 'content-length': 0 })
      return void response.end()
    }
    void forward(egress, pass, request, response)
  })
  server.on('upgrade', (_request, socket) => socket.destroy())
  server.on('clientError', (_error, socket) => socket.destroy())
  server.keepAliveTimeout = 30_000
  server.requestTimeout = 0
  const reached = reachedUnder === undefined ? undefined : new URL(`http://${reachedUnder}`)
  // Behind a container network, the public address may not be one this machine can bind.
  server.listen(Number(reached?.port) || 0, reached && !isLoopback(reached.hostname) ? undefined : '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const { port } = server.address() as AddressInfo
  egress.blockOwnPort(port)
  return { server, address: `http://${reached?.hostname ?? '127.0.0.1'}:${port}` }
}

const isLoopback = (hostname: string): boolean => hostname === 'localhost' || hostname.startsWith('127.')

const login = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
const loginOf = (request: IncomingMessage): string => String(request.headers['proxy-authorization'] ?? '')

function newPass(
  options: ProxyLoginOptions,
  listed: boolean,
  forget: (user: string, password: string) => void,
): OpenPass {
  const user = randomBytes(9).toString('base64url')
  const password = randomBytes(18).toString('base64url')
  const sockets = new Set<Duplex>()
  const failures = new Map<string, Problem>()
  const count = { refused: 0, bytes: 0, enhanced: false }
  const connections = new Set<ProxyConnection>()
  const givenUp = new Map<string, number>()
  const restrictions: OpenPass['restrictions'] = new Set()
  return {
    user,
    password,
    options,
    listed,
    sockets,
    connections,
    givenUp,
    restrictions,
    failures,
    count,
    failure: (url) => failures.get(`${url.hostname}:${portOf(url)}`),
    refused: () => count.refused,
    enhanced: () => count.enhanced,
    bytes: () => count.bytes,
    abandonRequestsTo(addresses) {
      const ends = new Set(addresses.map(destinationOf))
      for (const to of ends) givenUp.set(to, performance.now() + ABANDONED_REQUEST_MS)
      for (const connection of connections) if (ends.has(connection.to)) connection.end()
    },
    restrictRequests(allows) {
      restrictions.add(allows)
      for (const connection of connections) if (!allows(addressOf(connection))) connection.end()
      return () => void restrictions.delete(allows)
    },
    close() {
      forget(user, password)
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
  }
}

function destinationOf(address: string): string {
  const url = new URL(address)
  return url.protocol === 'http:' ? url.href : `${url.hostname}:${portOf(url)}`
}

/** A tunnel may carry anything, and a page of https opens no other. */
const addressOf = ({ to }: ProxyConnection): string => (to.startsWith('http:') ? to : `https://${to}/`)

function setOut({ connections, givenUp, restrictions }: OpenPass, connection: ProxyConnection): () => void {
  if ([...restrictions].some((allows) => !allows(addressOf(connection))))
    throw new Problem('site_failed', { because: 'requests to other sites are blocked while a sign-in is typed' })
  if ((givenUp.get(connection.to) ?? 0) > performance.now())
    throw new Problem('site_failed', { because: 'it did not respond in time' })
  connections.add(connection)
  return () => connections.delete(connection)
}

async function dialFor(egress: Egress, pass: OpenPass, hostname: string, port: number): Promise<Socket> {
  const { options, sockets, failures, count } = pass
  try {
    if (options.blocks(hostname)) throw new Problem('site_failed', { because: 'it is blocked as an advertisement' })
    if (sockets.size >= MAX_SOCKETS)
      throw new Problem('site_failed', { because: 'the page opens too many connections' })
    if (count.bytes > (options.maxBytes ?? MAX_VISIT_BYTES))
      throw new Problem('site_failed', { because: 'the page moves too much data' })
    await options.assert?.(`http://${hostname}:${port}/`)
    const { socket, viaTier } = await egress.dial(hostname, port, options.route, pass.listed)
    if (viaTier === 'enhanced') count.enhanced = true
    socket.on('error', () => socket.destroy())
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    return socket
  } catch (error) {
    const problem = asProblem(error)
    if (problem.kind === 'refused_address') count.refused += 1
    if (failures.size < MAX_FAILURES) failures.set(`${hostname}:${port}`, problem)
    throw problem
  }
}

function countBytes(pass: OpenPass, stream: Duplex): void {
  stream.on('data', (chunk: Buffer) => {
    pass.count.bytes += chunk.length
    if (pass.count.bytes > (pass.options.maxBytes ?? MAX_VISIT_BYTES)) stream.destroy()
  })
}

async function tunnel(egress: Egress, pass: OpenPass, authority: string, client: Socket, head: Buffer): Promise<void> {
  const [, host, port] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(authority) ?? []
  if (host === undefined || port === undefined) return void client.end('HTTP/1.1 400 Bad Request\r\n\r\n')
  let target: Socket
  try {
    const arrived = setOut(pass, { to: `${host}:${port}`, end: () => client.destroy() })
    client.on('close', arrived)
    target = await dialFor(egress, pass, host, Number(port))
  } catch {
    return void client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n')
  }
  if (client.destroyed) return void target.destroy()
  pass.sockets.add(client)
  client.on('close', () => {
    pass.sockets.delete(client)
    target.destroy()
  })
  target.on('close', () => client.destroy())
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  if (head.length > 0) target.write(head)
  countBytes(pass, target)
  client.pipe(target)
  target.pipe(client)
}

async function forward(
  egress: Egress,
  pass: OpenPass,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let url: URL
  try {
    url = new URL(request.url ?? '')
    if (url.protocol !== 'http:') throw new Error('only http is forwarded')
  } catch {
    response.writeHead(400)
    return void response.end()
  }
  if (url.hostname === PROXY_LOGIN_HOST) {
    response.writeHead(200, { 'content-type': 'text/html' })
    return void response.end('hello')
  }
  try {
    const end = () => (response.headersSent ? response.destroy() : response.writeHead(504).end())
    response.on('close', setOut(pass, { to: url.href, end }))
    const socket = await dialFor(egress, pass, url.hostname, Number(url.port) || 80)
    if (response.destroyed) return void socket.destroy()
    countBytes(pass, socket)
    await relay(socket, url, request, response)
  } catch (error) {
    if (response.headersSent) return void response.destroy()
    // 204 leaves the page where it is, so a link into the internal network loses nothing else.
    const refused = error instanceof Problem && error.kind === 'refused_address'
    response.writeHead(refused ? 204 : 502, refused ? {} : { 'content-length': 0, 'x-orb-proxy': 'failed' })
    response.end()
  }
}

function relay(socket: Socket, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = forwardedHeaders(request.rawHeaders)
    const onward = http.request({
      createConnection: () => socket,
      method: request.method ?? 'GET',
      path: url.pathname + url.search,
      headers: [...headers, 'Connection', 'keep-alive'],
      setHost: false,
      maxHeaderSize: 65_536,
    })
    // Sockets from the operator's proxy arrive paused; listeners are attached by now.
    onward.on('socket', () => socket.resume())
    onward.on('response', (answer) => {
      if (response.headersSent) return void socket.destroy()
      const kept = forwardedHeaders(answer.rawHeaders)
      // Only this proxy may set `x-orb-proxy`; drop it from site responses.
      const honest = kept.filter((_, at) => !/^x-orb-proxy$/i.test(kept[at - (at % 2)] ?? ''))
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, honest)
      answer.pipe(response)
      answer.on('end', () => {
        socket.destroy()
        resolve()
      })
      answer.on('error', reject)
    })
    onward.on('upgrade', (_answer, upgraded) => upgraded.destroy())
    onward.on('error', reject)
    socket.on('close', () => reject(new Error('closed')))
    response.on('close', () => {
      socket.destroy()
      resolve()
    })
    request.pipe(onward)
  })
}

function forwardedHeaders(raw: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] as string
    if (!HOP_HEADERS.test(name)) kept.push(name, raw[at + 1] as string)
  }
  return kept
}

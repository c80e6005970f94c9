// Opens sockets only to addresses the policy has just checked. Look-up, check and connection use one DNS answer, so a
// name cannot change in between.

import { constants } from 'node:crypto'
import net from 'node:net'
import tls from 'node:tls'
import { LRUCache } from 'lru-cache'
import type { buildConnector } from 'undici'
import { abortAfter } from '../base/abort-after.ts'
import { once } from '../base/values.ts'
import { type AddressPermission, type AddressPolicy, normalizeHostname } from './address-policy.ts'
import { ProxyError, problemOfTlsError } from './map-network-errors.ts'
import type { HostAddress, ResolveHost } from './resolve-host.ts'
import { connectThroughSocks5, exchangeWithProxy, isSocksProxy } from './socks5.ts'

export interface ConnectOptions {
  policy: AddressPolicy
  resolve: ResolveHost
  timeoutMs: number
  skipTlsVerification: boolean
  trust: readonly string[]
  /** Tunnel through this proxy. It is the operator's, so its address is not checked. */
  proxy?: URL | undefined
  onConnect(origin: string, facts: { permit: AddressPermission; dnsMs: number }): void
}

const MAX_SESSIONS = 500

interface OpenedSocket {
  socket: net.Socket
  permit: AddressPermission
  dnsMs: number
}

export async function openCheckedSocket(
  options: Pick<ConnectOptions, 'policy' | 'resolve' | 'timeoutMs' | 'proxy'>,
  hostname: string,
  port: number,
): Promise<OpenedSocket> {
  const started = performance.now()
  const answers = await checkedAnswers(options, hostname, port)
  const dnsMs = performance.now() - started
  const patience = abortAfter(options.timeoutMs)
  const socket = options.proxy
    ? await tunnel(options.proxy, answers.list, port, patience)
    : await dial({ port, host: normalizeHostname(hostname), ...happyEyeballs(answers.list) }, patience)
  return { socket, permit: answers.permit, dnsMs }
}

export function makeCheckedUndiciConnector(options: ConnectOptions): buildConnector.connector {
  const context = secureContext(options)
  const sessions = new LRUCache<string, Buffer>({ max: MAX_SESSIONS })

  async function open({ hostname, host, protocol, port }: buildConnector.Options): Promise<net.Socket> {
    const secure = protocol === 'https:'
    const portNumber = Number(port) || (secure ? 443 : 80)
    const started = performance.now()
    const answers = await checkedAnswers(options, hostname, portNumber)
    const dnsMs = performance.now() - started
    options.onConnect(`${protocol}//${host}`, { permit: answers.permit, dnsMs })
    const patience = abortAfter(options.timeoutMs)
    const socket = options.proxy
      ? await tunnel(options.proxy, answers.list, portNumber, patience)
      : await dial({ port: portNumber, host: normalizeHostname(hostname), ...happyEyeballs(answers.list) }, patience)
    if (!secure) return socket
    const key = `${hostname}:${portNumber}`
    try {
      return await handshake(socket, { hostname, key, sessions, context: context(), options }, patience)
    } catch (error) {
      sessions.delete(key)
      socket.destroy()
      throw error
    }
  }

  return (options, callback) => {
    open(options).then(
      (socket) => callback(null, socket),
      (error) => callback(error, null),
    )
  }
}

async function checkedAnswers(
  { policy, resolve }: Pick<ConnectOptions, 'policy' | 'resolve'>,
  hostname: string,
  port: number,
): Promise<{ permit: AddressPermission; list: readonly HostAddress[] }> {
  policy.checkHost(hostname, port)
  const host = normalizeHostname(hostname)
  const family = net.isIP(host)
  const list = family === 0 ? await resolve(host) : [{ address: host, family: family === 6 ? 6 : 4 } as const]
  const permit = policy.checkAnswers(
    hostname,
    port,
    list.map(({ address }) => address),
  )
  return { permit, list }
}

// Node tries the checked addresses in turn, v6 and v4 alternating; no other address can be used.
function happyEyeballs(answers: readonly HostAddress[]) {
  const lookup: net.LookupFunction = (_hostname, { all }, done) =>
    all ? done(null, [...answers]) : done(null, answers[0]!.address, answers[0]!.family)
  // Node's default of 250 ms per attempt is less than one intercontinental round trip.
  return { lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1500 }
}

function dial(target: net.TcpNetConnectOpts, patience: AbortSignal): Promise<net.Socket> {
  const options: net.TcpNetConnectOpts = { ...target, noDelay: true, keepAlive: true }
  const socket = net.connect(options)
  return waitUntilReady(socket, 'connect', patience)
}

interface HandshakeTarget {
  hostname: string
  key: string
  sessions: LRUCache<string, Buffer>
  context: tls.SecureContext
  options: ConnectOptions
}

async function handshake(raw: net.Socket, target: HandshakeTarget, patience: AbortSignal): Promise<net.Socket> {
  const { hostname, key, sessions, context, options } = target
  const host = normalizeHostname(hostname)
  const session = sessions.get(key)
  const socket = tls.connect({
    socket: raw,
    secureContext: context,
    host,
    // SNI must not be an IP address (RFC 6066); an invented name confuses old servers.
    servername: net.isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
    // Verified below instead, where the certificate is still available for the error message.
    rejectUnauthorized: false,
    checkServerIdentity: (_name, certificate) => tls.checkServerIdentity(host, certificate),
    ...(session ? { session } : {}),
  })
  await waitUntilReady(socket, 'secureConnect', patience)
  if (!options.skipTlsVerification && !socket.authorized) {
    const certificate = socket.getPeerCertificate()
    socket.destroy()
    throw problemOfTlsError(String(socket.authorizationError), host, certificate)
  }
  socket.on('session', (fresh: Buffer) => void sessions.set(key, fresh))
  return socket
}

function waitUntilReady<S extends net.Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  patience: AbortSignal,
): Promise<S> {
  return new Promise((resolve, reject) => {
    const destroyLate = () => socket.destroy(Object.assign(new Error('connect timed out'), { code: 'ETIMEDOUT' }))
    const finish = () => {
      patience.removeEventListener('abort', destroyLate)
      socket.off('error', fail).off('close', failClosed)
    }
    const fail = (error: Error) => {
      finish()
      socket.on('error', () => {})
      reject(error)
    }
    const failClosed = () => fail(Object.assign(new Error('closed while connecting'), { code: 'ECONNRESET' }))
    patience.addEventListener('abort', destroyLate, { once: true })
    socket.on('error', fail).on('close', failClosed)
    socket.once(event, () => {
      finish()
      resolve(socket)
    })
  })
}

/** CONNECT or SOCKS5 to the checked address, so that the proxy performs no DNS look-up. */
async function tunnel(proxy: URL, answers: readonly HostAddress[], port: number, patience: AbortSignal) {
  const target = answers.find((answer) => answer.family === 4) ?? answers[0]!
  const { address, family } = target
  const authority = family === 6 ? `[${address}]:${port}` : `${address}:${port}`
  const secure = proxy.protocol === 'https:'
  const isSocks = isSocksProxy(proxy)
  const host = normalizeHostname(proxy.hostname)
  let socket: net.Socket | undefined
  try {
    socket = await dial(
      { host, port: Number(proxy.port) || (isSocks ? 1080 : secure ? 443 : 80), autoSelectFamily: true },
      patience,
    )
    if (secure) {
      const servername = net.isIP(host) === 0 ? host : ''
      socket = await waitUntilReady(tls.connect({ socket, host, servername }), 'secureConnect', patience)
    }
    if (isSocks) {
      await connectThroughSocks5(socket, proxy, target, port, patience)
      return socket
    }
    const status = await askTunnel(socket, authority, proxy, patience)
    if (status !== 200) throw new ProxyError(`the proxy returned ${status}`, { resting: status === 407 })
    return socket
  } catch (error) {
    socket?.destroy()
    if (error instanceof ProxyError) throw error
    const isLate = patience.aborted
    throw new ProxyError(
      isLate ? 'the proxy did not respond' : 'the proxy cannot be reached',
      { resting: true, isLate },
      error,
    )
  }
}

async function askTunnel(socket: net.Socket, authority: string, proxy: URL, patience: AbortSignal): Promise<number> {
  const login = proxy.username
    ? `Proxy-Authorization: Basic ${Buffer.from(
        `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`,
      ).toString('base64')}\r\n`
    : ''
  const head = await exchangeWithProxy(
    socket,
    `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${login}\r\n`,
    (received) => {
      const end = received.indexOf('\r\n\r\n')
      return end < 0 ? undefined : end + 4
    },
    patience,
  )
  return Number(/^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1', 0, 32))?.[1] ?? 0)
}

// Created lazily, once per mode: loading the root certificates takes milliseconds.
function secureContext({ skipTlsVerification, trust }: ConnectOptions): () => tls.SecureContext {
  const lenient: tls.SecureContextOptions = {
    minVersion: 'TLSv1',
    ciphers: 'DEFAULT:@SECLEVEL=0',
    secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
  }
  const strict: tls.SecureContextOptions = trust.length > 0 ? { ca: [...tls.rootCertificates, ...trust] } : {}
  return once(() => tls.createSecureContext(skipTlsVerification ? lenient : strict))
}

// Keep-alive connections of one kind (proxy, TLS mode, allow-list or not). Egress selects the kind for a request.
import { LRUCache } from 'lru-cache'
// Undici's index also loads its fetch, WebSocket and mocks, and with them Node's own copy.
import Agent from 'undici/lib/dispatcher/agent.js'
import type { AddressPermit, AddressPolicy } from './address.ts'
import { connector } from './connect.ts'
import { type ExchangeAnswer, type ExchangeRequest, exchange } from './exchange.ts'
import { isHangUp } from './failure.ts'
import type { ResolveHost } from './resolve.ts'

const MAX_ORIGINS = 1000

export interface OriginConnection {
  permit: AddressPermit
  dnsMs: number
  at: number
}

interface LineOptions {
  policy: AddressPolicy
  resolve: ResolveHost
  limits: { headerBytes: number; connectMs: number; socketsPerOrigin: number }
  skipTlsVerification: boolean
  proxy: URL | undefined
  trust: readonly string[]
}

/** Connections are never shared between kinds, so none bypasses its checks. */
export interface HttpLine {
  send(request: ExchangeRequest, signal: AbortSignal): Promise<ExchangeAnswer>
  connection(origin: string): OriginConnection | undefined
  close(): Promise<void>
}

export function openLine({ limits, ...options }: LineOptions): HttpLine {
  const connections = new LRUCache<string, OriginConnection>({ max: MAX_ORIGINS })
  const agent = new Agent({
    connect: connector({
      ...options,
      timeoutMs: limits.connectMs,
      onConnect: (origin, facts) => void connections.set(origin, { ...facts, at: performance.now() }),
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
        // The server closed a reused socket while we wrote: the request was not read, so retry once.
        const reused = (connections.get(request.url.origin)?.at ?? 0) < sentAt
        const harmless = request.method === 'GET' || request.method === 'HEAD'
        if (!reused || !harmless || signal.aborted || !isHangUp(error)) throw error
        return exchange(agent, request, signal)
      }
    },
    connection: (origin) => connections.get(origin),
    close: () => agent.destroy(),
  }
}

// Kept-alive connections of one kind (proxy, TLS mode, allow-list or not) and what is known of them. Egress decides which
// kind a request needs.
import { LRUCache } from 'lru-cache'
import { Agent } from 'undici'
import type { AddressPolicy, Permit } from './address.ts'
import { connector } from './connect.ts'
import { type ExchangeAnswer, type ExchangeRequest, exchange } from './exchange.ts'
import { isHangUp } from './failure.ts'
import type { ResolveHost } from './resolve.ts'

const MAX_ORIGINS = 1000

/** What the last new connection to an origin was like. */
export interface OriginConnection {
  permit: Permit
  dnsMs: number
  at: number
}

export interface LineOptions {
  policy: AddressPolicy
  resolve: ResolveHost
  limits: { headerBytes: number; connectMs: number; socketsPerOrigin: number }
  skipTlsVerification: boolean
  proxy: URL | undefined
  trust: readonly string[]
}

/** Kept-alive connections of one kind: connections are never shared between kinds, so none escapes its checks. */
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
        // A kept-alive socket that the server closed as we wrote: the request was never read, so it is sent once more.
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

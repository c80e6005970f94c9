// Keep-alive connections of one kind (proxy, TLS mode, allow-list or not). Egress selects the kind for a request.
import { LRUCache } from 'lru-cache'
// Undici's index also loads its fetch, WebSocket and mocks, and with them Node's own copy.
import Agent from 'undici/lib/dispatcher/agent.js'
import type { AddressPermission } from './address-policy.ts'
import { type ConnectOptions, makeCheckedUndiciConnector } from './checked-sockets.ts'
import { isConnectionReset } from './map-network-errors.ts'
import { type ExchangeRequest, type ExchangeResponse, sendRequest } from './send-request.ts'

const MAX_ORIGINS = 1000

export interface OriginConnectionInfo {
  permit: AddressPermission
  dnsMs: number
  at: number
}

interface ConnectionPoolOptions extends Omit<ConnectOptions, 'timeoutMs' | 'onConnect'> {
  limits: { headerBytes: number; connectMs: number; socketsPerOrigin: number }
}

/** Connections are never shared between kinds, so none bypasses its checks. */
export interface ConnectionPool {
  send(request: ExchangeRequest, signal: AbortSignal): Promise<ExchangeResponse>
  connection(origin: string): OriginConnectionInfo | undefined
  close(): Promise<void>
}

export function openConnectionPool({ limits, ...options }: ConnectionPoolOptions): ConnectionPool {
  const connections = new LRUCache<string, OriginConnectionInfo>({ max: MAX_ORIGINS })
  const agent = new Agent({
    connect: makeCheckedUndiciConnector({
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
        return await sendRequest(agent, request, signal)
      } catch (error) {
        // The server closed a reused socket while we wrote: the request was not read, so retry once.
        const reused = (connections.get(request.url.origin)?.at ?? 0) < sentAt
        const harmless = request.method === 'GET' || request.method === 'HEAD'
        if (!reused || !harmless || signal.aborted || !isConnectionReset(error)) throw error
        return sendRequest(agent, request, signal)
      }
    },
    connection: (origin) => connections.get(origin),
    close: () => agent.destroy(),
  }
}

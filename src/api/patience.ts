// Limits for receiving requests and for connections. Replies may take minutes, so idle connections stay open; only late
// request bodies are cut.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { PEER_PATH } from '../capabilities/interact/peers.ts'

/** Body limit of routes without a key: a code, a key, an assertion. */
export const OPEN_BODY_BYTES = 16 * 1024
/** Body limit between machines: a caller's code, quoted twice. */
const PEER_BODY_BYTES = 512 * 1024

export const openBodyBytes = (path: string): number => (path === PEER_PATH ? PEER_BODY_BYTES : OPEN_BODY_BYTES)

const MAX_CONNECTIONS = 4096
const HEADERS_MS = 20_000
const CHECK_MS = 5000
/** Base time per body, plus time by length at the slowest accepted rate. */
const BODY_MS = 10_000
const SLOWEST_BYTES_PER_MS = 32

export const arrivalOptions = { headersTimeout: HEADERS_MS, connectionsCheckingInterval: CHECK_MS }

/** `maxBytes`: limit for a body without a length. */
export function boundArrivals(
  server: FastifyInstance,
  maxBytes: (path: string | undefined, method: string) => number,
  maxConnections = MAX_CONNECTIONS,
): void {
  boundConnections(server, maxConnections)
  server.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request
    if (hasBody(raw)) endIfLate(raw, maxBytes(request.routeOptions.url, request.method))
    done()
  })
}

/**
 * At the limit, the oldest connection without a key is closed, so that idle connections cannot lock out authenticated
 * callers or health checks.
 */
function boundConnections(server: FastifyInstance, most: number): void {
  const open = new Set<Socket>()
  const keyless = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    open.add(socket)
    keyless.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      keyless.delete(socket)
    })
    if (open.size <= most) return
    const [oldest = socket] = keyless
    keyless.delete(oldest)
    open.delete(oldest)
    oldest.destroy()
  })
  server.server.on('upgrade', ({ socket }: IncomingMessage) => keyless.delete(socket))
  server.addHook('preHandler', (request, _reply, done) => {
    if (request.caller) keyless.delete(request.raw.socket)
    done()
  })
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function endIfLate(raw: IncomingMessage, maxBytes: number): void {
  const bytes = Math.min(maxBytes, Number(raw.headers['content-length'] ?? maxBytes))
  const timer = setTimeout(
    () => {
      if (!raw.complete) raw.destroy()
    },
    BODY_MS + bytes / SLOWEST_BYTES_PER_MS,
  ).unref()
  raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}

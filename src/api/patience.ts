// How long a request may take to arrive, and how many may be there at once. Answers may take minutes, so a connection that
// is silent is not cut; one that was promised a body and does not get it is.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { PEER_PATH } from '../capabilities/interact/peers.ts'

/** A body of a route that anybody may call: a code, a key, an assertion. */
export const OPEN_BODY_BYTES = 16 * 1024
/** What one machine of the service tells another: the code of a caller, quoted twice. */
const PEER_BODY_BYTES = 512 * 1024

export const openBodyBytes = (path: string): number => (path === PEER_PATH ? PEER_BODY_BYTES : OPEN_BODY_BYTES)

const MAX_CONNECTIONS = 4096
const HEADERS_MS = 20_000
const CHECK_MS = 5000
/** What every body may take, and what its length adds: the slowest line that is still worth waiting for. */
const BODY_MS = 10_000
const SLOWEST_BYTES_PER_MS = 32

export const arrivalOptions = { headersTimeout: HEADERS_MS, connectionsCheckingInterval: CHECK_MS }

/** `maxBytes`: what a body without a length may come to. */
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
 * When all places are taken, the oldest connection over which no key has come yet makes way. Silent connections, however
 * many and from wherever, so cannot shut out callers with a key, nor checks of health.
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

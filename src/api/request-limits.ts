// Limits for receiving requests and for connections. Replies may take minutes, so idle connections stay open; only late
// request bodies are cut.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { isWebSocketUpgrade } from './job-websocket.ts'

/** Body limit of routes without a key: a code, a key, an assertion. */
export const MAX_BODY_BYTES_WITHOUT_KEY = 16 * 1024

const MAX_CONNECTIONS = 4096
const HEADERS_MS = 20_000
const CHECK_MS = 5000
/** Time to receive a request body: this, plus its length at the slowest accepted rate. */
const REQUEST_BODY_BASE_TIMEOUT_MS = 10_000
const SLOWEST_BYTES_PER_MS = 32

export const receiveTimeouts = { headersTimeout: HEADERS_MS, connectionsCheckingInterval: CHECK_MS }

/** `maxBytes`: limit for a body without a length. */
export function limitConnectionsAndLateBodies(
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
 * At the limit, closes a connection without a key of the address that holds most, else an idle one of the team that
 * holds most: silent connections must not lock out callers.
 */
function boundConnections(server: FastifyInstance, most: number): void {
  const open = new Set<Socket>()
  const busy = new Set<Socket>()
  const keyless = sharesOf()
  const keyed = sharesOf()
  const end = (socket: Socket): void => {
    open.delete(socket)
    busy.delete(socket)
    keyless.remove(socket)
    keyed.remove(socket)
  }
  server.server.on('connection', (socket: Socket) => {
    open.add(socket)
    keyless.add(socket, networkOf(socket.remoteAddress))
    socket.once('close', () => end(socket))
    if (open.size <= most) return
    const victim = keyless.largest(socket) ?? keyed.largest(socket, busy) ?? socket
    end(victim)
    victim.destroy()
  })
  // A session of the dashboard or a live view: its handler decides about it.
  server.server.on('upgrade', (request: IncomingMessage) => {
    if (!isWebSocketUpgrade(request)) return
    keyless.remove(request.socket)
    busy.add(request.socket)
  })
  server.addHook('preHandler', (request, reply, done) => {
    const { socket } = request.raw
    if (request.caller && open.has(socket)) {
      keyless.remove(socket)
      keyed.add(socket, request.caller.teamId)
      busy.add(socket)
      reply.raw.once('close', () => busy.delete(socket))
    }
    done()
  })
}

function sharesOf() {
  const holders = new Map<string, Set<Socket>>()
  const holderOf = new Map<Socket, string>()
  const remove = (socket: Socket): void => {
    const holder = holderOf.get(socket)
    if (holder === undefined) return
    holderOf.delete(socket)
    const own = holders.get(holder)
    own?.delete(socket)
    if (own?.size === 0) holders.delete(holder)
  }
  return {
    remove,
    add(socket: Socket, holder: string): void {
      remove(socket)
      holderOf.set(socket, holder)
      const own = holders.get(holder)
      if (own) own.add(socket)
      else holders.set(holder, new Set([socket]))
    },
    /** The oldest connection of the largest holder, except the newest connection and those in use. */
    largest(newest: Socket, inUse?: ReadonlySet<Socket>): Socket | undefined {
      let found: Socket | undefined
      let size = 0
      for (const own of holders.values()) {
        if (own.size <= size) continue
        for (const socket of own) {
          if (socket === newest || inUse?.has(socket)) continue
          found = socket
          size = own.size
          break
        }
      }
      return found
    },
  }
}

/** An IPv6 caller has a whole /64 of addresses. */
const networkOf = (address = ''): string => (address.includes('.') ? address : address.split(':').slice(0, 4).join(':'))

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function endIfLate(raw: IncomingMessage, maxBytes: number): void {
  const bytes = Math.min(maxBytes, Number(raw.headers['content-length'] ?? maxBytes))
  const timer = setTimeout(
    () => {
      if (!raw.complete) raw.destroy()
    },
    REQUEST_BODY_BASE_TIMEOUT_MS + bytes / SLOWEST_BYTES_PER_MS,
  ).unref()
  raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}

// Job progress over WebSockets for released clients. The key is sent as sub-protocol, which must be echoed; refusals
// use close codes after the handshake.

import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Log } from '../base/log.ts'
import { Problem } from '../base/problem.ts'
import { isUuid } from '../base/uuid-format.ts'
import type { UpgradeHandler } from '../capabilities/capability-context.ts'
import { type JobStreamDependencies, type JobStreamEvent, streamJob } from '../jobs/stream-job.ts'
import { isAddressAllowed } from '../teams/ip-allowlist.ts'
import { assertEndpointAllowed } from '../teams/key-restrictions.ts'
import type { Caller } from '../teams/keys.ts'
import { type ActForTeam, type FindApiKeyOfSession, type FindCallerByKey, readApiKey } from './auth.ts'
import { readClientAddress } from './client-address.ts'
import { endWithProblem } from './send-problem.ts'

const PATHS = /^\/(v1|v2)\/(crawl|batch\/scrape)\/([^/?]+)(?:\?.*)?$/
const PING_MS = 30_000
const MAX_WAITING_BYTES = 1024 * 1024
const LOOK_MS = 20

interface LiveParts extends JobStreamDependencies {
  authenticate: FindCallerByKey
  sessionKey: FindApiKeyOfSession
  actFor: ActForTeam
  trustedProxies: readonly string[]
  log: Log
  stopping: AbortSignal
  upgrades: readonly UpgradeHandler[]
}

export function addJobWebSocket(server: Server, parts: LiveParts): { close(): void } {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 4096,
    // The first protocol offered is the key; clients abort unless it is echoed.
    handleProtocols: (offered) => offered.values().next().value ?? false,
  })
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isWebSocketUpgrade(request)) return serveWithoutUpgrade(server, request, socket, head)
    const path = PATHS.exec(request.url ?? '')
    if (!path && parts.upgrades.some((upgrade) => upgrade(request, socket, head))) return
    if (!path) return endWithProblem(socket, new Problem('not_found'))
    const [, version, kind, id] = path
    sockets.handleUpgrade(request, socket, head, (client) => {
      const options = {
        old: version === 'v1',
        kind: kind === 'crawl' ? ('crawl' as const) : ('batch' as const),
        id: id ?? '',
      }
      void attend(client, request, options, parts)
    })
  }
  server.on('upgrade', onUpgrade)
  return {
    close() {
      server.off('upgrade', onUpgrade)
      for (const client of sockets.clients) client.close(1001)
      sockets.close()
    },
  }
}

export const isWebSocketUpgrade = ({ headers }: IncomingMessage): boolean =>
  /\bwebsocket\b/i.test(headers.upgrade ?? '')

/**
 * HTTP clients such as Java's offer `Upgrade: h2c` with a first request. Node hands over every offer once there is a
 * listener, so the request is read again without it. The connection ends after it: each reading adds listeners to it.
 */
function serveWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`, 'connection: close']
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(at, at + 2)
    if (!/^(?:connection|upgrade|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}

type StreamRequest = { old: boolean; kind: 'crawl' | 'batch'; id: string }

async function attend(client: WebSocket, request: IncomingMessage, options: StreamRequest, parts: LiveParts) {
  const gone = new AbortController()
  client.on('close', () => gone.abort())
  client.on('error', () => gone.abort())
  const ping = setInterval(() => client.ping(), PING_MS)
  try {
    const refusal = await refuseClient(client, request, options, parts)
    if (refusal) return client.close(...refusal)
    const signal = AbortSignal.any([gone.signal, parts.stopping])
    for await (const progress of streamJob(parts, options.id.toLowerCase(), 0, signal)) {
      const frame = frameOf(progress, options.old)
      if (frame) await send(client, frame, signal)
    }
    client.close(1000, DONE)
  } catch (error) {
    parts.log.warn({ error: error instanceof Error ? error.message : String(error) }, 'a live stream broke off')
    client.close(1011, JSON.stringify({ type: 'error', error: 'Internal Server Error' }))
  } finally {
    clearInterval(ping)
  }
}

const DONE = JSON.stringify({ type: 'done' })

async function refuseClient(
  client: WebSocket,
  request: IncomingMessage,
  { old, kind, id }: StreamRequest,
  { authenticate, sessionKey, actFor, store, clock, trustedProxies }: LiveParts,
): Promise<[code: number, reason: string] | undefined> {
  const because = (error: string) => JSON.stringify({ type: 'error', error })
  const ofSession = await sessionKey(request, client.protocol)
  const presented = ofSession ?? client.protocol
  const holder = await authenticate(presented || (readApiKey(request.headers.authorization) ?? ''))
  // The second protocol is the team to act for.
  const team = ofSession === undefined ? undefined : request.headers['sec-websocket-protocol']?.split(',')[1]?.trim()
  const caller = holder && team ? await actFor(holder, team).catch(() => undefined) : holder
  if (!caller) return [3000, because('Unauthorized: Invalid token')]
  if (
    !isAddressAllowed(caller.ipAllow, readClientAddress(request, trustedProxies)) ||
    !mayReach(caller, kind === 'crawl' ? 'crawl' : 'batch-scrape')
  )
    return [3003, because('Forbidden')]
  const job = isUuid(id) ? await store.jobs.get(id.toLowerCase()) : undefined
  // The v1 client watches batches under the crawl path.
  const isKind = job && (job.kind === kind || (old && job.kind === 'batch'))
  const own = isKind && job.teamId === caller.teamId && job.expiresAt > clock.now()
  return own ? undefined : [1008, because(isUuid(id) ? 'Job not found' : 'Invalid job ID')]
}

function mayReach(caller: Caller, group: string): boolean {
  try {
    assertEndpointAllowed(caller, group)
    return true
  } catch {
    return false
  }
}

/** The v1 watcher takes the end from the close reason; a frame would report it twice. */
function frameOf(progress: JobStreamEvent, old: boolean): string | undefined {
  if (old && progress.type === 'done') return undefined
  const type = progress.type === 'snapshot' ? 'catchup' : progress.type
  return `{"type":"${type}","data":${progress.text}}`
}

async function send(client: WebSocket, frame: string, signal: AbortSignal): Promise<void> {
  if (client.readyState !== client.OPEN) return
  client.send(frame)
  while (client.bufferedAmount > MAX_WAITING_BYTES && client.readyState === client.OPEN && !signal.aborted)
    await sleep(LOOK_MS)
}

// Job progress over WebSockets for released clients. The key is sent as sub-protocol, which must be echoed; refusals
// use close codes after the handshake, because an earlier cut crashes some clients.

import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import { isUuid } from '../base/id.ts'
import type { Log } from '../base/log.ts'
import type { UpgradeHandler } from '../capabilities/opened-services.ts'
import { type JobProgress, type WatchParts, watchJob } from '../jobs/stream-job.ts'
import { isAllowed } from '../teams/ip-list.ts'
import type { Caller } from '../teams/keys.ts'
import { assertEndpoint } from '../teams/restrictions.ts'
import { type ActFor, type Authenticate, presentedKey, type SessionKey } from './auth.ts'
import { clientAddress } from './client-address.ts'

const PATHS = /^\/(v1|v2)\/(crawl|batch\/scrape)\/([^/?]+)(?:\?.*)?$/
const PING_MS = 30_000
const MAX_WAITING_BYTES = 1024 * 1024
const LOOK_MS = 20

interface LiveParts extends WatchParts {
  authenticate: Authenticate
  sessionKey: SessionKey
  actFor: ActFor
  trustedProxies: readonly string[]
  log: Log
  stopping: AbortSignal
  upgrades: readonly UpgradeHandler[]
}

export function addLiveStreams(server: Server, parts: LiveParts): { close(): void } {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 4096,
    // The first protocol offered is the key; clients abort unless it is echoed.
    handleProtocols: (offered) => offered.values().next().value ?? false,
  })
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const path = PATHS.exec(request.url ?? '')
    if (!path && parts.upgrades.some((upgrade) => upgrade(request, socket, head))) return
    if (!path) return void socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
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

interface StreamRequest {
  old: boolean
  kind: 'crawl' | 'batch'
  id: string
}

async function attend(
  client: WebSocket,
  request: IncomingMessage,
  options: StreamRequest,
  parts: LiveParts,
): Promise<void> {
  const gone = new AbortController()
  client.on('close', () => gone.abort())
  client.on('error', () => gone.abort())
  const ping = setInterval(() => client.ping(), PING_MS)
  try {
    const refusal = await refused(client, request, options, parts)
    if (refusal) return client.close(...refusal)
    const signal = AbortSignal.any([gone.signal, parts.stopping])
    for await (const progress of watchJob(parts, options.id.toLowerCase(), 0, signal)) {
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

async function refused(
  client: WebSocket,
  request: IncomingMessage,
  { old, kind, id }: StreamRequest,
  { authenticate, sessionKey, actFor, store, clock, trustedProxies }: LiveParts,
): Promise<[code: number, reason: string] | undefined> {
  const because = (error: string) => JSON.stringify({ type: 'error', error })
  const ofSession = await sessionKey(request, client.protocol)
  const presented = ofSession ?? client.protocol
  const holder = await authenticate(presented || (presentedKey(request.headers.authorization) ?? ''))
  // The second protocol is the team to act for.
  const team = ofSession === undefined ? undefined : request.headers['sec-websocket-protocol']?.split(',')[1]?.trim()
  const caller = holder && team ? await actFor(holder, team).catch(() => undefined) : holder
  if (!caller) return [3000, because('Unauthorized: Invalid token')]
  if (
    !isAllowed(caller.ipAllow, clientAddress(request, trustedProxies)) ||
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
    assertEndpoint(caller, group)
    return true
  } catch {
    return false
  }
}

/** The v1 watcher takes the end from the close reason; a frame would report it twice. */
function frameOf(progress: JobProgress, old: boolean): string | undefined {
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

// One address for programs that drive browsers: `/cdp?token=KEY` opens a session, as a request to `POST /v2/interact`
// would, and ends it with the connection.
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { UpgradeHandler } from '../capabilities/capability-context.ts'

const SESSIONS = '/v2/interact'
const NUMBERS = ['ttl', 'activityTtl'] as const

type Upgrades = { upgrades: readonly UpgradeHandler[] }

export const withCdpSocket = (server: FastifyInstance, { upgrades }: Upgrades): Upgrades => ({
  upgrades: [handleCdpSocket(server, upgrades), ...upgrades],
})

function handleCdpSocket(server: FastifyInstance, upgrades: readonly UpgradeHandler[]): UpgradeHandler {
  const call = (
    request: IncomingMessage,
    key: string | null,
    method: 'POST' | 'DELETE',
    url: string,
    body?: object,
  ) => {
    const { remoteAddress } = request.socket
    const {
      host,
      authorization,
      'x-forwarded-for': forwardedFor,
      'x-forwarded-proto': forwardedProto,
    } = request.headers
    const credentials = key === null ? authorization : `Bearer ${key}`
    return server.inject({
      method,
      url,
      ...(remoteAddress ? { remoteAddress } : {}),
      headers: {
        ...(host ? { host } : {}),
        ...(credentials ? { authorization: credentials } : {}),
        ...(forwardedFor ? { 'x-forwarded-for': forwardedFor } : {}),
        ...(forwardedProto ? { 'x-forwarded-proto': forwardedProto } : {}),
      },
      ...(body ? { payload: body } : {}),
    })
  }
  return (request, socket, head) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname !== '/cdp') return false
    const key = searchParams.get('token')
    let session: string | undefined
    let isGone = false
    const end = () => {
      isGone = true
      if (session !== undefined) void call(request, key, 'DELETE', `${SESSIONS}/${session}`).catch(() => undefined)
      session = undefined
    }
    socket.on('close', end).on('error', () => socket.destroy())
    const open = async () => {
      const opened = await call(request, key, 'POST', SESSIONS, optionsIn(searchParams))
      if (opened.statusCode !== 200) return refuse(socket, opened.statusCode, opened.body)
      const { id, cdpUrl } = opened.json<{ id: string; cdpUrl: string }>()
      session = id
      if (isGone) return end()
      request.url = new URL(cdpUrl).pathname.replace(/^.*(?=\/live\/)/, '')
      if (!upgrades.some((upgrade) => upgrade(request, socket, head))) throw new Error(`No handler for ${request.url}`)
    }
    void open().catch(() => {
      end()
      refuse(socket, 503, JSON.stringify({ success: false, error: 'The browser session could not be opened.' }))
    })
    return true
  }
}

function optionsIn(query: URLSearchParams): object {
  const numbers = NUMBERS.flatMap((name) => (query.has(name) ? [[name, Number(query.get(name))]] : []))
  const profile = query.get('profile')
  return { ...Object.fromEntries(numbers), ...(profile === null ? {} : { profile: { name: profile } }) }
}

const refuse = (socket: Duplex, status: number, body: string): void =>
  void socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )

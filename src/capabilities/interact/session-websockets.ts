// WebSockets of live sessions. The token in the path is the credential, because CDP clients cannot send headers.
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { isUuid } from '../../base/uuid-format.ts'
import type { LiveView } from '../../fetch/chrome/live/live-view.ts'
import { connectSocketToSession } from '../../fetch/chrome/live/local-session-sockets.ts'
import type { UpgradeHandler } from '../capability-context.ts'
import type { SessionService } from './session-service.ts'

const VIEW_PATH = /^\/live\/([0-9a-f-]{36})\/socket\/([\w.-]{60,200})$/i
const PATH = /^\/live\/([0-9a-f-]{36})\/cdp\/([\w-]{43})(?:\/[^?]*)?(?:\?.*)?$/i
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024

export function handleSessionSockets(service: SessionService): UpgradeHandler {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false })
  const attend = async (request: IncomingMessage, socket: Duplex, head: Buffer, id: string) => {
    const held = service.manager.held(id)
    if (held) {
      if (held.live.guard.typed) return refuse(socket, '403 Forbidden')
      held.live.guard.hasRunCode = true
      return sockets.handleUpgrade(request, socket, head, (client) => connectSocketToSession(held.live, client))
    }
    const row = await service.sessions.find(id)
    if (row?.state === 'active' && row.address && row.holder !== service.manager.holder)
      return passOn(row.address, request, socket, head)
    refuse(socket, '410 Gone')
  }
  const watch = async (request: IncomingMessage, socket: Duplex, head: Buffer, id: string, ticket: string) => {
    const held = service.manager.held(id)
    if (!held) return attend(request, socket, head, id)
    const kind = service.tokens.redeem(id, ticket, Date.now())
    if (!kind || !held.row.stream) return refuse(socket, '403 Forbidden')
    sockets.handleUpgrade(request, socket, head, (client) => seat(held.live.view, client, socket, kind === 'drive'))
  }
  return (request, socket, head) => {
    const [, seen = '', ticket = ''] = VIEW_PATH.exec(request.url ?? '') ?? []
    if (isUuid(seen)) {
      socket.on('error', () => socket.destroy())
      void watch(request, socket, head, seen.toLowerCase(), ticket).catch(() =>
        refuse(socket, '503 Service Unavailable'),
      )
      return true
    }
    const [, id = '', token = ''] = PATH.exec(request.url ?? '') ?? []
    if (!isUuid(id)) return false
    socket.on('error', () => socket.destroy())
    if (!service.tokens.check('cdp', id.toLowerCase(), token)) refuse(socket, '403 Forbidden')
    else void attend(request, socket, head, id.toLowerCase()).catch(() => refuse(socket, '503 Service Unavailable'))
    return true
  }
}

/** One viewer: sends state as text and frames as bytes, receives acknowledgements and input. */
function seat(view: LiveView, client: WebSocket, socket: Duplex, drives: boolean): void {
  const place = view.addViewer(
    {
      picture(bytes) {
        if (client.readyState === client.OPEN) socket.write(messageOf(bytes))
      },
      facts: (facts) => client.send(textOf(facts)),
      ended: () => client.close(1000),
      copied: (text) => client.send(JSON.stringify({ copied: text })),
    },
    drives ? 'drive' : 'watch',
  )
  client.on('message', (data, isBinary) => {
    if (isBinary) return client.close(1003)
    if (SHOWN.equals(data as Buffer)) return place.shown()
    try {
      const said = JSON.parse(String(data)) as Record<string, unknown>
      if (said.shown) place.shown()
      else place.input(said)
    } catch {
      client.close(1007)
    }
  })
  client.on('close', () => place.leave())
  client.on('error', () => place.leave())
}

const SHOWN = Buffer.from('{"shown":1}')

const messages = new WeakMap<Buffer, Buffer>()

/** Encodes a frame as a WebSocket message once for all viewers: server messages are not masked. */
function messageOf(picture: Buffer): Buffer {
  const known = messages.get(picture)
  if (known) return known
  const { length } = picture
  const head = Buffer.alloc(length < 126 ? 2 : length < 0x10000 ? 4 : 10)
  head[0] = 0x82
  head[1] = length < 126 ? length : length < 0x10000 ? 126 : 127
  if (head.length === 4) head.writeUInt16BE(length, 2)
  else if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  const message = Buffer.concat([head, picture])
  messages.set(picture, message)
  return message
}

const texts = new WeakMap<object, string>()

function textOf(facts: object): string {
  const text = texts.get(facts) ?? JSON.stringify(facts)
  texts.set(facts, text)
  return text
}

const refuse = (socket: Duplex, status: string): void =>
  void socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)

/** Proxies the upgrade to the machine that holds the browser and joins the sockets. */
function passOn(address: string, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const target = new URL(request.url ?? '/', address)
  const ask = target.protocol === 'https:' ? httpsRequest : httpRequest
  const onward: ClientRequest = ask(target, { headers: { ...request.headers, host: target.host } })
  onward.on('upgrade', (answer, other, rest) => {
    const lines = [`HTTP/1.1 101 ${answer.statusMessage ?? 'Switching Protocols'}`]
    for (let at = 0; at + 1 < answer.rawHeaders.length; at += 2)
      lines.push(`${answer.rawHeaders[at]}: ${answer.rawHeaders[at + 1]}`)
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    if (rest.length > 0) socket.write(rest)
    if (head.length > 0) other.write(head)
    const end = () => {
      socket.destroy()
      other.destroy()
    }
    for (const one of [socket, other]) one.on('error', end).on('close', end)
    socket.pipe(other).pipe(socket)
  })
  onward.on('response', ({ statusCode = 503 }) => refuse(socket, `${statusCode} Refused`))
  onward.on('error', () => refuse(socket, '503 Service Unavailable'))
  onward.end()
}

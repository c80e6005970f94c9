// Local CDP access to a session: a loopback WebSocket for our Playwright, a Unix socket for programs without network.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { LiveSession } from './live-session.ts'

interface LoopbackServer {
  open(session: Pick<LiveSession, 'connect'>): Promise<{ url: string; shut(): void }>
  close(): Promise<void>
}

const MAX_MESSAGE_BYTES = 128 * 1024 * 1024
const MAX_WAITING_BYTES = 256 * 1024 * 1024

export function openLoopbackServer(): LoopbackServer {
  const sessions = new Map<string, Pick<LiveSession, 'connect'>>()
  let opening: Promise<{ server: http.Server; port: number }> | undefined
  const listen = async () => {
    const server = http.createServer((_request, response) => response.writeHead(404).end())
    const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false })
    server.on('upgrade', (request, socket, head) => {
      const session = sessions.get((request.url ?? '').slice(1))
      if (!session) return void socket.destroy()
      sockets.handleUpgrade(request, socket, head, (client) => connectSocketToSession(session, client))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    server.unref()
    return { server, port: (server.address() as AddressInfo).port }
  }
  return {
    async open(session) {
      opening ??= listen()
      const { port } = await opening
      const secret = randomBytes(24).toString('base64url')
      sessions.set(secret, session)
      return { url: `ws://127.0.0.1:${port}/${secret}`, shut: () => void sessions.delete(secret) }
    },
    async close() {
      const { server } = (await opening) ?? {}
      server?.closeAllConnections()
      server?.close()
    },
  }
}

export interface SessionUnixSocket {
  receive(stream: Duplex): void
  close(): void
}

const MAX_COMMAND_BYTES = 1024 * 1024

/** The same as a Unix socket for programs without network; its holder controls this session. */
export async function openSessionUnixSocket(
  path: string | undefined,
  session: Pick<LiveSession, 'connect'>,
  command: (body: string, signal: AbortSignal) => Promise<object>,
): Promise<SessionUnixSocket> {
  const server = http.createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(404).end()
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => {
      body += part
      if (body.length > MAX_COMMAND_BYTES) request.destroy()
    })
    request.on('end', () => {
      void command(body, gone.signal)
        .catch((error: Error) => ({ stdout: '', stderr: error.message, exitCode: 1 }))
        .then((answer) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)))
    })
  })
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false })
  server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (client) => connectSocketToSession(session, client)),
  )
  if (path !== undefined) {
    server.listen(path)
    await once(server, 'listening')
    server.unref()
  }
  return {
    receive: (stream) => void server.emit('connection', stream),
    close() {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      server.close()
    },
  }
}

export function connectSocketToSession(session: Pick<LiveSession, 'connect'>, socket: WebSocket): void {
  const gate = session.connect({
    send(text) {
      if (socket.bufferedAmount > MAX_WAITING_BYTES) return socket.terminate()
      if (socket.readyState === socket.OPEN) socket.send(text)
    },
    close: () => socket.close(1000),
  })
  socket.on('message', (data, isBinary) => (isBinary ? socket.close(1003) : gate.receive(String(data))))
  socket.on('close', () => gate.close())
  socket.on('error', () => gate.close())
}

// A small proxy for CONNECT that writes down what it was asked for.
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'

export interface TestProxy {
  url: string
  /** `host:port` of each tunnel, in order. */
  tunnels(): readonly string[]
  close(): Promise<void>
}

export interface ProxyOptions {
  /** Login that is demanded, `user:password`. */
  login?: string
  /** Answer every CONNECT with this status. */
  refuse?: number
}

export async function startProxy({ login, refuse }: ProxyOptions = {}): Promise<TestProxy> {
  const tunnels: string[] = []
  const open = new Set<net.Socket>()
  const server = http.createServer((_request, response) => response.writeHead(405).end())
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  server.on('connect', (request, client: net.Socket, head: Buffer) => {
    client.on('error', () => {})
    const expected = login && `Basic ${Buffer.from(login).toString('base64')}`
    const refusal = expected && request.headers['proxy-authorization'] !== expected ? 407 : refuse
    if (refusal !== undefined) {
      client.end(`HTTP/1.1 ${refusal} No\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    tunnels.push(request.url ?? '')
    const { hostname, port } = new URL(`http://${request.url}`)
    const upstream = net.connect(Number(port) || 80, hostname.replace(/^\[|\]$/g, ''))
    open.add(upstream)
    upstream.on('close', () => open.delete(upstream))
    upstream.on('error', () => client.destroy())
    upstream.on('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.write(head)
      client.pipe(upstream).pipe(client)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  return {
    url: `http://${login ? `${login}@` : ''}127.0.0.1:${port}`,
    tunnels: () => tunnels,
    close: async () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

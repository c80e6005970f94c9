// Small proxies for CONNECT and SOCKS5 that write down what they were asked for.
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

/** SOCKS5 (RFC 1928), with a password where a login is demanded; it knows no names. */
export async function startSocksProxy({ login }: { login?: string | undefined } = {}): Promise<TestProxy> {
  const tunnels: string[] = []
  const open = new Set<net.Socket>()
  const server = net.createServer((client) => {
    open.add(client)
    client.on('close', () => open.delete(client)).on('error', () => {})
    void (async () => {
      const take = makeReader(client)
      const [, methods = 0] = await take(2)
      const offered = await take(methods)
      const method = login ? 2 : 0
      client.write(Buffer.from([5, offered.includes(method) ? method : 0xff]))
      if (login) {
        const [, nameLength = 0] = await take(2)
        const name = await take(nameLength)
        const password = await take((await take(1))[0] ?? 0)
        const isRight = `${name}:${password}` === login
        client.write(Buffer.from([1, isRight ? 0 : 1]))
        if (!isRight) return void client.end()
      }
      const [, , , kind] = await take(4)
      if (kind !== 1) return void client.end(Buffer.from([5, 8]))
      const host = [...(await take(4))].join('.')
      const port = (await take(2)).readUInt16BE()
      tunnels.push(`${host}:${port}`)
      const upstream = net.connect(port, host)
      open.add(upstream)
      upstream.on('close', () => open.delete(upstream)).on('error', () => client.destroy())
      upstream.on('connect', () => {
        client.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]))
        client.pipe(upstream).pipe(client)
      })
    })().catch(() => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  return {
    url: `socks5://${login ? `${login}@` : ''}127.0.0.1:${port}`,
    tunnels: () => tunnels,
    close: async () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

function makeReader(socket: net.Socket): (count: number) => Promise<Buffer> {
  return async (count) => {
    for (;;) {
      const bytes = count === 0 ? Buffer.alloc(0) : (socket.read(count) as Buffer | null)
      if (bytes) return bytes
      await once(socket, 'readable')
    }
  }
}

// The inner network that must never be reached: servers on 127.0.0.2 and ::1 that count every connection.
import { once } from 'node:events'
import net from 'node:net'

export interface Forbidden {
  port: number
  /** Connections, whether or not anything was asked: a packet is already too much. */
  hits(): number
  close(): Promise<void>
}

/** `port`: the one to take on both addresses, usually the site's own, so that only the address differs. */
export async function startForbidden(port = 0): Promise<Forbidden> {
  let hits = 0
  const answer = (socket: net.Socket) => {
    hits++
    socket.on('error', () => {})
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\nConnection: close\r\n\r\ntop secret')
  }
  const v4 = net.createServer(answer).listen(port, '127.0.0.2')
  await once(v4, 'listening')
  const taken = (v4.address() as net.AddressInfo).port
  const servers = [v4]
  const v6 = net.createServer(answer)
  try {
    v6.listen(taken, '::1')
    await once(v6, 'listening')
    servers.push(v6)
  } catch {
    // A machine without IPv6 has one forbidden address less.
  }
  return {
    port: taken,
    hits: () => hits,
    close: async () => {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

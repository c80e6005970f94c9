// The only connection out of the sandbox: a port on its loopback that leads to the session's browser.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

export const CDP_PORT = 9222
export const CDP_URL = `ws://127.0.0.1:${CDP_PORT}/session`

export async function openCdpRelay(socketPath: string): Promise<void> {
  const server = createServer((inner) => {
    const outer = connect(socketPath)
    inner.pipe(outer).pipe(inner)
    const end = () => {
      inner.destroy()
      outer.destroy()
    }
    for (const socket of [inner, outer]) socket.on('error', end).on('close', end)
  })
  server.listen(CDP_PORT, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
}

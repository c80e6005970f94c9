import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { boundArrivals } from './patience.ts'

let server: FastifyInstance
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await server.close()
})

it('silent connections make way for callers, and a caller with a key keeps its connection', async () => {
  server = Fastify() as unknown as FastifyInstance
  boundArrivals(server, () => 1000, 20)
  server.addHook('onRequest', async (request) => {
    if (request.headers.authorization) Object.assign(request, { caller: {} })
  })
  server.get('/', async () => 'here')
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket.on('error', () => {}))
    await once(socket, 'connect')
    return socket
  }
  const ask = async (socket: Socket): Promise<string> => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\n\r\n')
    const [bytes] = await once(socket, 'data')
    return String(bytes)
  }
  const keyed = await open()
  expect(await ask(keyed)).toContain('200 OK')
  for (let n = 0; n < 60; n++) await open()
  expect(await ask(await open())).toContain('200 OK')
  expect(await ask(keyed)).toContain('200 OK')
})

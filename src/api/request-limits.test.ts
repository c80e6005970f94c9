import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { limitConnectionsAndLateBodies } from './request-limits.ts'

let server: FastifyInstance
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await server.close()
})

/** `team` is the caller's key; connections come from any address of the loopback network. */
async function limited(most: number) {
  server = Fastify() as unknown as FastifyInstance
  limitConnectionsAndLateBodies(server, () => 1000, most)
  server.addHook('onRequest', async (request) => {
    const { authorization } = request.headers
    if (authorization) Object.assign(request, { caller: { teamId: authorization } })
  })
  server.get('/', async () => 'here')
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  const open = async (localAddress = '127.0.0.1'): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    sockets.push(socket.on('error', () => {}))
    await once(socket, 'connect')
    return socket
  }
  const ask = async (socket: Socket, key = 'Authorization: a\r\n'): Promise<string> => {
    socket.write(`GET / HTTP/1.1\r\nHost: a\r\n${key}\r\n`)
    const [bytes] = await Promise.race([once(socket, 'data'), once(socket, 'close')])
    return String(bytes)
  }
  return { open, ask }
}

it('silent connections make way for callers, and a caller with a key keeps its connection', async () => {
  const { open, ask } = await limited(20)
  const keyed = await open()
  expect(await ask(keyed)).toContain('200 OK')
  for (let n = 0; n < 60; n++) await open()
  expect(await ask(await open())).toContain('200 OK')
  expect(await ask(keyed)).toContain('200 OK')
})

it('an address holds its share: those who open few connections keep them, with and without a key', async () => {
  const { open, ask } = await limited(64)
  const patient = await open('127.0.0.250')
  const keyed = await open('127.0.0.251')
  for (let n = 0; n < 256; n++) await open(`127.0.1.${n % 16}`)
  expect(await ask(patient, '')).toContain('200 OK')
  expect(await ask(keyed)).toContain('200 OK')
})

it('a team that holds every connection makes way for another', async () => {
  const { open, ask } = await limited(20)
  for (let n = 0; n < 30; n++) expect(await ask(await open(), 'Authorization: greedy\r\n')).toContain('200 OK')
  const other = await open()
  expect(await ask(other)).toContain('200 OK')
  for (let n = 0; n < 30; n++) expect(await ask(await open(), 'Authorization: greedy\r\n')).toContain('200 OK')
  expect(await ask(other)).toContain('200 OK')
})

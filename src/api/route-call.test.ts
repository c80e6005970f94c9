import { once } from 'node:events'
import { createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { openSignals } from './route-call.ts'

const server = createServer()

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

async function openRequest() {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = get({ port: (server.address() as AddressInfo).port })
  client.on('error', () => undefined)
  const [, raw] = (await once(server, 'request')) as [unknown, ServerResponse]
  return { client, raw }
}

const read = (raw: ServerResponse, stopping = new AbortController(), inner = new Map<string, AbortSignal>()) =>
  openSignals(stopping.signal, inner)({ id: 'id' } as FastifyRequest, { raw } as FastifyReply)

describe('the signal of a call', () => {
  it('aborts when the client goes away, before or after it is read', async () => {
    const { client, raw } = await openRequest()
    const early = read(raw)
    expect(early.aborted).toBe(false)
    client.destroy()
    await once(raw, 'close')
    for (const signal of [early, read(raw)]) expect(signal.reason).toMatchObject({ kind: 'cancelled' })
  })

  it('does not abort when the response was sent', async () => {
    const { raw } = await openRequest()
    const early = read(raw)
    raw.end('done')
    await once(raw, 'close')
    for (const signal of [early, read(raw)]) expect(signal.aborted).toBe(false)
  })

  it('aborts when the service stops waiting, and with the tool call that made it', async () => {
    const { raw } = await openRequest()
    const [stopping, inner] = [new AbortController(), new AbortController()]
    const open = read(raw, stopping)
    const ofTool = read(raw, stopping, new Map([['id', inner.signal]]))
    inner.abort(new Error('the tool'))
    expect(ofTool.reason).toMatchObject({ message: 'the tool' })
    expect(open.aborted).toBe(false)
    stopping.abort(new Error('the service'))
    for (const signal of [open, read(raw, stopping)]) expect(signal.reason).toMatchObject({ message: 'the service' })
  })
})

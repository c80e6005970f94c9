// The SDK's watcher on real WebSockets: documents once each, one end, and refusals that do not hurt.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { heldPage } from '../site/held.ts'
import { linkedPages } from '../site/linked.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { finished, until } from './waiting.ts'

const own = globalThis.WebSocket
const { page: held, hold } = heldPage()
const { site, service } = shared({ ...linkedPages, '/held': held })
beforeAll(() => {
  // Node 20 has none of its own; the SDK would silently poll instead.
  globalThis.WebSocket = WebSocket as unknown as typeof globalThis.WebSocket
})
afterAll(() => {
  globalThis.WebSocket = own
})

interface Seen {
  documents: string[]
  done: Json[]
  errors: Json[]
}

async function watched(id: string, kind: 'crawl' | 'batch'): Promise<Seen> {
  const seen: Seen = { documents: [], done: [], errors: [] }
  const watcher = service.sdk.watcher(id, { kind, pollInterval: 1, timeout: 120 })
  watcher.on('document', (document: Json) => seen.documents.push(document.metadata.sourceURL))
  watcher.on('error', (error: Json) => seen.errors.push(error))
  const over = new Promise<void>((resolve) => {
    watcher.on('done', (state: Json) => {
      seen.done.push(state)
      setTimeout(resolve, 200)
    })
  })
  await watcher.start()
  await over
  watcher.close()
  return seen
}

const crawl = async (options: object) =>
  (
    await service.call('POST', '/v2/crawl', {
      url: `${site.url}/linked/0?ms=60`,
      crawlEntireDomain: true,
      scrapeOptions: { maxAge: 0 },
      ...options,
    })
  ).json

/** Frames and the close of a socket as it is. */
async function raw(
  path: string,
  protocol: string | undefined,
  onFrame: () => void = () => {},
): Promise<{ frames: Json[]; code: number; reason: string; protocol: string }> {
  const socket = new WebSocket(service.url.replace('http', 'ws') + path, protocol ? [protocol] : [])
  const frames: Json[] = []
  let spoken = ''
  socket.on('open', () => {
    spoken = socket.protocol
  })
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)))
    onFrame()
  })
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', (code, reason) => resolve({ frames, code, reason: String(reason), protocol: spoken }))
  })
}

describe('the watcher', () => {
  it('sees each document of a running crawl once, and one end', async () => {
    const { id } = await crawl({ limit: 15 })
    const polls = () =>
      service
        .logged()
        .filter((line) => line.includes('"route":"/v2/crawl/:id"') && line.includes(`tests of site ${site.port}"`))
        .length
    const before = polls()
    const seen = await watched(id, 'crawl')
    expect(seen.errors).toEqual([])
    expect(seen.done).toHaveLength(1)
    expect(new Set(seen.documents).size).toBe(15)
    expect(seen.documents).toHaveLength(15)
    // It really was the socket: nobody polled.
    expect(polls()).toBe(before)
    await service.call('GET', `/v2/crawl/${id}`)
    await until(() => polls() === before + 1)
  })

  it('sees a batch too', async () => {
    const urls = [1, 2, 3, 4].map((n) => `${site.url}/linked/${n}?ms=50`)
    const { json } = await service.call('POST', '/v2/batch/scrape', { urls, maxAge: 0 })
    const seen = await watched(json.id, 'batch')
    expect(seen.documents.sort()).toEqual(urls)
    expect(seen.done).toHaveLength(1)
  })

  it('sees a job that is over at once', async () => {
    const { id, url } = await crawl({ limit: 3 })
    await finished(service, url)
    const seen = await watched(id, 'crawl')
    expect(seen.documents).toHaveLength(3)
    expect(seen.done).toHaveLength(1)
  })
})

describe('a socket', () => {
  it('echoes the key as sub-protocol, begins with a catchup, ends with done and 1000', async () => {
    const release = hold()
    const { id } = await crawl({ url: `${site.url}/held`, limit: 1 })
    const { frames, code, reason, protocol } = await raw(`/v2/crawl/${id}`, service.key, release)
    expect(protocol).toBe(service.key)
    expect(frames[0]).toMatchObject({ type: 'catchup', data: { status: 'scraping' } })
    expect(frames[0].data.next).toBeUndefined()
    expect(frames.at(-1)).toMatchObject({ type: 'done', data: { status: 'completed', completed: 1, data: [] } })
    expect(frames.slice(1, -1).map((frame) => frame.type)).toEqual(['document'])
    expect(code).toBe(1000)
    expect(JSON.parse(reason)).toEqual({ type: 'done' })
  })

  it('sends no done after a catchup that says it all', async () => {
    const { id, url } = await crawl({ limit: 2 })
    await finished(service, url)
    const { frames, code } = await raw(`/v2/crawl/${id}`, service.key)
    expect(frames).toHaveLength(1)
    expect(frames[0]).toMatchObject({ type: 'catchup', data: { status: 'completed' } })
    expect(frames[0].data.data).toHaveLength(2)
    expect(code).toBe(1000)
  })

  it('tells of a cancelled job by a snapshot', async () => {
    const release = hold()
    const { id } = await crawl({ url: `${site.url}/held`, limit: 1 })
    let cancelled: Promise<unknown> | undefined
    const { frames, code } = await raw(`/v2/crawl/${id}`, service.key, () => {
      cancelled ??= service.call('DELETE', `/v2/crawl/${id}`)
    })
    await cancelled
    release()
    expect(frames.at(-1)).toMatchObject({ data: { status: 'cancelled' } })
    expect(frames.some((frame) => frame.type === 'done')).toBe(false)
    expect(code).toBe(1000)
  })

  it('leaves the end to the close reason for watchers of v1', async () => {
    const { id } = await crawl({ limit: 2 })
    const { frames, reason } = await raw(`/v1/crawl/${id}`, service.key)
    expect(frames.some((frame) => frame.type === 'done')).toBe(false)
    expect(JSON.parse(reason)).toEqual({ type: 'done' })
  })

  it('refuses after the handshake: a wrong key 3000, an unknown job 1008', async () => {
    const { id } = await crawl({ limit: 1 })
    const wrong = await raw(`/v2/crawl/${id}`, 'fc-00000000000000000000000000000000')
    expect(wrong).toMatchObject({ code: 3000, frames: [] })
    expect(JSON.parse(wrong.reason)).toEqual({ type: 'error', error: 'Unauthorized: Invalid token' })
    expect(await raw(`/v2/crawl/${id}`, undefined)).toMatchObject({ code: 3000 })
    expect(await raw(`/v2/crawl/${randomUUID()}`, service.key)).toMatchObject({ code: 1008 })
    expect(await raw('/v2/crawl/nope', service.key)).toMatchObject({ code: 1008 })
    expect(await raw(`/v2/batch/scrape/${id}`, service.key)).toMatchObject({ code: 1008 })
    await expect(raw('/v2/scrape', service.key)).rejects.toThrow(/404/)
  })
})

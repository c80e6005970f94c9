// kill -9 at any moment: nothing is lost, nothing is doubled, credits are right, webhooks come at least once under one id.
// `npm test` kills once; the second tier also kills workers, and waits for the end of a SIGTERM.
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newDatabase } from '../contract/open-store.ts'
import { expectCost } from '../cost.ts'
import { LINKED_PAGES, linkedPages } from '../site/linked.ts'
import { type Site, startSite } from '../site/site.ts'
import { describeInSoak, isSoak, itInSoak, sampleRows } from '../soak.ts'
import { emptyFolder, type Json, launch, runToEnd, type Service, startService } from './service.ts'
import { until } from './waiting.ts'

const postgresUrl = inject('postgresUrl')
let site: Site
let receiver: http.Server
/** Deliveries by their id, with all the bodies that came under it. */
const letters = new Map<string, { type: string; source: string | undefined; bodies: Set<string> }>()
beforeAll(async () => {
  site = await startSite(linkedPages)
  receiver = http.createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const { type, webhookId, data } = JSON.parse(text)
      const known = letters.get(webhookId) ?? { type, source: data[0]?.metadata?.sourceURL, bodies: new Set() }
      known.bodies.add(text)
      letters.set(webhookId, known)
      response.end()
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
})
afterAll(async () => {
  await site.close()
  receiver.closeAllConnections()
  receiver.close()
})

const hookPort = () => (receiver.address() as AddressInfo).port
const env = () => ({ ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port},127.0.0.1:${hookPort()}`, ORB_CONCURRENCY: '4' })
const crawlBody = () => ({
  url: `${site.url}/linked/0?ms=40`,
  crawlEntireDomain: true,
  sitemap: 'skip',
  scrapeOptions: { maxAge: 0 },
  webhook: `http://127.0.0.1:${hookPort()}/`,
})

/** Without its documents: to send them with every poll costs more than the crawl. */
const progress = async (service: Service, id: string): Promise<Json> =>
  (await service.call('GET', `/v2/crawl/${id}?limit=1`)).json

async function allDocuments(service: Service, id: string): Promise<Json[]> {
  const all: Json[] = []
  for (let next: string | undefined = `/v2/crawl/${id}`; next; ) {
    const { json } = await service.call('GET', next)
    all.push(...json.data)
    next = json.next?.replace(service.url, '')
  }
  return all
}

async function expectWhole(service: Service, id: string, pages: number): Promise<void> {
  const { json: status } = await service.call('GET', `/v2/crawl/${id}`)
  expect(status).toMatchObject({ status: 'completed', total: pages, completed: pages, creditsUsed: pages })
  const sources = (await allDocuments(service, id)).map((document) => document.metadata.sourceURL)
  expect(sources).toHaveLength(pages)
  expect(new Set(sources).size).toBe(pages)
  const mine = () => [...letters.values()].filter(({ bodies }) => [...bodies].some((body) => body.includes(id)))
  await until(
    () =>
      mine().filter(({ type }) => type === 'crawl.page').length >= pages &&
      ['crawl.started', 'crawl.completed'].every((awaited) => mine().some(({ type }) => type === awaited)),
  )
  const reported = mine()
  expect(reported.filter(({ type }) => type === 'crawl.page')).toHaveLength(pages)
  expect(new Set(reported.filter(({ type }) => type === 'crawl.page').map(({ source }) => source)).size).toBe(pages)
  expect(reported.filter(({ type }) => type === 'crawl.started' || type === 'crawl.completed')).toHaveLength(2)
  for (const { bodies } of reported) expect(bodies.size).toBe(1)
}

describe('kill -9 of the service', () => {
  it('right after the start and at random moments of a crawl costs no page, no credit and no webhook', async () => {
    const pages = isSoak ? 50 : 15
    const dataDir = emptyFolder()
    let service = await startService({ env: env(), dataDir })
    const { json } = await service.call('POST', '/v2/crawl', { ...crawlBody(), limit: pages })
    // Each but the first in the middle; the random part is what differs from run to run.
    for (const [least, isPaused] of sampleRows([
      [50, false],
      [0, true],
      [150, false],
    ] as const)) {
      if (least > 0) await sleep(least + Math.random() * 200)
      if (isPaused) await service.call('POST', `/v2/crawl/${json.id}/pause`)
      await service.end('SIGKILL')
      service = await startService({ env: env(), dataDir })
      if (!isPaused) continue
      expect(await progress(service, json.id)).toMatchObject({ paused: true })
      await service.call('POST', `/v2/crawl/${json.id}/resume`)
    }
    await until(async () => (await progress(service, json.id)).status !== 'scraping')
    await expectWhole(service, json.id, pages)
    const { out } = await runToEnd({ ORB_DATA_DIR: dataDir }, ['teams'])
    expect(out).toMatch(new RegExp(`default .* ${pages} credits used`))
    await service.stop()
  })

  itInSoak('SIGTERM in the middle of a crawl ends at once, and the crawl goes on afterwards', async () => {
    const dataDir = emptyFolder()
    const first = await startService({ env: env(), dataDir })
    const { json } = await first.call('POST', '/v2/crawl', {
      ...crawlBody(),
      url: `${site.url}/linked/0?ms=300`,
      limit: 12,
    })
    await until(async () => (await progress(first, json.id)).completed >= 3)
    const began = performance.now()
    expect(await first.end('SIGTERM')).toBe(0)
    expectCost(performance.now() - began).toBeLessThan(4_000)
    const second = await startService({ env: env(), dataDir })
    await until(async () => (await progress(second, json.id)).status !== 'scraping')
    await expectWhole(second, json.id, 12)
    await second.stop()
  })
})

describeInSoak.skipIf(postgresUrl === undefined)('several processes on one PostgreSQL (skipped without one)', () => {
  it('share a crawl, and the death of a worker costs nothing', async () => {
    const own = { ...env(), ORB_DATABASE_URL: await newDatabase(postgresUrl!) }
    const service = await startService({ env: { ...own }, args: ['serve'] })
    const workers = await Promise.all([1, 2].map(() => ready({ ...own, ORB_DATA_DIR: emptyFolder() })))
    const { json } = await service.call('POST', '/v2/crawl', crawlBody())
    await until(async () => (await progress(service, json.id)).completed >= 10)
    workers[0]!.kill('SIGKILL')
    await until(async () => (await progress(service, json.id)).status !== 'scraping')
    await expectWhole(service, json.id, LINKED_PAGES)
    const gone = once(workers[1]!, 'exit')
    workers[1]!.kill('SIGTERM')
    expect((await gone)[0]).toBe(0)
    await service.stop()
  })
})

it('a worker without PostgreSQL is refused', async () => {
  const { code, err } = await runToEnd({ ORB_DATA_DIR: emptyFolder() }, ['work'])
  expect(code).toBe(2)
  expect(err).toMatch(/ORB_DATABASE_URL/)
})

async function ready(env: Record<string, string>) {
  const { child, output } = launch(env, ['work'])
  await until(() => output.out.includes('ready'))
  return child
}

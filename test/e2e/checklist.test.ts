// Wire contract §26: the conformance checklist, item by item, as far as its capabilities exist; through the released SDK
// and command line. Details of each part are in the part's own tests.
import { spawn } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import http from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { formats } from '../../src/scrape/formats/index.ts'
import { heldPage } from '../site/held.ts'
import { linkedPages } from '../site/linked.ts'
import { mediaPages } from '../site/media.ts'
import { shopPages } from '../site/shop.ts'
import { shopPages as tavernPages } from '../site/shops.ts'
import type { Pages } from '../site/site.ts'
import { type Json, request } from './service.ts'
import { shared } from './shared.ts'
import { failure, newTeam } from './team.ts'
import { finished, until } from './waiting.ts'

const CLI = join(dirname(createRequire(import.meta.url).resolve('firecrawl-cli/package.json')), 'dist/index.js')
const NOBODY = '019a0000-0000-7000-8000-000000000000'

/** What is asked for by each format, on which page, and what must come: a format that is broken is null, with a warning. */
const FORMATS: Readonly<Record<string, { ask?: readonly unknown[]; path?: string; field?: string; value: unknown }>> = {
  markdown: { value: expect.stringMatching(/^# Why the tide tables moved/) },
  chunks: { value: expect.arrayContaining([expect.objectContaining({ id: expect.any(String) })]) },
  html: { value: expect.stringMatching(/<h1>Why the tide tables moved<\/h1>/) },
  rawHtml: { value: expect.stringMatching(/<nav>.*Handbook/s) },
  rawBase64: { value: expect.stringMatching(/^[A-Za-z0-9+/]{100,}=*$/) },
  links: { value: expect.arrayContaining([expect.stringMatching(/\/authors\/calder$/)]) },
  images: { value: expect.arrayContaining([expect.stringMatching(/\/images\/wall\.jpg$/)]) },
  items: {
    path: '/listing',
    value: expect.arrayContaining([expect.objectContaining({ url: expect.stringMatching(/\/entry\//) })]),
  },
  attributes: {
    ask: [{ type: 'attributes', selectors: [{ selector: 'a[rel=author]', attribute: 'href' }] }],
    value: [{ selector: 'a[rel=author]', attribute: 'href', values: ['/authors/calder'] }],
  },
  screenshot: { value: expect.stringMatching(/^http.*\/v2\/media\//) },
  product: {
    path: '/shop/lamp',
    value: expect.objectContaining({ title: 'Trail Lamp 300' }),
  },
  menu: { path: '/tavern/menu', value: expect.objectContaining({ isMenu: true, currency: 'GBP' }) },
  branding: { value: expect.objectContaining({ colorScheme: 'light', colors: expect.any(Object) }) },
  json: {
    path: '/shop/lamp',
    ask: [{ type: 'json', schema: { type: 'object', properties: { sku: { type: 'string' } } } }],
    value: { sku: 'TL-300' },
  },
  deterministicJson: {
    path: '/shop/lamp',
    field: 'json',
    ask: [{ type: 'deterministicJson', schema: { type: 'object', properties: { sku: { type: 'string' } } } }],
    value: { sku: 'TL-300' },
  },
  summary: { value: expect.stringMatching(/tide/) },
  question: {
    ask: [{ type: 'question', question: 'By how many minutes does high water come early?' }],
    field: 'answer',
    value: expect.stringMatching(/eleven minutes/),
  },
  query: {
    ask: [{ type: 'query', prompt: 'By how many minutes does high water come early?' }],
    field: 'answer',
    value: expect.stringMatching(/eleven minutes/),
  },
  highlights: { ask: [{ type: 'highlights', query: 'flood wall' }], value: expect.stringMatching(/flood wall/) },
  changeTracking: {
    ask: ['markdown', 'changeTracking'],
    value: expect.objectContaining({ changeStatus: 'new', previousScrapeAt: null, visibility: 'visible' }),
  },
  network: { value: expect.any(Array) },
  audio: { path: '/m/mp4', value: expect.stringMatching(/^http.*\/v2\/media\//) },
  video: { path: '/m/mp4', value: expect.stringMatching(/^http.*\/v2\/media\//) },
  transcript: { path: '/said', value: expect.objectContaining({ language: 'en', text: 'Good morning.' }) },
}
const saidPages: Pages = {
  '/said': ({ response }) =>
    void response
      .setHeader('content-type', 'text/html')
      .end('<h1>A talk</h1><video src="/a.mp4"><track srclang="en" src="/said.vtt"></video>'),
  '/said.vtt': ({ response }) => void response.end('WEBVTT\n\n00:01.000 --> 00:02.000\nGood morning.\n'),
}
/** Formats that a machine without Chromium cannot make, and says so. */
const DRAWN = new Set(['screenshot', 'branding', 'network'])

interface Parcel {
  signature: string
  raw: string
  json: Json
}

let receiver: http.Server
let hookUrl: string
const parcels: Parcel[] = []
const { page: heldUp, hold } = heldPage()
const own = globalThis.WebSocket
const { site, service, operator } = shared({
  ...linkedPages,
  ...shopPages,
  ...tavernPages,
  ...mediaPages,
  ...saidPages,
  '/held': heldUp,
})

beforeAll(async () => {
  // Node 20 has none of its own; the SDK would silently poll instead.
  globalThis.WebSocket = WebSocket as unknown as typeof globalThis.WebSocket
  receiver = http.createServer((asked, response) => {
    let raw = ''
    asked.on('data', (chunk) => {
      raw += chunk
    })
    asked.on('end', () => {
      parcels.push({ signature: String(asked.headers['x-firecrawl-signature']), raw, json: JSON.parse(raw) })
      response.end('ok')
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  hookUrl = `http://127.0.0.1:${port}/`
})
afterAll(async () => {
  globalThis.WebSocket = own
  receiver?.close()
})

const page = (n: number | string) => `${site.url}/linked/${n}`
const held = (query: string) => `${site.url}/held${query}`
const crawlOptions = { crawlEntireDomain: true, sitemap: 'skip' as const }

describe('the conformance checklist', () => {
  it('1: a minimal scrape has a scrapeId; an unknown key is named', async () => {
    const document = await service.sdk.scrape(`${site.url}/article`)
    expect(document.metadata?.scrapeId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    const wrong = await failure(service.sdk.scrape(`${site.url}/article`, { nonsense: 1 } as object))
    expect(wrong.status).toBe(400)
    expect(wrong.details[0].code).toBe('unrecognized_keys')
  })

  it('2: every format of the build is listed here', () => {
    expect(formats.map(({ name }) => name).sort()).toEqual(Object.keys(FORMATS).sort())
  })

  it.each(Object.entries(FORMATS))('2: the format %s alone', async (name, { ask, path = '/article', field, value }) => {
    const body = { url: site.url + path, formats: ask ?? [name], maxAge: 0, timeout: 200_000 }
    const { status, json } = await service.call('POST', '/v2/scrape', body)
    if (DRAWN.has(name) && json.code === 'BROWSER_UNAVAILABLE') return expect(status).toBe(503)
    expect(status).toBe(200)
    expect(json.data[field ?? name]).toEqual(value)
  })

  it('3: what the cache does not hold is 404 with a code', async () => {
    const aged = await failure(service.sdk.scrape(`${site.url}/article?unseen`, { minAge: 1 }))
    expect([aged.status, aged.code]).toEqual([404, 'SCRAPE_NO_CACHED_DATA'])
    const locked = await failure(service.sdk.scrape(`${site.url}/article?unseen`, { lockdown: true }))
    expect([locked.status, locked.code]).toEqual([404, 'SCRAPE_LOCKDOWN_CACHE_MISS'])
  })

  it('4: waitFor beyond half of timeout is 400', async () => {
    const refused = await failure(service.sdk.scrape(`${site.url}/article`, { waitFor: 40_000, timeout: 60_000 }))
    expect([refused.status, refused.message]).toEqual([400, 'waitFor must not exceed half of timeout'])
  })

  it('5: a crawl completes, is paged without loss, and is not asked for in a storm', async () => {
    const before = service.logged().length
    const began = Date.now()
    const crawled: Json = await service.sdk.crawl(page('0?ms=200'), { ...crawlOptions, limit: 3, pollInterval: 1 })
    expect(crawled).toMatchObject({ status: 'completed', total: 3, completed: 3 })
    const asked = service
      .logged()
      .slice(before)
      .filter((line) => line.includes('"route":"/v2/crawl/:id"'))
    expect(asked.length).toBeLessThanOrEqual(2 * Math.ceil((Date.now() - began) / 1000 + 1))
    const urls: string[] = []
    for (let next: string | undefined = `${service.url}/v2/crawl/${crawled.id}?limit=1`; next; ) {
      const { json }: { json: Json } = await service.call('GET', next.slice(service.url.length))
      urls.push(...json.data.map((document: Json) => document.metadata.sourceURL))
      next = json.next
    }
    expect(urls).toHaveLength(3)
    expect(new Set(urls).size).toBe(3)
  })

  it('6: the watcher sees each document once and one end, on crawl and batch', async () => {
    for (const kind of ['crawl', 'batch'] as const) {
      const { id } =
        kind === 'crawl'
          ? await service.sdk.startCrawl(page('0?ms=50'), { ...crawlOptions, limit: 3 })
          : await service.sdk.startBatchScrape([page('1?ms=50'), page('2?ms=50'), page('3?ms=50')])
      const seen: string[] = []
      const ends: Json[] = []
      const watcher = service.sdk.watcher(id, { kind, pollInterval: 1, timeout: 120 })
      watcher.on('document', (document: Json) => seen.push(document.metadata.sourceURL))
      watcher.on('done', (state: Json) => ends.push(state))
      watcher.on('error', (error: Json) => ends.push(error))
      await watcher.start()
      await until(() => ends.length > 0)
      watcher.close()
      expect(new Set(seen).size).toBe(3)
      expect(seen).toHaveLength(3)
      expect(ends).toHaveLength(1)
      const socket = new WebSocket(
        `${service.url.replace('http', 'ws')}/v2/${kind === 'crawl' ? 'crawl' : 'batch/scrape'}/${id}`,
        service.key,
      )
      await new Promise((resolve) => socket.once('open', resolve))
      expect(socket.protocol).toBe(service.key)
      socket.terminate()
    }
    const stranger = new Firecrawl({ apiKey: 'fc-00000000000000000000000000000000', apiUrl: service.url })
    expect((await failure(stranger.getCrawlStatus(NOBODY))).status).toBe(401)
  })

  it('7: a batch names invalid addresses, takes a key once, and grows', async () => {
    const started: Json = await service.sdk.startBatchScrape([page(1), 'not an address'])
    expect(started.invalidURLs).toHaveLength(1)
    const strict = service.sdk.startBatchScrape([page(1), 'not an address'], { ignoreInvalidURLs: false })
    expect((await failure(strict)).status).toBe(400)
    const idempotencyKey = randomUUID()
    const release = hold()
    const slow = await service.sdk.startBatchScrape([held('?grows')], { options: { maxAge: 0 }, idempotencyKey })
    const twice = await failure(service.sdk.startBatchScrape([page(2)], { idempotencyKey }))
    expect([twice.status, twice.message]).toEqual([409, 'Idempotency key already used'])
    await service.sdk.startBatchScrape([page(3)], { appendToId: slow.id })
    expect((await service.sdk.getBatchScrapeStatus(slow.id)).total).toBe(2)
    release()
  })

  it('8: a cancelled job says so', async () => {
    const release = hold()
    const crawl = await service.sdk.startCrawl(held('?cancelled'), { ...crawlOptions, limit: 50 })
    expect(await service.sdk.cancelCrawl(crawl.id)).toBe(true)
    expect((await service.sdk.getCrawlStatus(crawl.id)).status).toBe('cancelled')
    const batch = await service.sdk.startBatchScrape([held('?1'), held('?2')])
    expect(await service.sdk.cancelBatchScrape(batch.id)).toBe(true)
    expect((await service.sdk.getBatchScrapeStatus(batch.id)).status).toBe('cancelled')
    release()
  })

  it('9: errors of something that is no id are 400', async () => {
    expect((await failure(service.sdk.getCrawlErrors('not-a-uuid'))).status).toBe(400)
  })

  it('10: a running crawl is listed with its team, address and options', async () => {
    const release = hold()
    const { id } = await service.sdk.startCrawl(held('?listed'), { ...crawlOptions, limit: 5 })
    const { crawls }: Json = await service.sdk.getActiveCrawls()
    const mine = crawls.find((crawl: Json) => crawl.id === id)
    expect(mine).toMatchObject({ url: held('?listed') })
    expect(mine.teamId).toBeTruthy()
    expect(mine.options).toBeTruthy()
    await service.sdk.cancelCrawl(id)
    release()
  })

  it('11: a map returns objects with url', async () => {
    const { links }: Json = await service.sdk.map(site.url, { limit: 5 })
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) expect(link.url).toMatch(/^http/)
  })

  it('12: an uploaded page becomes markdown for one credit; a screenshot of it is refused', async () => {
    const file = {
      data: '<main><h1>Upload</h1><p>Words of a page that was never on the web.</p></main>',
      filename: 'a.html',
    }
    const parsed: Json = await service.sdk.parse(file, { formats: ['markdown'] })
    expect(parsed.markdown).toContain('Upload')
    expect(parsed.metadata.creditsUsed).toBe(1)
    await failure(service.sdk.parse(file, { formats: ['screenshot'] as never }))
    const form = new FormData()
    form.set('file', new Blob([file.data], { type: 'text/html' }), 'a.html')
    form.set('options', JSON.stringify({ formats: ['screenshot'] }))
    const raw = await fetch(`${service.url}/v2/parse`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${service.key}` },
    })
    expect([raw.status, ((await raw.json()) as Json).code]).toEqual([400, 'PARSE_UNSUPPORTED_OPTIONS'])
  })

  it('17: usage through the SDK and the released command line', async () => {
    expect((await service.sdk.getCreditUsage()).remainingCredits).toBe(999_999_999)
    expect(((await service.sdk.getCreditUsageHistorical(true)) as Json).periods.length).toBeGreaterThan(0)
    expect((await service.sdk.getTokenUsage()).remainingTokens).toBeGreaterThan(0)
    expect(((await service.sdk.getTokenUsageHistorical()) as Json).success).toBe(true)
    expect((await service.sdk.getConcurrency()).maxConcurrency).toBeGreaterThan(0)
    expect(((await service.sdk.getQueueStatus()) as Json).success).toBe(true)
    const credits = await cli('credit-usage', '--json')
    expect(JSON.parse(credits.out)).toMatchObject({ success: true, data: { remainingCredits: 999_999_999 } })
    const status = await cli('--status')
    expect(status.code).toBe(0)
    expect(status.out).toMatch(/999,999,999/)
  })

  it('18: webhooks are signed over their bytes, and only those that were asked for are sent', async () => {
    const secret = (await service.call('POST', '/v2/admin/webhook-secret')).json.data.secret
    const { id } = await service.sdk.startBatchScrape([page(1)], { webhook: { url: hookUrl, events: ['completed'] } })
    await until(() => parcels.some(({ json }) => json.id === id))
    await finished(service, `${service.url}/v2/batch/scrape/${id}`)
    const mine = parcels.filter(({ json }) => json.id === id)
    expect(mine.map(({ json }) => json.type)).toEqual(['batch_scrape.completed'])
    const { raw, signature, json } = mine[0]!
    expect(signature).toBe(`sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`)
    // Sent again, it has the same id and the same bytes.
    expect((await service.call('POST', `/v2/webhooks/deliveries/${json.webhookId}/replay`)).status).toBe(200)
    await until(() => parcels.filter((each) => each.json.id === id).length === 2)
    expect(parcels.filter((each) => each.json.id === id)[1]!.raw).toBe(raw)
  })

  it('19: 401 says where keys come from, 429 when to come back', async () => {
    const refused = await request(`${service.url}/v2/scrape`, 'POST', {}, {})
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer resource_metadata="http/)
    const team = await newTeam(operator, 'eager', { plan: 'free' })
    const answers = []
    for (let at = 0; at < 5; at += 1) answers.push(await team.call('POST', '/v2/crawl', {}))
    const limited = answers.find(({ status }) => status === 429)
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  })

  it('20: what belongs to another team is 404 (every route: strangers.test.ts)', async () => {
    const team = await newTeam(operator, 'others of the checklist')
    const { id } = await service.sdk.startBatchScrape([page(1)])
    expect((await failure(team.sdk.getBatchScrapeStatus(id))).status).toBe(404)
  })
})

async function cli(...args: string[]): Promise<{ code: number | null; out: string }> {
  const env = {
    PATH: dirname(process.execPath),
    HOME: service.dataDir,
    FIRECRAWL_API_KEY: service.key,
    FIRECRAWL_API_URL: service.url,
    FIRECRAWL_NO_TELEMETRY: '1',
  }
  const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out }
}

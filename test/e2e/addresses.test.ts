// Faults A 8 and A 9: only http and https lead anywhere, wherever an address is named; and whatever a caller may name as an
// address, other than a page, does not lead into the inner network either. The forbidden server counts every connection.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Forbidden, startForbidden } from '../site/forbidden.ts'
import type { Answer, Json } from './service.ts'
import { shared } from './shared.ts'
import { finished, until } from './waiting.ts'

const SCHEMES = [
  'file:///etc/passwd',
  'ftp://127.0.0.1/x',
  'javascript:alert(1)',
  'data:text/html,<p>x',
  'blob:https://example.com/1',
  'view-source:https://example.com/',
  'chrome://version',
]

const { site, service } = shared(
  {
    '/odd/start': ({ response, base }) => {
      const links = SCHEMES.map((address, at) => `<a href="${address.replaceAll('"', '')}">odd ${at}</a>`).join(' ')
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<title>Odd</title><h1>Odd links</h1><p>${links} <a href="${base}/odd/next">next</a></p>`)
    },
    '/odd/next': ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<title>Next</title><h1>The next page</h1><p>It has no links at all, only some words.</p>')
    },
    '/robots.txt': ({ response, base }) => void response.end(`User-agent: *\nSitemap: ${base}/odd/sitemap.xml\n`),
    '/odd/sitemap.xml': ({ response, base }) => {
      const entries = [...SCHEMES, `${base}/odd/listed`].map((address) => `<url><loc>${address}</loc></url>`).join('')
      response.writeHead(200, { 'content-type': 'application/xml' })
      response.end(
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.replaceAll('<p>', '')}</urlset>`,
      )
    },
    '/odd/listed': ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<title>Listed</title><h1>The listed page</h1><p>Only the sitemap knows of it.</p>')
    },
  },
  { names: { 'inside.example.com': { a: ['127.0.0.2'] } } },
)
let forbidden: Forbidden
beforeAll(async () => {
  forbidden = await startForbidden(site.port)
})
afterAll(() => forbidden.close())

const monitorOf = (more: object) => ({
  name: 'm',
  schedule: { text: 'every 30 minutes' },
  targets: [{ type: 'scrape', urls: ['https://example.com/'] }],
  ...more,
})
/** Every place of a body in which an address stands. */
const places: [string, (address: string) => Promise<Answer>][] = [
  ['scrape', (url) => service.call('POST', '/v2/scrape', { url })],
  ['crawl', (url) => service.call('POST', '/v2/crawl', { url })],
  ['map', (url) => service.call('POST', '/v2/map', { url })],
  ['batch', (url) => service.call('POST', '/v2/batch/scrape', { urls: [url] })],
  ['extract', (url) => service.call('POST', '/v2/extract', { urls: [url], prompt: 'the title' })],
  ['agent', (url) => service.call('POST', '/v2/agent', { prompt: 'the title', urls: [url] })],
  ['monitor', (url) => service.call('POST', '/v2/monitor', monitorOf({ targets: [{ type: 'scrape', urls: [url] }] }))],
  ['monitor of a site', (url) => service.call('POST', '/v2/monitor', monitorOf({ targets: [{ type: 'crawl', url }] }))],
  ['webhook of a crawl', (webhook) => service.call('POST', '/v2/crawl', { url: 'https://example.com/', webhook })],
  [
    'webhook of a batch',
    (url) => service.call('POST', '/v2/batch/scrape', { urls: ['https://example.com/'], webhook: { url } }),
  ],
  ['webhook of an agent', (webhook) => service.call('POST', '/v2/agent', { prompt: 'x', webhook })],
  ['webhook of a monitor', (url) => service.call('POST', '/v2/monitor', monitorOf({ webhook: { url } }))],
]

describe('schemes (A 8)', () => {
  it.each(places)('other than http and https are an invalid address: %s', async (_place, name) => {
    for (const address of SCHEMES) {
      const { status, json } = await name(address)
      expect([address, status]).toEqual([address, 400])
      expect(json.success).toBe(false)
    }
  })

  it('are passed over among the links and in the sitemap of a site', async () => {
    const { json: map } = await service.call('POST', '/v2/map', {
      url: `${site.url}/odd/start`,
      includeSubdomains: true,
    })
    expect(map.links.map((link: Json) => link.url).every((url: string) => url.startsWith('http://127.0.0.1:'))).toBe(
      true,
    )
    const started = await service.call('POST', '/v2/crawl', {
      ...{ url: `${site.url}/odd/start`, limit: 20, crawlEntireDomain: true, allowExternalLinks: true },
      ...{ includePaths: ['^/odd/'], maxDiscoveryDepth: 3 },
    })
    const done = await finished(service, `${service.url}/v2/crawl/${started.json.id}`)
    const visited = done.data.map((page: Json) => new URL(page.metadata.sourceURL).pathname)
    expect(new Set(visited)).toEqual(new Set(['/odd/start', '/odd/next', '/odd/listed']))
    const { json: errors } = await service.call('GET', `/v2/crawl/${started.json.id}/errors`)
    expect(errors.errors).toEqual([])
  })
})

describe('side doors (A 9)', () => {
  const inside = () => [`http://127.0.0.2:${site.port}/x`, `http://inside.example.com:${site.port}/x`]

  it.each(places)('lead nowhere that is not public: %s', async (_place, name) => {
    for (const address of inside()) {
      const { status, json } = await name(address)
      // A name is looked up only when it is visited: the job is taken, and its visit refused.
      if (status !== 200) expect([400, 403]).toContain(status)
      else if (json.id && /batch|crawl/.test(json.url ?? '')) await finished(service, json.url).catch(() => undefined)
    }
    expect(forbidden.hits()).toBe(0)
  })

  it('webhooks end as dead, with the reason, and messages of a monitor too', async () => {
    const [, url] = inside()
    const started = await service.call('POST', '/v2/batch/scrape', {
      ...{ urls: [`${site.url}/odd/next`], webhook: { url } },
    })
    await finished(service, started.json.url)
    const deliveries = async () => (await service.call('GET', `/v2/webhooks/deliveries?jobId=${started.json.id}`)).json
    await until(async () => JSON.stringify(await deliveries()).includes('"dead"'))
    expect(JSON.stringify(await deliveries())).toMatch(/not on the public web/)
    const { json } = await service.call('POST', '/v2/monitor', {
      ...monitorOf({ targets: [{ type: 'scrape', urls: [`${site.url}/counter`] }] }),
      notification: { channels: [`ntfy+http://inside.example.com:${site.port}/topic`] },
    })
    if (json.success) {
      const id = json.data?.id ?? json.id
      for (let look = 0; look < 2; look++) {
        const check = await service.call('POST', `/v2/monitor/${id}/run`)
        expect([200, 201, 202, 409]).toContain(check.status)
        await until(async () => {
          const { json: checks } = await service.call('GET', `/v2/monitor/${id}/checks`)
          return (checks.data ?? []).every((one: Json) => !/queued|running/.test(one.status))
        })
      }
    }
    expect(forbidden.hits()).toBe(0)
  })
})

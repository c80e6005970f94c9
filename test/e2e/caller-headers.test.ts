// Headers that a caller gives for a site are for that site: whatever leads the visit elsewhere, in whatever engine, they
// stay behind. Cookies stay with their host.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DnsServer, startDns } from '../site/dns.ts'
import { type Page, type Site, startSite } from '../site/site.ts'
import { type Service, startService } from './service.ts'

let site: Site
let dns: DnsServer
let service: Service
const elsewhere: string[] = []
const there = (port: number, path = '/echo') => `http://other.own.example.com:${port}${path}`
const html =
  (body: (port: number) => string): Page =>
  ({ response, port }) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><title>Way</title>${body(port)}<p>${'Some words stand here as well. '.repeat(20)}</p>`)
  }
const pages: Record<string, Page> = {
  '/way/redirect': ({ response, port }) => {
    response.writeHead(302, { location: there(port) })
    response.end()
  },
  '/way/meta': html((port) => `<meta http-equiv="refresh" content="0;url=${there(port)}">`),
  '/way/script': html((port) => `<script>location.href = ${JSON.stringify(there(port))}</script>`),
  '/way/file': ({ response, port }) => {
    response.writeHead(302, { location: there(port, '/paper') })
    response.end()
  },
  '/echo': ({ request, response }) => {
    elsewhere.push(JSON.stringify(request.headers))
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><title>Echo</title><h1>Arrived elsewhere</h1><p>${'Words, words. '.repeat(40)}</p>`)
  },
  '/paper': ({ request, response }) => {
    elsewhere.push(JSON.stringify(request.headers))
    response.writeHead(200, { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename=a.txt' })
    response.end('Arrived elsewhere')
  },
}
const OTHERS = ['other.own.example.com', 'stranger.example.net']
const links = (port: number) => OTHERS.map((host) => `<a href="http://${host}:${port}/echo">${host}</a>`).join(' ')
Object.assign(pages, {
  '/hub': html(links),
  '/moved': ({ response, port }) => {
    response.writeHead(302, { location: `http://stranger.example.net:${port}/hub` })
    response.end()
  },
  '/robots.txt': ({ request, response, port }) => {
    if (OTHERS.includes(String(request.headers.host).split(':')[0]!)) elsewhere.push(JSON.stringify(request.headers))
    response.writeHead(200, { 'content-type': 'text/plain' })
    response.end(`Sitemap: http://stranger.example.net:${port}/far-sitemap.xml\n`)
  },
  '/far-sitemap.xml': ({ request, response, port }) => {
    elsewhere.push(JSON.stringify(request.headers))
    response.writeHead(200, { 'content-type': 'application/xml' })
    const loc = `http://other.own.example.com:${port}/echo`
    response.end(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${loc}</loc></url></urlset>`)
  },
  '/film': html((port) => `<video src="http://own.example.com:${port}/film.m3u8"></video>`),
  '/film.m3u8': ({ response, port }) => {
    response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' })
    const far = `http://stranger.example.net:${port}`
    const key = `#EXT-X-KEY:METHOD=AES-128,URI="${far}/paper",IV=0x00000000000000000000000000000000`
    response.end(
      `#EXTM3U\n#EXT-X-TARGETDURATION:4\n${key}\n#EXTINF:4,\n/near.ts\n#EXTINF:4,\n${far}/paper\n#EXT-X-ENDLIST\n`,
    )
  },
} satisfies Record<string, Page>)
beforeAll(async () => {
  site = await startSite(pages)
  const here = [{ a: ['127.0.0.1'] }]
  dns = await startDns({
    answers: { 'own.example.com': here, 'other.own.example.com': here, 'stranger.example.net': here },
  })
  service = await startService({ env: { ORB_ALLOW_PRIVATE: '127.0.0.1', ORB_DNS_SERVERS: dns.address } })
})
afterAll(async () => {
  await service.stop()
  await Promise.all([site.close(), dns.close()])
})

const headers = {
  Authorization: 'Bearer caller-secret',
  Cookie: 'session=caller-secret',
  'X-Api-Key': 'caller-secret',
  'X-Anything': 'caller-secret',
}
const engines = {
  http: { fastMode: true },
  disguise: { fastMode: true, proxy: 'enhanced' },
  still: { waitFor: 300 },
  drawn: { waitFor: 300, formats: ['markdown', 'screenshot'] },
  enhanced: { waitFor: 300, proxy: 'enhanced' },
}
const ways = ['redirect', 'meta', 'script', 'file']
const cases = Object.entries(engines).flatMap(([engine, options]) =>
  ways
    .filter((way) => way === 'redirect' || way === 'file' || !('fastMode' in options))
    .map((way) => [engine, way, options] as const),
)

describe('the caller’s headers', () => {
  it.each(cases)('stay behind when %s is led elsewhere by %s', async (_engine, way, options) => {
    elsewhere.length = 0
    const url = `http://own.example.com:${site.port}/way/${way}`
    const { status, text, json } = await service.call('POST', '/v2/scrape', { url, maxAge: 0, headers, ...options })
    expect(status, text).toBe(200)
    expect(json.data.markdown).toMatch(/Arrived elsewhere/)
    expect(elsewhere.length).toBeGreaterThan(0)
    expect(elsewhere.filter((sent) => sent.includes('caller-secret'))).toEqual([])
  })
  const at = (path: string) => `http://own.example.com:${site.port}${path}`
  const crawl = async (body: object) => {
    const { json } = await service.call('POST', '/v2/crawl', {
      limit: 5,
      scrapeOptions: { headers, maxAge: 0 },
      ...body,
    })
    return done(`/v2/crawl/${json.id}`)
  }
  const done = async (path: string): Promise<unknown> => {
    for (;;) {
      const { json } = await service.call('GET', path)
      if (json.status !== 'scraping' && json.status !== 'processing') return json
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const jobs: Record<string, () => Promise<unknown>> = {
    'a crawl whose start is moved': () => crawl({ url: at('/moved') }),
    'a crawl with external links': () => crawl({ url: at('/hub'), allowExternalLinks: true, sitemap: 'skip' }),
    'a crawl with subdomains': () => crawl({ url: at('/hub'), allowSubdomains: true, crawlEntireDomain: true }),
    'a map whose start is moved': () => service.call('POST', '/v2/map', { url: at('/moved'), headers }),
    'a map with a sitemap elsewhere': () =>
      service.call('POST', '/v2/map', { url: at('/hub'), headers, ignoreCache: true }),
    'a plan of a crawl': () => service.call('POST', '/v2/crawl/plan', { url: at('/hub'), scrapeOptions: { headers } }),
    'an extraction of a site': async () => {
      const body = { urls: [at('/*')], prompt: 'title', scrapeOptions: { headers, maxAge: 0 } }
      const { json } = await service.call('POST', '/v2/extract', body)
      return done(`/v2/extract/${json.id}`)
    },
    'a stream whose parts and keys are elsewhere': () =>
      service.call('POST', '/v2/scrape', { url: at('/film'), maxAge: 0, headers, formats: ['video'] }),
  }
  it.each(Object.keys(jobs))('stay with the origin that was named in %s', async (name) => {
    elsewhere.length = 0
    const answer = await jobs[name]!()
    expect(elsewhere.length, JSON.stringify(answer)).toBeGreaterThan(0)
    expect(elsewhere.filter((sent) => sent.includes('caller-secret'))).toEqual([])
  })
})

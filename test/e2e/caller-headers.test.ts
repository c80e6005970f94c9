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
beforeAll(async () => {
  site = await startSite(pages)
  const here = [{ a: ['127.0.0.1'] }]
  dns = await startDns({ answers: { 'own.example.com': here, 'other.own.example.com': here } })
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
})

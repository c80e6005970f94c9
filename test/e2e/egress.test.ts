// Faults A: nothing that a caller names leads to an address that is not public, whatever it is called. The forbidden
// server beside the test site counts every connection; the count must stay zero.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DnsServer, startDns } from '../site/dns.ts'
import { type Forbidden, startForbidden } from '../site/forbidden.ts'
import { type Site, startSite } from '../site/site.ts'
import { type Service, startService } from './service.ts'

let site: Site
let forbidden: Forbidden
let dns: DnsServer
let service: Service
beforeAll(async () => {
  site = await startSite()
  forbidden = await startForbidden(site.port)
  dns = await startDns({
    answers: {
      'inside.example.com': [{ a: ['127.0.0.2'] }],
      'mixed.example.com': [{ a: ['93.184.215.14', '127.0.0.2'] }],
      'rebind.example.com': [{ a: ['93.184.215.14'] }, { a: ['127.0.0.2'] }],
      'inside6.example.com': [{ aaaa: ['::1'] }],
    },
  })
  service = await startService({
    env: { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, ORB_DNS_SERVERS: dns.address },
  })
})
afterAll(async () => {
  expect(forbidden.hits()).toBe(0)
  await service.stop()
  await Promise.all([site.close(), forbidden.close(), dns.close()])
})

const post = (url: string, options = {}) =>
  service.call('POST', '/v2/scrape', { url, maxAge: 0, timeout: 60_000, ...options })

describe('private addresses', () => {
  it.each([
    'http://127.0.0.2:PORT/',
    'http://[::1]:PORT/',
    'http://localhost:PORT/',
    'http://a.localhost:PORT/',
    'http://localhost.:PORT/',
    'http://0.0.0.0:PORT/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://[fc00::1]/',
    'http://[fe80::1]/',
    'http://2130706434:PORT/',
    'http://0x7f.2:PORT/',
    'http://0177.0.0.2:PORT/',
    'http://１２７.0.0.2:PORT/',
    'http://127.0.0.2.:PORT/',
    'http:\\\\127.0.0.2:PORT\\',
    'ht\ttp://127.0.0.2:PORT/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:127.0.0.2]:PORT/',
    'http://[64:ff9b::7f00:2]/',
    'http://[2002:7f00:2::]/',
    'http://[::127.0.0.2]/',
    'http://inside.example.com:PORT/',
    'http://inside6.example.com:PORT/',
    'http://mixed.example.com:PORT/',
  ])('%s is refused before any packet', async (form) => {
    const { status, json } = await post(form.replace('PORT', String(site.port)))
    expect([400, 403]).toContain(status)
    if (status === 403) expect(json.code).toBe('UNSUPPORTED_SITE')
    else expect(json.error).toMatch(/^Invalid URL/)
    expect(json.error).not.toMatch(/127\.0|::1|10\.0|169\.254/)
    expect(forbidden.hits()).toBe(0)
  })

  it('a name that turns private between look-ups never reaches the private address', async () => {
    for (const _ of [1, 2, 3]) await post(`http://rebind.example.com:${site.port}/`, { timeout: 1500 })
    expect(forbidden.hits()).toBe(0)
  })

  it.each([
    'forbidden',
    'forbidden-307',
    'forbidden-v6',
    'forbidden-decimal',
    'forbidden-userinfo',
    'metadata',
    'localhost',
  ])('a redirect to %s is refused', async (name) => {
    const { status, json } = await post(`${site.url}/redirect/${name}`)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(json.success).toBe(false)
    expect(forbidden.hits()).toBe(0)
  })

  it('the way through /r/ is the same', async () => {
    expect((await service.call('GET', `/r/http://127.0.0.2:${site.port}/`)).status).toBe(403)
  })

  it('what the operator allows works, and is logged', async () => {
    expect((await post(`${site.url}/article`)).status).toBe(200)
    expect(service.logged().some((line) => line.includes('allow-list'))).toBe(true)
  })
})

it('a name that does not resolve is a DNS error', async () => {
  const { status, json } = await post('http://nowhere.example.com/')
  expect(status).toBe(500)
  expect(json.code).toBe('SCRAPE_DNS_RESOLUTION_ERROR')
})

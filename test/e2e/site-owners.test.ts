// What owners of sites can rely on: opt-outs, signed requests under one name, and hosts that are left alone. Signatures
// are verified by another implementation.
import type { IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verify } from 'web-bot-auth'
import { verifierFromJWK } from 'web-bot-auth/crypto'
import { type DnsServer, startDns } from '../site/dns.ts'
import { type Site, startSite } from '../site/site.ts'
import { siteOwnerPages } from '../site/site-owners.ts'
import { type Json, type Service, startService } from './service.ts'
import { type Member, newTeam } from './team.ts'

let site: Site
let service: Service
let team: Member
let dns: DnsServer
const seen: { url: string; headers: IncomingHttpHeaders }[] = []
beforeAll(async () => {
  const here = { a: ['127.0.0.1'] }
  dns = await startDns({
    answers: { 'one.example.com': here, 'two.example.com': here, 'alone.example.com': here },
  })
  site = await startSite(siteOwnerPages((url, headers) => seen.push({ url, headers })))
  service = await startService({
    env: {
      ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
      ORB_DNS_SERVERS: dns.address,
      ORB_PUBLIC_URL: 'https://bot.example.com',
      ORB_BOT_NAME: 'TestBot',
      ORB_BOT_CONTACT: 'owners@example.com <now>',
      ORB_ROBOTS_CHOICE: 'on',
      ORB_LEAVE_ALONE: 'alone.example.com',
    },
  })
  team = await newTeam(service, 'readers')
})
afterAll(async () => {
  await service?.stop()
  await Promise.all([site?.close(), dns?.close()])
})

const scrape = (path: string, options: object = {}, call = service.call) =>
  call('POST', '/v2/scrape', { url: site.url + path, maxAge: 0, ...options })
const AI = ['ai-input', 'ai-train']

describe('opt-outs without a policy', () => {
  it.each([
    ['/noai', { reservedUses: AI, reservedBy: ['X-Robots-Tag: noai'] }],
    ['/meta', { reservedUses: AI, reservedBy: ['meta robots: noai'] }],
    ['/terms', { reservedUses: AI, tdmPolicy: 'https://example.com/terms' }],
  ])('are in the metadata of %s', async (path, metadata) => {
    expect((await scrape(path)).json.data.metadata).toMatchObject(metadata)
  })

  it('cost no further request, and a page cannot write the fields itself', async () => {
    for (const path of ['/free', '/pretends']) {
      const { metadata } = (await scrape(path)).json.data
      expect(metadata.reservedUses ?? metadata.reservedBy).toBeUndefined()
    }
    expect(site.hits('/.well-known/tdmrep.json')).toBe(0)
  })
})

describe('the policy of a team', () => {
  const set = async (policy: object) =>
    expect((await team.call('PUT', '/v2/team/opt-outs', policy)).status, JSON.stringify(policy)).toBe(200)

  it('is empty at first, and written by its admins', async () => {
    const { json } = await team.call('GET', '/v2/team/opt-outs')
    expect(json.data).toMatchObject({ uses: [], enforce: true, configured: false })
    expect((await team.call('PUT', '/v2/team/opt-outs', { uses: ['resale'] })).status).toBe(400)
  })

  it('refuses reserved pages, cached or not, and says by which statement', async () => {
    await scrape('/noai', { maxAge: 60_000 })
    await set({ uses: ['ai-train'] })
    const visits = site.hits('/mined/a')
    for (const [path, by] of [
      ['/noai', 'X-Robots-Tag: noai'],
      ['/meta', 'meta robots: noai'],
      ['/signal/a', 'Content-Signal in robots.txt'],
      ['/mined/a', '/.well-known/tdmrep.json'],
    ] as const) {
      const { status, json } = await scrape(path, { maxAge: path === '/noai' ? 60_000 : 0 }, team.call)
      expect({ path, status, code: json.code }).toEqual({ path, status: 403, code: 'USE_RESERVED' })
      expect(json.error).toContain(`ai-train (${by})`)
    }
    expect(site.hits('/mined/a')).toBe(visits)
    expect((await scrape('/to-mined', {}, team.call)).json.code).toBe('USE_RESERVED')
    expect((await scrape('/free', {}, team.call)).status).toBe(200)
    expect((await scrape('/mined/a')).status).toBe(200)
  })

  it('of another use lets the page through; without `enforce` it is only reported', async () => {
    await set({ uses: ['search'] })
    expect((await scrape('/signal/a', {}, team.call)).json.data.metadata.reservedUses).toEqual(['ai-train'])
    await set({ uses: ['ai-train'], enforce: false })
    const { json } = await scrape('/mined/a', {}, team.call)
    expect(json.data.metadata).toMatchObject({ reservedUses: AI, reservedBy: ['/.well-known/tdmrep.json'] })
  })
})

describe('the named bot', () => {
  const at = (host: string, path: string) => `http://${host}:${site.port}${path}`
  const keys = async (): Promise<Json[]> => {
    const response = await fetch(`${service.url}/.well-known/http-message-signatures-directory`)
    expect(response.headers.get('content-type')).toContain('application/http-message-signatures-directory+json')
    return ((await response.json()) as Json).keys
  }
  /** Throws where another implementation refuses the signature. */
  async function verified(url: string, headers: IncomingHttpHeaders): Promise<void> {
    const id = /keyid="([^"]+)"/.exec(String(headers['signature-input']))?.[1]
    const key = (await keys()).find(({ kid }) => kid === id)
    const sent = Object.entries(headers).filter(([name]) => /^(signature|host$|user-agent)/.test(name))
    const request = new Request(url, { headers: sent as [string, string][] })
    await verify(request, await verifierFromJWK(key))
  }
  const lastAt = (url: string) => seen.findLast((one) => one.url === url)?.headers ?? {}

  it.each([
    ['a plain visit', {}],
    ['a rendered one', { waitFor: 1 }],
    ['the enhanced tier', { proxy: 'enhanced' }],
  ])(
    'signs %s for each address of a redirect, and sends one honest name',
    async (_name, options) => {
      seen.length = 0
      const { status, json } = await service.call('POST', '/v2/scrape', {
        ...{ url: at('one.example.com', `/from?to=${at('two.example.com', '/who')}`), maxAge: 0 },
        ...options,
      })
      expect(status, json.error).toBe(200)
      expect(new Set(seen.map(({ url }) => new URL(url).hostname))).toEqual(
        new Set(['one.example.com', 'two.example.com']),
      )
      for (const { url, headers } of seen) {
        expect(headers['user-agent']).toMatch(/^TestBot\/\S+ \(\+https:\/\/bot\.example\.com\/bot\)$/)
        expect(headers['sec-ch-ua'] ?? '').not.toContain('Chrome')
        expect(headers['signature-agent']).toBe('"https://bot.example.com"')
        await verified(url, headers)
      }
      const here = lastAt(at('two.example.com', '/who'))
      await expect(verified(at('one.example.com', '/who'), here)).rejects.toThrow()
      const forged = { ...here, 'signature-agent': '"https://other.example.com"' }
      await expect(verified(at('two.example.com', '/who'), forged)).rejects.toThrow()
    },
    120_000,
  )

  it('does not sign for a caller who sends another name', async () => {
    const url = at('one.example.com', '/who')
    for (const options of [{}, { waitFor: 1 }])
      await service.call('POST', '/v2/scrape', { url, maxAge: 0, headers: { 'User-Agent': 'Other/1' }, ...options })
    for (const { headers } of seen.filter((one) => one.url === url && one.headers['user-agent'] === 'Other/1'))
      expect(headers.signature).toBeUndefined()
    expect(lastAt(url)['user-agent']).toBe('Other/1')
  })

  it('follows its group in robots.txt, which no caller can replace', async () => {
    const { status, json } = await service.call('POST', '/v2/map', { url: site.url, robotsUserAgent: 'Another' })
    expect({ status, error: json.error }).toEqual({ status: 403, error: expect.stringContaining('TestBot') })
    const crawl = await service.sdk.crawl(`${site.url}/linked`, { crawlEntireDomain: true, sitemap: 'skip' } as never)
    expect(crawl.data.map(({ metadata }) => new URL(metadata?.sourceURL ?? '').pathname).sort()).toEqual([
      '/free',
      '/linked',
    ])
  }, 60_000)

  it('publishes the key that signs and the next one, and signs the directory with both', async () => {
    const response = await fetch(`${service.url}/.well-known/http-message-signatures-directory`)
    const { keys: all } = (await response.json()) as Json
    expect(all).toHaveLength(2)
    for (const key of all) {
      expect(Object.keys(key).sort()).toEqual(['crv', 'exp', 'kid', 'kty', 'nbf', 'use', 'x'])
      expect(response.headers.get('signature-input')).toContain(`keyid="${key.kid}"`)
    }
    expect(all[0].nbf * 1000).toBeLessThan(Date.now())
    expect(all[1].nbf * 1000).toBeGreaterThan(Date.now())
  })

  it('has a page for owners', async () => {
    const text = await (await fetch(`${service.url}/bot`)).text()
    expect(text).toContain('User-agent: TestBot')
    expect(text).toContain('owners@example.com &lt;now&gt;')
  })

  it.each([{}, { waitFor: 1 }, { maxAge: 60_000 }])('no team visits a host that is left alone: %j', async (options) => {
    for (const url of [
      at('alone.example.com', '/free'),
      at('one.example.com', `/from?to=${at('alone.example.com', '/free')}`),
    ]) {
      const { status, json } = await team.call('POST', '/v2/scrape', { url, maxAge: 0, ...options })
      expect({ url, status, code: json.code }).toEqual({ url, status: 403, code: 'SITE_LEFT_ALONE' })
    }
  })
})

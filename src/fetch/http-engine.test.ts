import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectCost } from '../../test/cost.ts'
import { type Site, startSite } from '../../test/site/site.ts'
import { silentLog } from '../base/log.ts'
import type { Capture, Visit } from '../base/visit-and-capture-types.ts'
import { type Egress, openEgress } from './egress.ts'
import type { FetchEngine } from './fetch-engine.ts'
import { makeBrowserHeaders, setChromiumVersion, writeAcceptLanguage } from './http-engine.ts'
import { listEngines } from './index.ts'

const never = new AbortController().signal

const visit = (url: string, more: Partial<Visit> = {}): Visit => ({
  url,
  headers: {},
  languages: [],
  country: 'US',
  mobile: false,
  blockAds: true,
  waitForMs: 0,
  geolocate: false,
  actions: [],
  skipTlsVerification: true,
  proxy: 'auto',
  cache: { read: true, maxAgeMs: 0, minAgeMs: undefined, only: false },
  ...more,
})

describe('headersFor', () => {
  it('looks like a browser', () => {
    const headers = makeBrowserHeaders(visit(''))
    expect(headers['user-agent']).toMatch(/Chrome\/\d+\.0\.0\.0 Safari/)
    expect(headers['sec-fetch-mode']).toBe('navigate')
    expect(makeBrowserHeaders(visit('', { mobile: true }))).toMatchObject({
      'user-agent': expect.stringContaining('Mobile'),
      'sec-ch-ua-mobile': '?1',
    })
  })

  it('names the version of the browser that was found', () => {
    setChromiumVersion('156.0.1.2')
    const headers = makeBrowserHeaders(visit(''))
    setChromiumVersion('147.0')
    expect(headers['user-agent']).toContain('Chrome/156.0.0.0')
    expect(headers['sec-ch-ua']).toContain('"Chromium";v="156", "Google Chrome";v="156"')
  })

  it("lets the caller's headers win in any case, and drops hints that would contradict another agent", () => {
    const headers = makeBrowserHeaders(
      visit('', { headers: { 'USER-AGENT': 'orb/1', Accept: 'text/plain', 'X-Mine': 'yes' } }),
    )
    expect(headers).toMatchObject({ 'user-agent': 'orb/1', accept: 'text/plain', 'x-mine': 'yes' })
    expect(headers).not.toHaveProperty('sec-ch-ua')
    expect(Object.keys(headers).filter((name) => name.toLowerCase() === 'accept')).toHaveLength(1)
  })
})

describe('acceptLanguage', () => {
  it.each([
    [[], 'en-US,en;q=0.9'],
    [['de'], 'de'],
    [['de-DE', 'en'], 'de-DE,de;q=0.9,en;q=0.8'],
    [['en-GB', 'en-US'], 'en-GB,en-US;q=0.9,en;q=0.8'],
    [['de\r\nX: 1', 'fr'], 'fr'],
  ])('writes %j as %s', (languages, header) => {
    expect(writeAcceptLanguage(languages)).toBe(header)
  })

  it('never goes below a weight of 0.1', () => {
    expect(writeAcceptLanguage(['aa-AA', 'bb-BB', 'cc-CC', 'dd-DD', 'ee-EE', 'ff-FF', 'gg-GG'])).toMatch(/ff;q=0\.1$/)
  })
})

describe('the engines', () => {
  let site: Site
  let egress: Egress

  beforeAll(async () => {
    site = await startSite()
    egress = openEgress({
      allowPrivate: [`127.0.0.1:${site.port}`],
      dnsServers: [],
      proxies: { basic: [], enhanced: [] },
      log: silentLog,
    })
  })

  afterAll(async () => {
    await egress.close()
    await site.close()
  })

  const kept = new Map<string, Capture>()
  const list = (): readonly FetchEngine[] =>
    listEngines({ egress, pageCache: { find: async ({ url }) => kept.get(url) } })

  it('brings a page home over plain HTTP', async () => {
    const before = Date.now()
    const capture = await list()
      .find(({ name }) => name === 'http')!
      .fetch(visit(`${site.url}/article`), never)
    expect(capture).toMatchObject({ engine: 'http', status: 200, truncated: false, proxyUsed: 'basic', hops: [] })
    expect(capture!.fetchedAt).toBeGreaterThanOrEqual(before)
    expect(Buffer.from(capture!.body).toString()).toContain('Why the tide tables moved')
  })

  it('sends its headers as it wrote them', async () => {
    const languages = ['pt-BR']
    const capture = await list()[1]!.fetch(
      visit(`${site.url}/echo`, { languages, headers: { 'X-Mine': 'yes' } }),
      never,
    )
    const { headers } = JSON.parse(Buffer.from(capture!.body).toString())
    expect(headers).toMatchObject({
      'accept-language': 'pt-BR,pt;q=0.9',
      'accept-encoding': 'gzip, deflate, br, zstd',
      'x-mine': 'yes',
    })
  })

  it('answers from the cache first, unless the visit says not to read it', async () => {
    const [cache, http] = list()
    expect(cache!.cost).toBeLessThan(http!.cost)
    const url = `${site.url}/counter`
    expect(await cache!.fetch(visit(url), never)).toBeUndefined()
    kept.set(url, (await http!.fetch(visit(url), never))!)
    expect(await cache!.fetch(visit(url), never)).toBe(kept.get(url))
    const unread = { read: false, maxAgeMs: 0, minAgeMs: undefined, only: false }
    expect(await cache!.fetch(visit(url, { cache: unread }), never)).toBeUndefined()
  })

  it('spends little processor time on a page of 56 kB, warm', async () => {
    const http = list()[1]!
    const page = visit(`${site.url}/big/html?bytes=56000`)
    for (let round = 0; round < 200; round++) await http.fetch(page, never)
    const before = process.cpuUsage()
    for (let round = 0; round < 300; round++) await http.fetch(page, never)
    const { user, system } = process.cpuUsage(before)
    // Alone it is about half a millisecond; the site lives in this process too, and the machine may be busy.
    expectCost((user + system) / 1000 / 300).toBeLessThan(3)
  })
})

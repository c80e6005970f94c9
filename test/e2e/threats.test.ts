// Threat protection on the real service: requests, team policies, redirects, browsers, crawls and maps, the operator's lists.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DnsServer, startDns } from '../site/dns.ts'
import { type Pages, type Site, startSite } from '../site/site.ts'
import { emptyFolder, type Json, type Service, startService } from './service.ts'
import { newTeam } from './team.ts'
import { finished, until } from './waiting.ts'

const html = (body: string) =>
  `<!doctype html><title>A page</title><h1>A page</h1><p>With words enough to be one.</p>${body}`
const pages: Pages = {
  '/plain': ({ response }) => void response.writeHead(200, { 'content-type': 'text/html' }).end(html('')),
  '/list.txt': ({ response }) => void response.writeHead(200).end('# a list\n0.0.0.0 fetched.example.com\n'),
  '/to-bad': ({ response, port }) =>
    void response.writeHead(302, { location: `http://bad.example.com:${port}/plain` }).end(),
  '/links': ({ response, port }) =>
    void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        html(
          `<a href="http://good.example.com:${port}/plain">one</a><a href="http://good.example.com:${port}/bad-page">two</a>`,
        ),
      ),
  '/bad-page': ({ response }) => void response.writeHead(200, { 'content-type': 'text/html' }).end(html('')),
}

let site: Site
let dns: DnsServer
let service: Service
const folder = emptyFolder()
beforeAll(async () => {
  site = await startSite(pages)
  const here = { a: ['127.0.0.1'] }
  dns = await startDns({
    answers: {
      'good.example.com': here,
      'bad.example.com': here,
      'listed.example.com': here,
      'fetched.example.com': here,
      'never.example.com': here,
      'paypa1-secure.com': here,
    },
  })
  const list = join(folder, 'list.csv')
  writeFileSync(list, `"1","http://good.example.com:${site.port}/bad-page","x"\nlisted.example.com CNAME .\n`)
  service = await startService({
    env: {
      ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
      ORB_DNS_SERVERS: dns.address,
      ORB_THREAT_LISTS: `${list},${site.url}/list.txt`,
      ORB_THREAT_REFUSED: 'never.example.com',
    },
  })
  await until(() => service.logged().some((line) => line.includes('reputation lists were read')))
})
afterAll(async () => {
  await service?.stop()
  await Promise.all([site?.close(), dns?.close()])
  rmSync(folder, { recursive: true, force: true })
})

const at = (host: string, path = '/plain') => `http://${host}:${site.port}${path}`
const scrape = (url: string, options: object = {}) => service.call('POST', '/v2/scrape', { url, maxAge: 0, ...options })
const normal = { threatProtection: { mode: 'normal' } }
const blocked = (answer: { status: number; json: Json }, why: RegExp) => {
  expect(answer.json).toMatchObject({ success: false, code: 'unsafe_domain_blocked' })
  expect(answer.json.error).toMatch(why)
  expect(answer.status).toBe(403)
}

describe('a request', () => {
  it('that asks for nothing is not judged', async () => {
    expect((await scrape(at('bad.example.com'))).status).toBe(200)
  })

  it.each([
    [
      'a blacklist',
      'bad.example.com',
      { mode: 'normal', blacklist: ['bad.example.com'] },
      /blacklist has bad\.example\.com/,
    ],
    [
      'what is below a name',
      'bad.example.com',
      { mode: 'manual-only', blacklist: ['*.example.com'] },
      /\*\.example\.com/,
    ],
    [
      'the address that its name resolves to',
      'good.example.com',
      { mode: 'manual-only', blacklist: ['127.0.0.0/30'] },
      /blacklist has 127\.0\.0\.0\/30; it resolves to 127\.0\.0\.1/,
    ],
    ['an ending', 'bad.example.com', { mode: 'normal', blockedTlds: ['com'] }, /end in \.com/],
    [
      "a list of the operator's",
      'listed.example.com',
      { mode: 'normal' },
      /reputation list contains listed\.example\.com/,
    ],
    ['a list that was fetched', 'fetched.example.com', { mode: 'normal' }, /reputation list contains fetched/],
    ['its risk', 'paypa1-secure.com', { mode: 'normal' }, /risk of \d+.*paypal/],
  ])('is refused by %s', async (_name, host, threatProtection, why) => {
    const before = site.hits('/plain')
    const answer = await scrape(at(host), { threatProtection })
    blocked(answer, why)
    expect(answer.json.details).toMatchObject({ url: at(host), riskScore: expect.any(Number) })
    expect(site.hits('/plain')).toBe(before)
  })

  it('through the SDK carries the code', async () => {
    const asked = service.sdk.scrape(at('bad.example.com'), {
      maxAge: 0,
      threatProtection: { mode: 'normal', blacklist: ['bad.example.com'] },
    } as never)
    await expect(asked).rejects.toMatchObject({ status: 403, code: 'unsafe_domain_blocked' })
  })

  it('lets the whitelist win, and costs two credits for a look-up', async () => {
    const free = await scrape(at('listed.example.com'), {
      threatProtection: { mode: 'normal', whitelist: ['listed.example.com'] },
    })
    expect(free.json.data.metadata.creditsUsed).toBe(1)
    const paid = await scrape(at('good.example.com'), normal)
    expect(paid.json.data.metadata.creditsUsed).toBe(3)
    const { json } = await service.call('GET', `/v2/scrape/${paid.json.scrape_id}?explain=true`)
    const step = json.explain.steps.find((one: Json) => one.step === 'threats')
    expect(step).toMatchObject({ mode: 'normal', riskScore: expect.any(Number) })
  })

  it('is judged again where it is sent to, also in a browser and from the cache', async () => {
    const threatProtection = { mode: 'normal', blacklist: ['bad.example.com'] }
    blocked(await scrape(at('good.example.com', '/to-bad'), { threatProtection }), /blacklist/)
    blocked(await scrape(at('good.example.com', '/to-bad'), { threatProtection, waitFor: 1 }), /blacklist/)
    const address = { mode: 'manual-only', blacklist: ['127.0.0.1'] }
    blocked(await scrape(at('good.example.com'), { threatProtection: address, waitFor: 1 }), /resolves to 127/)
    const free = { ...address, whitelist: ['good.example.com'] }
    expect((await scrape(at('good.example.com'), { threatProtection: free, waitFor: 1 })).status).toBe(200)
    await service.call('POST', '/v2/scrape', { url: at('bad.example.com') })
    blocked(await service.call('POST', '/v2/scrape', { url: at('bad.example.com'), threatProtection }), /blacklist/)
  })

  it('cannot be more than the policy knows', async () => {
    expect((await scrape(at('good.example.com'), { threatProtection: { mode: 'sometimes' } })).status).toBe(400)
    expect(
      (await scrape(at('good.example.com'), { threatProtection: { blacklist: ['http://x.example/'] } })).status,
    ).toBe(400)
    expect((await scrape(at('good.example.com'), { threatProtection: { mode: 'zscaler' } })).status).toBe(403)
  })

  it('never reaches what the operator refuses', async () => {
    blocked(await scrape(at('never.example.com')), /operator refuses/)
  })
})

describe('a team', () => {
  it('has defaults, sets all of its policy at once, and is kept to it', async () => {
    const team = await newTeam(service, 'careful')
    const path = '/v2/team/threat-protection'
    expect((await team.call('GET', path)).json.data).toEqual({
      mode: 'off',
      riskScoreThreshold: 75,
      blacklist: [],
      whitelist: [],
      blockedTlds: [],
      failurePolicy: 'closed',
      newHostDays: 0,
      newHostAction: 'block',
      allowRequestOverrides: true,
      configured: false,
      updatedAt: null,
    })
    expect((await team.call('PUT', path, { blacklist: [] })).status).toBe(400)
    const set = await team.call('PUT', path, {
      mode: 'normal',
      blacklist: [' Bad.example.com\n'],
      blockedTlds: [' xyz'],
      allowRequestOverrides: false,
    })
    const lists = { blacklist: ['bad.example.com'], blockedTlds: ['xyz'] }
    expect(set.json.data).toMatchObject({ mode: 'normal', configured: true, riskScoreThreshold: 75, ...lists })
    const tried = await team.call('POST', '/v2/scrape', { url: at('bad.example.com') })
    blocked(tried, /blacklist/)
    const around = { url: at('bad.example.com'), threatProtection: { mode: 'off' } }
    expect((await team.call('POST', '/v2/scrape', around)).json.error).toMatch(/does not let/)
    blocked(await team.call('POST', '/v2/crawl', { url: at('bad.example.com') }), /blacklist/)
    blocked(await team.call('POST', '/v2/map', { url: at('bad.example.com') }), /blacklist/)
    expect((await team.call('PUT', path, { mode: 'off' })).json.data).toMatchObject({ mode: 'off', blacklist: [] })
    expect((await team.call('POST', '/v2/scrape', { url: at('bad.example.com') })).status).toBe(200)
  })

  it('can ask about an address without visiting it', async () => {
    const { json } = await service.call('POST', '/v2/team/threat-protection/check', { url: 'https://paypa1.com/login' })
    const wrong = await service.call('POST', '/v2/team/threat-protection/check', { url: 'x' })
    expect(wrong.status).toBe(400)
    expect(json.data).toMatchObject({ blocked: true, riskScore: expect.any(Number) })
  })
})

describe('sites', () => {
  it('are crawled and mapped without what is refused', async () => {
    const start = await service.call('POST', '/v2/crawl', {
      url: at('good.example.com', '/links'),
      sitemap: 'skip',
      crawlEntireDomain: true,
      scrapeOptions: { ...normal, maxAge: 0 },
    })
    expect(start.status, start.text).toBe(200)
    const done = await finished(service, `${service.url}/v2/crawl/${start.json.id}`)
    const seen = done.data.map((page: Json) => page.metadata.sourceURL).sort()
    expect(seen).toEqual([at('good.example.com', '/links'), at('good.example.com', '/plain')])
    const { json } = await service.call('POST', '/v2/map', {
      url: at('good.example.com', '/links'),
      sitemap: 'skip',
      crawlEntireDomain: true,
      ...normal,
    })
    const urls = json.links.map((link: Json) => link.url)
    expect(urls).toContain(at('good.example.com', '/plain'))
    expect(urls).not.toContain(at('good.example.com', '/bad-page'))
  })

  it('are counted in the metrics', async () => {
    const { text } = await service.call('GET', '/metrics')
    expect(text).toMatch(/orb_threat_decisions\{outcome="blocked"\} [1-9]/)
  })
})

describe('a search', () => {
  it('leaves out hits that the request’s policy refuses, and says so', async () => {
    const team = await newTeam(service, 'searchers')
    for (const host of ['good.example.com', 'bad.example.com'])
      expect((await team.call('POST', '/v2/scrape', { url: at(host) })).status).toBe(200)
    const search = async (options: object = {}) => {
      const { json } = await team.call('POST', '/v2/search', { query: 'words enough', ...options })
      // Until something is indexed there is nothing to answer with.
      const hits: Json[] = json.data?.web ?? []
      return { urls: hits.map(({ url }) => url as string), warning: json.warning as string }
    }
    await until(async () => (await search()).urls.length > 0)
    const refused = { mode: 'normal', blacklist: ['good.example.com', 'bad.example.com'] }
    const safe = await search({ threatProtection: refused })
    expect(safe.urls).toEqual([])
    expect(safe.warning).toMatch(/left out: threat protection/)
  })
})

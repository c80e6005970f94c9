// What a crawl would do, on the real service: the dry run, words turned into options, and everything on a site that has
// no end.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectCost } from '../cost.ts'
import { gaugeWorks } from '../site/gauge-works.ts'
import { type Site, startSite } from '../site/site.ts'
import { traps } from '../site/traps.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'

const { site, service } = shared(gaugeWorks())
let endless: Site
let broken: Site
beforeAll(async () => {
  endless = await startSite(traps())
  broken = await startSite({ '/robots.txt': ({ response }) => void response.writeHead(503).end() })
})
afterAll(async () => {
  for (const one of [endless, broken]) await one.close()
})

const plan = async (body: object) => (await service.call('POST', '/v2/crawl/plan', body)).json.data
const visits = (data: Json): string[] => data.visit.map(({ url }: Json) => new URL(url).pathname)
const why = (data: Json, path: string) => data.drop.find(({ url }: Json) => url.endsWith(path))?.why

describe('the plan of a crawl', () => {
  it('says what would be visited and what not, and why, and scrapes nothing', async () => {
    const before = await service.call('GET', '/v2/crawl/active')
    const data = await plan({ url: site.url })
    expect(visits(data)).toEqual(expect.arrayContaining(['/', '/blog/', '/docs/', '/only-in-sitemap', '/blog/post-5']))
    expect(why(data, '/internal/plans')).toBe('ROBOTS')
    expect(why(data, '/logo.png')).toBe('FILE_TYPE')
    expect(why(data, 'elsewhere.example.net/partner')).toBe('OTHER_SITE')
    expect(why(data, '/docs/index.html')).toBe('DUPLICATE')
    expect(data.drop[0].because).toMatch(/\w+ \w+/)
    expect(data.counts.visit).toBe(data.visit.length)
    expect(Object.values(data.counts.byReason).reduce((sum: number, n) => sum + Number(n), 0)).toBe(data.counts.drop)
    expect(data.complete).toBe(true)
    expect(site.hits('/blog/post-5')).toBe(0)
    expect((await service.call('GET', '/v2/crawl/active')).json).toEqual(before.json)
  })

  it('applies limit, depth, patterns and words', async () => {
    const limited = await plan({ url: site.url, limit: 2 })
    expect(limited.visit).toHaveLength(2)
    expect(limited.counts.byReason.LIMIT).toBeGreaterThan(0)
    const shallow = await plan({ url: site.url, maxDiscoveryDepth: 0, sitemap: 'skip' })
    expect(visits(shallow)).toEqual(['/'])
    const words = await plan({ url: site.url, prompt: 'only the docs, skip wiring', limit: 50 })
    expect(words.options).toMatchObject({ limit: 50, includePaths: [expect.stringContaining('docs')] })
    expect(visits(words)).toEqual(expect.arrayContaining(['/docs/', '/docs/pricing-of-parts']))
    expect(why(words, '/docs/wiring')).toBe('EXCLUDED')
    expect(why(words, `${site.url}/`)).toBe('NOT_INCLUDED')
  })

  it('goes on where the start leads to', async () => {
    const to = encodeURIComponent(`${site.url}/`)
    const data = await plan({ url: `${endless.url}/redirect/to?to=${to}`, sitemap: 'skip' })
    expect(data.visit.map(({ url }: Json) => url)).toEqual(
      expect.arrayContaining([`${site.url}/`, `${site.url}/blog/`]),
    )
  })

  it('a site whose robots.txt fails would not be visited at all', async () => {
    const { json } = await service.call('POST', '/v2/crawl/plan', { url: broken.url })
    expect(json.data.robots.state).toBe('unreachable')
    expect(json.data.counts.visit).toBe(0)
    expect(json.warning).toMatch(/RFC 9309/)
  })

  it.each([
    [{ includePaths: ['fine', '['] }, /includePaths\.1: "\["/],
    [{ excludePaths: ['(?<=x)y'] }, /excludePaths\.0: "\(\?<=x\)y"/],
    [{ excludePaths: ['a'.repeat(10_001)] }, /excludePaths\.0: a pattern of 10001 characters/],
    [{ excludePaths: Array(20).fill('(a|b)'.repeat(600)) }, /longer than 50000 characters/],
    [{ delay: 61 }, /^Bad Request: delay: The delay parameter is measured in seconds and cannot exceed 60 seconds\.$/],
    [{ deepest: 1 }, /^Unrecognized key/],
    [{ limit: 0 }, /limit/],
    [{ scrapeOptions: { nonsense: 1 } }, /^Unrecognized key/],
  ])('%j is a 400 that says what is wrong', async (options, message) => {
    const { status, json } = await service.call('POST', '/v2/crawl/plan', { url: site.url, ...options })
    expect(json.error).toMatch(message)
    expect(status).toBe(400)
  })

  it('patterns that others choke on cost nothing', async () => {
    const started = performance.now()
    await plan({ url: site.url, excludePaths: ['(a+)+$', '(.*a){20}', '([^/]*)*x$'] })
    expectCost(performance.now() - started).toBeLessThan(5000)
  })
})

describe('what has no end', () => {
  it('comes to an end: calendars, filters, loops and changing ids are capped, similar addresses are one', async () => {
    const data = await plan({ url: endless.url })
    const pages = data.visit.filter(({ url }: Json) => /\/page/i.test(url)).map(({ url }: Json) => url)
    expect(pages.sort()).toEqual([`${endless.url}/PAGE`, `${endless.url}/page`, `${endless.url}/page?b=2&a=1`])
    expect(data.sitemaps.notes.join()).toMatch(/larger than 50 MB|nested more than/)
    expect(data.sitemaps.foreign).toBe(1001)
    expect(endless.hits('/circle.xml')).toBe(1)
    expect(endless.hits('/deeper/9.xml')).toBe(0)
    expect(data.complete).toBe(true)
  })

  it('a crawl of it ends at its limit, each page once', async () => {
    const crawl: Json = await service.sdk.crawl(endless.url, { limit: 40, pollInterval: 1, timeout: 120 })
    expect(crawl.status).toBe('completed')
    expect(crawl.data).toHaveLength(40)
    const urls = crawl.data.map(({ metadata }: Json) => metadata.sourceURL)
    expect(new Set(urls).size).toBe(40)
    expect(urls.filter((url: string) => /\/page\/?$/.test(url)).length).toBeLessThan(2)
  })
})

it.each([
  ['the start is wanted', '^/(page.*)?$'],
  ['it is not', '^/page'],
])('an address written in several ways is visited as it is written first, as the plan said: %s', async (_, path) => {
  const body = { includePaths: [path], sitemap: 'skip' as const }
  const data = await plan({ url: endless.url, ...body })
  const crawl: Json = await service.sdk.crawl(endless.url, { ...body, pollInterval: 1, timeout: 120 })
  const crawled = crawl.data.map(({ metadata }: Json) => metadata.sourceURL).sort()
  expect(crawled.slice(-2)).toEqual([`${endless.url}/page`, `${endless.url}/page?b=2&a=1`])
  expect(data.visit.map(({ url }: Json) => url).sort()).toEqual(crawled)
})

describe('a start that is not wanted itself', () => {
  it('still shows the way to what is, as the plan said', async () => {
    const body = { includePaths: ['^/blog/post-[12]$'], sitemap: 'skip' as const }
    const data = await plan({ url: `${site.url}/blog/`, ...body })
    expect(visits(data)).toEqual(['/blog/post-1', '/blog/post-2'])
    const crawl: Json = await service.sdk.crawl(`${site.url}/blog/`, { ...body, pollInterval: 1, timeout: 120 })
    const crawled = crawl.data.map(({ metadata }: Json) => new URL(metadata.sourceURL).pathname)
    expect(crawled.sort()).toEqual(['/blog/post-1', '/blog/post-2'])
  })
})

describe('words for a crawl', () => {
  it('become options through the SDK', async () => {
    const options: Json = await service.sdk.crawlParamsPreview(
      site.url,
      'only the blog, at most 20 pages, with subdomains',
    )
    expect(options).toMatchObject({
      url: `${site.url}/`,
      limit: 20,
      allowSubdomains: true,
      includePaths: ['(^|/)(blogs?)(/|$)'],
    })
  })

  it('that say nothing give a warning, and none at all are a 400', async () => {
    const { json } = await service.call('POST', '/v2/crawl/params-preview', { url: site.url, prompt: 'hello there' })
    expect(json).toMatchObject({
      success: true,
      data: { url: `${site.url}/` },
      warning: expect.stringMatching(/^Nothing/),
    })
    for (const body of [{ url: site.url }, { url: site.url, prompt: '' }, { prompt: 'x' }])
      expect((await service.call('POST', '/v2/crawl/params-preview', body)).status).toBe(400)
  })
})

// The first version of the API through the client that the released SDK still ships as `v1`.
import { describe, expect, it } from 'vitest'
import { gaugeWorks } from '../site/gauge-works.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { until } from './waiting.ts'

const { site, service } = shared(gaugeWorks())

// biome-ignore lint/suspicious/noExplicitAny: the client's types forbid the older names that are tested.
const v1 = (): any => service.sdk.v1
const pathsOf = (documents: Json[]): string[] =>
  documents.map(({ metadata }) => metadata.sourceURL.replace(site.url, '')).sort()

describe('version 1', () => {
  it('scrapes a page, fresh each time', async () => {
    const before = site.hits('/about')
    for (const _ of [1, 2]) {
      const page = await v1().scrapeUrl(`${site.url}/about`, { formats: ['markdown', 'links'], parsePDF: false })
      expect(page.success).toBe(true)
      expect(page.markdown).toMatch(/Two people and a boat/)
      expect(page.metadata.statusCode).toBe(200)
    }
    expect(site.hits('/about')).toBe(before + 2)
  })

  it('maps to a list of addresses', async () => {
    const { success, links } = await v1().mapUrl(site.url, { ignoreSitemap: true })
    expect(success).toBe(true)
    expect(links).toContain(`${site.url}/blog/`)
    expect(links).not.toContain(`${site.url}/only-in-sitemap`)
    const only = await v1().mapUrl(site.url, { sitemapOnly: true })
    expect(only.links).toContain(`${site.url}/only-in-sitemap`)
  })

  it('crawls with the older names of options', async () => {
    const crawl = await v1().crawlUrl(`${site.url}/docs/`, { ignoreSitemap: true, maxDepth: 1, limit: 10 }, 1)
    expect(crawl.status).toBe('completed')
    expect(pathsOf(crawl.data)).toEqual(['/docs/', '/docs/pricing-of-parts', '/docs/wiring'])
    const whole = await v1().crawlUrl(
      `${site.url}/docs/`,
      { ignoreSitemap: true, allowBackwardLinks: true, maxDepth: 0, limit: 10 },
      1,
    )
    expect(pathsOf(whole.data)).toEqual(['/docs/'])
  })

  it('follows pages of results within the version', async () => {
    const { id, url } = await v1().asyncCrawlUrl(`${site.url}/docs/`, { limit: 3 })
    expect(url).toBe(`${service.url}/v1/crawl/${id}`)
    await until(async () => (await v1().checkCrawlStatus(id)).status === 'completed')
    const first = await v1().checkCrawlStatus(id, false, undefined, 0, 1)
    expect(first.data).toHaveLength(1)
    expect(first.next).toMatch(new RegExp(`^${service.url}/v1/crawl/${id}\\?`))
    const second = await v1().checkCrawlStatus(id, false, first.next)
    expect(second.data).toHaveLength(1)
    expect(second.data[0].metadata.sourceURL).not.toBe(first.data[0].metadata.sourceURL)
    expect((await v1().checkCrawlStatus(id, true)).data).toHaveLength(3)
  })

  it('tells errors, and what robots.txt forbids', async () => {
    const { id } = await v1().asyncCrawlUrl(site.url, { limit: 20, ignoreSitemap: true })
    await until(async () => (await v1().checkCrawlStatus(id)).status === 'completed')
    const { robotsBlocked } = await v1().checkCrawlErrors(id)
    expect(robotsBlocked).toEqual([`${site.url}/internal/plans`])
  })

  it('cancels', async () => {
    const { id } = await v1().asyncCrawlUrl(site.url, { delay: 5 })
    expect(await v1().cancelCrawl(id)).toMatchObject({ status: 'cancelled' })
    expect((await v1().checkCrawlStatus(id)).status).toBe('cancelled')
  })

  it('scrapes a batch, whose status the client asks for as a crawl', async () => {
    const urls = ['/about', '/docs/wiring'].map((path) => site.url + path)
    const batch = await v1().batchScrapeUrls(urls, { formats: ['html'] }, 1)
    expect(batch.status).toBe('completed')
    expect(pathsOf(batch.data)).toEqual(['/about', '/docs/wiring'])
    expect(batch.data[0].html).toMatch(/<h1>/)
    const { id } = await v1().asyncBatchScrapeUrls(urls, {})
    await until(async () => (await v1().checkBatchScrapeStatus(id)).status === 'completed')
    expect(await v1().checkBatchScrapeErrors(id)).toEqual({ errors: [], robotsBlocked: [] })
  })

  it('a batch with a bad address is refused unless told otherwise', async () => {
    const urls = [`${site.url}/about`, 'not an address']
    expect((await service.call('POST', '/v1/batch/scrape', { urls })).status).toBe(400)
    const { json } = await service.call('POST', '/v1/batch/scrape', { urls, ignoreInvalidURLs: true })
    expect(json.invalidURLs).toEqual(['not an address'])
  })

  it.each([
    ['POST', '/v1/deep-research'],
    ['GET', '/v1/deep-research/0190a3f0-0000-7000-8000-000000000000'],
    ['POST', '/v1/llmstxt'],
    ['GET', '/v1/llmstxt/0190a3f0-0000-7000-8000-000000000000'],
  ])('%s %s is gone', async (method, path) => {
    const { status, json } = await service.call(method, path, method === 'POST' ? { query: 'x' } : undefined)
    expect(status).toBe(410)
    expect(json).toMatchObject({ success: false, error: expect.stringMatching(/^Gone: .* is retired/) })
  })

  it('needs a key, knows its routes, and names what is wrong', async () => {
    expect((await service.call('POST', '/v1/scrape', { url: site.url }, { authorization: '' })).status).toBe(401)
    expect((await service.call('GET', '/v1/nothing')).status).toBe(404)
    const bad = await service.call('POST', '/v1/crawl', { url: site.url, maxDepth: 'deep' })
    expect([bad.status, bad.json.details[0].keys]).toEqual([400, ['maxDepth']])
    expect((await service.call('GET', '/v1/crawl/nonsense')).status).toBe(400)
  })
})

// The earlier majors of the released client, unmodified: 1.x speaks the first version of the API, 3.x the second.
import FirecrawlV1 from 'firecrawl-v1'
import { Firecrawl as FirecrawlV3 } from 'firecrawl-v3'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { gaugeWorks } from '../site/gauge-works.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { failure } from './team.ts'

const { site, service } = shared(gaugeWorks())
const v1 = () => new FirecrawlV1({ apiKey: service.key, apiUrl: service.url })
const v3 = () => new FirecrawlV3({ apiKey: service.key, apiUrl: service.url })
const sources = (documents: Json[]): string[] => documents.map(({ metadata }) => metadata.sourceURL).sort()

// What browsers and newer Nodes have, and these clients count on.
Object.assign(globalThis, { WebSocket: globalThis.WebSocket ?? WebSocket })

/** What a watcher heard by the time it was done. */
const received = (watcher: Json): Promise<{ documents: Json[]; status: string }> =>
  new Promise((resolve, reject) => {
    const documents: Json[] = []
    const on = (name: string, hear: (news: Json) => void) =>
      watcher.on ? watcher.on(name, hear) : watcher.addEventListener(name, ({ detail }: Json) => hear(detail))
    on('document', (document) => documents.push(document))
    on('error', (error) => reject(new Error(JSON.stringify(error))))
    on('done', ({ status }) => resolve({ documents, status }))
  })

describe('client 1.x', () => {
  it('scrapes, maps and crawls', async () => {
    const page: Json = await v1().scrapeUrl(`${site.url}/about`, { formats: ['markdown', 'links'] })
    expect(page.markdown).toMatch(/Two people and a boat/)
    const map: Json = await v1().mapUrl(site.url)
    expect(map.links).toContain(`${site.url}/docs/`)
    const crawl: Json = await v1().crawlUrl(`${site.url}/docs/`, { limit: 2, ignoreSitemap: true }, 1)
    expect(crawl).toMatchObject({ status: 'completed', completed: 2 })
  })

  it('watches a batch, under the path of crawls', async () => {
    const urls = [`${site.url}/about`, `${site.url}/docs/`]
    const watcher = await v1().batchScrapeUrlsAndWatch(urls, { formats: ['markdown'] })
    const { documents, status } = await received(watcher)
    expect(status).toBe('completed')
    expect(sources(documents)).toEqual(urls.sort())
    watcher.close()
  })

  it('watches a crawl', async () => {
    const watcher = await v1().crawlUrlAndWatch(`${site.url}/docs/`, { limit: 2, ignoreSitemap: true })
    const { documents, status } = await received(watcher)
    expect(status).toBe('completed')
    expect(documents).toHaveLength(2)
    watcher.close()
  })

  it('asks for the errors of a job with DELETE, which ends nothing', async () => {
    const started: Json = await v1().asyncBatchScrapeUrls([`${site.url}/about?slow`], { formats: ['markdown'] })
    expect(await v1().checkBatchScrapeErrors(started.id)).toEqual({ errors: [], robotsBlocked: [] })
    const status: Json = await v1().checkBatchScrapeStatus(started.id)
    expect(['scraping', 'completed']).toContain(status.status)
    const crawl: Json = await v1().asyncCrawlUrl(`${site.url}/docs/`, { limit: 1 })
    expect(await v1().checkCrawlErrors(crawl.id)).toMatchObject({ errors: [] })
    expect(((await v1().checkCrawlStatus(crawl.id)) as Json).status).not.toBe('cancelled')
  })

  it('extracts', async () => {
    const schema = { type: 'object', properties: { title: { type: 'string' } } }
    const answer: Json = await v1().extract([`${site.url}/about`], { schema: schema as never })
    expect(answer.success).toBe(true)
    expect(answer.data.title).toMatch(/\w/)
  })

  it('hears of a start that is dead', async () => {
    const error = await failure(v1().crawlUrl('http://no-such-host.invalid/', {}, 1))
    expect(error.message).toMatch(/failed/i)
  })
})

describe('client 3.x', () => {
  it('scrapes with formats, maps, crawls and scrapes many', async () => {
    const page: Json = await v3().scrape(`${site.url}/about`, { formats: ['markdown', 'html', 'links'] })
    expect(page.markdown).toMatch(/Two people and a boat/)
    const map: Json = await v3().map(site.url)
    expect(map.links.map(({ url }: Json) => url)).toContain(`${site.url}/docs/`)
    const crawl: Json = await v3().crawl(`${site.url}/docs/`, { limit: 2, sitemap: 'skip', pollInterval: 1 })
    expect(crawl).toMatchObject({ status: 'completed', completed: 2 })
    const batch: Json = await v3().batchScrape([`${site.url}/about`], { pollInterval: 1 })
    expect(batch).toMatchObject({ status: 'completed', completed: 1 })
  })

  it('watches a batch', async () => {
    const { id } = await v3().startBatchScrape([`${site.url}/about`, `${site.url}/docs/`])
    const watcher: Json = v3().watcher(id, { kind: 'batch', pollInterval: 1 })
    const done = received(watcher)
    await watcher.start()
    expect((await done).documents).toHaveLength(2)
    watcher.close()
  })

  it('extracts, and asks for credits and concurrency', async () => {
    const schema = { type: 'object', properties: { title: { type: 'string' } } }
    const answer: Json = await v3().extract({ urls: [`${site.url}/about`], schema })
    expect(answer).toMatchObject({ success: true, status: 'completed' })
    expect(await v3().getCreditUsage()).toMatchObject({ remainingCredits: expect.anything() })
    expect(await v3().getConcurrency()).toMatchObject({ maxConcurrency: expect.any(Number) })
  })
})

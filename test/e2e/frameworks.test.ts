// The released tools for the AI SDK, unmodified: what a model's tool calls would run, against this service.
import type { ToolSet } from 'ai'
import { FirecrawlTools } from 'firecrawl-aisdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gaugeWorks } from '../site/gauge-works.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'

const { site, service } = shared(gaugeWorks())

describe('the AI SDK tools', () => {
  let tools: ToolSet & { systemPrompt?: string }

  beforeAll(() => {
    // The tools that wait for a job take both from the environment only.
    Object.assign(process.env, { FIRECRAWL_API_KEY: service.key, FIRECRAWL_API_URL: service.url })
    tools = FirecrawlTools({ apiKey: service.key, apiUrl: service.url, all: true }) as unknown as ToolSet
  })
  afterAll(() => {
    // The next file has the same environment.
    for (const name of ['FIRECRAWL_API_KEY', 'FIRECRAWL_API_URL']) delete process.env[name]
  })

  const run = (name: string, input: Json): Promise<Json> =>
    Promise.resolve(tools[name]?.execute?.(input, { toolCallId: name, messages: [] }))

  it('scrape a page, and ask it a question', async () => {
    const page = await run('scrape', { url: `${site.url}/about` })
    expect(page.markdown).toMatch(/Two people and a boat/)
    const asked = await run('scrape', {
      url: `${site.url}/about`,
      formats: [{ type: 'query', prompt: 'How many people are there?' }],
    })
    expect(asked.answer).toMatch(/Two people/)
  })

  it('map a site, and search what was fetched', async () => {
    const map = await run('map', { url: site.url })
    expect(map.links.map(({ url }: Json) => url)).toContain(`${site.url}/docs/`)
    await run('scrape', { url: `${site.url}/blog/post-3` })
    await expect
      .poll(async () => (await run('search', { query: 'gauge week showed' })).web?.map(({ url }: Json) => url))
      .toContain(`${site.url}/blog/post-3`)
  })

  it('start a crawl and a batch, and wait for them', async () => {
    const crawl = await run('crawl', { url: `${site.url}/docs/`, limit: 2 })
    const crawled = await run('poll', { jobId: crawl.id, jobType: 'crawl', pollInterval: 0.2 })
    expect(crawled).toMatchObject({ success: true, status: 'completed', total: 2 })
    const batch = await run('batchScrape', { urls: [`${site.url}/about`, `${site.url}/docs/`] })
    const scraped = await run('poll', { jobId: batch.id, jobType: 'batchScrape', pollInterval: 0.2 })
    expect(scraped).toMatchObject({ success: true, total: 2 })
    expect(await run('status', { id: crawl.id, jobType: 'crawl' })).toMatchObject({ status: 'completed' })
  })

  it('drive a page by code and by words, and start an agent', async () => {
    const shown = await run('interact', { url: `${site.url}/about`, code: 'await page.title()' })
    expect(shown).toMatchObject({ output: 'About us' })
    expect(shown.liveViewUrl).toMatch(/^http/)
    const said = await run('interact', { prompt: 'What is the heading of this page?' })
    expect(said.error).toBeUndefined()
    expect(said.output).toMatch(/About/)
    await (tools.interact as Json).close()
    const started = await run('agent', { prompt: 'Who works at Gauge Works?', urls: [`${site.url}/about`] })
    expect(started).toMatchObject({ success: true, id: expect.any(String) })
    await expect.poll(async () => (await service.sdk.getAgentStatus(started.id)).status).toBe('completed')
  })
})

// What integrations other than the released clients send, replayed word for word (open-webui, Dify, LibreChat, Flowise,
// n8n), and the mistakes that people make when they type an address: everything is answered, or says what to type.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { gaugeWorks } from '../site/gauge-works.ts'
import type { Json, request } from './service.ts'
import { shared } from './shared.ts'
import { failure } from './team.ts'
import { finished, until } from './waiting.ts'

const { site, service } = shared({
  ...gaugeWorks(),
  '/resets': ({ response }) => void response.socket?.resetAndDestroy(),
})
const post = (path: string, body: object, headers = {}) => service.call('POST', path, body, headers)
const about = () => `${site.url}/about`

describe('open-webui', () => {
  it('scrapes and searches, with or without the version in its address', async () => {
    const body = { url: about(), formats: ['markdown'], skipTlsVerification: true, removeBase64Images: true }
    const { json } = await post('/v2/scrape', body)
    expect(json.data.markdown).toMatch(/Two people and a boat/)
    expect(json.data.metadata).toMatchObject({ title: expect.any(String), url: about(), sourceURL: about() })
    const search = { query: 'Two people and a boat', limit: 3, timeout: 60_000, ignoreInvalidURLs: true }
    const found = await post('/search', search)
    expect(found.json.data.web[0]).toMatchObject({ url: about(), title: expect.any(String) })
  })

  it('repeats what failed twice, and the site is visited once', async () => {
    const body = { url: `${site.url}/resets`, formats: ['markdown'] }
    const answers = [await post('/v2/scrape', body), await post('/v2/scrape', body), await post('/v2/scrape', body)]
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual(Array(3).fill([500, 'SCRAPE_SITE_ERROR']))
    expect(answers[2]?.json.error).toMatch(/not visited again/)
    const visits = site.hits('/resets')
    await failure(service.sdk.scrape(body.url, { maxAge: 0 }))
    expect(site.hits('/resets')).toBeGreaterThan(visits)
    expect(visits).toBeLessThanOrEqual(2)
  })
})

describe('Dify', () => {
  const crawl = { includePaths: [], excludePaths: [], limit: 1, scrapeOptions: { onlyMainContent: true } }

  it('tests its credentials', async () => {
    expect((await post('/v1/crawl', { url: `${site.url}/docs/`, ...crawl })).status).toBe(200)
    expect((await post('//v2/crawl', { url: `${site.url}/docs/`, ...crawl })).status).toBe(200)
    expect((await post('//v1/scrape', { url: about(), formats: ['markdown'] })).json.data.markdown).toMatch(/boat/)
  })

  it('crawls until every page has metadata and markdown, and searches', async () => {
    const body = { url: `${site.url}/docs/`, ...crawl, limit: 2, maxDiscoveryDepth: 1 }
    const { json } = await post('/v2/crawl', body, { 'Idempotency-Key': randomUUID() })
    const over = await finished(service, json.url)
    expect(over.total).toBeGreaterThan(0)
    for (const page of over.data)
      expect(page).toMatchObject({ markdown: expect.any(String), metadata: expect.any(Object) })
    const search = await post('/v2/search', {
      ...{ query: 'boat', limit: 5, lang: 'en', country: 'us', timeout: 60_000, ignoreInvalidURLs: true },
      ...{ scrapeOptions: {}, sources: [{ type: 'web' }], integration: 'dify' },
    })
    expect(search.status, search.text).toBe(200)
  })

  it('makes a monitor whose mail is a text', async () => {
    const { status, json } = await post('/v2/monitor', {
      ...{ name: 'Prices', schedule: { text: 'daily', timezone: 'UTC' }, retentionDays: 30, goal: 'prices' },
      targets: [{ type: 'scrape', url: about(), scrapeOptions: { parsePDF: false } }],
      notification: { email: 'ada@example.org' },
    })
    expect(status, JSON.stringify(json)).toBe(200)
    expect(json.data.notification.email).toMatchObject({ enabled: true, recipients: ['ada@example.org'] })
    expect(json.warning).toMatch(/`notification.email`.*`parsePDF`.*`parsers`/)
  })
})

it('LibreChat scrapes with options of two versions', async () => {
  const { status, json } = await post('/v2/scrape', {
    ...{
      url: about(),
      formats: ['markdown', 'rawHtml'],
      waitFor: 0,
      timeout: 75_000,
      onlyMainContent: true,
      maxAge: 0,
    },
    ...{ mobile: false, skipTlsVerification: false, parsePDF: true, removeBase64Images: true, blockAds: true },
    ...{ storeInCache: true, zeroDataRetention: false, changeTrackingOptions: { modes: ['git-diff'] } },
  })
  expect(status, JSON.stringify(json)).toBe(200)
  expect(json).toMatchObject({ success: true, data: { rawHtml: expect.any(String), metadata: { statusCode: 200 } } })
  expect(json.warning).toMatch(/`parsePDF`.*`parsers`.*`changeTrackingOptions`.*no effect/)
})

it('Flowise scrapes, crawls, extracts and searches over the first version', async () => {
  const page = await post('//v1/scrape', {
    ...{ url: about(), formats: ['markdown'], onlyMainContent: true, integration: 'flowise' },
    jsonOptions: { schema: { type: 'object', properties: { title: { type: 'string' } } }, prompt: 'the title' },
  })
  expect(page.json.data.markdown, page.text).toMatch(/boat/)
  const crawl = await post('/v1/crawl', {
    ...{ url: `${site.url}/docs/`, maxDepth: 1, ignoreSitemap: true, limit: 2, allowBackwardLinks: false, delay: 0 },
    ...{ ignoreQueryParameters: true, allowExternalLinks: false, scrapeOptions: { formats: ['markdown'] } },
  })
  expect(crawl.status, crawl.text).toBe(200)
  await until(async () => (await service.call('GET', `/v1/crawl/${crawl.json.id}`)).json.status === 'completed')
  const search = await post('/v1/search', { query: 'boat', limit: 2 })
  expect(search.json.data[0]).toMatchObject({ url: expect.any(String), title: expect.any(String) })
})

describe('n8n', () => {
  const integration = { integration: 'n8n' }

  it.each([
    '/team/credit-usage',
    '/team/credit-usage/historical',
    '/team/token-usage',
    '/team/queue-status',
    '/crawl/active',
  ])('reads %s with a body, with and without the version', async (path) => {
    // `fetch` allows no body here, so these go over a plain connection.
    const { get } = await bodiedRequests()
    for (const base of ['/v2', '', '/v2/v2', '//v2']) {
      const { status, text } = await get('GET', `${base}${path}`, integration)
      expect(status, `${base}${path} ${text}`).toBe(200)
    }
  })

  it('takes values as its forms store them, and the one call without a method', async () => {
    const location = { settings: { country: 'DE', languages: { language: [{ code: 'de' }] } }, country: 'DE' }
    const form = {
      ...{ onlyMainContent: true, includeTags: [], excludeTags: [], headers: {}, waitFor: 0, mobile: false },
      ...{ skipTlsVerification: false, timeout: 30_000, actions: [], removeBase64Images: true, blockAds: true },
      ...{ storeInCache: true, proxy: 'basic', location },
    }
    const scraped = await post('/v2/scrape', { ...integration, url: about(), ...form, formats: ['markdown'] })
    expect(scraped.json.data?.markdown, scraped.text).toMatch(/boat/)
    const batch = { urls: [about()], ...form, location: {}, ignoreInvalidURLs: true, zeroDataRetention: false }
    expect((await post('/v2/batch/scrape', { ...integration, ...batch })).status).toBe(200)
    const crawl = await post('/v2/crawl', {
      ...{ ...integration, url: `${site.url}/docs/`, prompt: '', limit: 1, maxConcurrency: 100, formats: ['markdown'] },
      scrapeOptions: { ...form, formats: { format: [{ type: 'markdown' }] } },
    })
    expect(crawl.json.warning, crawl.text).toMatch(/`formats` belongs in `scrapeOptions`/)
    expect((await finished(service, crawl.json.url)).data[0].markdown).toEqual(expect.any(String))
    const search = { query: 'boat', sources: [{ type: 'web' }], timeout: 60_000, limit: 5, tbs: '' }
    expect((await post('/v2/search', { ...integration, ...search })).status).toBe(200)
    const { get } = await bodiedRequests()
    const preview = { ...integration, url: site.url, prompt: 'the documentation' }
    const { status, text } = await get('GET', '/v2/crawl/params-preview', preview)
    expect(status, text).toBe(200)
  })

  it('runs every operation with the fields of its forms', async () => {
    const { get } = await bodiedRequests()
    const scrape = await post('/v2/scrape', {
      ...{ url: about(), parsers: [{ type: 'pdf' }], ...integration },
      formats: [
        'markdown',
        { type: 'json', prompt: 'the title' },
        { type: 'changeTracking', modes: ['git-diff'], tag: 'n8n' },
      ],
    })
    expect(scrape.json.data.metadata.scrapeId, scrape.text).toEqual(expect.any(String))
    const crawl = await post('/v2/crawl', {
      ...{ url: `${site.url}/docs/`, limit: 1, delay: 0, maxConcurrency: 2, ignoreSitemap: false, ...integration },
      ...{ includePaths: [], excludePaths: [], ignoreQueryParameters: true, allowExternalLinks: false },
    })
    expect(crawl.json, crawl.text).toMatchObject({
      id: expect.any(String),
      warning: expect.stringMatching(/`sitemap`/),
    })
    await finished(service, crawl.json.url)
    expect((await get('GET', `/v2/crawl/${crawl.json.id}/errors`, integration)).status).toBe(200)
    expect((await get('DELETE', `/v2/crawl/${crawl.json.id}`, integration)).status).toBe(409)
    const batch = await post('/v2/batch/scrape', {
      ...{ urls: [about()], maxConcurrency: 100, ignoreInvalidURLs: true, formats: ['markdown'], ...integration },
    })
    await finished(service, batch.json.url)
    const map = {
      url: site.url,
      sitemap: 'include',
      includeSubdomains: false,
      limit: 10,
      timeout: 100_000,
      ...integration,
    }
    expect((await post('/v2/map', map)).json.links.length).toBeGreaterThan(1)
    const extract = { urls: [about()], prompt: 'the title', ignoreSitemap: true, showSources: false, ...integration }
    expect((await post('/v2/extract', extract)).json.id).toEqual(expect.any(String))
    const preview = { url: site.url, prompt: 'the documentation', ...integration }
    expect((await post('/v2/crawl/params-preview', preview)).status).toBe(200)
    const agent = await post('/v2/agent', { prompt: 'Who works here?', urls: [about()], ...integration })
    expect((await get('GET', `/v2/agent/${agent.json.id}`, integration)).json).toMatchObject({ id: agent.json.id })
    await get('DELETE', `/v2/agent/${agent.json.id}`, integration)
  })
})

describe('names of earlier versions', () => {
  it.each([
    [
      '/v2/crawl',
      { maxDepth: 2, allowBackwardLinks: true, ignoreSitemap: true },
      /maxDiscoveryDepth.*crawlEntireDomain.*sitemap/,
    ],
    ['/v2/crawl', { crawlerOptions: { limit: 1 }, pageOptions: { onlyMainContent: true } }, /`limit`.*`scrapeOptions`/],
    ['/v2/map', { ignoreSitemap: true, limit: 3 }, /`sitemap`/],
    ['/v2/scrape', { pageOptions: { onlyMainContent: false, includeHtml: true } }, /`onlyMainContent`.*`formats`/],
    ['/v2/scrape', { extractorOptions: { mode: 'llm-extraction', extractionPrompt: 'the title' } }, /`formats`/],
    ['/v2/scrape', { formats: ['json'], jsonOptions: { prompt: 'the title' } }, /`formats`/],
    ['/v2/batch/scrape', { parsePDF: false }, /`parsers`/],
  ])('are taken by %s with a warning: %j', async (path, options, warning) => {
    const where = path.includes('batch')
      ? { urls: [about()] }
      : { url: path === '/v2/scrape' ? about() : `${site.url}/docs/` }
    const { status, json } = await post(path, { ...where, limit: undefined, ...options })
    expect(status, JSON.stringify(json)).toBe(200)
    expect(json.warning).toMatch(warning)
    if (path === '/v2/crawl') await service.call('DELETE', `/v2/crawl/${json.id}`)
  })

  it('that nobody ever had are a 400', async () => {
    const { status, json } = await post('/v2/scrape', { url: about(), ignoreSitemaps: true })
    expect([status, json.code]).toEqual([400, 'BAD_REQUEST'])
  })
})

describe('versions 0 and 1', () => {
  it('version 0 scrapes, crawls and searches', async () => {
    const page = await post('/v0/scrape', { url: about(), pageOptions: { onlyMainContent: true, includeHtml: true } })
    expect(page.json.data, page.text).toMatchObject({
      content: expect.stringMatching(/boat/),
      html: expect.any(String),
    })
    const { json } = await post('/v0/crawl', { url: `${site.url}/docs/`, crawlerOptions: { limit: 1 } })
    await until(async () => (await service.call('GET', `/v0/crawl/status/${json.jobId}`)).json.status === 'completed')
    const status = (await service.call('GET', `/v0/crawl/status/${json.jobId}`)).json
    expect(status).toMatchObject({ current: 1, total: 1, data: [{ content: expect.any(String) }] })
    const search = await post('/v0/search', { query: 'boat', pageOptions: { fetchPageContent: false } })
    expect(search.json.data[0], search.text).toMatchObject({ url: expect.any(String) })
  })

  it('version 1 reads a scrape again, and its concurrency', async () => {
    const { json } = await post('/v2/scrape', { url: about() })
    expect((await service.call('GET', `/v1/scrape/${json.scrape_id}`)).json.data.markdown).toMatch(/boat/)
    // Jobs of the tests above may still be at work.
    await expect
      .poll(async () => (await service.call('GET', '/v1/concurrency-check')).json)
      .toMatchObject({ success: true, concurrency: 0 })
  })
})

it('whoami says what the key may do and what there is', async () => {
  const { json } = await service.call('GET', '/v2/whoami')
  expect(json.data).toMatchObject({
    team: { name: expect.any(String), plan: 'unlimited' },
    key: { rights: ['admin'], endpoints: [] },
    limits: { creditsLeft: null, concurrency: expect.any(Number) },
    version: expect.any(String),
    capabilities: expect.arrayContaining(['scrape', 'crawl', 'search', 'agent']),
  })
})

it('takes options of newer clients', async () => {
  const parsers: Json[] = [{ type: 'pdf', refresh: true }]
  const page = await service.sdk.scrape(about(), { parsers, formats: ['markdown'] })
  expect(page.markdown).toMatch(/boat/)
  const search = { query: 'boat', objective: 'who works here', sessionId: 'one', clientModel: 'some-model' }
  expect((await post('/v2/search', search)).status).toBe(200)
})

/** Requests with a body whatever the method. */
async function bodiedRequests() {
  const { request: send } = await import('node:http')
  return {
    get: (method: string, path: string, body: object): Promise<Awaited<ReturnType<typeof request>>> =>
      new Promise((resolve, reject) => {
        const text = JSON.stringify(body)
        const { hostname, port } = new URL(service.url)
        const headers = {
          ...{ authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
          'content-length': Buffer.byteLength(text),
        }
        const sent = send({ hostname, port, method, path, headers }, async (response) => {
          let answer = ''
          for await (const chunk of response) answer += chunk
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(),
            text: answer,
            json: JSON.parse(answer),
          })
        })
        sent.on('error', reject)
        sent.end(text)
      }),
  }
}

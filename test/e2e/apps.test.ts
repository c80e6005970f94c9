// Pages that are applications, through the released SDK and the API: what they fetch, lists without an end, routes
// without links.
import { describe, expect, it } from 'vitest'
import { APP_SECRETS, appPages } from '../site/apps.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { until } from './waiting.ts'

const OTHER_SITE = 'ferry.example.org'
const { site, service } = shared(
  {
    ...appPages,
    '/app/away': ({ response }) =>
      void response.writeHead(302, { location: `http://${OTHER_SITE}:${site.port}/app/pressed` }).end(),
  },
  { names: { [OTHER_SITE]: { a: ['127.0.0.1'] } } },
)

const scrape = (path: string, body: Json): Promise<Json> =>
  service.call('POST', '/v2/scrape', { url: `${site.url}${path}`, maxAge: 0, ...body })

describe('network', () => {
  const named = (responses: Json[]) =>
    Object.fromEntries(responses.map((one) => [new URL(one.url).pathname.split('/').at(-1), one]))

  it('returns the JSON that a page fetched, without what grants access', async () => {
    const { json } = await scrape('/app/tide', { formats: ['markdown', 'network', 'rawHtml'] })
    const { network, markdown, rawHtml } = json.data
    const { boats, graphql, deep, broken, proto, large, text } = named(network)
    expect(boats).toMatchObject({ method: 'GET', status: 200, contentType: 'application/json' })
    expect(boats.url).toBe(`${site.url}/app/api/boats?token=%5Bredacted%5D&page=1`)
    expect(boats.body.boats).toHaveLength(2)
    expect(boats.body).toMatchObject({ accessToken: '[redacted]', nextPageToken: 'page-2' })
    expect(boats.durationMs).toBeGreaterThanOrEqual(0)
    expect(graphql).toMatchObject({ operation: 'Tides', body: { data: { high: '11:40' } } })
    expect(graphql.request.variables).toEqual({ port: 'Quay', password: '[redacted]' })
    expect(deep).toMatchObject({ omitted: expect.stringContaining('nested') })
    expect(broken).toMatchObject({ omitted: 'it is not valid JSON' })
    expect(proto.bytes).toBeGreaterThan(50)
    expect(Object.keys(proto.body)).toContain('__proto__')
    expect(large.body).toHaveLength(60_000)
    expect(text).toBeUndefined()
    expect(markdown).not.toContain('escaped')
    expect(rawHtml).not.toContain('data-fetched')
    for (const secret of [...APP_SECRETS, 'c2lnbmF0dXJl']) expect(JSON.stringify(network)).not.toContain(secret)
  })

  it('keeps to patterns and bounds, and reports what it left', async () => {
    const format = { type: 'network', urls: ['*/app/api/*'], limit: 3, maxBytes: 1000 }
    const { data } = (await scrape('/app/tide', { formats: [format, 'screenshot'] })).json
    expect(data.network).toHaveLength(3)
    expect(data.warning).toContain('2 more responses')
    const all = (await scrape('/app/tide', { formats: [{ ...format, limit: 100 }] })).json.data.network
    expect(named(all)).not.toHaveProperty('graphql')
    expect(named(all).large).toMatchObject({ bytes: 60_002, omitted: expect.stringContaining('maxBytes') })
  })

  it('is a source of json, and is searched for injections and personal data', async () => {
    const schema = {
      type: 'object',
      properties: {
        boats: {
          type: 'array',
          items: { type: 'object', properties: { name: { type: 'string' }, berth: { type: 'string' } } },
        },
      },
    }
    const { data } = (await scrape('/app/tide', { formats: [{ type: 'json', schema }, 'network'] })).json
    expect(data.json.boats[0]).toEqual({ name: 'Heron', berth: 'B7' })
    const refused = await scrape('/app/orders', { formats: ['network'], checkPromptInjection: true })
    expect(refused.status).toBe(403)
    expect((await scrape('/app/orders', { formats: ['markdown'], checkPromptInjection: true })).status).toBe(200)
  })

  it('passes through the released SDK, and needs a browser', async () => {
    const page = (await service.sdk.scrape(`${site.url}/app/tide`, { formats: ['network'] as never })) as Json
    expect(named(page.network).boats.body.boats[1].name).toBe('Plover')
    expect((await scrape('/app/tide', { formats: ['network'], fastMode: true })).status).toBe(400)
  })
})

describe('scroll', () => {
  const pageOf = async (path: string, scroll: Json) =>
    (await scrape(path, { scroll, timeout: 200_000, formats: ['markdown', 'rawHtml'] })).json.data
  const found = (markdown: string, word: string) =>
    new Set([...markdown.matchAll(new RegExp(`${word} (\\d+)`, 'g'))].map(([, n]) => Number(n))).size

  it('collects 5,000 rows that the page recycles', async () => {
    const { markdown, warning } = await pageOf('/app/recycled', { seconds: 120 })
    expect([found(markdown, 'Reading'), warning]).toEqual([5000, undefined])
    expect(markdown.indexOf('Reading 41')).toBeLessThan(markdown.indexOf('Reading 4999'))
  })

  it('collects rows of the window, of unequal height and of equal text', async () => {
    const news = await pageOf('/app/windowed', 'all')
    expect([found(news.markdown, 'News'), news.warning]).toEqual([200, undefined])
    const { rawHtml } = await pageOf('/app/equal', 'all')
    expect(rawHtml.match(/>no reading</g)).toHaveLength(270)
    expect(found(rawHtml, 'Reading')).toBe(30)
  })

  it('follows a list that grows, and reports where it stopped', async () => {
    const whole = await pageOf('/app/growing', 'all')
    expect([found(whole.markdown, 'Lamp'), whole.warning]).toEqual([400, undefined])
    const cut = await pageOf('/app/endless', { items: 100 })
    expect(found(cut.markdown, 'Lamp')).toBeGreaterThanOrEqual(100)
    expect(cut.warning).toContain('limit of 100 items')
    expect((await pageOf('/app/endless', { seconds: 2 })).warning).toContain('limit of 2 seconds')
    expect((await pageOf('/app/endless', { bytes: 9000 })).warning).toContain('limit of 9000 bytes')
  })
})

describe('routes', () => {
  const crawl = async (path: string, more: Json) => {
    const started = await service.call('POST', '/v2/crawl', { url: `${site.url}${path}`, limit: 6, ...more })
    await until(async () => (await service.sdk.getCrawlStatus(started.json.id)).status === 'completed')
    return (await service.sdk.getCrawlStatus(started.json.id)) as Json
  }

  it('crawls the routes of an application, each under its own address', async () => {
    const { data } = await crawl('/app/routed', { routes: 'hash' })
    const pages = new Map(data.map(({ metadata, markdown }: Json) => [metadata.sourceURL.split('/app/')[1], markdown]))
    expect([...pages.keys()].sort().slice(0, 4)).toEqual([
      'routed',
      'routed#/berths',
      'routed#/tides',
      'routed#/tides/1',
    ])
    expect(pages.get('routed#/berths')).toContain('All about the berths of the port')
    expect(data).toHaveLength(6)
    expect((await crawl('/app/routed', {})).data).toHaveLength(1)
  })

  it('gives states that only buttons lead to addresses of their own', async () => {
    const { data } = await crawl('/app/pressed', { routes: 'auto', limit: 20, maxConcurrency: 1 })
    const pages = new Map(data.map(({ metadata, markdown }: Json) => [metadata.sourceURL.split('/app/')[1], markdown]))
    const nested = 'pressed#:~:button=Prices&tab=For%20%22small%22%20ones'
    expect([...pages.keys()].sort()).toEqual(
      ['pressed', 'pressed#:~:button=Boats', 'pressed#:~:button=Prices', nested, 'pressed/tickets'].sort(),
    )
    expect(pages.get('pressed#:~:button=Boats')).toContain('Heron and Plover')
    expect(pages.get(nested)).toContain('Children below the age of six')
    expect(JSON.stringify(data)).not.toContain('Everything was erased')
    const start = data.find(({ metadata }: Json) => metadata.sourceURL.endsWith('/pressed'))
    expect(start.metadata.aliases).toContain(`${site.url}/app/pressed#:~:button=Nothing`)
    const again = (await scrape(`/app/${nested}`, { formats: ['markdown'] })).json.data
    expect(again.markdown).toContain('Children below the age of six')
    expect(again).not.toHaveProperty('actions')
    // The document, and another one of the page.
    for (const format of ['markdown', 'html']) {
      const { data } = (await scrape(`/app/${nested}`, { formats: [format], maxAge: 600_000 })).json
      expect([data.metadata.cacheState, data[format]]).toEqual(['hit', expect.stringContaining('Children below')])
    }
    expect((await crawl('/app/pressed', {})).data).toHaveLength(2)
  })

  it('presses the buttons of a page that it first came to by a redirect', async () => {
    const near = { crawlEntireDomain: true, includePaths: ['/app/(renamed|formerly|pressed)$'] }
    const { data } = await crawl('/app/renamed', { ...near, routes: 'auto', limit: 20, maxConcurrency: 1 })
    const names = data.map(({ metadata }: Json) => metadata.sourceURL.split('/app/')[1])
    expect(names).toEqual(expect.arrayContaining(['pressed#:~:button=Boats', 'pressed#:~:button=Prices']))
  })

  it('presses nothing where nothing may be rendered', async () => {
    const { data } = await crawl('/app/pressed', { routes: 'auto', scrapeOptions: { formats: ['rawBase64'] } })
    expect(data.map(({ metadata }: Json) => metadata.sourceURL.split('/app/')[1]).sort()).toEqual([
      'pressed',
      'pressed/tickets',
    ])
    const body = { url: `${site.url}/app/pressed`, routes: 'auto', scrapeOptions: { fastMode: true } }
    const fast = await service.call('POST', '/v2/crawl', body)
    expect([fast.status, fast.json.error]).toEqual([400, expect.stringContaining('never opens a browser')])
    const state = await scrape('/app/pressed#:~:button=Boats', { fastMode: true })
    expect([state.status, state.json.error]).toEqual([400, expect.stringContaining('never opens a browser')])
  })

  it('refuses a state whose button is gone or whose address is not valid', async () => {
    const gone = await scrape('/app/pressed#:~:button=Gone', { formats: ['markdown'] })
    expect([gone.status, gone.json.code]).toEqual([500, 'SCRAPE_ACTION_ERROR'])
    expect(gone.json.error).toContain('nothing matched')
    const away = await scrape('/app/away#:~:button=Boats', { formats: ['markdown'] })
    expect(away.json.error).toContain('led to another site')
    expect((await scrape('/app/away', { formats: ['markdown'] })).json.data.markdown).toContain('Welcome')
    expect((await scrape('/app/pressed#:~:button=a&button=b&tab=c&tab=d', {})).status).toBe(400)
    expect((await scrape('/app/pressed#:~:button=%E0%A4', {})).status).toBe(400)
  })

  it('scrapes one route', async () => {
    const { data } = (await scrape('/app/routed#/tides/7', { formats: ['markdown', 'links'] })).json
    expect(data.markdown).toContain('The tides 7')
    expect(data.links).toContain(`${site.url}/app/routed#/tides/8`)
  })
})

// POST /v2/search through the released SDK, on the real service: what was fetched here is found, by the team that fetched it.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Scene } from '../site/site.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { newTeam } from './team.ts'
import { until } from './waiting.ts'

const page = (title: string, body: string, head = '', lang = 'en') =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body><main>${body}</main></body></html>`

const article = (date: string) =>
  `<meta property="article:published_time" content="${date}"><meta property="og:type" content="article">`

/** News grow old: a fixed day would be lately for some weeks only. */
// Dates of pages are kept to the second.
const LATELY = new Date(Math.floor(Date.now() / 1000 - 3 * 86_400) * 1000).toISOString()

const PAGES: Record<string, string> = {
  '/gauges/pressure': page(
    'Pressure gauges',
    '<h1>Pressure gauges</h1><p>A pressure gauge measures the pressure of a gas or liquid. Calibrate it once a year against a dead weight tester.</p><p>Bourdon tubes bend when the pressure rises.</p><img src="/img/bourdon-tube.jpg?w=640&h=480" alt="A Bourdon tube in a brass housing"><p>The tube is made of brass.</p>',
  ),
  '/gauges/level': page(
    'Level sensors',
    '<h1>Level sensors</h1><p>A level sensor tells how full a tank is. Floats and radar are common. They need no yearly calibration.</p>',
  ),
  '/news/factory': page(
    'Gauge factory opens',
    '<h1>Gauge factory opens</h1><p>A new factory for pressure gauges opened in Rotterdam. It employs three hundred people.</p>',
    article(LATELY),
  ),
  '/news/old': page(
    'Gauge factory planned',
    '<h1>Gauge factory planned</h1><p>A factory for pressure gauges is planned in Rotterdam for the coming years.</p>',
    article('2021-03-02T08:00:00Z'),
  ),
  '/de/druck': page(
    'Druckmessgeräte',
    '<h1>Druckmessgeräte</h1><p>Ein Druckmessgerät misst den Druck von Gasen und Flüssigkeiten. Die Kalibrierung erfolgt jährlich.</p>',
    '',
    'de',
  ),
  '/copy': page(
    'Level sensors',
    '<h1>Level sensors</h1><p>A level sensor tells how full a tank is. Floats and radar are common. They need no yearly calibration.</p>',
    '<link rel="canonical" href="/gauges/level">',
  ),
  '/footed': page(
    'Footed',
    '<h1>Tidal barrages</h1><p>The marmalade turbine turns with every tide and needs grease once a month.</p></main><nav><a href="/secret">Secret</a></nav><footer><p>Imprint of the xylophone society, reachable by telegram.</p></footer><main>',
  ),
  '/secret': page('Secret plans', '<p>The zanzibar protocol is known to nobody else at all.</p>'),
  '/fleeting': page('Fleeting', '<p>The quagmire manuscript changes, and one day it will be gone.</p>'),
}

const GENUINE = 'genuine.example.com'
const FORGER = 'forger.example.net'
/** Pages of one host that say they are a page of another. */
const forged = (port: number): Record<string, [type: string, text: string]> => {
  const stolen = `http://${GENUINE}:${port}/genuine`
  const named = (name: string, head: string) =>
    page(
      `Kestrel almanac ${name}`,
      `<h1>Kestrel almanac ${name}</h1><p>The ${name} edition of the kestrel almanac.</p>`,
      head,
    )
  return {
    '/genuine': ['text/html', named('genuine', '')],
    '/by-canonical': ['text/html', named('canonical', `<link rel="canonical" href="${stolen}">`)],
    '/by-og': ['text/html', named('graph', `<meta property="og:url" content="${stolen}">`)],
    '/by-feed': [
      'application/atom+xml',
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>Kestrel almanac feed</title><id>${stolen}</id><link rel="self" href="${stolen}"/><link href="${stolen}"/><entry><title>Kestrel almanac entry</title><link href="${stolen}"/><summary>The almanac again.</summary></entry></feed>`,
    ],
  }
}
const forgeries = Object.fromEntries(
  Object.keys(forged(0)).map((path) => [
    path,
    ({ response, port }: Scene) => {
      const [type, text] = forged(port)[path]!
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text)
    },
  ]),
)

let fleeting = PAGES['/fleeting']!
let fleetingStatus = 200

const { site, service, operator } = shared(
  {
    ...Object.fromEntries(
      Object.entries(PAGES).map(([path, html]) => [
        path,
        ({ response }: Scene) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html),
      ]),
    ),
    '/fleeting': ({ response }: Scene) => {
      response.writeHead(fleetingStatus, { 'content-type': 'text/html; charset=utf-8' }).end(fleeting)
    },
    ...forgeries,
  },
  { names: { [GENUINE]: { a: ['127.0.0.1'] }, [FORGER]: { a: ['127.0.0.1'] } } },
)

const search = (body: object, query = '') => service.call('POST', `/v2/search${query}`, body)
const paths = (hits: Json[]): string[] => hits.map(({ url }) => url.replace(site.url, ''))

async function found(body: object, path: string): Promise<Json> {
  let json: Json
  await until(async () => {
    json = (await search(body)).json
    return json?.data?.web && paths(json.data.web).includes(path)
  })
  return json
}

describe('before anything was fetched', () => {
  it('nothing can answer, and that is an error with a name', async () => {
    const { status, json } = await search({ query: 'pressure gauge' })
    expect(status).toBe(503)
    expect(json).toMatchObject({ success: false, code: 'SEARCH_UNAVAILABLE' })
    expect(json.error).toMatch(/no search provider is set up/)
  })
})

describe('a team that has not searched yet', () => {
  it('finds what it has fetched with its first search', async () => {
    const { call } = await newTeam(operator, 'newcomers')
    await call('POST', '/v2/scrape', { url: `${site.url}/gauges/level`, maxAge: 0 })
    await call('POST', '/v2/scrape', { url: `${site.url}/gauges/level` })
    const { json } = await call('POST', '/v2/search', { query: 'level sensor' })
    expect(paths(json.data.web)).toEqual(['/gauges/level'])
    expect(json.warning).not.toMatch(/being built/)
  })
})

describe('a page that calls itself a page of another host', () => {
  it('neither takes the place of that page nor is shown under its address', async () => {
    const { call } = await newTeam(operator, 'forgeries')
    const forgeries = ['/by-canonical', '/by-og', '/by-feed'].map((path) => `http://${FORGER}:${site.port}${path}`)
    const genuine = `http://${GENUINE}:${site.port}/genuine`
    for (const url of [...forgeries, genuine])
      expect((await call('POST', '/v2/scrape', { url, maxAge: 0 })).status).toBe(200)
    let urls: string[] = []
    await until(async () => {
      const { json } = await call('POST', '/v2/search', { query: 'kestrel almanac' })
      urls = (json.data?.web ?? []).map(({ url }: Json) => url)
      return urls.length === 4
    })
    expect(urls.sort()).toEqual([...forgeries, genuine].sort())
    const { json } = await call('POST', '/v2/search', { query: 'kestrel almanac genuine' })
    expect(json.data.web[0].url).toBe(genuine)
  })
})

describe('a page is found by its main content', () => {
  const variants: Json[] = [
    { formats: ['links'] },
    { formats: ['images'] },
    { formats: ['rawHtml'] },
    { formats: ['summary'] },
    { formats: [{ type: 'json', prompt: 'The title' }] },
    { formats: [{ type: 'question', question: 'What turns?' }] },
    { formats: [{ type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] }] },
    { formats: ['markdown'], includeTags: ['footer'] },
    { formats: ['markdown'], excludeTags: ['p'] },
    { formats: ['markdown'], onlyMainContent: false },
    { formats: ['rawBase64'] },
    { formats: [] },
  ]

  it('whatever a later scrape asks for, and whether or not the cache answers it', async () => {
    const { sdk } = await newTeam(operator, 'later scrapes')
    const hits = async (query: string) => paths(((await sdk.search(query)).web ?? []) as Json[])
    await sdk.scrape(`${site.url}/footed`)
    for (const variant of variants) {
      for (const maxAge of [0, 3_600_000]) await sdk.scrape(`${site.url}/footed`, { ...variant, maxAge })
      expect(await hits('marmalade turbine'), JSON.stringify(variant)).toEqual(['/footed'])
      expect(await hits('xylophone telegram'), JSON.stringify(variant)).toEqual([])
    }
  })

  it('also when the first scrape asked for something else, and for each team that did', async () => {
    for (const name of ['first scrapes', 'second scrapes']) {
      const { sdk } = await newTeam(operator, name)
      await sdk.scrape(`${site.url}/footed?whole`, { onlyMainContent: false })
      const [hit] = ((await sdk.search('marmalade turbine')).web ?? []) as Json[]
      expect(hit).toMatchObject({ url: `${site.url}/footed?whole`, title: 'Footed' })
      expect(hit.description).toMatch(/needs grease/)
      expect(hit.description).not.toMatch(/xylophone/)
    }
  })
})

describe('what was fetched', () => {
  beforeAll(async () => {
    const urls = Object.keys(PAGES)
      .filter((path) => path !== '/secret')
      .map((path) => site.url + path)
    const { data } = await service.sdk.batchScrape(urls, {
      options: { formats: ['markdown'] },
      pollInterval: 1,
      timeout: 240,
    })
    expect(data).toHaveLength(urls.length)
    await found({ query: 'quagmire manuscript' }, '/fleeting')
    await found({ query: 'level sensor' }, '/gauges/level')
  })

  it('is found through the SDK, best first, with the passage that answers', async () => {
    const answer = await service.sdk.search('calibrate pressure gauge', { limit: 3 })
    const [first] = answer.web as Json[]
    expect(first.url).toBe(`${site.url}/gauges/pressure`)
    expect(first.title).toBe('Pressure gauges')
    expect(first.description).toMatch(/Calibrate it once a year/)
    expect(first.position).toBe(1)
    expect(first).not.toHaveProperty('markdown')
    expect((answer as Json).warning).toMatch(/open web was not searched/)
  })

  it('costs two credits for every ten hits, and nothing without a hit', async () => {
    const { json } = await search({ query: 'gauge', limit: 5 })
    expect(json.creditsUsed).toBe(2)
    expect(json.id).toMatch(/^[0-9a-f-]{36}$/)
    const none = await search({ query: 'xylophone orchestra' })
    expect(none.json).toMatchObject({ success: true, creditsUsed: 0, data: { web: [] } })
    expect(none.json.warning).toMatch(/Nothing was found/)
  })

  it('folds pages that are one', async () => {
    const { json } = await search({ query: 'level sensors tank' })
    expect(paths(json.data.web).filter((path) => path === '/gauges/level' || path === '/copy')).toHaveLength(1)
  })

  it('knows operators', async () => {
    const of = async (query: string) => paths((await search({ query })).json.data.web)
    expect(await of('"dead weight tester"')).toEqual(['/gauges/pressure'])
    expect(await of('"weight dead tester"')).toEqual([])
    expect(await of('calibration -radar -Druck')).not.toContain('/gauges/level')
    expect(await of('intitle:factory gauge')).toEqual(expect.arrayContaining(['/news/factory', '/news/old']))
    expect((await of('intitle:factory gauge')).every((path) => path.startsWith('/news/'))).toBe(true)
    expect((await of('pressure inurl:gauges')).every((path) => path.includes('gauges'))).toBe(true)
    expect(await of('pressure filetype:pdf')).toEqual([])
    expect(await of('pressure site:example.org')).toEqual([])
    expect(await of(`pressure site:127.0.0.1`)).not.toEqual([])
  })

  it('is found by stems of its language, with or without accents', async () => {
    const { json } = await search({ query: 'Druckmessgerate Kalibrierungen' })
    expect(paths(json.data.web)[0]).toBe('/de/druck')
  })

  it('keeps to a time', async () => {
    const news = await search({ query: 'gauge factory', sources: ['news'] })
    expect(paths(news.json.data.news)[0]).toBe('/news/factory')
    expect(news.json.data.news[0]).toMatchObject({ date: LATELY })
    expect(news.json.data.news[0].snippet).toMatch(/Rotterdam/)
    expect(news.json.data).not.toHaveProperty('web')
    const old = await search({
      query: 'gauge factory',
      sources: [{ type: 'news', tbs: 'cdr:1,cd_min:01/01/2021,cd_max:12/31/2021' }],
    })
    expect(paths(old.json.data.news)).toEqual(['/news/old'])
    expect((await search({ query: 'gauge', tbs: 'sometime' })).status).toBe(400)
  })

  it('has pictures', async () => {
    const { json } = await search({ query: 'bourdon tube', sources: ['images'] })
    expect(json.data.images[0]).toMatchObject({
      title: 'A Bourdon tube in a brass housing',
      url: `${site.url}/gauges/pressure`,
      imageWidth: 640,
      imageHeight: 480,
      position: 1,
    })
    expect(json.data.images[0].imageUrl).toMatch(/bourdon-tube\.jpg/)
  })

  it('is scraped when formats are named, and paid for', async () => {
    const { json } = await search({ query: '"dead weight tester"', scrapeOptions: { formats: ['markdown', 'links'] } })
    const [hit] = json.data.web
    expect(hit.markdown).toMatch(/Bourdon tubes/)
    expect(hit.metadata.scrapeId).toMatch(/^[0-9a-f-]{36}$/)
    expect(json.creditsUsed).toBe(2 + 1)
  })

  it('is scraped without waiting when that is asked for', async () => {
    const { json } = await search({
      query: '"dead weight tester"',
      asyncScraping: true,
      scrapeOptions: { formats: ['markdown'] },
    })
    expect(json.data.web[0]).not.toHaveProperty('markdown')
    const [id] = json.scrapeIds.web
    let read: Json
    await until(async () => {
      read = await service.call('GET', `/v2/scrape/${id}`)
      return read.status === 200
    })
    expect(read.json.data.markdown).toMatch(/Bourdon/)
  })

  it('keeps to domains and categories', async () => {
    expect((await search({ query: 'gauge', includeDomains: [' 127.0.0.1 '] })).json.data.web).not.toEqual([])
    expect((await search({ query: 'gauge', excludeDomains: ['127.0.0.1'] })).json.data.web).toEqual([])
    expect((await search({ query: 'gauge', categories: ['github'] })).json.data.web).toEqual([])
    const both = await search({ query: 'gauge', includeDomains: ['a.com'], excludeDomains: ['b.com'] })
    expect(both.status).toBe(400)
    expect(both.json.error).toMatch(/includeDomains and excludeDomains cannot both be specified/)
    const bad = await search({ query: 'gauge', includeDomains: ['https://a.com/x'] })
    expect(bad.json.error).toMatch(/Domain must be a valid hostname without protocol or path/)
    const [untyped, more] = await Promise.all(
      [{ sites: ['arxiv.org'] }, { type: 'research', sites: ['arxiv.org'] }].map((category) =>
        search({ query: 'gauge', categories: [category] }),
      ),
    )
    expect(untyped).toMatchObject({ status: 400, json: { details: [{ path: ['categories', 0, 'type'] }, {}] } })
    expect(more).toMatchObject({ status: 400, json: { hint: expect.stringMatching(/categories\.0.*sites/) } })
    const mixed = await search({ query: 'gauge', categories: ['developer', 'pdf'] })
    expect(mixed.json.error).toMatch(/the developer category cannot be combined with other categories/)
    const government = await search({ query: 'gauge', categories: ['gov', 'pdf'] })
    expect(government.json.error).toMatch(/the gov category cannot be combined with other categories/)
    const absent = await search({ query: 'gauge', categories: ['gov'] })
    expect(absent).toMatchObject({
      status: 501,
      json: { error: expect.stringMatching(/government sites is not offered/) },
    })
  })

  it('follows what callers found useful, for the same words', async () => {
    const query = 'gauge factory rotterdam'
    const before = await search({ query })
    const last = before.json.data.web.at(-1)
    expect(paths(before.json.data.web)[0]).not.toBe(last.url.replace(site.url, ''))
    const ids: string[] = []
    for (let turn = 0; turn < 4; turn++) {
      const { json } = await search({ query: turn % 2 ? 'rotterdam gauges factory' : query })
      const reply = await service.call('POST', `/v2/search/${json.id}/feedback`, {
        rating: 'good',
        valuableSources: [{ url: last.url }],
      })
      expect(reply.json).toMatchObject({ success: true, creditsRefunded: 0 })
      ids.push(json.id)
    }
    const after = await search({ query })
    expect(after.json.data.web.findIndex(({ url }: Json) => url === last.url)).toBeLessThan(
      before.json.data.web.length - 1,
    )
    const other = await search({ query: 'pressure gauge' })
    expect(paths(other.json.data.web)[0]).toBe('/gauges/pressure')
    // What was said can be taken back.
    for (const id of ids)
      await service.call('POST', `/v2/search/${id}/feedback`, { rating: 'bad', missingContent: [{ topic: 'none' }] })
    const again = await search({ query })
    expect(paths(again.json.data.web)).toEqual(paths(before.json.data.web))
  })

  it('tells why, when asked', async () => {
    const { json } = await search({ query: 'pressure' }, '?explain=true')
    expect(json.explain.asked[0]).toMatchObject({ name: 'index', state: 'answered' })
    expect(json.explain.hits.web[0]).toMatchObject({ from: ['index'] })
  })

  it('is a list in the first version', async () => {
    const { json } = await service.call('POST', '/v1/search', {
      query: 'calibrate pressure gauge',
      limit: 2,
      lang: 'en',
      country: 'us',
      timeout: 60_000,
      origin: 'js-sdk@1.29.3',
      scrapeOptions: { formats: [] },
    })
    expect(json.data[0]).toMatchObject({ url: `${site.url}/gauges/pressure`, title: 'Pressure gauges' })
  })

  it('refuses what it does not know', async () => {
    expect((await search({ query: 'x', surprise: 1 })).status).toBe(400)
    expect((await search({ query: '' })).status).toBe(400)
    expect((await search({ query: 'x'.repeat(501) })).status).toBe(400)
    expect((await search({ query: 'x', limit: 101 })).status).toBe(400)
    expect((await search({ query: 'x', scrapeOptions: { formats: ['changeTracking'] } })).status).toBe(400)
    expect((await search({ query: 'x', scrapeOptions: { formats: ['markdown'], lockdown: true } })).status).toBe(400)
    expect((await search({ query: 'x', sources: ['alexandria'] })).json).toMatchObject({ data: { tools: [] } })
  })

  it('is not found when nothing of it may be kept', async () => {
    const { call } = await newTeam(operator, 'secretive', { zeroDataRetention: 'allowed' })
    await call('POST', '/v2/scrape', { url: `${site.url}/secret`, zeroDataRetention: true })
    await call('POST', '/v2/scrape', { url: `${site.url}/gauges/level` })
    await until(async () => (await call('POST', '/v2/search', { query: 'level sensor' })).json.data?.web.length > 0)
    const { json } = await call('POST', '/v2/search', { query: 'zanzibar protocol' })
    expect(json.data.web).toEqual([])
    // And what other teams fetched is theirs.
    const theirs = await call('POST', '/v2/search', { query: 'quagmire manuscript' })
    expect(theirs.json.data.web).toEqual([])
  })

  it('is updated when it is fetched again, and forgotten when it is gone', async () => {
    fleeting = page('Fleeting', '<p>The ephemeral codex took its place on the shelf.</p>')
    await service.call('POST', '/v2/scrape', { url: `${site.url}/fleeting`, maxAge: 0 })
    await found({ query: 'ephemeral codex' }, '/fleeting')
    expect((await search({ query: 'quagmire manuscript' })).json.data.web).toEqual([])
    fleetingStatus = 404
    await service.call('POST', '/v2/scrape', { url: `${site.url}/Fleeting`, maxAge: 0 })
    await service.call('POST', '/v2/scrape', { url: `${site.url}/fleeting`, maxAge: 0 })
    await until(async () => (await search({ query: 'ephemeral codex' })).json.data.web.length === 0)
  })

  it('stays when only another spelling of its address is gone', async () => {
    const { call } = await newTeam(operator, 'spellings')
    const statusOf = async (path: string) =>
      (await call('POST', '/v2/scrape', { url: site.url + path })).json.data.metadata.statusCode
    const hits = async () =>
      paths((await call('POST', '/v2/search', { query: 'marmalade turbine' })).json.data?.web ?? [])
    expect(await statusOf('/footed')).toBe(200)
    // First in one batch with the page, then alone.
    for (const path of ['/Footed', '/footed/index.html']) {
      expect(await statusOf(path)).toBe(404)
      expect(await hits(), path).toEqual(['/footed'])
    }
  })
})

it('a page that may not be kept in the cache is not found', async () => {
  const team = await newTeam(operator, 'unkept')
  const scrape = (options: object) => team.call('POST', '/v2/scrape', { url: `${site.url}/secret`, ...options })
  for (const options of [{ storeInCache: false }, { headers: { 'X-Own': '1' } }])
    expect((await scrape(options)).status).toBe(200)
  await team.call('POST', '/v2/scrape', { url: `${site.url}/gauges/level` })
  const found = async (query: string) => (await team.call('POST', '/v2/search', { query })).json.data.web.length
  expect([await found('zanzibar protocol'), await found('level sensor')]).toEqual([0, 1])
})

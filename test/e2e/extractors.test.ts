// Extractors: taught by one page and its values, they read a site's other pages, and say when the site changed.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChatRequest, type ModelServer, startModel } from '../model/server.ts'
import type { Page, Pages } from '../site/site.ts'
import { openReceiver } from './receiver.ts'
import { type Json, runToEnd, type Service, startService } from './service.ts'
import { shared } from './shared.ts'
import { until } from './waiting.ts'

interface Boat {
  name: string
  maker: string
  price: string
  crew: number
  equipment: string[]
}
const boats: Boat[] = [
  {
    name: 'Petrel 24',
    maker: 'Halden Yard',
    price: '12.450,00 €',
    crew: 3,
    equipment: ['Anchor', 'Two sails', 'Tiller'],
  },
  {
    name: 'Fulmar 31',
    maker: 'Oskarsson Brothers',
    price: '38.900,50 €',
    crew: 5,
    equipment: ['Diesel engine', 'Galley', 'Spray hood', 'Plotter'],
  },
  { name: 'Tern 19', maker: 'Halden Yard', price: '6.800,00 €', crew: 2, equipment: ['Oars', 'Cover'] },
]

let isRebuilt = false
/** Other names, labels and elements, the same values. */
let isRelaunched = false
const boatPage =
  (boat: Boat): Page =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    const items = boat.equipment.map((one) => `<li>${one}</li>`).join('')
    if (isRelaunched)
      return void response.end(
        `<html lang="de"><title>Shop</title><div class="page"><h2 class="head">${boat.name}</h2><table class="data"><tr><th>Besatzung</th><td>${boat.crew}</td></tr><tr><th>Hersteller</th><td>${boat.maker}</td></tr><tr><th>Kosten</th><td>${boat.price}</td></tr></table><ol class="fittings">${items}</ol></div></html>`,
      )
    response.end(
      isRebuilt
        ? `<title>${boat.name}</title><div class="hero"><p>Welcome to the new shop window of our harbour.</p></div>`
        : `<!doctype html><html lang="de"><title>${boat.name} – boats</title><nav><ul><li><a href="/a">Boats</a></li><li><a href="/b">Moorings</a></li></ul></nav>
    <main><h1 class="boat-name">${boat.name}</h1><p class="maker">by <b>${boat.maker}</b></p>
    <dl class="facts"><dt>Crew</dt><dd>${boat.crew}</dd><dt>Price</dt><dd class="amount">${boat.price}</dd></dl>
    <ul class="equipment">${items}</ul></main><footer>Harbour 4</footer></html>`,
    )
  }
const listPage: Page = ({ response }) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  const rows = boats.map(
    ({ name, price }, n) =>
      `<article class="tile"><h2><a href="/boat/${n + 1}">${name}</a></h2><span class="tile-price">${price}</span></article>`,
  )
  response.end(
    `<html lang="de"><title>All boats</title><main><h1>All boats</h1><div>${rows.join('')}</div></main></html>`,
  )
}
const plain: Page = ({ response }) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(
    '<title>Harbour rules</title><main><h1>Harbour rules</h1><p>Keep to the left of the pier at all times, please.</p></main>',
  )
}
const pages: Pages = {
  '/boats': listPage,
  '/rules': plain,
  ...Object.fromEntries(boats.map((boat, n) => [`/boat/${n + 1}`, boatPage(boat)])),
}
const { site, service } = shared(pages)

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    maker: { type: 'string' },
    price: { type: 'number' },
    crew: { type: 'integer' },
    equipment: { type: 'array', items: { type: 'string' } },
  },
}
const valuesOf = ({ name, maker, crew, equipment }: Boat, price: number) => ({ name, maker, price, crew, equipment })
const scrape = (path: string, extractor: string) =>
  service.call('POST', '/v2/scrape', { url: `${site.url}${path}`, maxAge: 0, formats: [{ type: 'json', extractor }] })

describe('an extractor', () => {
  it('reads the other pages of a template from one that was taught, without a model', async () => {
    const taught = await service.call('POST', '/v2/extractors', {
      name: 'boats',
      schema,
      examples: [{ url: `${site.url}/boat/1`, data: valuesOf(boats[0]!, 12450) }],
    })
    expect(taught, JSON.stringify(taught.json)).toMatchObject({
      status: 200,
      json: { data: { version: 1, notFound: [] } },
    })
    expect(JSON.stringify(taught.json.data.program).length <= 20_000).toBe(true)
    for (const reference of [taught.json.id, 'boats', 'auto']) {
      const { status, json } = await scrape('/boat/2', reference)
      expect(status, JSON.stringify(json)).toBe(200)
      expect(json.data.json).toEqual(valuesOf(boats[1]!, 38900.5))
      expect(json.data.metadata).toMatchObject({
        creditsUsed: 1,
        json: { extractor: { id: taught.json.id, version: 1 } },
      })
      expect(json.data.metadata.json.fields.price).toMatchObject({ by: expect.stringMatching(/element|label/) })
    }
  })

  it('reads the pages of a scrape, a batch and a crawl of the released SDK', async () => {
    // The SDK refuses the format without a schema or a prompt; the extractor needs neither.
    const formats = [{ type: 'json', extractor: 'boats', schema }] as never
    const urls = [2, 3].map((n) => `${site.url}/boat/${n}`)
    const { json } = (await service.sdk.scrape(urls[0]!, { formats, maxAge: 0 })) as Json
    expect(json).toEqual(valuesOf(boats[1]!, 38900.5))
    const batch = await service.sdk.batchScrape(urls, { options: { formats } })
    const crawl = await service.sdk.crawl(`${site.url}/boats`, {
      limit: 10,
      crawlEntireDomain: true,
      scrapeOptions: { formats },
    })
    for (const { data } of [batch, crawl])
      expect(data.flatMap(({ json }: Json) => json?.name ?? [])).toEqual(
        expect.arrayContaining(['Fulmar 31', 'Tern 19']),
      )
  })

  it('reads what a monitor compares: the value that changed is reported, a page that does not fit changes none', async () => {
    const target = (type: string, place: object, extractor: string) => ({
      ...{ type, ...place },
      scrapeOptions: { formats: [{ type: 'changeTracking', modes: ['json'], extractor }] },
    })
    const made = (await service.sdk.createMonitor({
      name: 'Prices of boats',
      schedule: { text: 'daily' },
      targets: [
        target('scrape', { urls: [`${site.url}/boat/3`, `${site.url}/rules`] }, 'boats'),
        target('crawl', { url: `${site.url}/boat/2`, crawlOptions: { limit: 1 } }, 'auto'),
      ] as never,
    })) as Json
    const check = async (): Promise<Json> => {
      const { id } = (await service.sdk.runMonitor(made.id)) as Json
      await until(async () => ((await service.sdk.getMonitor(made.id)) as Json).currentCheckId === null)
      return (await service.sdk.getMonitorCheck(made.id, id)) as Json
    }
    const first = await check()
    expect(first.summary, JSON.stringify(first)).toMatchObject({ new: 3 })
    const [second, third] = [boats[1]!.price, boats[2]!.price]
    boats[1]!.price = '39.000,00 €'
    boats[2]!.price = '6.500,00 €'
    const { pages: checked, actualCredits } = await check()
    Object.assign(boats[1]!, { price: second })
    Object.assign(boats[2]!, { price: third })
    const of = (path: string) => checked.find(({ url }: Json) => url === site.url + path)
    expect(of('/boat/3').diff.json, JSON.stringify(checked)).toEqual({ price: { previous: 6800, current: 6500 } })
    expect(of('/boat/2').diff.json).toEqual({ price: { previous: 38900.5, current: 39000 } })
    expect(of('/rules').status).toBe('same')
    expect(actualCredits).toBe(3)
  })

  it('writes its values into the files of a synced folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orb-extractor-sync-'))
    try {
      const options = JSON.stringify({ formats: [{ type: 'json', extractor: 'auto' }] })
      const flags = ['--limit', '10', '--crawl-entire-domain', '--sitemap', 'skip', '--scrape-options', options]
      const env = { ORB_URL: service.url, ORB_API_KEY: service.key }
      const synced = await runToEnd(env, ['sync', `${site.url}/boats`, folder, ...flags])
      expect(synced.code, synced.err).toBe(0)
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
      const texts = files.map((name) => readFileSync(join(folder, name), 'utf8'))
      expect(texts.find((text) => text.includes('/boat/2"'))).toMatch(/^data: \{"name":"Fulmar 31",.*"price":38900.5/m)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('gives no values on a page of another template, and says so', async () => {
    const { json } = await scrape('/rules', 'boats')
    expect(json.data.json).toBeNull()
    expect(json.data.warning).toContain('does not fit the extractor')
  })

  it('reads all records of a list from two', async () => {
    const { json } = await service.call('POST', '/v2/extractors', {
      schema: {
        type: 'object',
        properties: {
          boats: {
            type: 'array',
            items: {
              type: 'object',
              properties: { name: { type: 'string' }, price: { type: 'number' }, link: { type: 'string' } },
            },
          },
        },
      },
      examples: [
        {
          url: `${site.url}/boats`,
          data: {
            boats: [0, 1].map((n) => ({
              name: boats[n]!.name,
              price: [12450, 38900.5][n],
              link: `${site.url}/boat/${n + 1}`,
            })),
          },
        },
      ],
    })
    const feed = await service.call('POST', '/v2/feeds', { url: `${site.url}/boats`, extractor: json.id })
    expect(feed.json.data?.items?.[2], JSON.stringify(feed.json)).toMatchObject({
      ...{ title: 'Tern 19', url: `${site.url}/boat/3`, text: 'price: 6800' },
    })
    const none = await service.call('POST', '/v2/feeds', { url: `${site.url}/rules`, extractor: json.id })
    expect([none.status, none.json.error]).toEqual([422, expect.stringContaining('does not fit the extractor')])
    const read = await scrape('/boats', json.id)
    expect(read.json.data.json.boats, JSON.stringify(read.json)).toHaveLength(3)
    expect(read.json.data.json.boats[2]).toEqual({ name: 'Tern 19', price: 6800, link: `${site.url}/boat/3` })
  })

  it('is tested, edited, exported, made again from its export, and deleted', async () => {
    const table = await service.call('POST', '/v2/extractors/boats/test', {
      urls: [`${site.url}/boat/3`, `${site.url}/rules`],
    })
    expect(table.json.data.map(({ json }: Json) => json?.name ?? null)).toEqual(['Tern 19', null])
    const { program } = (await service.call('GET', '/v2/extractors/boats')).json.data
    program.fields.name.ways = [{ css: 'title', before: '–' }]
    const edited = await service.call('PATCH', '/v2/extractors/boats', { program })
    expect(edited.json.data).toMatchObject({ version: 2, made: 'edited' })
    expect((await scrape('/boat/3', 'boats')).json.data.json.name).toBe('Tern 19')
    const copy = await service.call('POST', '/v2/extractors', { name: 'copy', program })
    expect((await scrape('/boat/3', 'copy')).json.data.json).toEqual(valuesOf(boats[2]!, 6800))
    const back = await service.call('PATCH', '/v2/extractors/boats', { version: 1 })
    expect(back.json.data).toMatchObject({ version: 3 })
    expect((await service.call('DELETE', `/v2/extractors/${copy.json.id}`)).status).toBe(200)
    expect((await scrape('/boat/3', 'copy')).status).toBe(404)
  })

  it('takes fields by hand, and says where a selector is wrong', async () => {
    const { json } = await service.call('POST', '/v2/extractors', {
      name: 'by-hand',
      fields: {
        name: 'h1',
        crew: { type: 'integer', ways: [{ xpath: "//dt[. = 'Crew']/following-sibling::dd[1]" }] },
        maker: { ways: [{ css: '.maker b' }] },
        price: { type: 'number', ways: [{ css: '.facts .amount', as: 'money' }] },
      },
    })
    expect(json.success, JSON.stringify(json)).toBe(true)
    const read = await scrape('/boat/2', 'by-hand')
    expect(read.json.data.json).toEqual({ name: 'Fulmar 31', crew: 5, maker: 'Oskarsson Brothers', price: 38900.5 })
    for (const [selector, place] of [
      ['h1[', /fields.*name.*h1\[/],
      ['//h1[', /fields.*name.*XPath 1.0 expression: unexpected the end at character 6/],
    ] as const) {
      const wrong = await service.call('POST', '/v2/extractors', { fields: { name: selector } })
      expect(wrong.status).toBe(400)
      expect(JSON.stringify(wrong.json)).toMatch(place)
    }
  })

  it('is used by the agent for the fields that it has', async () => {
    await service.call('POST', '/v2/extractors', {
      name: 'berths',
      hosts: [new URL(site.url).host],
      fields: { berth: "//p[@class='maker']/b" },
    })
    const run = (await service.sdk.agent({
      prompt: 'The berth of the boat',
      urls: [`${site.url}/boat/2`],
      schema: { type: 'object', properties: { berth: { type: 'string' } } },
      strictConstrainToURLs: true,
    })) as Json
    expect(run.data, JSON.stringify(run)).toEqual({ berth: 'Oskarsson Brothers' })
  })

  it('is healed by the pages that it had read, when a site is relaunched', async () => {
    await service.call('POST', '/v2/extractors', {
      name: 'healing',
      schema,
      examples: [{ url: `${site.url}/boat/1`, data: valuesOf(boats[0]!, 12450) }],
    })
    for (const n of [1, 2, 3]) await scrape(`/boat/${n}`, 'healing')
    isRelaunched = true
    for (const n of [1, 2, 3]) expect((await scrape(`/boat/${n}`, 'healing')).json.data.json?.price ?? null).toBeNull()
    const shown = async () => (await service.call('GET', '/v2/extractors/healing')).json.data
    await until(async () => (await shown()).version === 2)
    expect(await shown()).toMatchObject({ made: 'healed', drifted: [] })
    const before = { ...boats[2]! }
    Object.assign(boats[2]!, { name: 'Gannet 40', price: '71.000,00 €', crew: 8 })
    const { json } = (await scrape('/boat/3', 'healing')).json.data
    isRelaunched = false
    Object.assign(boats[2]!, before)
    expect(json).toEqual({ ...valuesOf(before, 71000), name: 'Gannet 40', crew: 8 })
  })

  it('reports a site that no longer gives a field', async () => {
    const receiver = await openReceiver()
    await service.call('POST', '/v2/extractors', {
      name: 'watched',
      webhook: receiver.url,
      examples: [{ url: `${site.url}/boat/1`, data: valuesOf(boats[0]!, 12450) }],
    })
    for (const n of [1, 2, 3]) await scrape(`/boat/${n}`, 'watched')
    isRebuilt = true
    for (const n of [1, 2, 3]) expect((await scrape(`/boat/${n}`, 'watched')).json.data.json).toBeNull()
    await until(() => receiver.letters.some(({ type }) => type === 'extractor.drifted'))
    receiver.close()
    isRebuilt = false
  })
})

describe('a model as the teacher', () => {
  let model: ModelServer
  let taught: Service
  /** Fields that a request asks for. */
  const asked = ({ messages, response_format }: ChatRequest): string[] => {
    const text = JSON.stringify([messages, response_format ?? null])
    return Object.keys(schema.properties).filter((name) => text.includes(`\\"${name}\\"`) || text.includes(`"${name}"`))
  }
  beforeAll(async () => {
    model = await startModel((request) => {
      const text = JSON.stringify(request.messages)
      const n = boats.findIndex(({ name }) => text.includes(name))
      const values: Json = valuesOf(boats[n]!, [12450, 38900.5, 6800][n]!)
      return JSON.stringify(Object.fromEntries(asked(request).map((name) => [name, values[name]])))
    })
    const allowed = { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}` }
    taught = await startService({ env: { ...allowed, ORB_LLM_URL: model.url, ORB_LLM_MODEL: 'tiny' } })
  })
  afterAll(async () => {
    await taught.stop()
    await model.close()
  })
  const read = (n: number): Promise<Json> =>
    taught.sdk.scrape(`${site.url}/boat/${n}`, { maxAge: 0, formats: [{ type: 'json', schema }] as never })

  it('answers once for a template, and the next pages are read without it', async () => {
    expect((await read(1)).json).toEqual(valuesOf(boats[0]!, 12450))
    await until(async () => (await taught.call('GET', '/v2/extractors')).json.data.length === 1)
    const before = model.requests.length
    const second = await read(2)
    expect(second.json, JSON.stringify(second.metadata)).toEqual(valuesOf(boats[1]!, 38900.5))
    expect(second.metadata.json.fields.name.by).toMatch(/data|element|label/)
    expect(second.metadata.json.extractor).toMatchObject({ fit: expect.any(Number) })
    const third = await read(3)
    expect(third.json).toEqual(valuesOf(boats[2]!, 6800))
    expect(model.requests.length - before, JSON.stringify(third.metadata.json)).toBe(0)
    const [listed] = (await taught.call('GET', '/v2/extractors')).json.data
    expect(listed).toMatchObject({ made: 'model', scope: { like: '/boat/*' } })
  })

  it('is asked every time when the team does not learn', async () => {
    expect((await taught.call('PUT', '/v2/extractors/settings', { learn: false })).status).toBe(200)
    const before = model.requests.length
    await read(2)
    expect(model.requests.length).toBeGreaterThan(before)
    await taught.call('PUT', '/v2/extractors/settings', { learn: true })
  })
})

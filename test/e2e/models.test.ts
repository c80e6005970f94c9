// A service with a language model as people run them: one that thinks aloud, one that hangs, and one whose key is wrong; and
// what a model adds to products, menus and extracts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectCost } from '../cost.ts'
import { type Answer, type ChatRequest, type ModelServer, startModel } from '../model/server.ts'
import { type Site, startSite } from '../site/site.ts'
import { emptyFolder, type Json, runToEnd, type Service, startService } from './service.ts'
import { newKey, newTeam } from './team.ts'

const html = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main>${body}</main></body></html>`
const conference = (name: string) =>
  html(name, `<h1>${name}</h1><p>Where: Brno. When: 1 March 2027. Three days of talks about gauges and valves.</p>`)
const sends =
  (text: string) =>
  ({ response }: { response: import('node:http').ServerResponse }) =>
    void response.setHeader('content-type', 'text/html').end(text)

let site: Site
let model: ModelServer
/** The only private address besides the site that teams may reach. */
let ofTeam: ModelServer
let service: Service
let script: (request: ChatRequest) => Answer = () => ''
let models: unknown = { data: [{ id: 'tiny', max_model_len: 16_384 }] }
beforeAll(async () => {
  site = await startSite({
    '/plain-lamp': sends(
      html(
        'Lamp',
        '<h1>A lamp by Lumo</h1><p>We sell it for 49 euros and fifty cents: EUR 49.50, sent within a day.</p>',
      ),
    ),
    '/table': sends(
      html(
        'The Anchor',
        '<h1>What we cook</h1><p>Today there is fish soup at seven pounds, and a plum cake (3.50).</p>',
      ),
    ),
    '/pot': sends(
      `<!doctype html><title>Pot</title><script type="application/ld+json">${JSON.stringify({
        '@context': 'https://schema.org',
        '@type': 'Product',
        name: 'Harbour pot',
        offers: [{ '@type': 'Offer', name: 'Large, 0.9 l', price: 72, priceCurrency: 'GBP' }],
      })}</script><main><h1>Harbour pot</h1><p>Our first pot, and after fourteen years still the one we like best.</p></main>`,
    ),
    '/conference': sends(conference('Gauge Days')),
    '/trail': sends(
      html('Ridge Trail', '<h1>Ridge Trail</h1><p>Difficulty: hard. Twelve kilometres along the ridge.</p>'),
    ),
  })
  model = await startModel(
    (request) => script(request),
    () => models,
  )
  ofTeam = await startModel(() => 'The own model of the team.', { data: [{ id: 'own', max_model_len: 8192 }] })
  service = await startService({
    env: {
      ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port},${new URL(ofTeam.url).host}`,
      ORB_LLM_TEAMS: 'on',
      ORB_LLM_URL: model.url,
      ORB_LLM_MODEL: 'tiny',
      ORB_LLM_KEY: 'k',
      ORB_LLM_PRICE: '1000/5000',
      // Short for one that hangs, and long for one that answers on a busy machine.
      ORB_LLM_TIMEOUT: '8',
    },
  })
})
afterAll(async () => {
  await service.stop()
  await model.close()
  await ofTeam.close()
  await site.close()
})

// biome-ignore lint/suspicious/noExplicitAny: the SDK's own option types would forbid some of what is tried.
const scrape = async (path: string, options: any): Promise<Json> =>
  service.sdk.scrape(site.url + path, { maxAge: 0, ...options })
const thinking = (answer: string) => `<think>The user wants {"name":"a draft"} maybe.</think>\n${answer}`

describe('a model that thinks aloud', () => {
  it('answers with what comes after its thoughts', async () => {
    script = ({ messages }) =>
      thinking(/JSON Schema/.test(messages.at(-1)!.content) ? '{"name":"Lamp"}' : 'Only the answer.')
    const schema = { type: 'object', properties: { name: { type: 'string' } } }
    const document = await scrape('/plain-lamp', {
      formats: ['summary', { type: 'question', question: 'What is it?' }, { type: 'json', schema }],
    })
    expect(document).toMatchObject({ summary: 'Only the answer.', answer: 'Only the answer.', json: { name: 'Lamp' } })
    const asked = model.requests.at(-1)!.messages.at(-1)!.content
    expect(asked).toContain(`Address of the page: ${site.url}/plain-lamp`)
    expect(asked).toContain('Title: Lamp')
  })
})

describe('a model that hangs', () => {
  it('costs no more than the time of a request, however many formats ask it at once', async () => {
    script = () => 'hang'
    const began = performance.now()
    const document = await scrape('/plain-lamp', {
      formats: ['summary', { type: 'question', question: 'What does it cost?' }, { type: 'highlights', query: 'lamp' }],
      timeout: 60_000,
    })
    expectCost(performance.now() - began).toBeLessThan(10_000)
    expect(document.warning).toMatch(/did not respond in time/)
    expect(document.answer).toMatch(/49/)
  })
})

describe('what rules could not find', () => {
  it('of a product a model adds, and only amounts that stand on the page', async () => {
    script = () =>
      '{"isProduct":true,"title":"A lamp","brand":"Lumo","category":null,"description":"A lamp.","price":{"amount":49.5,"currency":"EUR"},"inStock":true}'
    const { product } = await scrape('/plain-lamp', { formats: ['product'] })
    expect(product).toMatchObject({ brand: 'Lumo', variants: [{ price: { amount: 49.5, currency: 'EUR' } }] })
    script = () => '{"isProduct":true,"title":"A lamp","brand":"Lumo","price":{"amount":12.34,"currency":"EUR"}}'
    const made = await scrape('/plain-lamp', { formats: ['product'] })
    expect(made.product.variants[0].price).toBeUndefined()
    script = () => '{"isProduct":false}'
    const none = await scrape('/conference', { formats: ['product'] })
    expect(none.product).toBeUndefined()
    expect(none.warning).toContain('No product found')
  })

  it('of a menu too, and only dishes that the page names', async () => {
    script = () =>
      '{"isMenu":true,"merchant":"The Anchor","sections":[{"name":"Today","items":[{"name":"fish soup"},{"name":"plum cake","price":{"amount":3.5}},{"name":"caviar"}]}]}'
    const { menu } = await scrape('/table', { formats: ['menu'] })
    expect(menu).toMatchObject({ isMenu: true, sections: [{ name: 'Today' }] })
    expect(menu.sections[0].items.map(({ name }: Json) => name)).toEqual(['fish soup', 'plum cake'])
    expect(menu.sections[0].items[1].price).toEqual({ amount: 3.5 })
  })
})

describe('a question about what only the data of a page says', () => {
  it('is answered from that data, and the answer is not doubted', async () => {
    script = () => 'The large one holds 0.9 l.'
    const document = await scrape('/pot', {
      formats: [{ type: 'question', question: 'How much does the large one hold?' }],
    })
    expect(model.requests.at(-1)!.messages.at(-1)!.content).toMatch(/states about itself:\n<page>\n.*Large, 0\.9 l/)
    expect(document).toMatchObject({ answer: 'The large one holds 0.9 l.' })
    expect(document.warning ?? '').toBe('')
  })
})

describe('an extract over unlike pages', () => {
  it('does not give one a value of the other', async () => {
    script = ({ messages }) =>
      /Ridge Trail/.test(messages.at(-1)!.content)
        ? '{"events":[{"name":"Ridge Trail","city":null,"difficulty":"hard"}]}'
        : '{"events":[{"name":"Gauge Days","city":"Brno","difficulty":null}]}'
    const event = { name: { type: 'string' }, city: { type: 'string' }, difficulty: { type: 'string' } }
    const schema = {
      type: 'object',
      properties: { events: { type: 'array', items: { type: 'object', properties: event } } },
    }
    const urls = [`${site.url}/conference`, `${site.url}/trail`]
    const done: Json = await service.sdk.extract({ urls, schema, showSources: true })
    const byName = (a: Json, b: Json) => a.name.localeCompare(b.name)
    expect(done.data.events.sort(byName)).toEqual([
      { name: 'Gauge Days', city: 'Brno', difficulty: null },
      { name: 'Ridge Trail', city: null, difficulty: 'hard' },
    ])
    expect(done.sources.events.sort()).toEqual(urls)
  })
})

describe('an extract without a schema', () => {
  it('names its fields after the first page', async () => {
    const before = model.requests.length
    script = ({ messages, response_format }) => {
      const isTrail = /Ridge Trail/.test(messages.at(-1)!.content)
      const [name, about] = isTrail ? ['Ridge Trail', 'hard'] : ['Gauge Days', 'Brno']
      const fields = Object.keys(response_format?.json_schema?.schema.properties ?? {})
      const [first, second] = fields.length > 0 ? fields : isTrail ? ['trailName', 'level'] : ['event', 'details']
      return JSON.stringify({ [first!]: name, [second!]: about })
    }
    const urls = [`${site.url}/conference`, `${site.url}/trail`, `${site.url}/plain-lamp`]
    const done: Json = await service.sdk.extract({ urls, prompt: 'The name and one detail', showSources: true })
    expect(model.requests.length - before).toBe(3)
    expect(Object.keys(done.sources)).toHaveLength(2)
    expect(Object.keys(done.data)).toEqual(Object.keys(done.sources))
  })
})

describe('a model of a team', () => {
  it('reads the pages of that team alone, and its endpoint is held to the rules for addresses', async () => {
    const KEY = 'sk-of-the-team-0123456789'
    script = () => 'The model of the service.'
    const team = await newTeam(service, 'with a model')
    const other = await newTeam(service, 'without one')
    const summary = async ({ call }: Pick<typeof team, 'call'>) =>
      (await call('POST', '/v2/scrape', { url: `${site.url}/trail`, formats: ['summary'] })).json.data.summary
    expect((await team.call('GET', '/v2/admin/team-model')).json.data).toMatchObject({ from: 'service', url: null })
    // The endpoint of the service is a private address that the operator has not opened to teams.
    const refused = await team.call('PUT', '/v2/admin/team-model', { url: model.url, model: 'tiny' })
    expect([refused.status, refused.json.error]).toEqual([403, expect.stringContaining('ORB_ALLOW_PRIVATE')])
    const body = { url: ofTeam.url, model: 'own', endpointKey: KEY }
    const { status, json } = await team.call('PUT', '/v2/admin/team-model', body)
    expect(status, JSON.stringify(json)).toBe(200)
    expect(json.data).toMatchObject({ from: 'dashboard', model: 'own', hasKey: true, facts: { contextTokens: 8192 } })
    expect(JSON.stringify(json)).not.toContain(KEY)
    expect(await summary(team)).toBe('The own model of the team.')
    expect(ofTeam.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect(await summary(other)).toBe('The model of the service.')
    const tested = await team.call('POST', '/v2/admin/team-model/test', { text: 'A page.' })
    expect(tested.json.data).toMatchObject({ answer: expect.stringContaining('The own model of the team.') })
    expect((await service.call('GET', '/v2/admin/model')).json.data.model).toBe('tiny')
    expect((await other.call('PUT', '/v2/admin/model', body)).status).toBe(403)
    await team.call('DELETE', '/v2/admin/team-model')
    expect(await summary(team)).toBe('The model of the service.')
  })
})

describe('a key with a limit of the model', () => {
  const formats = ['summary']
  it.each([
    ['tokens', { modelTokensPerMonth: 200 }, /240 of the 200 tokens/],
    ['money', { modelCostPerMonth: 0.3 }, /0\.40 of the 0\.3 /],
  ])('of %s gets 402 before anything is requested, and only for what needs the model', async (_name, limit, why) => {
    script = () => 'A trail.'
    const { call, keyId } = await newKey(service, limit)
    const visit = (path: string, more: object = { formats }) =>
      call('POST', '/v2/scrape', { url: site.url + path, maxAge: 0, ...more })
    for (const path of ['/trail', '/conference']) {
      const { metadata } = (await visit(path)).json.data
      expect(metadata).toMatchObject({ modelTokens: 120, modelCost: expect.closeTo(0.2) })
    }
    const requests = model.requests.length
    const refused = await visit('/plain-lamp')
    expect([refused.status, refused.json.error]).toEqual([402, expect.stringMatching(why)])
    expect((await call('POST', '/v2/agent', { prompt: 'Find the price', urls: [site.url] })).status).toBe(402)
    expect((await visit('/plain-lamp', { formats: ['markdown'] })).status).toBe(200)
    const cleaned = (await visit('/plain-lamp', { formats: ['markdown'], onlyCleanContent: true })).json.data
    expect([cleaned.markdown, cleaned.warning]).toEqual([expect.stringContaining('lamp'), expect.stringMatching(why)])
    expect(model.requests).toHaveLength(requests)
    expect((await call('GET', '/v2/whoami')).json.data.model).toMatchObject({ tokens: 240, cost: expect.closeTo(0.4) })
    const usage = (await service.call('GET', '/v2/admin/usage?by=key,endpoint')).json.data
    expect(usage.find((row: Json) => row.keyId === keyId && row.endpoint === 'model')).toMatchObject({
      modelTokens: 240,
      modelCost: expect.closeTo(0.4),
    })
    await service.call('PATCH', `/v2/admin/keys/${keyId}`, { modelTokensPerMonth: null, modelCostPerMonth: 10 })
    expect((await visit('/plain-lamp')).status).toBe(200)
  })
})

describe('a claim about a page', () => {
  it('is verified by words of the page alone', async () => {
    script = () => 'A trail.'
    await scrape('/trail', { formats: ['markdown'] })
    const verify = async (said: object) => {
      script = () => JSON.stringify(said)
      const body = { url: `${site.url}/trail`, claim: 'It is an easy walk' }
      return (await service.call('POST', '/v2/verify', body)).json.data
    }
    const quote = 'difficulty: hard'
    expect(await verify({ verdict: 'contradicted', quote })).toMatchObject({
      verdict: 'contradicted',
      quote: 'Difficulty: hard',
    })
    expect((await verify({ verdict: 'supported', quote: 'Difficulty: easy' })).verdict).toBe('unclear')
    expect((await verify({ verdict: 'not said', quote: null })).verdict).toBe('not_there')
  })
})

describe('what was found out about the model', () => {
  it('is told by /health and orb doctor, a wrong key too', async () => {
    const { json } = await service.call('GET', '/health')
    expect(json.notes.join(' ')).toMatch(/language model tiny answers with JSON by schema and reads 16384 tokens/)
    const env = { ORB_DATA_DIR: emptyFolder(), ORB_LLM_URL: model.url, ORB_LLM_MODEL: 'tiny', ORB_LLM_KEY: 'k' }
    const model_ = async () =>
      JSON.parse((await runToEnd(env, ['doctor', '--json'])).out).findings.find(({ name }: Json) => name === 'model')
    expect(await model_()).toMatchObject({ state: 'ok', says: expect.stringContaining('16384 tokens') })
    models = 401
    expect(await model_()).toMatchObject({ state: 'broken', says: expect.stringContaining('refused the key (401)') })
    script = () => ({ status: 401 })
    await scrape('/plain-lamp', { formats: ['summary'] })
    const after = (await service.call('GET', '/health')).json
    expect(after).toMatchObject({ status: 'degraded', ready: true })
    expect(after.why.join()).toMatch(/language model: the endpoint refused the key/)
  })
})

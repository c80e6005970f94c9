// Data in the caller's shape through the released SDK: without a model, with one, and with one that fails.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod/v3'
import { type ModelServer, startModel } from '../model/server.ts'
import { shopPages } from '../site/shop.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'

/** The SDK gets the zod schema itself; only its type is too deep for the compiler. */
const plain = (schema: unknown) => schema as Record<string, unknown>

const { site, service, operator } = shared(shopPages)

const lamp = z.object({
  name: z.string(),
  price: z.number(),
  currency: z.string(),
  inStock: z.boolean(),
  brand: z.object({ name: z.string() }),
  rating: z.number(),
  weightGrams: z.number(),
  color: z.string().nullable(),
})

const lampSchema = { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } }

describe('json without a model', () => {
  it('fills a zod schema through the SDK, with null for what the page does not say', async () => {
    const document = await service.sdk.scrape(`${site.url}/shop/lamp`, {
      formats: [{ type: 'json', schema: plain(lamp) }],
    })
    expect(document.json).toEqual({
      name: 'Trail Lamp 300',
      price: 49.9,
      currency: 'EUR',
      inStock: true,
      brand: { name: 'Lumo' },
      rating: 4.6,
      weightGrams: 1200,
      color: null,
    })
    // Everything that the schema requires was found: there is nothing to warn of.
    expect(document.warning).toBeUndefined()
    expect(document.metadata?.creditsUsed).toBe(5)
    const { json } = await service.call('GET', `/v2/scrape/${document.metadata?.scrapeId}?explain=true`)
    const { steps } = json.data?.explain ?? json.explain
    const { fields } = steps.find(({ step }: Json) => step === 'answer')
    const name = { path: 'name', found: true, from: 'heading', words: '# Trail Lamp 300', said: 'Trail Lamp 300' }
    expect(fields).toContainEqual({ ...name, at: [2, 16] })
    // Told by the page's data alone, in another unit, or not at all: no place is made up.
    expect(fields).toContainEqual({ path: 'price', found: true, from: 'data' })
    expect(fields.find(({ path }: Json) => path === 'weightGrams')).not.toHaveProperty('at')
    expect(fields).toContainEqual({ path: 'color', found: false })
    // The same answer out of the cache says the same of its fields.
    const again = await service.sdk.scrape(`${site.url}/shop/lamp`, {
      formats: [{ type: 'json', schema: plain(lamp) }],
    })
    expect(again.metadata?.cacheState).toBe('hit')
    const recalled = await service.call('GET', `/v2/scrape/${again.metadata?.scrapeId}?explain=true`)
    expect(recalled.json.explain.steps.find(({ step }: Json) => step === 'answer').fields).toEqual(fields)
  })

  it('a schema that says nothing is not one, and the answer says so', async () => {
    const schema = { $schema: 'http://json-schema.org/draft-07/schema#' }
    const document = await service.sdk.scrape(`${site.url}/shop/lamp`, {
      formats: [{ type: 'json', schema: plain(schema) }],
    })
    expect(document.json).toMatchObject({ title: 'Trail Lamp 300' })
    expect(document.warning).toMatch(/schema names no fields/)
  })

  it('finds the records of a list', async () => {
    const schema = z.object({
      books: z.array(z.object({ title: z.string(), author: z.string(), price: z.number(), url: z.string() })),
    })
    const { json } = await service.sdk.scrape(`${site.url}/shop/books`, {
      formats: [{ type: 'json', schema: plain(schema) }],
    })
    expect((json as z.infer<typeof schema>).books).toHaveLength(4)
    expect((json as z.infer<typeof schema>).books[1]).toEqual({
      title: 'Book number 2',
      author: 'Jane Writer',
      price: 29.5,
      url: `${site.url}/books/2`,
    })
  })

  it('names required fields that the page does not have, and guesses none', async () => {
    const schema = {
      type: 'object',
      properties: { founded: { type: 'integer' }, ceo: { type: 'string' } },
      required: ['ceo'],
    }
    const document = await service.sdk.scrape(`${site.url}/shop/about`, {
      formats: [{ type: 'json', schema: plain(schema) }],
    })
    expect(document.json).toEqual({ founded: 1999, ceo: null })
    expect(document.warning).toMatch(/Not found on the page: ceo\./)
  })

  it('reads the fields that a prompt names', async () => {
    const { json } = await service.sdk.scrape(`${site.url}/shop/about`, {
      formats: [{ type: 'json', prompt: 'Extract the phone number and the address' }],
    })
    expect(json).toEqual({ phoneNumber: '+49 30 1234567', address: 'Lampenweg 3, 10115 Berlin' })
  })

  it('tells the main facts when asked for nothing in particular', async () => {
    const { json } = await service.call('POST', '/v2/scrape', { url: `${site.url}/shop/lamp`, formats: ['json'] })
    expect(json.data.json).toMatchObject({ title: 'Trail Lamp 300', brand: 'Lumo', weight: '1.2 kg' })
  })

  it('deterministicJson gives the same data and speaks of no model', async () => {
    const formats = [{ type: 'deterministicJson', schema: lampSchema }]
    const { json } = await service.call('POST', '/v2/scrape', { url: `${site.url}/shop/lamp`, formats })
    expect(json.data.json).toMatchObject({ name: 'Trail Lamp 300', price: 49.9 })
    expect(json.data.warning ?? '').not.toMatch(/model/)
    const both = await service.call('POST', '/v2/scrape', {
      url: `${site.url}/shop/lamp`,
      formats: ['json', ...formats],
    })
    expect(both.json.error).toBe('Cannot specify both json and deterministicJson formats')
  })

  it('answers again from the cache, and says in the record who answered', async () => {
    const body = { url: `${site.url}/shop/lamp`, formats: [{ type: 'json', prompt: 'Extract the brand' }] }
    const first = await service.call('POST', '/v2/scrape', body)
    const before = site.hits('/shop/lamp')
    const again = await service.call('POST', '/v2/scrape', body)
    expect(again.json.data).toMatchObject({ json: { brand: 'Lumo' }, metadata: { cacheState: 'hit', creditsUsed: 5 } })
    expect(site.hits('/shop/lamp')).toBe(before)
    const { json } = await service.call('GET', `/v2/scrape/${first.json.data.metadata.scrapeId}?explain=true`)
    expect(JSON.stringify(json)).toMatch(/"step":"answer"[^}]*"by":"extractive"/)
  })

  it('refuses a page that gives orders, when asked to look, and not one that writes about such orders', async () => {
    const ask = (path: string) =>
      service.call('POST', '/v2/scrape', {
        url: `${site.url}${path}`,
        formats: [{ type: 'json', prompt: 'Extract the title', checkPromptInjection: true }],
      })
    const refused = await ask('/shop/orders')
    expect(refused.status).toBe(403)
    expect(refused.json.code).toBe('SCRAPE_PROMPT_INJECTION_DETECTED')
    expect(refused.json.error).toBe('SCRAPE_PROMPT_INJECTION_DETECTED')
    expect(refused.json.details.message).toMatch(/^The page hides instructions/)
    expect((await ask('/shop/security')).status).toBe(200)
    expect((await ask('/shop/lamp')).status).toBe(200)
    const whole = (path: string) =>
      service.call('POST', '/v2/scrape', {
        url: `${site.url}${path}`,
        formats: ['markdown'],
        checkPromptInjection: true,
      })
    expect((await whole('/shop/orders')).status).toBe(403)
    expect((await whole('/shop/lamp')).json.data.metadata.creditsUsed).toBe(5)
  })

  it('refuses a schema that cannot be used, and says where', async () => {
    const ask = (schema: object) =>
      service.call('POST', '/v2/scrape', {
        url: `${site.url}/shop/lamp`,
        formats: [{ type: 'json', schema: plain(schema) }],
      })
    const wrong = await ask({ type: 'object', properties: { price: { type: 'money' } } })
    expect(wrong.status).toBe(422)
    expect(wrong.json.error).toMatch(/Invalid JSON schema.*properties\.price.*"money"/)
    expect((await ask({ type: 'object', additionalProperties: true })).json.error).toMatch(/dictionary/)
    expect((await ask({ $ref: '#/$defs/nothing' })).json.error).toMatch(/refers to/)
  })

  it('reads uploads as well', async () => {
    const file = {
      data: Buffer.from('<h1>Flat in Graz</h1><p>Price: € 250.000</p><p>3 bedrooms</p>'),
      filename: 'flat.html',
    }
    const schema = z.object({ title: z.string(), price: z.number(), bedrooms: z.number().int() })
    const { json } = await service.sdk.parse(file, { formats: [{ type: 'json', schema: plain(schema) }] })
    expect(json).toEqual({ title: 'Flat in Graz', price: 250_000, bedrooms: 3 })
  })
})

describe('json with a model', () => {
  let model: ModelServer
  let broken = false
  let words = '{"name":"From the model","price":1}'
  beforeAll(async () => {
    model = await startModel(() => (broken ? { status: 401 } : words))
    const { status, text } = await operator.call('PUT', '/v2/admin/model', { url: model.url, model: 'tiny' })
    expect(status, text).toBe(200)
  })
  afterAll(async () => {
    await operator.call('DELETE', '/v2/admin/model')
    await model.close()
  })
  const schema = z.object({ name: z.string(), price: z.number() })

  it('asks it, and marks values that the page does not say where the rules have none', async () => {
    const document = await service.sdk.scrape(`${site.url}/shop/lamp`, {
      formats: [{ type: 'json', schema: plain(schema), prompt: 'The lamp, with its name in plain English' }],
    })
    expect(document.json).toEqual({ name: 'From the model', price: 49.9 })
    expect(document.warning).toMatch(/does not state the model's value of price: the rules' value is used/)
    expect(document.warning).toMatch(/does not state these values of the model literally: name/)
    expect(model.requests[0]?.messages.at(-1)?.content).toMatch(/Trail Lamp 300/)
  })

  it('a model that fails is stood in for, once: the next call asks it again', async () => {
    broken = true
    const options = { formats: [{ type: 'json' as const, schema: plain(schema), prompt: 'another question' }] }
    const first = await service.sdk.scrape(`${site.url}/shop/lamp`, options)
    expect(first.json).toEqual({ name: 'Trail Lamp 300', price: 49.9 })
    expect(first.warning).toMatch(/refused the key/)
    broken = false
    const second = await service.sdk.scrape(`${site.url}/shop/lamp`, options)
    expect(second.json).toEqual({ name: 'From the model', price: 49.9 })
    const asked = model.requests.length
    expect((await service.sdk.scrape(`${site.url}/shop/lamp`, options)).json).toEqual(second.json)
    expect(model.requests.length).toBe(asked)
  })

  it('turns words into crawl options by the model, and keeps only what is valid', async () => {
    words = '{"includePaths":["blog/.*"],"excludePaths":["(unclosed"],"limit":7,"delay":null}'
    const { json } = await service.call('POST', '/v2/crawl/params-preview', {
      url: site.url,
      prompt: 'Seven posts of the blog',
    })
    expect(json).toEqual({ success: true, data: { url: `${site.url}/`, includePaths: ['blog/.*'], limit: 7 } })
  })
})

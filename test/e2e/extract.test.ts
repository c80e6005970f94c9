// Extract through the released SDK: one page, many, a whole site, webhooks, faults, and a restart in the middle.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod/v3'
import { shopPages } from '../site/shop.ts'
import type { Page } from '../site/site.ts'
import { itInSoak } from '../soak.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { until } from './waiting.ts'

const home: Page = ({ response }) => {
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end('<h1>Shop</h1><a href="/shop/lamp">Lamp</a><a href="/shop/about">About</a><a href="/elsewhere">Elsewhere</a>')
}
const slow: Page = async ({ response, hit }) => {
  if (hit === 1) await new Promise((resolve) => setTimeout(resolve, 30_000).unref())
  response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Slow lamp</h1><p>Price: $5</p>')
}

/** The SDK gets the zod schema itself; only its type is too deep for the compiler. */
const plain = (schema: unknown) => schema as Record<string, unknown>

const { site, service, killAndStart } = shared({ ...shopPages, '/shop/': home, '/slow': slow })
let receiver: Receiver
beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(() => receiver.close())

const hook = () => receiver.url
const schema = z.object({ name: z.string(), price: z.number(), founded: z.number().int() })
const post = (body: object) => service.call('POST', '/v2/extract', body)
const ended = async (id: string): Promise<Json> => {
  let last: Json
  await until(async () => {
    last = (await service.call('GET', `/v2/extract/${id}`)).json
    return last.status !== 'processing'
  })
  return last
}

describe('extract', () => {
  it('puts the data of several pages together, through the SDK with a zod schema', async () => {
    const urls = [`${site.url}/shop/lamp`, `${site.url}/shop/about`]
    const done = await service.sdk.extract({ urls, schema: plain(schema), showSources: true, pollInterval: 1 })
    expect(done).toMatchObject({ success: true, status: 'completed', creditsUsed: 10 })
    expect(done.data).toMatchObject({ price: 49.9, founded: 1999 })
    expect((done as Json).sources.founded).toEqual([`${site.url}/shop/about`])
    // Each page lacks what the other has, and says so.
    expect(done.warning).toMatch(/No language model/)
  })

  it('reads the pages of a site', async () => {
    const { json } = await post({
      urls: [`${site.url}/shop/*`],
      prompt: 'Extract the founded year and the price',
      limit: 3,
    })
    const done = await ended(json.id)
    expect(done).toMatchObject({ status: 'completed', data: { foundedYear: '1999' } })
    expect(done.data.price).toBe(49.9)
    expect(site.visits()).not.toContain('/elsewhere')
  })

  it('says that it is old, and what to call instead', async () => {
    const { headers, json } = await post({ urls: [`${site.url}/shop/lamp`] })
    expect(headers.get('deprecation')).toMatch(/^@\d+$/)
    expect(json.replacement).toBe('POST /v2/scrape')
    await ended(json.id)
  })

  it('tells its owner of the start and the end, with the data', async () => {
    const { json } = await post({
      urls: [`${site.url}/shop/lamp`],
      schema: { type: 'object', properties: { price: { type: 'number' } } },
      webhook: hook(),
    })
    await until(() => receiver.letters.length >= 2)
    const [started, completed] = ['extract.started', 'extract.completed'].map((type) =>
      receiver.letters.find((one) => one.type === type),
    )
    expect(started).toMatchObject({ id: json.id, success: true, data: [] })
    expect(completed.data).toEqual([
      expect.objectContaining({
        success: true,
        extractId: json.id,
        totalUrlsScraped: 1,
        data: expect.objectContaining({ price: 49.9 }),
      }),
    ])
  })

  it('fails with the reason when no page could be read', async () => {
    const { json } = await post({ urls: ['http://127.0.0.2:1/nothing'], prompt: 'Extract the title' })
    const done = await ended(json.id)
    expect(done).toMatchObject({ success: false, status: 'failed', creditsUsed: 0 })
    expect(done.error).toMatch(/No page could be read.*not on the public web/)
  })

  it('goes on without addresses that are not valid, and lists them', async () => {
    const { json } = await post({ urls: [`${site.url}/shop/lamp`, 'ftp://x.org/'], prompt: 'Extract the title' })
    expect(json.invalidURLs).toEqual(['ftp://x.org/'])
    expect((await ended(json.id)).data).toEqual({ title: 'Trail Lamp 300' })
  })

  it('says of every option that does nothing here that it does nothing', async () => {
    const { json } = await post({
      urls: [`${site.url}/shop/lamp`],
      prompt: 'Extract the title',
      ...{ enableWebSearch: true, allowExternalLinks: true, agent: { model: 'FIRE-1' }, urlTrace: true },
      systemPrompt: 'Be brief, and name the colour of the weather.',
      scrapeOptions: { formats: ['html'] },
    })
    const { status, data, warning } = await ended(json.id)
    expect(status).toBe('completed')
    expect(data).toEqual({ title: 'Trail Lamp 300' })
    for (const option of [
      'enableWebSearch',
      'allowExternalLinks',
      'agent',
      'urlTrace',
      'systemPrompt',
      'scrapeOptions.formats',
    ]) {
      expect(json.warnings.join(' ')).toContain(`\`${option}\` has no effect`)
      expect(warning).toContain(`\`${option}\` has no effect`)
    }
  })

  it('takes what it is given: a limit, no subdomains, links alone, no address that is not valid', async () => {
    const { json } = await post({
      urls: [`${site.url}/shop/*`],
      prompt: 'The lamp',
      schema: { type: 'object', properties: { price: { type: 'number' } } },
      ...{ limit: 1, includeSubdomains: false, ignoreSitemap: true, showSources: true, timeout: 60_000 },
    })
    const done = await ended(json.id)
    expect(done.sources.price).toEqual([`${site.url}/shop/lamp`])
    const wrong = await post({ urls: [`${site.url}/shop/lamp`, 'ftp://x.org/'], ignoreInvalidURLs: false })
    expect(wrong.status).toBe(400)
  })

  it('refuses what it cannot do, by name', async () => {
    expect((await post({})).json.error).toBe("Either 'urls' or 'prompt' must be provided.")
    expect((await post({ prompt: 'Find lamps' })).json.error).toMatch(/web search/)
    const strange = await post({ urls: [site.url], schema: { type: 'strange' } })
    expect(strange.status).toBe(422)
    expect(strange.json.error).toMatch(/^Invalid JSON schema\. The schema has the type "strange"/)
    expect((await post({ urls: [site.url], wrong: 1 })).status).toBe(400)
    expect((await service.call('GET', '/v2/extract/nonsense')).json.error).toMatch(/Invalid job ID format/)
    const unknown = await service.call('GET', '/v2/extract/01890000-0000-7000-8000-000000000000')
    expect(unknown.status).toBe(404)
    expect(unknown.json.error).toBe('Extract job not found')
  })

  itInSoak('is finished by the next process when one is killed in the middle', async () => {
    const { json } = await service.call('POST', '/v2/extract', {
      urls: [`${site.url}/slow`],
      prompt: 'Extract the title and price',
    })
    await until(() => site.hits('/slow') > 0)
    await killAndStart()
    const done = await ended(json.id)
    expect(done).toMatchObject({ status: 'completed', data: { title: 'Slow lamp', price: 5 } })
  })
})

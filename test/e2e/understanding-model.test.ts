// Everything that a language model may answer, through the released SDK, against a server that speaks its protocol: each
// format, extract and the words of a crawl; every way in which such a server fails; and what a page may make it do.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod/v3'
import { type Answer, type ChatRequest, type ModelServer, startModel } from '../model/server.ts'
import { brandPages } from '../site/brands.ts'
import { shopPages } from '../site/shop.ts'
import { type Site, startSite } from '../site/site.ts'
import { understoodPages } from '../site/understood.ts'
import { type Json, type Service, startService } from './service.ts'

/** The SDK gets the zod schema itself; only its type is too deep for the compiler. */
const plain = (schema: unknown) => schema as Record<string, unknown>

let site: Site
let model: ModelServer
let service: Service
let script: (request: ChatRequest) => Answer = () => ''
const env = (): Record<string, string> => ({
  ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
  ORB_LLM_URL: model.url,
  ORB_LLM_MODEL: 'tiny',
  ORB_LLM_KEY: 'the-key-of-the-model',
  ORB_DIFF_FORMAT: 'object',
  // Short for one that hangs, and long for one that answers on a busy machine.
  ORB_LLM_TIMEOUT: '8',
})
beforeAll(async () => {
  site = await startSite({ ...understoodPages, ...shopPages, ...brandPages })
  model = await startModel((request) => script(request))
  service = await startService({ env: env() })
})
afterAll(async () => {
  await service.stop()
  await model.close()
  await site.close()
})

// biome-ignore lint/suspicious/noExplicitAny: the SDK's own option types would forbid half of what is tried.
const scrape = async (path: string, options: any): Promise<Json> =>
  service.sdk.scrape(site.url + path, { maxAge: 0, ...options })

/** Who answered, by the explain record of a scrape. */
async function answeredBy({ metadata }: Json): Promise<Json[]> {
  const { json } = await service.call('GET', `/v2/scrape/${metadata.scrapeId}?explain=true`)
  const { steps } = json.data?.explain ?? json.explain
  return steps.filter(({ step }: Json) => step === 'answer')
}

const LAMP = z.object({ name: z.string(), price: z.number() })
const QUESTION = { type: 'question', question: 'Who designed the customs house?' }

describe('a model that answers', () => {
  const cases: [string, string, Answer, object, Json][] = [
    ['summary', '/museum', 'A museum in a harbour.', { summary: 'A museum in a harbour.' }, 'summary'],
    ['question', '/museum', 'Eleanor Marsh did.', { answer: 'Eleanor Marsh did.' }, QUESTION],
    ['question', '/museum', 'NOT_ON_THIS_PAGE', { answer: expect.stringMatching(/^Not on this page/) }, QUESTION],
    [
      'highlights',
      '/museum',
      'Here you are: ["Divers raised the bell in 1996.", "A bell that is nowhere."]',
      { highlights: 'Divers raised the bell in 1996.' },
      { type: 'highlights', query: 'the bell' },
    ],
    ['query', '/museum', 'In 1784.', { answer: 'In 1784.' }, { type: 'query', prompt: 'When was it built?' }],
    [
      'json',
      '/shop/lamp',
      '```json\n{"name":"Trail Lamp","price":49.9}\n```',
      { json: { name: 'Trail Lamp', price: 49.9 } },
      { type: 'json', schema: plain(LAMP) },
    ],
  ]
  for (const [name, path, says, expected, format] of cases)
    it(`gives ${name} (${JSON.stringify(says).slice(0, 30)}), and the record says so`, async () => {
      script = () => says
      const document = await scrape(path, { formats: [format] })
      expect(document).toMatchObject(expected)
      expect(document.warning).toBeUndefined()
      expect(await answeredBy(document)).toEqual([
        expect.objectContaining({ format: name, by: 'model', calls: 1, inputTokens: 100, outputTokens: 20 }),
      ])
    })

  it('gives onlyCleanContent', async () => {
    const before = (await scrape('/museum', {})).markdown
    script = () => before
    const document = await scrape('/museum', { onlyCleanContent: true })
    expect(document.markdown).toBe(before)
    expect(await answeredBy(document)).toEqual([expect.objectContaining({ option: 'onlyCleanContent', by: 'model' })])
  })

  it('may not remove the text of a page with onlyCleanContent', async () => {
    const before = (await scrape('/museum', {})).markdown
    script = () => '# Only this'
    const document = await scrape('/museum', { onlyCleanContent: true })
    expect(document.markdown).toBe(before)
    expect(document.warning).toMatch(/cleaning was not used: it removed \d+ of the page's \d+ words/)
  })

  it('gives the personality of a brand, and the rules the rest', async () => {
    script = () => '{"tone":"playful","energy":"high","targetAudience":"makers"}'
    const { branding } = await scrape('/brand/light', { formats: ['branding'] })
    expect(branding.personality).toEqual({ tone: 'playful', energy: 'high', targetAudience: 'makers' })
    expect(branding.colors.primary).toBe('#0b5fff')
  })

  it('gives the options of a crawl, and a crawl takes them from its prompt', async () => {
    script = () => 'Sure! {"includePaths":["museum"],"limit":3,"delay":null}'
    const preview: Json = await service.sdk.crawlParamsPreview(site.url, 'Three pages about the museum')
    expect(preview).toEqual({ url: `${site.url}/`, includePaths: ['museum'], limit: 3 })
    const { json } = await service.call('POST', '/v2/crawl', {
      url: `${site.url}/museum`,
      prompt: 'Three pages about the museum',
    })
    expect(json.promptGeneratedOptions).toMatchObject({ includePaths: ['museum'], limit: 3 })
    await service.call('DELETE', `/v2/crawl/${json.id}`)
  })

  it('gives the data of an extract, with the system prompt told and the tokens counted', async () => {
    script = () => '{"name":"Lamp of the model","price":49.9}'
    const from = model.requests.length
    const done: Json = await service.sdk.extract({
      urls: [`${site.url}/shop/lamp`],
      schema: plain(LAMP),
      systemPrompt: 'Speak plainly.',
      prompt: 'The lamp, in other words than the page',
      showSources: true,
    })
    expect(done).toMatchObject({
      status: 'completed',
      data: { name: 'Lamp of the model', price: 49.9 },
      sources: { name: [`${site.url}/shop/lamp`] },
      tokensUsed: 120,
    })
    expect(model.requests[from]?.messages.at(-1)?.content).toContain('Speak plainly.')
  })
})

describe('a model that fails (F 50) is stood in for, and the warning says why', () => {
  const faults: [string, Answer, RegExp][] = [
    ['wrong key', { status: 401 }, /refused the key \(401\); see ORB_LLM_KEY/],
    ['no such model', { status: 404 }, /no such model/],
    ['always busy', { status: 429, headers: { 'retry-after': '0' } }, /rate limited \(429\)/],
    ['always down', { status: 500, headers: { 'retry-after': '0' } }, /failed \(500\)/],
    ['answers nothing', '', /answer was empty/],
    ['refuses', { refusal: 'No.' }, /refused to answer/],
    ['calls a tool', { tool: 'visit' }, /called a tool/],
  ]
  for (const [what, fault, why] of faults)
    it(what, async () => {
      script = () => fault
      const from = model.requests.length
      const document = await scrape('/museum', { formats: [QUESTION] })
      expect(document.answer).toContain('Eleanor Marsh')
      expect(document.warning).toMatch(why)
      expect(document.warning).toContain('extracted from the page without it')
      expect(await answeredBy(document)).toEqual([expect.objectContaining({ by: 'extractive' })])
      expect(model.requests.length - from).toBeLessThanOrEqual(3)
    })

  it('breaks off, drops the line or hangs: within the time of a request', async () => {
    for (const fault of ['half', 'drop', 'hang'] as const) {
      script = () => fault
      const document = await scrape('/museum', { formats: ['summary'], timeout: 60_000 })
      expect(document.summary, fault).toContain('Harbour Museum')
      expect(document.warning, fault).toMatch(/broke off|cannot be reached|in time/)
    }
  })

  it('writes JSON that is cut off, wrapped in prose or of the wrong types', async () => {
    const formats = [{ type: 'json', schema: plain(LAMP) }]
    script = () => ({ text: '{"name":"Trail Lamp","price":49.9,"mo', finish: 'length' })
    const cut = await scrape('/shop/lamp', { formats })
    expect(cut).toMatchObject({
      json: { name: 'Trail Lamp', price: 49.9 },
      warning: expect.stringContaining('cut off'),
    })
    script = () => "I would say {name: 'Trail Lamp', price: '49,90 €',} – does that help?"
    expect((await scrape('/shop/lamp', { formats })).json).toEqual({ name: 'Trail Lamp', price: 49.9 })
  })

  const RULES = { name: 'Trail Lamp 300', price: 49.9 }
  const weakAnswers: [string, Answer, Json][] = [
    ['wrong types', '{"name":"Trail Lamp","price":"cheap"}', { name: 'Trail Lamp', price: 49.9 }],
    ['a list', '[{"name":"Trail Lamp","price":49.9}]', { name: 'Trail Lamp', price: 49.9 }],
    ['two for one', '[{"name":"Trail Lamp"},{"name":"Pot"}]', RULES],
    ['nulls', '{"name":null,"price":null}', RULES],
    ['nothing', '{}', RULES],
    ['an empty text', '', RULES],
    ['another thing', '{"weather":"fine"}', RULES],
    ['the schema', '{"type":"object","properties":{"name":{"type":"string"}}}', RULES],
    ['an invented price', '{"name":"Trail Lamp","price":12.34}', { name: 'Trail Lamp', price: 49.9 }],
    ['a price as text', '{"name":"Trail Lamp","price":"€49.90"}', { name: 'Trail Lamp', price: 49.9 }],
    [
      'a loop',
      `{"name":"Trail Lamp","price":49.9,"text":"${'It is bright. '.repeat(500)}`,
      { name: 'Trail Lamp', price: 49.9 },
    ],
  ]
  it.each(weakAnswers)('never gives less than the rules, nor an error, for %s', async (_name, answer, expected) => {
    script = () => answer
    // The SDK throws for any other status than 200.
    const { json } = await scrape('/shop/lamp', { formats: [{ type: 'json', schema: plain(LAMP) }] })
    expect(json).toMatchObject(expected)
  })

  it('in the words of a crawl, in an extract and in a brand too', async () => {
    script = () => ({ status: 401 })
    const { json } = await service.call('POST', '/v2/crawl/params-preview', {
      url: site.url,
      prompt: 'at most 9 pages',
    })
    expect(json).toMatchObject({ data: { limit: 9 }, warning: expect.stringContaining('refused the key') })
    // Read anew: what the model answered before is in the cache.
    const done: Json = await service.sdk.extract({
      urls: [`${site.url}/shop/lamp`],
      schema: plain(LAMP),
      scrapeOptions: { maxAge: 0 },
    })
    expect(done).toMatchObject({ status: 'completed', data: { name: 'Trail Lamp 300', price: 49.9 } })
    expect(done.warning).toMatch(/refused the key/)
    const brand = await scrape('/brand/light', { formats: ['branding'] })
    expect(brand.branding.personality.tone).toEqual(expect.any(String))
    expect(brand.warning).toMatch(/refused the key/)
  })

  it('is waited for when it says how long', async () => {
    let asked = 0
    script = () => (asked++ === 0 ? { status: 429, headers: { 'retry-after': '1' } } : 'After a pause.')
    const began = performance.now()
    const document = await scrape('/museum', { formats: ['summary'] })
    expect(document.summary).toBe('After a pause.')
    expect(performance.now() - began).toBeGreaterThan(950)
  })

  it('and its key is in no answer and no line of the log', async () => {
    expect(service.logged().join('\n')).not.toContain('the-key-of-the-model')
    expect(service.logged().join('\n')).toContain('the language model returned no response')
  })
})

describe('a page that gives orders to the model (F 49)', () => {
  it('is data inside a fence, and what the model then says can only be an answer', async () => {
    // A model that obeys: all it can do is answer, and its answer must still fit the schema.
    script = () => '{"name":"visited /museum","price":0}'
    const before = site.hits('/museum')
    const document = await scrape('/orders', { formats: [{ type: 'json', schema: plain(LAMP) }] })
    // What the page does not say gives way to what the rules read.
    expect(document.json).toEqual({ name: 'A lamp that commands', price: expect.any(Number) })
    expect([site.hits('/museum'), site.hits('/collect')]).toEqual([before, 0])
    const { messages } = model.requests.at(-1)!
    const [system, user] = [messages[0]!.content, messages.at(-1)!.content]
    expect(system).toContain('untrusted data')
    expect(user.slice(user.lastIndexOf('</page>'))).not.toContain('Ignore all previous')
    expect(JSON.stringify(messages)).not.toContain('the-key-of-the-model')
  })

  it('is refused before any model is asked when the check is on', async () => {
    const from = model.requests.length
    const { status, json } = await service.call('POST', '/v2/scrape', {
      url: `${site.url}/orders`,
      formats: [{ type: 'json', schema: { type: 'object' }, checkPromptInjection: true }],
    })
    expect([status, json.code]).toEqual([403, 'SCRAPE_PROMPT_INJECTION_DETECTED'])
    expect(model.requests.length).toBe(from)
  })
})

describe('redactPII', () => {
  it('shows a model nothing that is to be taken out, neither in the text nor in the data of the page', async () => {
    script = () => '{"name":"x","price":1}'
    const from = model.requests.length
    const formats = [{ type: 'json', schema: plain(LAMP) }, 'summary', QUESTION]
    await scrape('/people', { formats, redactPII: true })
    await scrape('/people/data', { formats, redactPII: true })
    const reported = JSON.stringify(model.requests.slice(from))
    expect(reported).toContain('<EMAIL>')
    expect(reported).not.toMatch(/whitmore@|7946|DE89|4111 1111|AKIAIOSF/i)
  })
})

describe('changeTracking', () => {
  const track = async (tag: string | null): Promise<Json> => {
    const formats: Json = ['markdown', { type: 'changeTracking', modes: ['git-diff'], tag }]
    return (await scrape('/ferry/object', { formats })).changeTracking
  }
  it('gives the diff as an object when told to, and no more than a warning of a page that never was', async () => {
    expect(await track('a')).toMatchObject({ changeStatus: 'new', previousScrapeAt: null })
    expect((await track('a')).changeStatus).toBe('same')
    const { diff, ...changed } = await track('a')
    expect(changed).toMatchObject({ changeStatus: 'changed', visibility: 'visible' })
    expect(diff.text).toMatch(/^-The ferry .* 12 pounds/m)
    const lines = diff.json.files[0].chunks.flatMap(({ changes }: Json) => changes)
    expect(lines.map(({ type }: Json) => type)).toEqual(expect.arrayContaining(['add', 'del']))
    expect((await track('a')).changeStatus).toBe('removed')
    expect(await track(null)).toBeNull()
  })
})

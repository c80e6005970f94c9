// Formats that understand a page's text, through the released SDK, on the real service and without a model.
import { describe, expect, it } from 'vitest'
import { understoodPages } from '../site/understood.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { until } from './waiting.ts'

/** What webhooks brought. */
const letters: string[] = []
const { site, service } = shared({
  ...understoodPages,
  '/hook': async ({ request, response }) => {
    for await (const chunk of request) letters.push(String(chunk))
    response.end()
  },
})

// biome-ignore lint/suspicious/noExplicitAny: the SDK's own option types would forbid the wrong inputs that are tested.
const scrape = (path: string, options: any = {}): Promise<Json> =>
  service.sdk.scrape(site.url + path, { maxAge: 0, ...options })
const post = (body: object) => service.call('POST', '/v2/scrape', body)
const ask = async (question: string): Promise<string> =>
  (await scrape('/museum', { formats: [{ type: 'question', question }] })).answer

describe('a question', () => {
  it('is answered with the sentence that holds the answer', async () => {
    expect(await ask('Who designed the customs house?')).toContain('Eleanor Marsh')
    expect(await ask('When is the museum closed?')).toContain('closed on Mondays')
  })

  it('is answered from a table, with the names of its columns', async () => {
    expect(await ask('How much is a ticket for students?')).toMatch(/£5\.00/)
  })

  it('is answered from the metadata where it asks for nothing else', async () => {
    expect(await ask('What is the title of this page?')).toBe('Harbour Museum of Wickmoor')
    expect(await ask('What is the language of this page?')).toBe('en')
    expect(await ask('What is the code?')).not.toBe('200')
  })

  it('is answered with "not on this page" when the page does not say', async () => {
    expect(await ask('What is the telephone number of the restaurant?')).toMatch(/^Not on this page/)
  })

  it('quotes what comes nearest when nothing answers for sure', async () => {
    expect(await ask('How tall is the lighthouse?')).toContain('lighthouse')
  })

  it('costs what questions cost, and says that no model was asked where the page has no answer', async () => {
    const document = await scrape('/museum', { formats: [{ type: 'question', question: 'When was it founded?' }] })
    expect(document.metadata.creditsUsed).toBe(5)
    expect(document.warning).toBeUndefined()
    const none = await scrape('/museum', { formats: [{ type: 'question', question: 'Who won the chess cup?' }] })
    expect(none.answer).toMatch(/^Not on this page/)
    expect(none.warning).toContain('ORB_LLM_URL')
  })

  it('is refused when it is empty', async () => {
    const { status, json } = await post({ url: `${site.url}/museum`, formats: [{ type: 'question', question: '' }] })
    expect(status).toBe(400)
    expect(json.error).toContain('formats.0.question')
  })
})

describe('highlights', () => {
  it('are passages of the markdown as they stand', async () => {
    const formats = ['markdown', { type: 'highlights', query: 'the bell of the Margarethe' }]
    const { markdown, highlights } = await scrape('/museum', { formats })
    expect(highlights).toContain('Divers raised the bell in 1996.')
    for (const line of highlights.split('\n')) expect(markdown).toContain(line)
  })

  it('are null, with a warning, when nothing speaks of the query', async () => {
    const document = await scrape('/museum', { formats: [{ type: 'highlights', query: 'quantum chromodynamics' }] })
    expect(document.highlights).toBeNull()
    expect(document.warning).toContain('No passage')
  })
})

describe('a summary', () => {
  it("is made of the page's own sentences, in their order, and is shorter than the page", async () => {
    const { markdown, summary } = await scrape('/museum', { formats: ['markdown', 'summary'] })
    expect(summary).toContain('Harbour Museum of Wickmoor')
    expect(summary.length).toBeLessThan(markdown.length / 2)
    expect(summary.length).toBeGreaterThan(100)
  })
})

describe('the deprecated query', () => {
  it('answers in words, or with direct quotes in both fields', async () => {
    const prompt = 'When was the customs house built?'
    const words = await scrape('/museum', { formats: [{ type: 'query', prompt }] })
    expect(words.answer).toContain('1784')
    const quotes = await scrape('/museum', { formats: [{ type: 'query', prompt, mode: 'directQuote' }] })
    expect(quotes.highlights).toContain('1784')
    expect(quotes.answer).toBe(quotes.highlights)
  })
})

describe('redactPII', () => {
  const SECRETS = /whitmore|7946|becker|goethestra|DE89|4111 1111|AKIAIOSF/i

  it('takes people, places and secrets out of every text of the answer', async () => {
    const formats = ['markdown', 'html', 'rawHtml', 'links', 'summary', { type: 'question', question: 'Who is Jane?' }]
    const document = await scrape('/people', { formats, redactPII: true })
    expect(JSON.stringify({ ...document, metadata: { ...document.metadata, url: '' } })).not.toMatch(SECRETS)
    expect(document.markdown).toContain('The weather was fine all week')
    expect(document.markdown).toContain('<EMAIL>')
    expect(document.html).toContain('&lt;FINANCIAL&gt;')
    expect(document.metadata.creditsUsed).toBe(9)
  })

  it('holds for uploads, and for a batch with all that its webhook is told', async () => {
    const data =
      '<html><head><title>Jane Whitmore</title></head><body><p>Call +44 20 7946 0958 about the card 4111 1111 1111 1111.</p></body></html>'
    const formats: Json = ['markdown', 'html', 'rawHtml', 'summary', { type: 'json', prompt: 'The title' }]
    const upload = { data, filename: 'letter.html', contentType: 'text/html' }
    const parsed = await service.sdk.parse(upload, { formats, redactPII: true } as Json)
    expect(JSON.stringify({ ...parsed, metadata: { ...parsed.metadata, url: '' } })).not.toMatch(SECRETS)
    const { json } = await service.call('POST', '/v2/batch/scrape', {
      ...{ urls: [`${site.url}/people`], formats, redactPII: true, maxAge: 0 },
      webhook: { url: `${site.url}/hook`, events: ['page', 'completed'] },
    })
    // They are sent side by side.
    await until(() => ['page', 'completed'].every((event) => letters.join('').includes(`batch_scrape.${event}`)))
    const status = await service.call('GET', `/v2/batch/scrape/${json.id}`)
    expect(status.json.data[0].markdown).toContain('<EMAIL>')
    expect(letters.join('')).toContain('<EMAIL>')
    for (const text of [status.text, letters.join('')]) expect(text).not.toMatch(SECRETS)
  })

  it('takes out only the entities that were named, in the style that was asked for', async () => {
    const redactPII = { entities: ['EMAIL'], replaceStyle: 'mask' }
    const { markdown } = await scrape('/people', { redactPII })
    expect(markdown).toContain('*'.repeat('jane.whitmore@example.org'.length))
    expect(markdown).toContain('Thomas Becker')
  })

  it('is refused together with the bytes of the file, which would leave as they are', async () => {
    const { status, json } = await post({ url: `${site.url}/people`, formats: ['rawBase64'], redactPII: true })
    expect(status).toBe(400)
    expect(json.error).toContain('rawBase64')
  })
})

describe('onlyCleanContent', () => {
  it('gives the main content without a model and says so', async () => {
    const document = await scrape('/museum', { onlyCleanContent: true, onlyMainContent: false })
    expect(document.markdown).toBe((await scrape('/museum', {})).markdown)
    expect(document.markdown).toContain('The customs house was built in 1784')
    expect(document.warning).toContain('ORB_LLM_URL')
  })
})

describe('no model at all (F 52)', () => {
  it('is said where something is missing or uncertain, and nowhere else', async () => {
    const asked = await scrape('/museum', {
      formats: ['markdown', 'summary', { type: 'highlights', query: 'the bell' }],
    })
    expect(asked.warning).toBeUndefined()
    const schema = { type: 'object', properties: { captain: { type: 'string' } }, required: ['captain'] }
    const missing = await scrape('/museum', { formats: [{ type: 'json', schema }] })
    expect(missing.warning).toContain('No language model is configured (ORB_LLM_URL, ORB_LLM_MODEL)')
    expect(missing.warning).toContain('captain')
    expect(asked.summary).toContain('Harbour Museum')
    expect((await scrape('/museum', { formats: ['markdown', 'links'] })).warning).toBeUndefined()
    const { json } = await service.call('POST', '/v2/crawl/params-preview', {
      url: site.url,
      prompt: 'at most 9 pages',
    })
    expect(json).toEqual({ success: true, data: { url: `${site.url}/`, limit: 9 } })
  })
})

describe('changeTracking', () => {
  const track = async (path: string, options: object = {}): Promise<Json> =>
    (await scrape(path, { formats: ['markdown', { type: 'changeTracking', modes: ['git-diff'], ...options }] }))
      .changeTracking

  it('tells a new page from the same page, a changed one and one that is gone', async () => {
    const first = await track('/ferry/one')
    expect(first).toEqual({ previousScrapeAt: null, changeStatus: 'new', visibility: 'visible' })
    const second = await track('/ferry/one')
    expect(second.changeStatus).toBe('same')
    expect(Date.parse(second.previousScrapeAt)).toBeGreaterThan(0)
    expect(second.diff).toBeUndefined()
    const third = await track('/ferry/one')
    expect(third.changeStatus).toBe('changed')
    expect(third.diff).toMatch(/^-The ferry .* 12 pounds/m)
    expect(third.diff).toMatch(/^\+The ferry .* 14 pounds/m)
    expect(third.diff).not.toMatch(/^[-+].*(?:Dogs|views)/m)
    expect((await track('/ferry/one')).changeStatus).toBe('removed')
  })

  it('keeps the scrapes of one tag apart from those of another', async () => {
    expect((await track('/ferry/two', { tag: 'a' })).changeStatus).toBe('new')
    expect((await track('/ferry/two', { tag: 'b' })).changeStatus).toBe('new')
    expect((await track('/ferry/two', { tag: 'b' })).changeStatus).toBe('changed')
  })

  it('names the extracted values that changed', async () => {
    const schema = { type: 'object', properties: { price: { type: 'number' }, name: { type: 'string' } } }
    await track('/prices/lamp', { modes: ['json'], schema })
    const { changeStatus, json } = await track('/prices/lamp', { modes: ['json'], schema })
    expect(changeStatus).toBe('changed')
    expect(json).toEqual({ price: { previous: 19, current: 24 } })
  })

  it('never answers from the cache', async () => {
    await track('/ferry/three')
    const { metadata } = await scrape('/ferry/three', { formats: ['markdown', 'changeTracking'], maxAge: 86_400_000 })
    expect(metadata.cacheState).toBeUndefined()
    expect(site.hits('/ferry/three')).toBe(2)
  })

  it('needs the markdown it compares', async () => {
    const { status, json } = await post({ url: `${site.url}/ferry/four`, formats: ['changeTracking'] })
    expect(status).toBe(400)
    expect(json.error).toBe('The changeTracking format requires the markdown format to be specified as well')
  })

  it('works in a batch', async () => {
    const formats = ['markdown', { type: 'changeTracking' as const, modes: [] }]
    const run = async () =>
      (await service.sdk.batchScrape([`${site.url}/museum`], { options: { formats: formats as Json } })).data as Json[]
    expect((await run())[0].changeTracking.changeStatus).toBe('new')
    expect((await run())[0].changeTracking.changeStatus).toBe('same')
  })

  it('finds in a crawl what nothing leads to any more, and what is gone', async () => {
    const crawl = async () => {
      const scrapeOptions = { formats: ['markdown', { type: 'changeTracking', modes: [] }] } as Json
      const { data } = await service.sdk.crawl(`${site.url}/shrinks/`, { scrapeOptions, sitemap: 'skip' })
      return Object.fromEntries(
        (data as Json[]).map(({ metadata, changeTracking }) => [
          metadata.sourceURL.split('/').at(-1),
          `${changeTracking.changeStatus} ${changeTracking.visibility}`,
        ]),
      )
    }
    expect(await crawl()).toEqual({ '': 'new visible', stays: 'new visible', goes: 'new visible' })
    expect(await crawl()).toEqual({ '': 'changed visible', stays: 'same hidden', goes: 'removed hidden' })
  })
})

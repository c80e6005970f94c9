// POST /v2/scrape through the released SDK, on the real service, against our own web.
import { describe, expect, it } from 'vitest'
import type { Page } from '../site/page.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { failure } from './team.ts'

/** Serves markdown to those who accept it, as some documentation sites do. */
const negotiated: Page = ({ request, response }) => {
  const isText = /text\/markdown/.test(request.headers.accept ?? '')
  response.writeHead(200, { 'content-type': isText ? 'text/markdown' : 'text/html', vary: 'accept' })
  response.end(
    isText
      ? '# Tide bells\n\nRung by hand.'
      : '<!doctype html><title>Bells</title><h1 id="a">Tide bells</h1><p>Rung by <a href="/">hand</a>.',
  )
}
const { site, service } = shared({ '/negotiated': negotiated })

// biome-ignore lint/suspicious/noExplicitAny: the SDK's own option types would forbid the wrong inputs that are tested.
const scrape = (path: string, options: any = {}): Promise<Json> =>
  service.sdk.scrape(site.url + path, { maxAge: 0, ...options })
const post = (body: object) => service.call('POST', '/v2/scrape', body)

describe('the first scrape', () => {
  it('gives markdown and all metadata that clients rely on', async () => {
    const document = await scrape('/article')
    expect(document.markdown).toMatch(/^# /m)
    expect(document.markdown).not.toMatch(/Imprint|Handbook|window\.visits/)
    expect(document.metadata).toMatchObject({
      language: 'en',
      sourceURL: `${site.url}/article`,
      url: `${site.url}/article`,
      statusCode: 200,
      contentType: 'text/html',
      proxyUsed: 'basic',
      cacheState: 'miss',
      creditsUsed: 1,
      concurrencyLimited: false,
      ogSiteName: 'Tidewater Notes',
    })
    expect(document.metadata.title).toMatch(/Tidewater Notes/)
    expect(document.metadata.scrapeId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  })

  it('answers with success, data and scrape_id on the wire', async () => {
    const { status, json } = await post({ url: `${site.url}/article`, maxAge: 0 })
    expect(status).toBe(200)
    expect(json.success).toBe(true)
    expect(json.scrape_id).toBe(json.data.metadata.scrapeId)
  })

  it('takes an address without a scheme, and returns it as it was sent', async () => {
    const { json } = await post({ url: `127.0.0.1:${site.port}/article`, maxAge: 0 })
    expect(json.data.metadata).toMatchObject({
      url: `${site.url}/article`,
      sourceURL: `127.0.0.1:${site.port}/article`,
    })
  })
})

describe('a page that the site also has as markdown', () => {
  it('is taken as markdown when only its text is wanted', async () => {
    const asMarkdown = await scrape('/negotiated', { maxAge: 60_000 })
    expect(asMarkdown.markdown).toBe('# Tide bells\n\nRung by hand.')
    expect(asMarkdown.metadata).toMatchObject({ contentType: 'text/markdown', title: 'Tide bells' })
    for (const formats of [
      ['markdown', 'html'],
      ['links'],
      [{ type: 'attributes', selectors: [{ selector: 'h1', attribute: 'id' }] }],
    ]) {
      const { metadata } = await scrape('/negotiated', { formats, maxAge: 60_000 })
      expect(metadata.contentType, String(formats)).toBe('text/html')
    }
  })

  it('is taken as HTML when the caller says what to accept or chooses parts of it', async () => {
    for (const options of [{ headers: { Accept: 'text/html' } }, { includeTags: ['h1'] }, { onlyMainContent: false }])
      expect((await scrape('/negotiated', options)).metadata.contentType).toBe('text/html')
  })
})

describe('a page without content of its own', () => {
  it('is returned with its kind and the sign of it', async () => {
    const { metadata } = await scrape('/page-kinds/login')
    expect(metadata).toMatchObject({ statusCode: 200, pageKind: 'login' })
    expect(metadata.pageKindReason).toContain('password')
    expect((await scrape('/page-kinds/none')).metadata).toMatchObject({ statusCode: 200, pageKind: 'not_found' })
    expect((await scrape('/article')).metadata.pageKind).toBeUndefined()
  })
})

describe('formats', () => {
  it.each([
    ['html', (d: Json) => expect(d.html).toMatch(/<h1>/)],
    ['rawHtml', (d: Json) => expect(d.rawHtml).toMatch(/^<!doctype html>[\s\S]*window\.visits/)],
    ['links', (d: Json) => expect(d.links).toContain(`${site.url}/forum`)],
    ['images', (d: Json) => expect(Array.isArray(d.images)).toBe(true)],
  ])('%s comes as a string or an object, and without the others', async (type, check) => {
    for (const format of [type, { type }]) {
      const document = await scrape('/article', { formats: [format] })
      check(document)
      expect(document.markdown).toBeUndefined()
    }
  })

  it('rawBase64 is the body itself, and stands alone', async () => {
    const document = await scrape('/paper.pdf', { formats: ['rawBase64'] })
    expect(Buffer.from(document.rawBase64, 'base64').toString('latin1')).toMatch(/^%PDF-1\.4/)
    expect(document.metadata.contentType).toBe('application/pdf')
    const both = await post({ url: `${site.url}/article`, formats: ['rawBase64', 'markdown'] })
    expect(both.status).toBe(400)
    expect(both.json.error).toBe('The rawBase64 format cannot be combined with other formats')
  })

  it('attributes are read from the elements that a selector matches', async () => {
    const document = await scrape('/article', {
      formats: [{ type: 'attributes', selectors: [{ selector: 'nav a', attribute: 'href' }] }],
    })
    expect(document.attributes).toEqual([
      { selector: 'nav a', attribute: 'href', values: ['/article', '/docs', '/product', '/forum', '/listing'] },
    ])
  })

  it('an empty list gives metadata only', async () => {
    const { json } = await post({ url: `${site.url}/article`, formats: [], maxAge: 0 })
    expect(Object.keys(json.data)).toEqual(['metadata'])
  })

  it('all that go together come together, and of duplicates the last one wins', async () => {
    const document = await scrape('/article', { formats: ['markdown', 'html', 'rawHtml', 'links', 'images', 'links'] })
    for (const field of ['markdown', 'html', 'rawHtml', 'links', 'images']) expect(document[field]).toBeDefined()
  })
})

describe('options that this build refuses', () => {
  const url = 'https://example.com'
  const COUNTRY = /^Invalid country code\. Use a valid ISO 3166-1 alpha-2 country code\.$/
  it.each([
    ['an unknown format', { formats: ['nonsense'] }, /^Bad Request: formats\.0: Unknown format "nonsense"/],
    ['a format without a type', { formats: [{}] }, /formats\.0: A format is a name/],
    ['an unknown key in a format', { formats: [{ type: 'markdown', x: 1 }] }, /^Unrecognized key in body/],
    [
      'a bad selector',
      { formats: [{ type: 'attributes', selectors: [{ selector: 'a[', attribute: 'x' }] }] },
      /is not a CSS selector/,
    ],
    [
      'cleaning of a page that must not be kept',
      { onlyCleanContent: true, zeroDataRetention: true },
      /^onlyCleanContent is not supported with zero data retention$/,
    ],
    ['an unknown kind of personal data', { redactPII: { entities: ['SHOE_SIZE'] } }, /redactPII/],
    ['a timeout below a second', { timeout: 999 }, /^Bad Request: timeout: /],
    ['a timeout over five minutes', { timeout: 300_001 }, /^Bad Request: timeout: /],
    ['a bad country', { location: { country: 'USA' } }, COUNTRY],
    ['a country that does not exist', { location: { country: 'ZZ' } }, COUNTRY],
    ['more than 50 actions', { actions: Array(51).fill({ type: 'scrape' }) }, /^Number of actions cannot exceed 50$/],
    [
      'a wait for nothing',
      { actions: [{ type: 'wait' }] },
      /Either 'milliseconds' or 'selector' must be provided, but not both\./,
    ],
    [
      'waits over a minute',
      { waitFor: 30_000, actions: [{ type: 'wait', milliseconds: 31_000 }] },
      /^Total wait time \(waitFor \+ wait actions\) cannot exceed 60 seconds$/,
    ],
    [
      'a wait of more than half the timeout',
      { waitFor: 40_000, timeout: 60_000 },
      /^waitFor must not exceed half of timeout$/,
    ],
    ['too many PDF pages', { parsers: [{ type: 'pdf', maxPages: 10_001 }] }, /parsers\.0\.maxPages: /],
    ['a line break in a header', { headers: { 'x-a': 'b\r\nc: d' } }, /headers\.x-a: holds a line break/],
    [
      'a header of the connection',
      { headers: { 'Transfer-Encoding': 'chunked' } },
      /headers\.Transfer-Encoding: belongs to the connection/,
    ],
    ['null where it is not allowed', { timeout: null }, /^Bad Request: timeout: /],
  ])('%s is a 400 that says so', async (_name, options, message) => {
    const { status, json } = await post({ url, ...options })
    expect(json.error).toMatch(message)
    expect(status).toBe(400)
    expect(json.code).toBe('BAD_REQUEST')
    expect(json.details.length).toBeGreaterThan(0)
  })

  it.each([
    ['neutral values', { actions: [], waitFor: 0, mobile: false, redactPII: false, parsers: ['pdf'] }],
    [
      'compatibility flags',
      { useMock: 'x', safeMode: true, domainTools: true, toolDetail: 'full', auditMetadata: { username: 'me' } },
    ],
  ])('%s pass', async (_name, options) => {
    expect((await post({ url: `${site.url}/article`, ...options })).status).toBe(200)
  })

  it.each([
    '',
    'nope',
    'ftp://example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:x',
    'view-source:https://example.com',
    'chrome://settings',
    'http://user:pass@example.com',
  ])('the address %j is an Invalid URL', async (address) => {
    const { status, json } = await post({ url: address })
    expect(status).toBe(400)
    expect(json.error).toMatch(/^Invalid URL/)
  })

  it('a tool-catalogue call is refused by name', async () => {
    const { status, json } = await post({ alexandria: [{ provider: 'x', capability: 'y' }] })
    expect(status).toBe(403)
    expect(json.code).toBe('exchange_not_enabled')
  })
})

describe('choices about the content', () => {
  it('onlyMainContent false keeps the furniture', async () => {
    expect((await scrape('/article', { onlyMainContent: false })).markdown).toMatch(/Imprint/)
  })

  it('includeTags and excludeTags choose parts', async () => {
    const { markdown } = await scrape('/article', { includeTags: ['aside'], excludeTags: ['h2'] })
    expect(markdown).toMatch(/Why the tide tables moved/)
    expect(markdown).not.toMatch(/Most read|All rights/)
  })

  it('a selector that is none is a 400', async () => {
    const error = await failure(scrape('/article', { includeTags: ['a['] }))
    expect(error.status).toBe(400)
  })

  it('html has absolute addresses and no scripts', async () => {
    const { html } = await scrape('/article', { formats: ['html'], onlyMainContent: false })
    expect(html).toContain(`href="${site.url}/imprint"`)
    expect(html).not.toMatch(/<script|<style|<meta/)
  })
})

describe('what is sent', () => {
  const echoed = async (options: object) =>
    JSON.parse((await scrape('/echo', { formats: ['rawHtml'], ...options })).rawHtml)

  it('caller headers win, and such a page is not cached', async () => {
    const { headers } = await echoed({ headers: { 'User-Agent': 'mine/1', cookie: 'a=b' } })
    expect(headers).toMatchObject({ 'user-agent': 'mine/1', cookie: 'a=b' })
    const before = site.hits('/counter')
    for (const _ of [1, 2]) await service.sdk.scrape(`${site.url}/counter`, { headers: { 'x-a': 'b' } })
    expect(site.hits('/counter')).toBe(before + 2)
  })

  it('languages come from the location', async () => {
    expect((await echoed({ location: { country: 'de' } })).headers['accept-language']).toMatch(/^de-DE,de;q=/)
    expect((await echoed({ location: { languages: ['fr-CA', 'fr'] } })).headers['accept-language']).toMatch(
      /^fr-CA,fr;q=/,
    )
  })
})

describe('the cache', () => {
  const counted = (options: object) => service.sdk.scrape(`${site.url}/counter`, options) as Promise<Json>

  it('answers again without a visit, and says so', async () => {
    const fresh = await counted({ maxAge: 0 })
    const hits = site.hits('/counter')
    const again = await counted({})
    expect(again.markdown).toBe(fresh.markdown)
    expect(again.metadata).toMatchObject({ cacheState: 'hit', cachedAt: expect.any(String) })
    expect(again.metadata.scrapeId).not.toBe(fresh.metadata.scrapeId)
    expect(site.hits('/counter')).toBe(hits)
  })

  it('makes other formats of a kept page without a visit', async () => {
    await counted({ maxAge: 0 })
    const hits = site.hits('/counter')
    expect((await counted({ formats: ['html', 'links'] })).html).toMatch(/Visit number/)
    expect(site.hits('/counter')).toBe(hits)
  })

  it('keeps apart what changes the page', async () => {
    await counted({ maxAge: 0 })
    const hits = site.hits('/counter')
    await counted({ location: { country: 'FR' } })
    expect(site.hits('/counter')).toBe(hits + 1)
  })

  it('storeInCache false leaves nothing behind', async () => {
    await service.sdk.scrape(`${site.url}/entry/unkept`, { storeInCache: false })
    const again = (await service.sdk.scrape(`${site.url}/entry/unkept`)) as Json
    expect(again.metadata.cacheState).toBe('miss')
  })

  it('an error page is not kept', async () => {
    for (const _ of [1, 2]) await service.sdk.scrape(`${site.url}/status/404`)
    expect(site.hits('/status/404')).toBe(2)
  })

  it('minAge asks only the cache: 404 SCRAPE_NO_CACHED_DATA on a miss', async () => {
    const error = await failure(service.sdk.scrape(`${site.url}/entry/never-seen`, { minAge: 1 }))
    expect(error).toMatchObject({ status: 404, code: 'SCRAPE_NO_CACHED_DATA' })
    expect(site.hits('/entry/never-seen')).toBe(0)
    await counted({ maxAge: 0 })
    expect((await counted({ minAge: 1 })).metadata.cacheState).toBe('hit')
    expect((await failure(counted({ minAge: 3_600_000 }))).code).toBe('SCRAPE_NO_CACHED_DATA')
  })

  it('lockdown asks only the cache, keeps nothing, and has its own price', async () => {
    const error = await failure(service.sdk.scrape(`${site.url}/entry/never-seen`, { lockdown: true }))
    expect(error).toMatchObject({ status: 404, code: 'SCRAPE_LOCKDOWN_CACHE_MISS' })
    await counted({ maxAge: 0 })
    const hit = await counted({ lockdown: true })
    expect(hit.metadata).toMatchObject({ cacheState: 'hit', creditsUsed: 5 })
    expect((await service.call('GET', `/v2/scrape/${hit.metadata.scrapeId}`)).status).toBe(404)
  })

  it('is not consulted for an enhanced visit', async () => {
    expect((await scrape('/article', { proxy: 'enhanced' })).metadata).not.toHaveProperty('cacheState')
    expect((await scrape('/article', { proxy: 'stealth' })).metadata.proxyUsed).toMatch(/basic|stealth/)
  })
})

describe('afterwards', () => {
  it('GET /v2/scrape/{id} returns the same document, and how it came about on request', async () => {
    const document = await scrape('/article', { formats: ['markdown', 'links'] })
    const path = `/v2/scrape/${document.metadata.scrapeId}`
    const { json } = await service.call('GET', path)
    expect(json).toEqual({ success: true, data: document })
    const { explain } = (await service.call('GET', `${path}?explain=true`)).json
    expect(explain).toMatchObject({ engine: 'http', cache: 'miss', kind: 'html' })
    expect(explain.steps.map((step: Json) => step.step)).toEqual(expect.arrayContaining(['plan', 'http', 'digest']))
    expect(explain.cuts.length).toBeGreaterThan(0)
    expect(explain.cuts[0]).toMatchObject({ what: expect.any(String), why: expect.any(String) })
  })

  it('zero data retention keeps nothing and costs one credit more', async () => {
    const document = await scrape('/article', { zeroDataRetention: true })
    expect(document.metadata.creditsUsed).toBe(2)
    expect((await service.call('GET', `/v2/scrape/${document.metadata.scrapeId}`)).status).toBe(404)
  })

  it('GET /r/<url> is the page as markdown, query string and folded slashes included', async () => {
    for (const address of [`${site.url}/article?x=1&y=2`, `http:/127.0.0.1:${site.port}/article?x=1&y=2`]) {
      const { status, headers, text } = await service.call('GET', `/r/${address}`)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
      expect(text).toMatch(/^# /m)
    }
    expect(site.visits()).toContain('/article?x=1&y=2')
    expect((await service.call('GET', '/r/nope')).status).toBe(400)
  })
})

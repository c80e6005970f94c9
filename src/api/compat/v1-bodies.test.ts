import { describe, expect, it } from 'vitest'
import { openScope } from '../../base/crawl-scope.ts'
import { crawlDefaults } from '../../capabilities/crawl/settings.ts'
import {
  batchFromV1,
  crawlFromV1,
  mapFromV1,
  mapToV1,
  scrapeFromV1,
  scrapeToV1,
  startedToV1,
  statusToV1,
} from './v1-bodies.ts'

const url = 'https://example.com/docs'

describe('bodies of the first version', () => {
  it('a page is fresh, checked for its certificate and given half a minute, unless told otherwise', () => {
    expect(scrapeFromV1({ url })).toEqual({ url, maxAge: 0, skipTlsVerification: false, timeout: 30_000 })
    expect(scrapeFromV1({ url, maxAge: 5, timeout: 1000 })).toMatchObject({ maxAge: 5, timeout: 1000 })
  })

  it('formats take the options that stood beside them', () => {
    const body = {
      url,
      formats: ['markdown', 'screenshot@fullPage', 'json', 'extract', 'changeTracking', 'links'],
      jsonOptions: { schema: { type: 'object' }, systemPrompt: 'Be brief.', prompt: 'Prices' },
      extract: { prompt: 'Names' },
      changeTrackingOptions: { modes: ['git-diff'] },
    }
    expect((scrapeFromV1(body) as { formats: unknown[] }).formats).toEqual([
      'markdown',
      { type: 'screenshot', fullPage: true },
      { type: 'json', schema: { type: 'object' }, prompt: 'Be brief.\n\nPrices' },
      { type: 'json', prompt: 'Names' },
      { type: 'changeTracking', modes: ['git-diff'] },
      'links',
    ])
    expect(scrapeFromV1(body)).not.toHaveProperty('jsonOptions')
  })

  it('parsePDF becomes parsers, geolocation location', () => {
    expect(scrapeFromV1({ url, parsePDF: true })).toMatchObject({ parsers: ['pdf'] })
    expect(scrapeFromV1({ url, parsePDF: false })).toMatchObject({ parsers: [] })
    expect(scrapeFromV1({ url, geolocation: { country: 'DE' } })).toMatchObject({ location: { country: 'DE' } })
  })

  it('a crawl keeps its meaning under the new names', () => {
    expect(
      crawlFromV1({
        url,
        allowBackwardLinks: true,
        ignoreSitemap: true,
        limit: 3,
        scrapeOptions: { formats: ['html'] },
      }),
    ).toEqual({
      url,
      limit: 3,
      crawlEntireDomain: true,
      sitemap: 'skip',
      scrapeOptions: { formats: ['html'], maxAge: 0, skipTlsVerification: false },
    })
    expect(crawlFromV1({ url, ignoreSitemap: false })).toMatchObject({ sitemap: 'include' })
  })

  it.each([false, true])(
    'maxDepth counts segments below the start (patterns on whole addresses: %s)',
    (regexOnFullURL) => {
      const { excludePaths } = crawlFromV1({ url, maxDepth: 2, regexOnFullURL }) as { excludePaths: string[] }
      const scope = openScope({ ...crawlDefaults, excludePaths, regexOnFullURL }, url)
      const takes = (path: string) => scope.accept(url + path, 1, 'link').ok
      expect(['', '/a', '/a/b', '/a/b/', '/a?x=/1/2/3'].map(takes)).toEqual([true, true, true, true, true])
      expect(['/a/b/c', '/a/b/c/d'].map(takes)).toEqual([false, false])
    },
  )

  it('maxDepth stands beside other patterns, and nonsense is left for the schema to name', () => {
    expect(crawlFromV1({ url: 'example.com', maxDepth: 0, excludePaths: ['x'] })).toMatchObject({
      excludePaths: ['x', '^(/[^/?#]+){1}'],
    })
    expect(crawlFromV1({ url, maxDepth: 1000 })).not.toHaveProperty('excludePaths')
    expect(crawlFromV1({ url, maxDepth: 'deep' })).toMatchObject({ maxDepth: 'deep' })
  })

  it('a batch refuses bad addresses unless told otherwise', () => {
    expect(batchFromV1({ urls: [url] })).toMatchObject({ ignoreInvalidURLs: false, urls: [url] })
    expect(batchFromV1({ urls: [url], ignoreInvalidURLs: true })).toMatchObject({ ignoreInvalidURLs: true })
  })

  it('a map names its sitemaps in one word', () => {
    expect(mapFromV1({ url, sitemapOnly: true })).toEqual({ url, sitemap: 'only' })
    expect(mapFromV1({ url, ignoreSitemap: true })).toEqual({ url, sitemap: 'skip' })
    expect(mapFromV1({ url, ignoreSitemap: false })).toEqual({ url })
  })

  it.each([scrapeFromV1, batchFromV1, crawlFromV1, mapFromV1])('what is no object is handed on', (translate) => {
    for (const odd of ['text', 7, null, [1]]) expect(translate(odd)).toBe(odd)
  })
})

describe('answers of the first version', () => {
  it('a map is a list of addresses', () => {
    expect(mapToV1({ success: true, links: [{ url: 'a', title: 'b' }] })).toEqual({ success: true, links: ['a'] })
  })

  it('what was extracted has its old name when it was asked for by it', () => {
    const answer = { success: true, data: { json: { a: 1 } }, scrape_id: 'x' }
    expect(scrapeToV1(answer, { formats: ['extract'] })).toEqual({
      success: true,
      data: { json: { a: 1 }, extract: { a: 1 } },
    })
    expect(scrapeToV1(answer, { formats: ['json'] })).toEqual({ success: true, data: { json: { a: 1 } } })
  })

  it('links stay within the version', () => {
    expect(startedToV1({ id: '1', url: 'http://h/v2/crawl/1' })).toEqual({ id: '1', url: 'http://h/v1/crawl/1' })
    const text = '{"status":"scraping","next":"http://h/v2/crawl/1?skip=2","data":[{"markdown":"\\"next\\":\\"/v2/"}]}'
    expect(statusToV1(text)).toBe(text.replace('/v2/crawl', '/v1/crawl'))
    const last = '{"status":"completed","data":[{"next":"http://h/v2/x"}]}'
    expect(statusToV1(last)).toBe(last)
  })
})

import { describe, expect, it } from 'vitest'
import { openCrawlScope } from '../../base/crawl-scope.ts'
import { crawlDefaults } from '../../capabilities/crawl/crawl-options.ts'
import {
  batchBodyFromV1,
  crawlBodyFromV1,
  jobStartReplyToV1,
  jobStatusToV1,
  mapBodyFromV1,
  mapReplyToV1,
  scrapeBodyFromV1,
  scrapeReplyToV1,
} from './translate-v1.ts'

const url = 'https://example.com/docs'

describe('bodies of the first version', () => {
  it('a page is fresh, checked for its certificate and given half a minute, unless told otherwise', () => {
    expect(scrapeBodyFromV1({ url })).toEqual({ url, maxAge: 0, skipTlsVerification: false, timeout: 30_000 })
    expect(scrapeBodyFromV1({ url, maxAge: 5, timeout: 1000 })).toMatchObject({ maxAge: 5, timeout: 1000 })
  })

  it('formats take the options that stood beside them', () => {
    const body = {
      url,
      formats: ['markdown', 'screenshot@fullPage', 'json', 'extract', 'changeTracking', 'links'],
      jsonOptions: { schema: { type: 'object' }, systemPrompt: 'Be brief.', prompt: 'Prices' },
      extract: { prompt: 'Names' },
      changeTrackingOptions: { modes: ['git-diff'] },
    }
    expect((scrapeBodyFromV1(body) as { formats: unknown[] }).formats).toEqual([
      'markdown',
      { type: 'screenshot', fullPage: true },
      { type: 'json', schema: { type: 'object' }, prompt: 'Be brief.\n\nPrices' },
      { type: 'json', prompt: 'Names' },
      { type: 'changeTracking', modes: ['git-diff'] },
      'links',
    ])
    expect(scrapeBodyFromV1(body)).not.toHaveProperty('jsonOptions')
  })

  it('parsePDF becomes parsers, geolocation location', () => {
    expect(scrapeBodyFromV1({ url, parsePDF: true })).toMatchObject({ parsers: ['pdf'] })
    expect(scrapeBodyFromV1({ url, parsePDF: false })).toMatchObject({ parsers: [] })
    expect(scrapeBodyFromV1({ url, geolocation: { country: 'DE' } })).toMatchObject({ location: { country: 'DE' } })
  })

  it('a crawl keeps its meaning under the new names', () => {
    expect(
      crawlBodyFromV1({
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
    expect(crawlBodyFromV1({ url, ignoreSitemap: false })).toMatchObject({ sitemap: 'include' })
  })

  it.each([false, true])(
    'maxDepth counts segments below the start (patterns on whole addresses: %s)',
    (regexOnFullURL) => {
      const { excludePaths } = crawlBodyFromV1({ url, maxDepth: 2, regexOnFullURL }) as { excludePaths: string[] }
      const scope = openCrawlScope({ ...crawlDefaults, excludePaths, regexOnFullURL }, url)
      const takes = (path: string) => scope.accept(url + path, 1, 'link').ok
      expect(['', '/a', '/a/b', '/a/b/', '/a?x=/1/2/3'].map(takes)).toEqual([true, true, true, true, true])
      expect(['/a/b/c', '/a/b/c/d'].map(takes)).toEqual([false, false])
    },
  )

  it('maxDepth stands beside other patterns, and nonsense is left for the schema to name', () => {
    expect(crawlBodyFromV1({ url: 'example.com', maxDepth: 0, excludePaths: ['x'] })).toMatchObject({
      excludePaths: ['x', '^(/[^/?#]+){1}'],
    })
    expect(crawlBodyFromV1({ url, maxDepth: 1000 })).not.toHaveProperty('excludePaths')
    expect(crawlBodyFromV1({ url, maxDepth: 'deep' })).toMatchObject({ maxDepth: 'deep' })
  })

  it('a batch refuses bad addresses unless told otherwise', () => {
    expect(batchBodyFromV1({ urls: [url] })).toMatchObject({ ignoreInvalidURLs: false, urls: [url] })
    expect(batchBodyFromV1({ urls: [url], ignoreInvalidURLs: true })).toMatchObject({ ignoreInvalidURLs: true })
  })

  it('a map names its sitemaps in one word', () => {
    expect(mapBodyFromV1({ url, sitemapOnly: true })).toEqual({ url, sitemap: 'only' })
    expect(mapBodyFromV1({ url, ignoreSitemap: true })).toEqual({ url, sitemap: 'skip' })
    expect(mapBodyFromV1({ url, ignoreSitemap: false })).toEqual({ url })
  })

  it.each([scrapeBodyFromV1, batchBodyFromV1, crawlBodyFromV1, mapBodyFromV1])(
    'what is no object is handed on',
    (translate) => {
      for (const odd of ['text', 7, null, [1]]) expect(translate(odd)).toBe(odd)
    },
  )
})

describe('answers of the first version', () => {
  it('a map is a list of addresses', () => {
    expect(mapReplyToV1({ success: true, links: [{ url: 'a', title: 'b' }] })).toEqual({ success: true, links: ['a'] })
  })

  it('what was extracted has its old name when it was asked for by it', () => {
    const answer = { success: true, data: { json: { a: 1 } }, scrape_id: 'x' }
    expect(scrapeReplyToV1(answer, { formats: ['extract'] })).toEqual({
      success: true,
      data: { json: { a: 1 }, extract: { a: 1 } },
    })
    expect(scrapeReplyToV1(answer, { formats: ['json'] })).toEqual({ success: true, data: { json: { a: 1 } } })
  })

  it('links stay within the version', () => {
    expect(jobStartReplyToV1({ id: '1', url: 'http://h/v2/crawl/1' })).toEqual({ id: '1', url: 'http://h/v1/crawl/1' })
    const text = '{"status":"scraping","next":"http://h/v2/crawl/1?skip=2","data":[{"markdown":"\\"next\\":\\"/v2/"}]}'
    expect(jobStatusToV1(text)).toBe(text.replace('/v2/crawl', '/v1/crawl'))
    const last = '{"status":"completed","data":[{"next":"http://h/v2/x"}]}'
    expect(jobStatusToV1(last)).toBe(last)
  })
})

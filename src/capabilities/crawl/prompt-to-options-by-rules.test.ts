import { describe, expect, it } from 'vitest'
import { expectCost } from '../../../test/cost.ts'
import { openCrawlScope } from '../../base/crawl-scope.ts'
import { crawlDefaults } from './crawl-options.ts'
import { crawlOptionsByRules } from './prompt-to-options-by-rules.ts'

const read = (prompt: string, url = 'https://example.com/') => crawlOptionsByRules(prompt, url)

describe('words about a crawl', () => {
  it.each([
    ['limit 20', { limit: 20 }],
    [
      'just the pricing and about pages',
      { includePaths: ['(^|/)(pricing|plans)(/|$)', '(^|/)(about|about-us|company)(/|$)'] },
    ],
    ['Crawl up to 1,000 pages', { limit: 1000 }],
    ['get the first 50 pages', { limit: 50 }],
    ['no more than two hundred pages please', { limit: 200 }],
    ['at most 2k urls', { limit: 2000 }],
    ['only ten pages', { limit: 10 }],
    ['just this page', { limit: 1, maxDiscoveryDepth: 0 }],
    ['max depth 3', { maxDiscoveryDepth: 3 }],
    ['go two levels deep', { maxDiscoveryDepth: 2 }],
    ['depth of 2 and limit of 30', { maxDiscoveryDepth: 2, limit: 30 }],
    ['include subdomains', { allowSubdomains: true }],
    ['the site and all its subdomains', { allowSubdomains: true }],
    ['no subdomains', { allowSubdomains: false }],
    ['follow external links', { allowExternalLinks: true }],
    ["don't follow external links", { allowExternalLinks: false }],
    ['only the sitemap', { sitemap: 'only' }],
    ['sitemap only', { sitemap: 'only' }],
    ['ignore the sitemap', { sitemap: 'skip' }],
    ['use the sitemap', { sitemap: 'include' }],
    ['ignore query parameters', { ignoreQueryParameters: true }],
    ['strip query strings', { ignoreQueryParameters: true }],
    ['ignore robots.txt', { ignoreRobotsTxt: true }],
    ['respect robots.txt', {}],
    ['wait 2 seconds between pages', { delay: 2 }],
    ['delay of 500 ms', { delay: 0.5 }],
    ['1.5s between requests', { delay: 1.5 }],
    ['the entire domain', { crawlEntireDomain: true }],
    ["don't deduplicate", { deduplicateSimilarURLs: false }],
  ])('%j', (prompt, expected) => {
    expect(read(prompt).options).toEqual(expected)
  })

  const takes = (prompt: string, path: string, url?: string) => {
    const scope = openCrawlScope({ ...crawlDefaults, ...read(prompt, url).options }, 'https://example.com/')
    return scope.accept(`https://example.com${path}`, 1, 'link').ok
  }

  it.each([
    ['only blog', ['/blog', '/blog/a', '/en/blog/a'], ['/about', '/bloggers']],
    ['only the blog posts', ['/blog/a'], ['/docs']],
    ['Only crawl the documentation', ['/docs/a', '/documentation/'], ['/blog']],
    ['just the docs and the api reference', ['/docs', '/api/x'], ['/blog']],
    ['skip the docs', ['/blog'], ['/docs/a']],
    ['skip blog, careers and legal pages', ['/docs'], ['/blog/1', '/jobs/2', '/privacy']],
    ['everything except the forum', ['/docs'], ['/forum/1']],
    ["don't crawl login pages", ['/docs'], ['/login']],
    ['only pages under /docs/v2', ['/docs/v2', '/docs/v2/a'], ['/docs/v1']],
    ['only /api/*', ['/api/a'], ['/apis']],
    ['exclude PDFs', ['/a.html'], ['/a.pdf']],
    ['crawl all product pages', ['/products/1', '/product/1'], ['/about']],
    ['get the blog but skip tags', ['/blog/a'], ['/blog/tag/x', '/about']],
    ['only the gauges section', ['/gauges/1'], ['/about']],
    ['only blog posts from last year', ['/blog/1'], ['/about']],
    ['exclude anything below /shop', ['/docs'], ['/shop/1']],
    ['blog posts only, at most 5 pages', ['/blog/1'], ['/about']],
  ])('%j takes %j and leaves %j', (prompt, taken, left) => {
    for (const path of taken) expect(takes(prompt, path), path).toBe(true)
    for (const path of left) expect(takes(prompt, path), path).toBe(false)
  })

  it('many wishes at once', () => {
    expect(
      read(
        'Crawl only the blog, up to 30 pages, max depth 2, skip tag pages, ignore the sitemap and include subdomains.',
      ).options,
    ).toEqual({
      limit: 30,
      maxDiscoveryDepth: 2,
      sitemap: 'skip',
      allowSubdomains: true,
      includePaths: ['(^|/)(blogs?)(/|$)'],
      excludePaths: ['(^|/)(tags?)(/|$)'],
    })
  })

  it('a part of the site that is not below the start opens the whole domain', () => {
    expect(read('only the blog', 'https://example.com/docs').options.crawlEntireDomain).toBe(true)
  })

  it('what is not understood is said', () => {
    expect(read('find me something nice').warning).toMatch(/^Nothing in the prompt/)
    expect(read('find me something nice').options).toEqual({})
    expect(read('only english pages, limit 5')).toEqual({
      options: { limit: 5 },
      warning: 'These words of the prompt were not understood: "english".',
    })
    expect(read('skip what my boss wrote in anger, limit 5').warning).toMatch(
      /not understood: "what my boss wrote in anger"/,
    )
  })

  it('ten thousand characters of any kind are read in a moment', () => {
    const texts = [
      'only ',
      'skip the ',
      '1 ',
      'no no ',
      'under /a/',
      'limit ',
      '. ',
      'a',
      ' ',
      '/',
      'depth of ',
      '1.',
      '1,',
      'a.',
      'only ten',
    ]
    for (const text of texts) {
      const before = process.cpuUsage()
      read(text.repeat(Math.ceil(10_000 / text.length)).slice(0, 10_000))
      const { user, system } = process.cpuUsage(before)
      // Processor time, not the clock: other tests run beside this one.
      expectCost((user + system) / 1000, text).toBeLessThan(500)
    }
  })
})

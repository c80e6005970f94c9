import { describe, expect, it } from 'vitest'
import { expectCost, rounds } from '../../test/cost.ts'
import { type CrawlScopeOptions, openCrawlScope, type UrlSource } from './crawl-scope.ts'
import { Problem } from './problem.ts'

const defaults: CrawlScopeOptions = {
  includePaths: [],
  excludePaths: [],
  regexOnFullURL: false,
  maxDiscoveryDepth: undefined,
  crawlEntireDomain: false,
  allowSubdomains: false,
  allowExternalLinks: false,
  sitemap: 'include',
  ignoreQueryParameters: false,
  deduplicateSimilarURLs: true,
}
const scope = (options: Partial<CrawlScopeOptions> = {}, start = 'https://example.com/') =>
  openCrawlScope({ ...defaults, ...options }, start)
/** `ok`, or why not. */
const verdict = (
  url: string,
  options: Partial<CrawlScopeOptions> = {},
  start?: string,
  depth = 1,
  source: UrlSource = 'link',
) => {
  const decision = scope(options, start).accept(url, depth, source)
  return decision.ok ? 'ok' : decision.why
}

/** Processor time, not the clock: other tests run beside these. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

it('takes states of a page only from the crawl itself', () => {
  const auto = scope({ routes: 'auto' })
  const state = 'https://example.com/app#:~:button=Erase'
  const urlOf = (source: UrlSource) => auto.accept(state, 1, source)
  for (const source of ['link', 'sitemap', 'robots'] as const)
    expect(urlOf(source)).toMatchObject({ ok: true, url: 'https://example.com/app' })
  for (const source of ['button', 'start', 'known'] as const) expect(urlOf(source)).toMatchObject({ url: state })
  for (const routes of ['hash', undefined] as const)
    expect(scope({ routes }).accept(state, 1, 'button')).toMatchObject({ url: 'https://example.com/app' })
})

describe('which sites', () => {
  it.each([
    ['https://example.com/a', {}, 'ok'],
    ['http://www.example.com/a', {}, 'ok'],
    ['https://blog.example.com/a', {}, 'SUBDOMAIN'],
    ['https://blog.example.com/a', { allowSubdomains: true }, 'ok'],
    ['https://example.com:8443/a', {}, 'OTHER_SITE'],
    ['https://other.com/a', {}, 'OTHER_SITE'],
    ['https://notexample.com/a', { allowSubdomains: true }, 'OTHER_SITE'],
    ['https://other.com/a', { allowExternalLinks: true }, 'ok'],
    ['https://other.com/', { allowExternalLinks: true }, 'EXTERNAL_LINK'],
    ['https://other.com', { allowExternalLinks: true }, 'EXTERNAL_LINK'],
  ])('%s with %j: %s', (url, options, expected) => {
    expect(verdict(url, options)).toBe(expected)
  })

  it('the user pages of a hoster are not subdomains of one site', () => {
    expect(verdict('https://bob.github.io/a', { allowSubdomains: true }, 'https://alice.github.io/')).toBe('OTHER_SITE')
    expect(verdict('https://shop.example.co.uk/', { allowSubdomains: true }, 'https://example.co.uk/')).toBe('ok')
    expect(verdict('https://other.co.uk/a', { allowSubdomains: true }, 'https://example.co.uk/')).toBe('OTHER_SITE')
  })

  it('numeric hosts are themselves only', () => {
    expect(verdict('http://127.0.0.1:81/', { allowSubdomains: true }, 'http://127.0.0.1:80/')).toBe('OTHER_SITE')
    expect(verdict('http://127.0.0.2/', { allowSubdomains: true }, 'http://127.0.0.1/')).toBe('OTHER_SITE')
    expect(verdict('http://127.0.0.1/a', {}, 'http://127.0.0.1/')).toBe('ok')
  })

  it('the links of an external page are not followed', () => {
    const decision = scope({ allowExternalLinks: true }).accept('https://other.com/a', 1, 'link')
    expect(decision).toMatchObject({ ok: true, external: true, leaf: true })
  })
})

describe('which paths', () => {
  it.each([
    ['https://example.com/docs/a', 'ok'],
    ['https://example.com/docs', 'ok'],
    ['https://example.com/docs/', 'ok'],
    ['https://example.com/docsearch', 'OUTSIDE_PATH'],
    ['https://example.com/', 'OUTSIDE_PATH'],
  ])('below /docs: %s is %s', (url, expected) => {
    expect(verdict(url, {}, 'https://example.com/docs')).toBe(expected)
    expect(verdict(url, { crawlEntireDomain: true }, 'https://example.com/docs')).toBe('ok')
  })

  it('an index page stands for its folder', () => {
    expect(verdict('https://example.com/docs/a', {}, 'https://example.com/docs/index.html')).toBe('ok')
  })

  it.each([
    [{ includePaths: ['blog/.*'] }, 'https://example.com/blog/1', 'ok'],
    [{ includePaths: ['^/blog/'] }, 'https://example.com/blog/1', 'ok'],
    [{ includePaths: ['^blog/'] }, 'https://example.com/blog/1', 'ok'],
    [{ includePaths: ['^blog/'] }, 'https://example.com/my/blog/1', 'NOT_INCLUDED'],
    [{ includePaths: ['blog/.*'] }, 'https://example.com/about', 'NOT_INCLUDED'],
    [{ excludePaths: ['\\.pdf$'] }, 'https://example.com/a.pdf', 'EXCLUDED'],
    [{ includePaths: ['blog'], excludePaths: ['draft'] }, 'https://example.com/blog/draft', 'EXCLUDED'],
    [{ includePaths: ['^https://example\\.com/\\?q='], regexOnFullURL: true }, 'https://example.com/?q=1', 'ok'],
    [{ includePaths: ['q='] }, 'https://example.com/a?q=1', 'NOT_INCLUDED'],
    [{ includePaths: ['(?i)BLOG'] }, 'https://example.com/blog', 'ok'],
  ])('%j: %s is %s', (options, url, expected) => {
    expect(verdict(url, options)).toBe(expected)
  })

  it('the start address is subject to them too', () => {
    expect(verdict('https://example.com/', { includePaths: ['blog'] }, undefined, 0, 'start')).toBe('NOT_INCLUDED')
  })
})

describe('patterns of any kind', () => {
  it.each(['[', '(', '*', '(?=a)b', '(a)\\1', 'a{1000}{1000}', '\\'])(
    '%j is a bad request that names it',
    (pattern) => {
      const open = () => scope({ excludePaths: ['fine', pattern] })
      expect(open).toThrow(Problem)
      expect(open).toThrow(`excludePaths.1: "${pattern}"`)
    },
  )

  it('a pattern that is too long is refused', () => {
    expect(() => scope({ includePaths: ['a'.repeat(10_001)] })).toThrow(/10001 characters/)
  })

  it('no pattern blocks the loop, whatever the address', () => {
    const nasty = ['(a+)+$', '(a|a)*b$', '(.*)*x', '([^/]+/)*$y', '(a?){100}a{100}', 'a.*a.*a.*a.*a.*b']
    const long = `https://example.com/${'a'.repeat(2000)}`
    for (const pattern of nasty) {
      const tried = scope({ includePaths: [pattern] })
      const started = cpuMs()
      tried.accept(long, 1, 'link')
      expectCost(cpuMs() - started, pattern).toBeLessThan(500)
    }
  })

  it('an address that all patterns together would chew on for long is refused instead', () => {
    const many = Array.from({ length: 20 }, (_, at) => `(?:x?){${90 + at}}(a|b)*$`)
    expect(verdict(`https://example.com/${'a'.repeat(2000)}`, { includePaths: many })).toBe('PATTERN_COST')
    expect(verdict('https://example.com/b', { includePaths: many })).toBe('ok')
  })

  it('a thousand plain paths cost next to nothing', () => {
    const tried = scope({ includePaths: Array.from({ length: 1000 }, (_, at) => `/product/some-name-${at}`) })
    const started = cpuMs()
    for (let at = 0; at < 1000; at++) tried.accept(`https://example.com/product/other-${at}`, 1, 'link')
    expectCost(cpuMs() - started).toBeLessThan(1000)
  })
})

describe('how far', () => {
  it('links beyond the depth are refused, and those at it are not followed', () => {
    const tried = scope({ maxDiscoveryDepth: 2 })
    expect(tried.accept('https://example.com/a', 1, 'link')).toMatchObject({ ok: true, leaf: false })
    expect(tried.accept('https://example.com/b', 2, 'link')).toMatchObject({ ok: true, leaf: true })
    expect(tried.accept('https://example.com/c', 3, 'link')).toEqual({ ok: false, why: 'TOO_DEEP' })
  })

  it('depth 0 is the start and the sitemap', () => {
    expect(verdict('https://example.com/', { maxDiscoveryDepth: 0 }, undefined, 0, 'start')).toBe('ok')
    expect(verdict('https://example.com/a', { maxDiscoveryDepth: 0 }, undefined, 0, 'sitemap')).toBe('ok')
    expect(verdict('https://example.com/a', { maxDiscoveryDepth: 0 }, undefined, 1, 'link')).toBe('TOO_DEEP')
  })

  it('with the sitemap only, links are refused', () => {
    expect(verdict('https://example.com/a', { sitemap: 'only' })).toBe('NOT_IN_SITEMAP')
    expect(verdict('https://example.com/a', { sitemap: 'only' }, undefined, 0, 'sitemap')).toBe('ok')
  })
})

describe('what kind of file', () => {
  it.each(['a.jpg', 'a.PNG', 'x/app.js', 'style.css', 'f.woff2', 'film.mp4', 'all.zip', 'set-up.exe', 'a.js.map'])(
    '%s is left out',
    (file) => {
      expect(verdict(`https://example.com/${file}`)).toBe('FILE_TYPE')
    },
  )

  it.each([
    'a.pdf',
    'a.docx',
    'a.xlsx',
    'notes.txt',
    'readme.md',
    'a.html',
    'a.php',
    'data.csv',
    'v1.2',
    'character.ai',
    'feed.xml',
  ])('%s is kept', (file) => {
    expect(verdict(`https://example.com/${file}`)).toBe('ok')
  })

  it.each([
    'mailto:a@b.c',
    'javascript:void 0',
    'file:///etc/passwd',
    'data:text/html,x',
    'ftp://example.com/a',
    'tel:1',
    'https://u:p@example.com/',
  ])('%s is no address to visit', (url) => {
    expect(verdict(url)).toBe('INVALID_URL')
  })
})

describe('traps', () => {
  it.each([
    ['/x/x/x', 'REPEATING_PATH'],
    ['/a/b/a/b/a/b', 'REPEATING_PATH'],
    ['/a/1/a/2/a/3/a/4/a/5', 'REPEATING_PATH'],
    [`/${Array.from({ length: 31 }, (_, at) => `s${at}`).join('/')}`, 'TOO_DEEP_PATH'],
    [`/?${Array.from({ length: 13 }, (_, at) => `p${at}=1`).join('&')}`, 'TOO_MANY_PARAMETERS'],
    [`/${'a'.repeat(2048)}`, 'TOO_LONG'],
    ['/2011/11/11/11', 'ok'],
    ['/en/docs/en', 'ok'],
    ['/a/a', 'ok'],
  ])('%s is %s', (path, expected) => {
    expect(verdict(`https://example.com${path}`)).toBe(expected)
  })

  const taken = (urls: Iterable<string>) => {
    const tried = scope()
    let count = 0
    for (const url of urls) if (tried.accept(url, 1, 'link').ok) count++
    return count
  }
  function* numbered(count: number, make: (n: number) => string): Generator<string> {
    for (let n = 0; n < count; n++) yield make(n)
  }

  it('a calendar is taken 200 times and no more, by path or by query', () => {
    const month = (n: number) => `${1900 + Math.floor(n / 12)}/${1 + (n % 12)}`
    expect(taken(numbered(2000, (n) => `https://example.com/calendar/${month(n)}`))).toBe(200)
    expect(taken(numbered(2000, (n) => `https://example.com/events?month=${n}`))).toBe(200)
  })

  it('articles below a date are not a calendar', () => {
    expect(taken(numbered(2000, (n) => `https://example.com/2024/05/12/story-${n}`))).toBe(2000)
  })

  it('filters that combine are taken 300 times, in whatever order they stand', () => {
    const filters = (n: number) => `https://example.com/shoes?colour=c${n % 40}&size=s${Math.floor(n / 40)}`
    expect(taken(numbered(1600, filters))).toBe(300)
    const turned = ['https://example.com/shoes?a=x&b=y', 'https://example.com/shoes?b=y&a=x']
    const keys = turned.map((url) => scope().key(url))
    expect(keys[0]).toBe(keys[1])
  })

  it('ids that change on every visit are taken 500 times', () => {
    const tokens = (n: number) => `https://example.com/list?visit=${(0xabc0000000000000n + BigInt(n)).toString(16)}`
    expect(taken(numbered(2000, tokens))).toBe(500)
  })

  it('products by number and threads of a forum are no trap', () => {
    expect(taken(numbered(20_000, (n) => `https://example.com/product/${n}`))).toBe(20_000)
    expect(taken(numbered(4000, (n) => `https://example.com/viewtopic.php?f=2&t=${n}`))).toBe(4000)
  })

  it('the same address again is not counted again', () => {
    const tried = scope()
    for (let n = 0; n < 1000; n++) expect(tried.accept('https://example.com/events?month=5', 1, 'link').ok).toBe(true)
    expect(tried.accept('https://example.com/events?month=6', 1, 'link').ok).toBe(true)
  })

  it('many links to few pages cost microseconds each', () => {
    const tried = scope()
    const started = cpuMs()
    for (let page = 0; page < rounds(1000); page++)
      for (let n = 0; n < 300; n++)
        tried.accept(`https://example.com/section-${n % 30}/page?day=${n}&v=${page}`, 1, 'link')
    // 300,000 links, 20 µs for each: three times what a busy machine takes.
    expectCost(cpuMs() - started).toBeLessThan(6000)
  })
})

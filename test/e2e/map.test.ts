// POST /v2/map through the released SDK, on the real service, against our own web.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gaugeWorks } from '../site/gauge-works.ts'
import { type Site, startSite } from '../site/site.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'

const { site, service } = shared(gaugeWorks())
let bare: Site
let silent: Site
beforeAll(async () => {
  bare = await startSite(gaugeWorks({ sitemaps: false }))
  // Takes every question and never answers.
  silent = await startSite({ '/': () => {}, '/robots.txt': () => {} })
})
afterAll(async () => {
  await bare.close()
  await silent.close()
})

const post = (body: object, query = '') => service.call('POST', `/v2/map${query}`, body)
const paths = (links: Json[], base = site.url): string[] => links.map(({ url }) => url.replace(base, ''))

describe('a map', () => {
  it('holds what sitemaps, robots.txt and links show, the start first, each page once', async () => {
    const { links } = await service.sdk.map(site.url)
    const found = paths(links)
    expect(found[0]).toBe('/')
    for (const path of ['/blog/', '/docs/', '/about', '/paper.pdf', '/only-in-sitemap', '/blog/post-5', '/docs/wiring'])
      expect(found).toContain(path)
    expect(new Set(found).size).toBe(found.length)
    // Paths are case-sensitive as long as the site does not show otherwise.
    expect(found.filter((path) => /^\/about/i.test(path)).sort()).toEqual(['/About', '/about'])
    expect(found.filter((path) => path.startsWith('/docs/index'))).toHaveLength(0)
    expect(found.join()).not.toMatch(/elsewhere|foreign|javascript|mailto|passwd|logo|entity/)
  })

  it('costs one credit, has an id, and knows titles of pages it read', async () => {
    const { status, json } = await post({ url: site.url })
    expect(status).toBe(200)
    expect(json).toMatchObject({ success: true, creditsUsed: 1 })
    expect(json.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(json.links[0]).toEqual({
      url: `${site.url}/`,
      title: 'Gauge Works',
      description: 'Gauge Works of Gauge Works.',
    })
  })

  it('reads the sitemaps of a site once a week, unless told to ask anew', async () => {
    const own = await startSite(gaugeWorks())
    try {
      const visits = () => own.visits().filter((path) => path.includes('.xml')).length
      const first = await service.sdk.map(own.url)
      const read = visits()
      expect(read).toBeGreaterThan(0)
      const second = await service.call('POST', '/v2/map?explain=true', { url: own.url })
      expect(visits()).toBe(read)
      expect(second.json.links).toEqual(first.links)
      expect(second.json.explain.sitemaps.files[0].keptSince).toMatch(/^\d{4}-/)
      await service.call('POST', '/v2/map', { url: own.url, ignoreCache: true })
      expect(visits()).toBe(2 * read)
    } finally {
      await own.close()
    }
  })

  it('says where each address was found, and what was left out, when asked to explain', async () => {
    const { json } = await post({ url: site.url }, '?explain=true')
    const source = (path: string) => json.explain.links.find(({ url }: Json) => url === site.url + path)
    expect(source('/only-in-sitemap')).toMatchObject({ source: 'robots', depth: 0, lastmod: '2026-05-01' })
    expect(source('/blog/')).toMatchObject({ source: 'link', depth: 1 })
    expect(json.explain.dropped.map(({ why }: Json) => why)).toEqual(
      expect.arrayContaining(['OTHER_SITE', 'FILE_TYPE']),
    )
    expect(json.explain.sitemaps.foreign).toBe(1)
    expect(json.explain.robots.state).toBe('rules')
    const dtd = json.explain.sitemaps.files.find(({ url }: Json) => url.endsWith('/maps/dtd.xml'))
    expect(dtd.because).toMatch(/document type/)
    expect((await post({ url: site.url })).json.explain).toBeUndefined()
  })

  it('of a site without sitemaps reads some of its pages for more', async () => {
    const { links } = await service.sdk.map(bare.url)
    const found = paths(links, bare.url)
    expect(found).toContain('/blog/post-1')
    expect(found).toContain('/docs/wiring')
    expect(links.find(({ url }) => url.endsWith('/blog/'))?.title).toBe('Blog')
  })

  it('knows pages that were scraped before, though nothing links to them', async () => {
    await service.sdk.scrape(`${bare.url}/calendar/unlinked`)
    const { links } = await service.sdk.map(bare.url)
    expect(links.find(({ url }) => url.endsWith('/calendar/unlinked'))).toMatchObject({ title: 'Calendar' })
    const without = await post({ url: bare.url, useIndex: false })
    expect(paths(without.json.links, bare.url)).not.toContain('/calendar/unlinked')
  })
})

describe('a site that moved', () => {
  it('is mapped where it is now', async () => {
    const { json } = await post({ url: `${bare.url}/redirect/to?to=${encodeURIComponent(`${site.url}/`)}` })
    expect(paths(json.links)).toEqual(expect.arrayContaining(['/', '/blog/', '/only-in-sitemap']))
    expect(json.warning).toMatch(/redirects to/)
  })
})

describe('choices', () => {
  it('search puts what matches first, and with more than the limit leaves out the rest', async () => {
    const { links } = await service.sdk.map(site.url, { search: 'pricing' })
    expect(paths(links)[0]).toBe('/docs/pricing-of-parts')
    expect(links.length).toBeGreaterThan(3)
    const few = await service.sdk.map(site.url, { search: 'wiring', limit: 5 })
    expect(paths(few.links)).toEqual(['/docs/wiring'])
  })

  it('limit is exact', async () => {
    expect((await service.sdk.map(site.url, { limit: 3 })).links).toHaveLength(3)
  })

  it('sitemap only and skip', async () => {
    const only = paths((await service.sdk.map(site.url, { sitemap: 'only' })).links)
    expect(only).toContain('/only-in-sitemap')
    expect(only).not.toContain('/about')
    const none = await post({ url: bare.url, sitemap: 'only', useIndex: false })
    expect(none.json).toMatchObject({
      links: [{ url: `${bare.url}/` }],
      warning: 'No sitemap of this site lists any page.',
    })
    const skip = paths((await service.sdk.map(site.url, { sitemap: 'skip' })).links)
    expect(skip).not.toContain('/only-in-sitemap')
    expect(skip).toContain('/about')
  })

  it('stays below the path of the start, unless told otherwise', async () => {
    const below = paths((await service.sdk.map(`${site.url}/docs/`)).links)
    expect(below.length).toBeGreaterThan(2)
    expect(below.every((path) => path.startsWith('/docs/'))).toBe(true)
    const { json } = await post({ url: `${site.url}/docs/`, filterByPath: false })
    expect(paths(json.links)).toContain('/blog/post-5')
  })

  it('is never just the start when the site has links', async () => {
    const { json } = await post({ url: `${site.url}/docs/wiring` })
    expect(json.links.length).toBeGreaterThan(3)
    expect(json.warning).toMatch(/Nothing was found below \/docs\/wiring/)
  })

  it('keeps queries when told', async () => {
    const { json } = await post({ url: `${bare.url}/listing`, ignoreQueryParameters: false, filterByPath: false })
    expect(paths(json.links, bare.url)).toContain('/listing?page=2')
  })

  it('patterns choose, and one that cannot be used is a 400 that names it', async () => {
    const { json } = await post({ url: site.url, includePaths: ['^/docs/'], excludePaths: ['wiring'] })
    expect(paths(json.links).every((path) => path.startsWith('/docs/') && !path.includes('wiring'))).toBe(true)
    const bad = await post({ url: site.url, includePaths: ['(?=x)'] })
    expect(bad.status).toBe(400)
    expect(bad.json.error).toMatch(/^Bad Request: includePaths\.0: "\(\?=x\)"/)
  })
})

describe('a map that cannot be made', () => {
  it('times out with the words of the contract', async () => {
    const { status, json } = await post({ url: silent.url, timeout: 300 })
    expect(status).toBe(408)
    expect(json).toMatchObject({ success: false, code: 'MAP_TIMEOUT', error: 'The map operation timed out' })
  })

  it('a private address is refused, a dead one is a failed map', async () => {
    const refused = await post({ url: 'http://127.0.0.3/' })
    expect([refused.status, refused.json.code]).toEqual([403, 'UNSUPPORTED_SITE'])
    const missing = await post({ url: `${bare.url}/nothing/here`, useIndex: false })
    expect([missing.status, missing.json.code]).toEqual([500, 'MAP_FAILED'])
  })

  it.each([
    [{}, /^Invalid URL/],
    [{ url: 'ftp://example.com' }, /^Invalid URL/],
    [{ url: 'https://example.com', limit: 0 }, /limit/],
    [{ url: 'https://example.com', limit: 100_001 }, /limit/],
    [{ url: 'https://example.com', timeout: 0 }, /timeout/],
    [{ url: 'https://example.com', sitemap: 'some' }, /sitemap/],
    [{ url: 'https://example.com', deepest: 2 }, /^Unrecognized key/],
  ])('%j is a 400', async (body, message) => {
    const { status, json } = await post(body)
    expect(status).toBe(400)
    expect(json.error).toMatch(message)
  })

  it('passing by robots.txt is for the operator to allow', async () => {
    const { status, json } = await post({ url: site.url, ignoreRobotsTxt: true })
    expect(status).toBe(403)
    expect(json.error).toMatch(/^Forbidden: .*ORB_ROBOTS_CHOICE/)
  })
})

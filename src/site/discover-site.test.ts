import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import { createSiteDiscoverer, type DiscoveredUrl, type SiteDiscoveryOptions } from './discover-site.ts'
import type { SiteFetch, SiteResponse } from './site-fetch-types.ts'
import type { CachedSiteFile } from './site-file-cache.ts'

type Thing = string | Uint8Array | { status?: number; body?: string | Uint8Array; movedTo?: string } | Error | 'hang'

/** A web of a few addresses behind the port that app.ts fills with the real one. */
function web(things: Record<string, Thing>) {
  const asked: string[] = []
  const sent = new Map<string, object>()
  const fetch: SiteFetch = async ({ url, headers, maxBytes }, signal): Promise<SiteResponse> => {
    asked.push(url)
    sent.set(url, headers)
    const thing = things[url] ?? { status: 404, body: 'not here' }
    if (thing === 'hang')
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    if (thing instanceof Error) throw thing
    const {
      status = 200,
      body = '',
      movedTo = url,
    } = typeof thing === 'string' || thing instanceof Uint8Array ? { body: thing } : thing
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    const truncated = bytes.length > maxBytes
    return { url: movedTo, status, headers: {}, body: bytes.subarray(0, maxBytes), truncated }
  }
  const clock = new ManualClock()
  const files = new Map<string, CachedSiteFile>()
  const site = createSiteDiscoverer({
    fetch,
    files: { find: async (url) => files.get(url), keep: async (url, file) => void files.set(url, file) },
    clock,
    async readPage({ body, url }) {
      const text = new TextDecoder().decode(body)
      const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, href]) => new URL(href!, url).href)
      return { links, title: /<title>(.*)<\/title>/.exec(text)?.[1], description: undefined }
    },
  })
  return { site, asked, sent, clock }
}

const HOME = 'https://example.com/'
const never = new AbortController().signal
const sitemap = (...urls: string[]) => `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`
const index = (...urls: string[]) =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`

async function discover(things: Record<string, Thing>, question: Partial<SiteDiscoveryOptions> = {}) {
  const { site, asked, sent } = web(things)
  const asking = {
    url: HOME,
    sitemap: 'include' as const,
    links: 'more' as const,
    robots: {},
    headers: {},
    ...question,
  }
  const discovery = site.discover(asking, never)
  const found: DiscoveredUrl[] = []
  for await (const one of discovery) found.push(one)
  return { found, urls: found.map(({ url }) => url), asked, sent, report: discovery.report }
}

it('credentials stay with the origin they were given for, also where the start moves to another one', async () => {
  const away = 'https://elsewhere.test/'
  const headers = { authorization: 'Bearer secret' }
  const { sent } = await discover(
    { [HOME]: { body: '<title>Home</title>', movedTo: away } },
    { headers, robots: { headers } },
  )
  expect(sent.get(`${HOME}robots.txt`)).toMatchObject(headers)
  expect(sent.get(`${away}robots.txt`)).toEqual({})
  expect(sent.get(`${away}sitemap.xml`)).toEqual({})
})

it('a sitemap that is redirected to another site speaks for the site that named it only', async () => {
  const away = 'https://elsewhere.test/sitemap.xml'
  const { urls, report, asked } = await discover({
    [HOME]: '<title>Home</title>',
    [`${HOME}robots.txt`]: `Sitemap: ${HOME}index.xml\nSitemap: ${HOME}sitemap.xml`,
    [`${HOME}index.xml`]: {
      body: index('https://elsewhere.test/more.xml'),
      movedTo: 'https://elsewhere.test/index.xml',
    },
    [`${HOME}sitemap.xml`]: { body: sitemap(`${HOME}a`, 'https://elsewhere.test/b'), movedTo: away },
    'https://elsewhere.test/more.xml': sitemap(`${HOME}c`),
  })
  expect(urls).toEqual([HOME, `${HOME}a`])
  expect(report.sitemaps.foreign).toBe(2)
  expect(asked).not.toContain('https://elsewhere.test/more.xml')
})

describe('sitemaps that were read before', () => {
  const map = `${HOME}sitemap.xml`
  const things = () => ({ [HOME]: '<title>Home</title>', [map]: sitemap(`${HOME}a`) })
  const DAY_MS = 24 * 3_600_000

  async function ask(web_: ReturnType<typeof web>, question: Partial<SiteDiscoveryOptions>) {
    const before = web_.asked.length
    const asking = { url: HOME, sitemap: 'only' as const, links: 'none' as const, robots: {}, headers: {}, ...question }
    const discovery = web_.site.discover(asking, never)
    const urls: string[] = []
    for await (const { url } of discovery) urls.push(url)
    expect(urls).toEqual([HOME, `${HOME}a`])
    const [file] = discovery.report.sitemaps.files
    return { visits: web_.asked.slice(before).filter((url) => url === map).length, since: file?.keptSince }
  }

  it('are good for a week, and the report says since when', async () => {
    const site = web(things())
    const start = site.clock.now()
    expect(await ask(site, { keptSitemaps: 'use' })).toEqual({ visits: 1, since: undefined })
    site.clock.wind(6 * DAY_MS)
    expect(await ask(site, { keptSitemaps: 'use' })).toEqual({ visits: 0, since: new Date(start).toISOString() })
    site.clock.wind(DAY_MS)
    expect((await ask(site, { keptSitemaps: 'use' })).visits).toBe(1)
  })

  it('are renewed on demand, and not used by those who did not ask for them or bring headers of their own', async () => {
    const site = web(things())
    await ask(site, { keptSitemaps: 'use' })
    expect((await ask(site, {})).visits).toBe(1)
    expect((await ask(site, { keptSitemaps: 'use', headers: { cookie: 'who=me' } })).visits).toBe(1)
    site.clock.wind(6 * DAY_MS)
    expect((await ask(site, { keptSitemaps: 'renew' })).visits).toBe(1)
    site.clock.wind(2 * DAY_MS)
    expect((await ask(site, { keptSitemaps: 'use' })).visits).toBe(0)
  })

  it('are not kept when the site failed', async () => {
    const things: Record<string, Thing> = { [HOME]: 'x', [map]: { status: 503 } }
    const site = web(things)
    for await (const _ of site.site.discover(
      { url: HOME, sitemap: 'only', links: 'none', robots: {}, headers: {}, keptSitemaps: 'use' },
      never,
    ));
    things[map] = sitemap(`${HOME}a`)
    expect((await ask(site, { keptSitemaps: 'use' })).visits).toBe(1)
  })
})

describe('robots.txt of a site', () => {
  const robots = (thing: Thing, question = {}) =>
    web({ 'https://example.com/robots.txt': thing }).site.robotsOf(`${HOME}a`, question, never)
  const blocked = 'User-agent: *\nDisallow: /'

  it.each(['\uFEFF', ''])('may be UTF-16, with %j first', async (mark) => {
    const little = Buffer.from(`${mark}User-agent: *\nDisallow: /a`, 'utf16le')
    for (const bytes of [little, Buffer.from(little).swap16()]) {
      const read = await robots(new Uint8Array(bytes))
      expect([read.allows(`${HOME}a`), read.allows(`${HOME}b`)]).toEqual([false, true])
    }
  })

  it.each([
    ['404', { status: 404, body: blocked }, 'none', true],
    ['403', { status: 403, body: blocked }, 'none', true],
    ['429', { status: 429, body: blocked }, 'none', true],
    ['500', { status: 500, body: '' }, 'unreachable', false],
    ['503', { status: 503, body: 'User-agent: *\nAllow: /' }, 'unreachable', false],
    ['no connection', new Problem('site_failed'), 'unreachable', false],
    ['HTML', { body: `<!doctype html><html><body>${blocked}` }, 'none', true],
    ['an empty file', { body: '' }, 'none', true],
    ['rules', { body: blocked }, 'rules', false],
    ['rules after a byte-order mark', { body: `\uFEFF${blocked}` }, 'rules', false],
  ] as const)('%s: %j is read as %s', async (_name, thing, state, allowed) => {
    const read = await robots(thing)
    expect(read.state).toBe(state)
    expect(read.allows(`${HOME}a`)).toBe(allowed)
    if (state === 'unreachable') expect(read.notes.join()).toMatch(/RFC 9309/)
  })

  it('ten megabytes are read as far as 500 kB, whole lines only', async () => {
    const filler = `# ${'x'.repeat(97)}\n`.repeat(5119)
    const read = await robots(
      `User-agent: *\nDisallow: /early\n${filler}${filler.slice(0, 0)}Disallow: /edge-of-the-cut\n${'y'.repeat(10_000_000)}`,
    )
    expect(read.allows(`${HOME}early`)).toBe(false)
    expect(read.allows(`${HOME}other`)).toBe(true)
    expect(read.notes.join()).toMatch(/500 kB/)
  })

  it('a delay of an hour is kept for a minute, and said', async () => {
    const read = await robots('User-agent: *\nCrawl-delay: 3600')
    expect(read.delaySeconds).toBe(60)
    expect(read.notes.join()).toMatch(/3600 s/)
    expect((await robots('User-agent: *\nCrawl-delay: 2.5')).delaySeconds).toBe(2.5)
  })

  it('passing by it still shows its sitemaps', async () => {
    const read = await robots(`${blocked}\nSitemap: https://example.com/s.xml`, { ignore: true })
    expect(read.allows(`${HOME}a`)).toBe(true)
    expect(read.sitemaps).toEqual(['https://example.com/s.xml'])
  })

  it('another name has its own rules', async () => {
    const text = 'User-agent: examplebot\nDisallow: /a\nUser-agent: *\nAllow: /'
    expect((await robots(text, { agent: 'ExampleBot' })).allows(`${HOME}a`)).toBe(false)
    expect((await robots(text)).allows(`${HOME}a`)).toBe(true)
  })

  it('is kept for a day, but no more than 16 MB of such files', async () => {
    const origins = Array.from({ length: 40 }, (_, at) => `https://s${at}.example.com`)
    const large = `User-agent: *\nDisallow: /private\n#${'x'.repeat(500 * 1000)}`
    const { site, asked } = web(Object.fromEntries(origins.map((origin) => [`${origin}/robots.txt`, large])))
    for (const origin of origins) await site.robotsOf(`${origin}/`, {}, never)
    expect((await site.robotsOf(`${origins[39]}/private`, {}, never)).allows(`${origins[39]}/private`)).toBe(false)
    expect(asked).toHaveLength(40)
    await site.robotsOf(`${origins[0]}/`, {}, never)
    expect(asked).toHaveLength(41)
  })

  it('is asked once a day, a broken one once a minute, and by whoever is left when one goes away', async () => {
    const { site, asked, clock } = web({ 'https://example.com/robots.txt': { status: 500 } })
    await site.robotsOf(HOME, {}, never)
    const first = asked.length
    await site.robotsOf(`${HOME}other`, {}, never)
    expect(asked).toHaveLength(first)
    clock.wind(61_000)
    await site.robotsOf(HOME, {}, never)
    expect(asked.length).toBeGreaterThan(first)

    const slow = web({ 'https://example.com/robots.txt': 'hang' })
    const leaving = new AbortController()
    const gone = slow.site.robotsOf(HOME, {}, leaving.signal)
    const staying = new AbortController()
    const stays = slow.site.robotsOf(HOME, {}, staying.signal)
    leaving.abort(new Problem('cancelled'))
    await expect(gone).rejects.toThrow('closed the connection')
    await new Promise((resolve) => setImmediate(resolve))
    expect(slow.asked).toHaveLength(2)
    staying.abort(new Problem('cancelled'))
    await expect(stays).rejects.toThrow('closed the connection')
  })
})

describe('sitemaps of a site', () => {
  it('come from where robots.txt says, with their dates', async () => {
    const { found, asked } = await discover(
      {
        'https://example.com/robots.txt': 'Sitemap: https://example.com/maps/all.xml',
        'https://example.com/maps/all.xml':
          '<urlset><url><loc>https://example.com/a</loc><lastmod>2026-02-03</lastmod></url></urlset>',
      },
      { links: 'none' },
    )
    expect(found).toEqual([
      { url: HOME, source: 'start', depth: 0 },
      { url: 'https://example.com/a', source: 'robots', depth: 0, lastmod: '2026-02-03' },
    ])
    expect(asked).not.toContain('https://example.com/sitemap.xml')
  })

  it('else from the usual places, until one holds something', async () => {
    const { urls, asked } = await discover(
      {
        'https://example.com/sitemap_index.xml': index('https://example.com/s1.xml'),
        'https://example.com/s1.xml': sitemap('https://example.com/a'),
      },
      { links: 'none' },
    )
    expect(urls).toEqual([HOME, 'https://example.com/a'])
    expect(asked).not.toContain('https://example.com/sitemap.txt')
  })

  it('else from the links of llms.txt, which may lie and have no end', async () => {
    const endless = Array.from({ length: 60_000 }, (_, n) => `- [Page ${n}](/p${n}): one of many`).join('\n')
    const { urls, report } = await discover(
      {
        'https://example.com/llms.txt': `# Example\n> [About](https://example.com/about "us") and [b](/b)\n- [else](https://evil.org/c) [x](//evil.org/d) [y](javascript:alert(1)) ](](](\n${endless}`,
      },
      { links: 'none' },
    )
    expect(urls.slice(0, 4)).toEqual([
      HOME,
      'https://example.com/about',
      'https://example.com/b',
      'https://example.com/p0',
    ])
    expect(report.sitemaps.foreign).toBe(2)
    expect(report.sitemaps.notes.join()).toMatch(/more than 50000 URLs/)
  })

  it('may be packed, and a packed one may be a bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '))
    const { urls, report } = await discover(
      {
        'https://example.com/robots.txt':
          'Sitemap: https://example.com/a.gz\nSitemap: https://example.com/bomb.gz\nSitemap: https://example.com/broken.gz',
        'https://example.com/a.gz': gzipSync(sitemap('https://example.com/a')),
        'https://example.com/bomb.gz': bomb,
        'https://example.com/broken.gz': Uint8Array.of(0x1f, 0x8b, 8, 0, 1, 2, 3),
      },
      { links: 'none' },
    )
    expect(urls).toEqual([HOME, 'https://example.com/a'])
    expect(report.sitemaps.notes.join()).toMatch(/larger than 50 MB/)
    expect(report.sitemaps.files.find(({ url }) => url.endsWith('broken.gz'))?.because).toMatch(/unpacked/)
  })

  it('nested twenty deep are read five deep, and a circle once round', async () => {
    const things: Record<string, Thing> = { 'https://example.com/robots.txt': 'Sitemap: https://example.com/0.xml' }
    for (let level = 0; level < 20; level++)
      things[`https://example.com/${level}.xml`] = index(
        `https://example.com/${level + 1}.xml`,
        'https://example.com/0.xml',
      )
    things['https://example.com/3.xml'] = index('https://example.com/4.xml', 'https://example.com/pages.xml')
    things['https://example.com/pages.xml'] = sitemap('https://example.com/a')
    const { urls, asked, report } = await discover(things, { links: 'none' })
    expect(urls).toEqual([HOME, 'https://example.com/a'])
    expect(asked.filter((url) => url.endsWith('/0.xml'))).toHaveLength(1)
    expect(asked).not.toContain('https://example.com/6.xml')
    expect(report.sitemaps.notes.join()).toMatch(/nested more than 4 deep/)
  })

  it('lists of other sites are dropped and counted; those of subdomains and of www are not', async () => {
    const { urls, report } = await discover(
      {
        'https://example.com/robots.txt': 'Sitemap: https://cdn.files.net/example.xml',
        'https://cdn.files.net/example.xml': index('https://cdn.files.net/1.xml', 'https://evil.org/2.xml'),
        'https://cdn.files.net/1.xml': sitemap(
          'https://example.com/a',
          'https://blog.example.com/b',
          'https://evil.org/c',
          'file:///etc/passwd',
          'javascript:alert(1)',
          'https://user@example.com/',
        ),
      },
      { links: 'none' },
    )
    expect(urls).toEqual([HOME, 'https://example.com/a', 'https://blog.example.com/b'])
    expect(report.sitemaps.foreign).toBe(5)
  })

  it('of which one fails leave the others', async () => {
    const { urls, report } = await discover(
      {
        'https://example.com/robots.txt': ['dtd', 'gone', 'down', 'good']
          .map((name) => `Sitemap: https://example.com/${name}.xml`)
          .join('\n'),
        'https://example.com/dtd.xml':
          '<!DOCTYPE x [<!ENTITY e "y">]><urlset><url><loc>https://example.com/&e;</loc></url></urlset>',
        'https://example.com/down.xml': new Problem('site_failed'),
        'https://example.com/good.xml': sitemap('https://example.com/a'),
      },
      { links: 'none' },
    )
    expect(urls).toEqual([HOME, 'https://example.com/a'])
    expect(report.sitemaps.files.map(({ because }) => because)).toEqual([
      expect.stringMatching(/document type/),
      'it returned 404',
      expect.stringMatching(/could not be read/),
      undefined,
    ])
  })

  it('of a million addresses are streamed: whoever needs ten reads ten', async () => {
    const things: Record<string, Thing> = { 'https://example.com/robots.txt': 'Sitemap: https://example.com/i.xml' }
    things['https://example.com/i.xml'] = index(
      ...Array.from({ length: 20 }, (_, at) => `https://example.com/${at}.xml`),
    )
    const full = sitemap(...Array.from({ length: 50_000 }, (_, at) => `https://example.com/p/${at}`))
    for (let at = 0; at < 20; at++) things[`https://example.com/${at}.xml`] = full
    const { site, asked } = web(things)
    let count = 0
    for await (const _ of site.discover(
      { url: HOME, sitemap: 'include', links: 'none', robots: {}, headers: {} },
      never,
    ))
      if (++count >= 10) break
    expect(asked.length).toBeLessThan(6)
  })

  it('of more than fifty thousand addresses are cut there', async () => {
    const { urls, report } = await discover(
      {
        'https://example.com/sitemap.xml': sitemap(
          ...Array.from({ length: 50_010 }, (_, at) => `https://example.com/${at}`),
        ),
      },
      { links: 'none' },
    )
    expect(urls).toHaveLength(50_001)
    expect(report.sitemaps.notes.join()).toMatch(/more than 50000 URLs/)
  })
})

describe('links of a site', () => {
  it('come before the sitemap, and the start before all', async () => {
    const { found } = await discover({
      [HOME]: '<title>Home</title><a href="/a">a</a><a href="https://other.org/">o</a>',
      'https://example.com/sitemap.xml': sitemap('https://example.com/s'),
    })
    expect(found.slice(0, 4)).toEqual([
      { url: HOME, source: 'start', depth: 0, title: 'Home' },
      { url: 'https://example.com/a', source: 'link', depth: 1 },
      { url: 'https://other.org/', source: 'link', depth: 1 },
      { url: 'https://example.com/s', source: 'sitemap', depth: 0 },
    ])
  })

  it('of its pages are read when little is found, and robots.txt is heeded', async () => {
    const { found, asked, report } = await discover({
      [HOME]: '<a href="/a"><a href="/secret"><a href="https://other.org/x">',
      'https://example.com/robots.txt': 'User-agent: *\nDisallow: /secret',
      'https://example.com/a': '<title>A</title><a href="/a/b">',
    })
    expect(found).toContainEqual({ url: 'https://example.com/a/b', source: 'link', depth: 2 })
    expect(found).toContainEqual({ url: 'https://example.com/a', source: 'link', depth: 1, title: 'A' })
    expect(asked).not.toContain('https://example.com/secret')
    expect(asked).not.toContain('https://other.org/x')
    expect(report.pagesRead).toBe(2)
  })

  it('of its pages are not read when much is found', async () => {
    const many = Array.from({ length: 60 }, (_, at) => `<a href="/${at}">`).join('')
    const { report } = await discover({ [HOME]: many })
    expect(report.pagesRead).toBe(1)
  })

  it('are not read with the sitemap only', async () => {
    const { urls, asked } = await discover(
      { [HOME]: '<a href="/a">', 'https://example.com/sitemap.xml': sitemap('https://example.com/s') },
      { sitemap: 'only' },
    )
    expect(urls).toEqual([HOME, 'https://example.com/s'])
    expect(asked).not.toContain(HOME)
  })

  it('a start page that fails is reported, and the sitemap still read', async () => {
    const { urls, report } = await discover({
      [HOME]: { status: 500 },
      'https://example.com/sitemap.xml': sitemap('https://example.com/s'),
    })
    expect(urls).toEqual([HOME, 'https://example.com/s'])
    expect(report.startProblem?.message).toMatch(/returned 500/)
  })

  it('what is known already comes with its title', async () => {
    const known = [{ url: 'https://example.com/k', title: 'K' }]
    const { found } = await discover({}, { known })
    expect(found).toContainEqual({ url: 'https://example.com/k', source: 'known', depth: 0, title: 'K' })
  })

  it('stops when told, in the middle of whatever hangs', async () => {
    const { site } = web({ [HOME]: '<a href="/a">', 'https://example.com/robots.txt': 'hang' })
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Problem('cancelled')), 50)
    const reading = (async () => {
      for await (const _ of site.discover(
        { url: HOME, sitemap: 'include', links: 'more', robots: {}, headers: {} },
        stop.signal,
      )) {
      }
    })()
    await expect(reading).rejects.toThrow('closed the connection')
  })
})

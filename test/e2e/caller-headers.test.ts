// Headers that a caller gives for a site are for that site: whatever leads the visit elsewhere, in whatever capability and
// engine, they stay behind, unless `allowCredentialsFor` names the host. Cookies stay with their host.
import { describe, expect, it } from 'vitest'
import type { Page } from '../site/site.ts'
import { sampleOfEach } from '../soak.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { until } from './waiting.ts'

const OWN = 'own.example.com'
const SUBDOMAIN = 'other.own.example.com'
const STRANGER = 'stranger.example.net'
const OTHERS = [SUBDOMAIN, STRANGER]
/** Answers nothing without the caller's headers. */
const MEMBERS = 'members.example.org'
/** Requests that reached another host than the one that was named. */
let elsewhere: { host: string; path: string; sent: string }[] = []
const hosts = (of: typeof elsewhere) => [...new Set(of.map(({ host }) => host))].sort()
const withSecret = () => elsewhere.filter(({ sent }) => sent.includes('caller-secret'))

const there = (port: number, path = '/echo') => `http://${SUBDOMAIN}:${port}${path}`
const words = `<p>${'Some words stand here as well. '.repeat(20)}</p>`
const html =
  (body: (port: number) => string): Page =>
  ({ response, port }) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><title>Way</title>${body(port)}${words}`)
  }
const to =
  (host: string, path: string): Page =>
  ({ response, port }) => {
    response.writeHead(302, { location: `http://${host}:${port}${path}` })
    response.end()
  }
const stream =
  (host: string): Page =>
  ({ response, port }) => {
    const at = `http://${host}:${port}`
    const key = `#EXT-X-KEY:METHOD=AES-128,URI="${at}/paper",IV=0x00000000000000000000000000000000`
    const parts = `#EXTINF:4,\n/near.ts\n#EXTINF:4,\n${at}/paper\n`
    response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' })
    response.end(`#EXTM3U\n#EXT-X-TARGETDURATION:4\n${key}\n${parts}#EXT-X-ENDLIST\n`)
  }
const links = (port: number) => OTHERS.map((host) => `<a href="http://${host}:${port}/echo">${host}</a>`).join(' ')
const pages: Record<string, Page> = {
  '/way/redirect': to(SUBDOMAIN, '/echo'),
  '/way/meta': html((port) => `<meta http-equiv="refresh" content="0;url=${there(port)}">`),
  '/way/script': html((port) => `<script>location.href = ${JSON.stringify(there(port))}</script>`),
  '/way/file': to(SUBDOMAIN, '/paper'),
  '/echo': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><title>Echo</title><h1>Arrived elsewhere</h1><p>${'Words, words. '.repeat(40)}</p>`)
  },
  '/paper': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename=a.txt' })
    response.end('Arrived elsewhere')
  },
  '/hub': html(links),
  '/moved': to(STRANGER, '/hub'),
  '/robots.txt': ({ request, response, port }) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    const places = String(request.headers.host).startsWith(MEMBERS)
      ? [`${MEMBERS}:${port}/list.xml`]
      : [`${OWN}:${port}/moved-sitemap.xml`, `${STRANGER}:${port}/sitemap.xml`]
    response.end(places.map((place) => `Sitemap: http://${place}\n`).join(''))
  },
  '/moved-sitemap.xml': to(STRANGER, '/sitemap.xml'),
  '/sitemap.xml': ({ response, port }) => {
    response.writeHead(200, { 'content-type': 'application/xml' })
    const locs = [there(port), `http://${STRANGER}:${port}/echo`].map((loc) => `<url><loc>${loc}</loc></url>`).join('')
    response.end(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs}</urlset>`)
  },
  '/list.xml': ({ response, port }) => {
    response.writeHead(200, { 'content-type': 'application/xml' })
    const loc = `<url><loc>http://${MEMBERS}:${port}/listed</loc></url>`
    response.end(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${loc}</urlset>`)
  },
  '/listed': html(() => '<h1>Listed for members</h1>'),
  '/film': html((port) => `<video src="http://${OWN}:${port}/film.m3u8"></video>`),
  '/film.m3u8': stream(STRANGER),
  '/moved-film': to(STRANGER, '/film'),
  '/far-film': html((port) => `<video src="http://${STRANGER}:${port}/film.m3u8"></video>`),
  '/framed': html((port) => `<iframe src="http://${STRANGER}:${port}/echo"></iframe>`),
  '/found': html(() => '<h1>The kestrel lighthouse</h1>'),
  '/moved-hook': to(STRANGER, '/echo'),
}

/** Notes who was asked for what, with which headers, unless it is the site that was named. */
const watched = (page: Page): Page => {
  return (scene) => {
    const host = String(scene.request.headers.host).split(':')[0]!
    const { url = '', headers } = scene.request
    if (host === MEMBERS && headers.authorization !== 'Bearer caller-secret') {
      scene.response.writeHead(401).end()
      return
    }
    if (host !== OWN) elsewhere.push({ host, path: url, sent: JSON.stringify(headers) })
    return page(scene)
  }
}

const here = { a: ['127.0.0.1'] }
const { site, service } = shared(
  Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, watched(page)])),
  { names: { [OWN]: here, [SUBDOMAIN]: here, [STRANGER]: here, [MEMBERS]: here } },
)

/** For pages that come home, however busy the machine is. */
const PATIENT_MS = 200_000
const at = (path: string, host = OWN) => `http://${host}:${site.port}${path}`
const headers = {
  Authorization: 'Bearer caller-secret',
  Cookie: 'session=caller-secret',
  'X-Api-Key': 'caller-secret',
  'X-Anything': 'caller-secret',
}
const engines = {
  http: { fastMode: true },
  disguise: { fastMode: true, proxy: 'enhanced' },
  still: { waitFor: 300 },
  drawn: { waitFor: 300, formats: ['markdown', 'screenshot'] },
  enhanced: { waitFor: 300, proxy: 'enhanced' },
}
const ways = ['redirect', 'meta', 'script', 'file']
const cases = Object.entries(engines).flatMap(([engine, options]) =>
  ways
    .filter((way) => way === 'redirect' || way === 'file' || !('fastMode' in options))
    .map((way) => [engine, way, options] as const),
)
const openedWays = cases.filter(([engine, way]) => way === 'redirect' || (engine === 'drawn' && way !== 'meta'))

async function visit(way: string, options: object): Promise<void> {
  elsewhere = []
  const body = { url: at(`/way/${way}`), maxAge: 0, timeout: PATIENT_MS, headers, ...options }
  const { status, text, json } = await service.call('POST', '/v2/scrape', body)
  expect(status, text).toBe(200)
  expect(json.data.markdown).toMatch(/Arrived elsewhere/)
  expect(hosts(elsewhere)).toEqual([SUBDOMAIN])
}

interface Options {
  headers: object
  allowCredentialsFor?: string[]
}

const done = async (path: string): Promise<Json> => {
  let json: Json
  await until(async () => {
    json = (await service.call('GET', path)).json
    return !['scraping', 'processing', 'queued', 'running'].includes(json.status ?? json.data?.status)
  })
  return json
}
const started = async (path: string, body: object) => {
  const { json, text } = await service.call('POST', path, body)
  expect(json.success, text).toBe(true)
  return done(`${path}/${json.id}`)
}
const crawl = (scrapeOptions: Options, more: object) =>
  started('/v2/crawl', { limit: 5, scrapeOptions: { ...scrapeOptions, maxAge: 0 }, ...more })
const scrape = (options: Options, more: object) =>
  service.call('POST', '/v2/scrape', { maxAge: 0, timeout: PATIENT_MS, ...options, ...more })

async function monitored(target: object): Promise<Json> {
  const made = await service.call('POST', '/v2/monitor', { name: 'M', schedule: { text: 'daily' }, targets: [target] })
  const { id } = made.json.data
  const run = await service.call('POST', `/v2/monitor/${id}/run`)
  const checked = await done(`/v2/monitor/${id}/checks/${run.json.data.id}`)
  await service.call('DELETE', `/v2/monitor/${id}`)
  return checked
}

const planned = (url: string) => service.call('POST', '/v2/crawl/plan', { url, scrapeOptions: { headers } })
const members = () => ({ urls: [at('/*', MEMBERS)], prompt: 'title', showSources: true })

interface Capability {
  run(options: Options): Promise<unknown>
  /** Other hosts that it is led to. */
  reaches: string[]
  /** Those that `allowCredentialsFor` opens; by default all that it reaches. */
  opens?: string[]
}

const capabilities: Record<string, Capability> = {
  'a crawl whose start is moved': {
    run: (options) => crawl(options, { url: at('/moved') }),
    reaches: [STRANGER],
  },
  'a crawl with external links': {
    run: (options) => crawl(options, { url: at('/hub'), allowExternalLinks: true, sitemap: 'skip' }),
    reaches: OTHERS,
  },
  'a crawl with subdomains and sitemaps elsewhere': {
    run: (options) => crawl(options, { url: at('/hub'), allowSubdomains: true, crawlEntireDomain: true }),
    reaches: OTHERS,
  },
  'a plan of a crawl': {
    run: (scrapeOptions) => service.call('POST', '/v2/crawl/plan', { url: at('/hub'), scrapeOptions }),
    reaches: [STRANGER],
  },
  'a batch whose page is moved': {
    run: (options) => started('/v2/batch/scrape', { urls: [at('/way/redirect')], maxAge: 0, ...options }),
    reaches: [SUBDOMAIN],
  },
  'a batch with a webhook elsewhere': {
    run: async (options) => {
      const hooks = [at('/echo', STRANGER), at('/moved-hook')]
      for (const webhook of hooks)
        await started('/v2/batch/scrape', { urls: [at('/hub')], maxAge: 0, webhook, ...options })
      await until(() => elsewhere.length > 0)
    },
    reaches: [STRANGER],
    opens: [],
  },
  'a map whose start is moved': {
    run: (options) => service.call('POST', '/v2/map', { url: at('/moved'), ignoreCache: true, ...options }),
    reaches: [STRANGER],
  },
  'a map with sitemaps elsewhere': {
    run: (options) => service.call('POST', '/v2/map', { url: at('/hub'), ignoreCache: true, ...options }),
    reaches: [STRANGER],
  },
  'an extraction of a site': {
    run: (options) =>
      started('/v2/extract', { urls: [at('/*')], prompt: 'title', scrapeOptions: { ...options, maxAge: 0 } }),
    reaches: OTHERS,
  },
  'a stream whose parts and keys are elsewhere': {
    run: (options) => scrape(options, { url: at('/film'), formats: ['video'] }),
    reaches: [STRANGER],
  },
  'a stream that is elsewhere': {
    run: (options) => scrape(options, { url: at('/far-film'), formats: ['video'] }),
    reaches: [STRANGER],
  },
  'a stream of a page that is moved': {
    run: (options) => scrape(options, { url: at('/moved-film'), formats: ['video'] }),
    reaches: [STRANGER],
  },
  'a page with a frame of another site': {
    run: (options) => scrape(options, { url: at('/framed'), waitFor: 300, formats: ['markdown', 'screenshot'] }),
    reaches: [STRANGER],
  },
  'a monitored page that is moved': {
    run: (scrapeOptions) => monitored({ type: 'scrape', urls: [at('/way/redirect')], scrapeOptions }),
    reaches: [SUBDOMAIN],
  },
  'a monitored site with external links': {
    run: (scrapeOptions) =>
      monitored({
        type: 'crawl',
        url: at('/hub'),
        scrapeOptions,
        crawlOptions: { allowExternalLinks: true, limit: 5 },
      }),
    reaches: OTHERS,
  },
  'a search that scrapes its hits': {
    run: async (scrapeOptions) => {
      await service.call('POST', '/v2/scrape', { url: at('/found', STRANGER), maxAge: 0 })
      elsewhere = []
      await until(async () => {
        const body = {
          query: 'kestrel lighthouse',
          scrapeOptions: { ...scrapeOptions, formats: ['markdown'], maxAge: 0 },
        }
        const { json } = await service.call('POST', '/v2/search', body)
        return json.data.web?.length > 0
      })
    },
    reaches: [STRANGER],
  },
}

describe('the caller’s headers', () => {
  // All engines by one way, and one engine by all ways.
  const led = sampleOfEach(cases, ([engine, way]) => (engine === 'drawn' ? way : engine))
  it.each(led)('stay behind when %s is led elsewhere by %s', async (_engine, way, options) => {
    await visit(way, options)
    expect(withSecret()).toEqual([])
  })

  const followed = sampleOfEach(openedWays, ([engine, way]) => (engine === 'http' ? engine : way))
  it.each(followed)('follow %s elsewhere by %s when the host is allowed', async (_engine, way, options) => {
    await visit(way, { ...options, allowCredentialsFor: ['*.own.example.com'] })
    const page = elsewhere.findLast(({ path }) => path === '/echo' || path === '/paper')!
    expect(JSON.parse(page.sent)).toMatchObject({
      authorization: headers.Authorization,
      cookie: headers.Cookie,
      'x-anything': headers['X-Anything'],
    })
  })

  it.each(Object.keys(capabilities))('stay with the origin that was named in %s', async (name) => {
    const { run, reaches } = capabilities[name]!
    elsewhere = []
    const answer = await run({ headers })
    expect(hosts(elsewhere), JSON.stringify(answer)).toEqual(expect.arrayContaining(reaches))
    expect(withSecret()).toEqual([])
  })

  const opened = sampleOfEach(Object.keys(capabilities), (name) => name.split(' ')[1]!)
  it.each(opened)('go to the allowed host as well, and to no other, in %s', async (name) => {
    const { run, reaches, opens = reaches } = capabilities[name]!
    const allowed = reaches.includes(STRANGER) && opens.includes(STRANGER) ? STRANGER : SUBDOMAIN
    elsewhere = []
    await run({ headers, allowCredentialsFor: [allowed] })
    expect(hosts(withSecret())).toEqual(opens.filter((host) => host === allowed))
  })

  it.each([
    ['a crawl', () => crawl({ headers }, { url: at('/hub', MEMBERS), crawlEntireDomain: true })],
    ['a plan of a crawl', () => planned(at('/hub', MEMBERS))],
    ['a map', () => service.call('POST', '/v2/map', { url: at('/hub', MEMBERS), headers })],
    ['an extraction', () => started('/v2/extract', { ...members(), scrapeOptions: { headers } })],
  ])('let %s find what only members may list', async (_name, run) => {
    expect(JSON.stringify(await run())).toContain(at('/listed', MEMBERS))
  })

  it.each(['*.com', '*.github.io', 'https://api.example.org', 'api.example.org:8080', 'a b', '*'])(
    'are refused for %s, which is no host',
    async (host) => {
      const { status, json } = await scrape({ headers, allowCredentialsFor: [host] }, { url: at('/hub') })
      expect(status).toBe(400)
      expect(JSON.stringify(json)).toMatch(/allowCredentialsFor.*must be a host such as/)
    },
  )
})

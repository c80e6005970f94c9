// What a site may throw at map and crawl, at full size: a million addresses in sitemaps, bombs, patterns made to hang,
// links without end. Measured on the built service, with its health asked for all the while.
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createGzip, gzipSync } from 'node:zlib'
import { root, setUp } from '../../scripts/setup.mjs'
import { costOf, sleep } from '../process.mjs'
import { KEY, startOrb } from './rows/jobs-context.mjs'

const MIB = 1024 * 1024

export async function prove() {
  setUp()
  const [web, bombs, large] = await Promise.all(['usual', 'bomb', 'large'].map(startWeb))
  const ports = [web, bombs, large].map(({ port }) => port)
  const service = await startOrb({ ports, env: { ORB_LOG_LEVEL: 'warn' } })
  try {
    return {
      title: 'Sites',
      rows: [
        ...(await millionAddresses(service, web)),
        await bomb(service, bombs),
        await robotsOfTenMegabytes(service, large),
        ...(await patterns(service, web)),
        ...(await endless(service, web)),
        await manyLinks(),
      ],
    }
  } finally {
    await service.stop()
    for (const one of [web, bombs, large]) one.close()
  }
}

/** Runs `work` while watching memory and how long the service takes to say that it is alive. */
async function watched({ url, pid }, work) {
  const before = costOf(pid).rss
  let most = before
  let slowest = 0
  let over = false
  const watching = (async () => {
    while (!over) {
      const started = performance.now()
      await fetch(`${url}/v2/health/liveness`).then((answer) => answer.text())
      slowest = Math.max(slowest, performance.now() - started)
      most = Math.max(most, costOf(pid).rss)
      await sleep(20)
    }
  })()
  const started = performance.now()
  const result = await work().finally(() => {
    over = true
  })
  await watching
  return { result, seconds: (performance.now() - started) / 1000, slowestMs: slowest, grewMb: (most - before) / MIB }
}

async function post({ url }, path, body) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, json: await answer.json() }
}

const row = (what, bar, measured, ok) => ({ what, bar, measured, ok })

async function millionAddresses(service, web) {
  const { result, seconds, slowestMs, grewMb } = await watched(service, () =>
    post(service, '/v2/map', { url: `${web.url}/`, limit: 100_000, search: 'number 777 zebra' }),
  )
  const { links = [] } = result.json
  return [
    row(
      'map of 1,000,000 URLs in sitemaps, limit 100,000, with search',
      '≤ 60 s, best first',
      `${seconds.toFixed(1)} s, ${links.length} links, first ${links[0]?.url.replace(web.url, '')}`,
      seconds <= 60 && /777/.test(links[0]?.url ?? ''),
    ),
    row(
      'map of 1,000,000 URLs: slowest response of /health meanwhile',
      '≤ 500 ms',
      `${slowestMs.toFixed(0)} ms`,
      slowestMs <= 500,
    ),
    row('map of 1,000,000 URLs: growth of memory', '≤ 500 MB', `${grewMb.toFixed(0)} MB`, grewMb <= 500),
  ]
}

async function bomb(service, web) {
  const { result, seconds, slowestMs, grewMb } = await watched(service, () =>
    post(service, '/v2/map', {
      url: `${web.url}/bombs/`,
      sitemap: 'only',
      timeout: 60_000,
      filterByPath: false,
    }),
  )
  const cut = /larger than 50 MB/.test(result.json.warning ?? '')
  return row(
    'sitemap that unpacks to 1 GB: handling',
    'cut at 50 MB, ≤ 20 s, ≤ 250 MB, health ≤ 500 ms',
    `${cut ? 'cut' : 'not cut'}, ${seconds.toFixed(1)} s, ${grewMb.toFixed(0)} MB, ${slowestMs.toFixed(0)} ms`,
    cut && seconds <= 20 && grewMb <= 250 && slowestMs <= 500,
  )
}

async function robotsOfTenMegabytes(service, web) {
  const { result, seconds, slowestMs } = await watched(service, () =>
    post(service, '/v2/crawl/plan', {
      url: `${web.url}/listing/`,
      sitemap: 'skip',
    }),
  )
  const { data } = result.json
  return row(
    'robots.txt of 10 MB with wildcards in every rule: handling',
    'first 500 kB read, ≤ 10 s, health ≤ 500 ms',
    `${data?.robots?.notes.length ?? 0} notes, ${seconds.toFixed(1)} s, ${slowestMs.toFixed(0)} ms`,
    seconds <= 10 && slowestMs <= 500,
  )
}

async function patterns(service, web) {
  const nasty = ['(a+)+$', '(a|a)*b$', '(.*)*x', '([^/]+/)*y$', '(a?){200}a{200}', 'a.*a.*a.*a.*a.*b', '(x+x+)+y']
  const { result, seconds, slowestMs } = await watched(service, () =>
    post(service, '/v2/crawl/plan', { url: `${web.url}/aaaa/`, sitemap: 'skip', excludePaths: nasty }),
  )
  const bad = await post(service, '/v2/crawl/plan', { url: web.url, includePaths: ['(?=x)'] })
  return [
    row(
      'patterns such as (a+)+$ on 1,000 URLs of 2,000 characters: time',
      '≤ 20 s, health ≤ 500 ms',
      `${result.json.data?.counts.drop} dropped, ${seconds.toFixed(1)} s, ${slowestMs.toFixed(0)} ms`,
      seconds <= 20 && slowestMs <= 500,
    ),
    row(
      'a pattern that needs more than linear time',
      '400 with the pattern in the error',
      `${bad.status} ${bad.json.error}`,
      bad.status === 400 && bad.json.error.includes('(?=x)'),
    ),
  ]
}

async function endless(service, web) {
  const started = await post(service, '/v2/crawl', {
    url: `${web.url}/endless/1`,
    limit: 500,
    sitemap: 'skip',
    crawlEntireDomain: true,
  })
  const headers = { authorization: `Bearer ${KEY}` }
  const status = async (query = '') =>
    (await fetch(`${service.url}/v2/crawl/${started.json.id}${query}`, { headers })).json()
  let state = await status('?limit=1')
  for (let tries = 0; tries < 600 && state.status === 'scraping'; tries++) {
    await sleep(200)
    state = await status('?limit=1')
  }
  const urls = []
  for (let skip = 0; skip < 500; skip += 100)
    urls.push(...(await status(`?skip=${skip}&limit=100`)).data.map(({ metadata }) => metadata.sourceURL))
  const plan = await post(service, '/v2/crawl/plan', {
    url: `${web.url}/endless/1`,
    sitemap: 'skip',
    crawlEntireDomain: true,
  })
  return [
    row(
      'crawl of an endless site, limit 500',
      'completes with exactly 500 pages, each once',
      `${state.status}, ${urls.length} pages, ${new Set(urls).size} distinct`,
      state.status === 'completed' && urls.length === 500 && new Set(urls).size === 500,
    ),
    row(
      'calendar URLs visited of 2,000 on one page',
      'at most 200',
      String(plan.json.data.visit.filter(({ url }) => url.includes('/calendar/')).length),
      plan.json.data.visit.filter(({ url }) => url.includes('/calendar/')).length <= 200,
    ),
  ]
}

/** 1,000 pages with the same 1,000 links: what the scope costs, without a network between. */
async function manyLinks() {
  const { openCrawlScope } = await import(pathToFileURL(join(root, 'dist/base/crawl-scope.js')).href)
  const { crawlDefaults } = await import(pathToFileURL(join(root, 'dist/capabilities/crawl/crawl-options.js')).href)
  const scope = openCrawlScope(crawlDefaults, 'https://example.com/')
  const links = Array.from({ length: 1000 }, (_, n) => `https://example.com/section-${n % 30}/page-${n}?v=${n % 7}`)
  const halves = [0, 0]
  for (let half = 0; half < 2; half++) {
    const started = process.cpuUsage()
    for (let page = 0; page < 500; page++) for (const link of links) scope.accept(link, 1, 'link')
    const { user, system } = process.cpuUsage(started)
    halves[half] = (user + system) / 500_000
  }
  return row(
    'the same 1,000 links on 1,000 pages: time per link',
    '≤ 20 µs, no slower at the end',
    `${halves.map((us) => us.toFixed(1)).join(' µs, then ')} µs`,
    halves[1] <= 20 && halves[1] <= halves[0] * 1.5,
  )
}

/** A web of its own: pages, sitemaps and files as the rows above need them. */
async function startWeb(robots) {
  const full = (base, part) =>
    `<urlset>${Array.from({ length: 50_000 }, (_, n) => `<url><loc>${base}/part-${part}/number-${n}</loc></url>`).join('')}</urlset>`
  const pack = new Map()
  const page = (links) =>
    `<!doctype html><title>Links</title><main>${links.map((href) => `<a href="${href}">link</a>`).join('\n')}</main>`
  const server = createServer((request, response) => {
    const base = `http://127.0.0.1:${server.address().port}`
    const { pathname } = new URL(request.url, base)
    const send = (body, type = 'text/html') => response.writeHead(200, { 'content-type': type }).end(body)
    if (pathname === '/robots.txt') {
      if (robots === 'large')
        return send(`User-agent: *\n${'Disallow: /*a*b*c*d*e*f$\n'.repeat(420_000)}`, 'text/plain')
      if (robots === 'bomb') return send(`Sitemap: ${base}/bomb.xml.gz`, 'text/plain')
      return send(`User-agent: *\nDisallow: /nothing\nSitemap: ${base}/index.xml`, 'text/plain')
    }
    if (pathname === '/index.xml')
      return send(
        `<sitemapindex>${Array.from({ length: 20 }, (_, n) => `<sitemap><loc>${base}/maps/${n}.xml.gz</loc></sitemap>`).join('')}</sitemapindex>`,
        'application/xml',
      )
    if (pathname.startsWith('/maps/')) {
      const part = Number.parseInt(pathname.slice(6), 10)
      return send(pack.get(part), 'application/gzip')
    }
    if (pathname === '/bomb.xml.gz') {
      response.writeHead(200, { 'content-type': 'application/gzip' })
      const gzip = createGzip({ level: 9 })
      gzip.on('error', () => {}).pipe(response)
      response.on('close', () => gzip.destroy())
      const blank = Buffer.alloc(MIB, ' ')
      let left = 1024
      const more = () => {
        while (left-- > 0 && !gzip.destroyed) if (!gzip.write(blank)) return gzip.once('drain', more)
        if (!gzip.destroyed) gzip.end()
      }
      return more()
    }
    if (pathname === '/aaaa/')
      return send(page(Array.from({ length: 1000 }, (_, n) => `/aaaa/${'a'.repeat(1950)}${n}`)))
    if (pathname.startsWith('/endless/')) {
      const at = Number(pathname.slice(9)) || 1
      return send(
        page([
          ...Array.from({ length: 10 }, (_, n) => `/endless/${at * 10 + n}`),
          ...(at === 1
            ? Array.from({ length: 2000 }, (_, n) => `/calendar/${1900 + Math.floor(n / 12)}/${(n % 12) + 1}`)
            : []),
        ]),
      )
    }
    if (pathname === '/listing/')
      return send(page(Array.from({ length: 100 }, (_, n) => `/listing/${'abcdef'.repeat(50)}${n}`)))
    return send(page(['/part-0/number-1']))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  // Made beforehand: this process also measures, and must not be the one that is slow.
  if (robots === 'usual')
    for (let part = 0; part < 20; part++) pack.set(part, gzipSync(full(`http://127.0.0.1:${port}`, part)))
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

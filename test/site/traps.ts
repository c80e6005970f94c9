// Parts of a site that have no end, and files that are made to hurt whoever reads them: for crawl and map. Start it with
// startSite(traps()).
import { createGzip, gzipSync } from 'node:zlib'
import type { Page, Pages, Scene } from './page.ts'

const links = (hrefs: readonly string[]): string =>
  `<!doctype html><title>Endless</title><main><h1>Endless</h1>${hrefs.map((href) => `<a href="${href}">${href}</a>`).join('\n')}</main>`

const send =
  (make: (scene: Scene) => string | Buffer, type = 'text/html'): Page =>
  (scene) => {
    scene.response.writeHead(200, { 'content-type': type })
    scene.response.end(make(scene))
  }

/** The next twelve months, for ever. */
const calendar = send(({ url }) => {
  const [year = 2026, month = 1] = url.pathname.split('/').slice(-2).map(Number)
  const months = Array.from({ length: 12 }, (_, n) => new Date(Date.UTC(year, month + n, 1)))
  return links(months.map((date) => `/calendar/${date.getUTCFullYear()}/${date.getUTCMonth() + 1}`))
})

/** Every page adds one more filter. */
const shop = send(({ url }) => {
  const given = [...url.searchParams].map(([name, value]) => `${name}=${value}`)
  return links(Array.from({ length: 10 }, (_, n) => `/shop?${[...given, `f${given.length}=v${n}`].join('&')}`))
})

const bomb: Page = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/gzip' })
  const gzip = createGzip({ level: 9 })
  gzip.pipe(response)
  response.on('close', () => gzip.destroy())
  for (let megabytes = 0; megabytes < 300; megabytes++) gzip.write(Buffer.alloc(1024 * 1024, ' '))
  gzip.end()
}

export function traps(): Pages {
  return {
    '/': send(() =>
      links([
        '/calendar/2026/1',
        '/shop?a=1',
        '/deep/x',
        '/visit?token=0123456789abcdef0',
        '/page#one',
        '/page#two',
        '/page/',
        '/page/index.html',
        '/PAGE',
        '/page?utm_source=x',
        '/page?b=2&a=1',
        '/page?a=1&b=2',
      ]),
    ),
    '/page': send(() => links([])),
    '/calendar/*': calendar,
    '/shop': shop,
    // A relative link that never arrives.
    '/deep/*': send(() => links(['x/x', './x/'])),
    '/visit': send(({ hit }) => links([`/visit?token=${(0x123456789abcdef0n + BigInt(hit)).toString(16)}`])),
    '/robots.txt': send(
      ({ base }) =>
        `User-agent: *\nCrawl-delay: 0\nSitemap: ${base}/bomb.xml.gz\nSitemap: ${base}/circle.xml\nSitemap: ${base}/foreign.xml\n`,
      'text/plain',
    ),
    '/bomb.xml.gz': bomb,
    '/circle.xml': send(
      ({ base }) =>
        `<sitemapindex><sitemap><loc>${base}/circle.xml</loc></sitemap><sitemap><loc>${base}/deeper/1.xml</loc></sitemap></sitemapindex>`,
      'application/xml',
    ),
    '/deeper/*': send(({ base, url }) => {
      const level = Number(/(\d+)\.xml/.exec(url.pathname)?.[1])
      return `<sitemapindex><sitemap><loc>${base}/deeper/${level + 1}.xml</loc></sitemap></sitemapindex>`
    }, 'application/xml'),
    '/foreign.xml': send(
      () =>
        gzipSync(
          `<urlset>${'<url><loc>https://foreign.example.org/x</loc></url>'.repeat(1000)}<url><loc>file:///etc/passwd</loc></url></urlset>`,
        ),
      'application/xml',
    ),
  }
}

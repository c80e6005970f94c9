// A small company's whole site, as crawl and map meet one: robots.txt, an index of sitemaps (one packed, one of another
// host), sections, files, links that lead out and links that lead nowhere. Start it with startSite(gaugeWorks()).
import { gzipSync } from 'node:zlib'
import type { Page, Pages } from './page.ts'

const send =
  (body: string | Buffer, type = 'text/html; charset=utf-8'): Page =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': type })
    response.end(body)
  }

const html = (title: string, main: string): Page =>
  send(`<!doctype html><html lang="en"><head><title>${title}</title>
<meta name="description" content="${title} of Gauge Works."></head><body><main><h1>${title}</h1>${main}</main></body></html>`)

const nothing: Page = ({ response }) => {
  response.writeHead(404).end()
}

const anchors = (...hrefs: string[]): string => hrefs.map((href) => `<p><a href="${href}">${href}</a></p>`).join('\n')

const xml =
  (body: (base: string) => string | Buffer, type = 'application/xml'): Page =>
  (scene) =>
    send(body(scene.base), type)(scene)

const pages = (base: string, ...paths: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
    .map((path) => `<url><loc>${path.startsWith('/') ? base + path : path}</loc><lastmod>2026-05-01</lastmod></url>`)
    .join('')}</urlset>`

const post = (n: number): Page =>
  html(`Post ${n}`, `<p>What the gauge of week ${n} showed.</p>${anchors(`/blog/post-${n + 1}`, '/blog/')}`)

export interface GaugeWorksOptions {
  /** Lines of robots.txt before those that name the sitemaps. */
  robots?: string
  /** False: neither robots.txt nor sitemaps. */
  sitemaps?: boolean
}

export function gaugeWorks({
  robots = 'User-agent: *\nDisallow: /internal/',
  sitemaps = true,
}: GaugeWorksOptions = {}): Pages {
  const posts = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`/blog/post-${n + 1}`, post(n + 1)]))
  return {
    '/': html(
      'Gauge Works',
      anchors(
        '/blog/',
        '/docs/',
        '/docs/index.html',
        '/about?utm_source=home',
        '/About',
        '/internal/plans',
        '/paper.pdf',
        '/logo.png',
        'https://elsewhere.example.net/partner',
        'https://elsewhere.example.net/',
        'javascript:void(0)',
        'mailto:hello@example.com',
        'file:///etc/passwd',
        '#top',
      ),
    ),
    '/blog/': html('Blog', anchors('/blog/post-1', '/blog/post-2?sid=0123456789abcdef0123')),
    ...posts,
    '/docs/': html('Handbook', anchors('/docs/wiring', '/docs/pricing-of-parts', '/calendar/2026/1')),
    '/docs/wiring': html('Wiring a gauge', '<p>Red to VIN.</p>'),
    '/docs/pricing-of-parts': html('What parts cost', '<p>A tube is 4 euros.</p>'),
    '/about': html('About us', '<p>Two people and a boat.</p>'),
    '/internal/plans': html('Plans', '<p>Not for robots.</p>'),
    '/old': ({ response }) => {
      response.writeHead(301, { location: '/about' })
      response.end()
    },
    '/calendar/*': html('Calendar', '<p>Nothing on.</p>'),
    ...(sitemaps
      ? {
          '/robots.txt': xml((base) => `${robots}\n\nSitemap: ${base}/maps/index.xml\n`, 'text/plain'),
          '/maps/index.xml': xml(
            (base) =>
              `<sitemapindex>${['/maps/a.xml', '/maps/b.xml.gz', '/maps/index.xml', '/maps/dtd.xml']
                .map((path) => `<sitemap><loc>${base}${path}</loc></sitemap>`)
                .join('')}</sitemapindex>`,
          ),
          '/maps/a.xml': xml((base) =>
            pages(
              base,
              '/',
              '/docs/wiring',
              '/docs/pricing-of-parts',
              'https://foreign.example.org/x',
              '/only-in-sitemap',
            ),
          ),
          '/maps/b.xml.gz': xml((base) => gzipSync(pages(base, '/blog/post-5', '/blog/post-6')), 'application/gzip'),
          '/maps/dtd.xml': xml(
            (base) =>
              `<!DOCTYPE urlset [<!ENTITY x "${base}/from-an-entity">]><urlset><url><loc>&x;</loc></url></urlset>`,
          ),
          '/only-in-sitemap': html('Hidden page', '<p>No link leads here.</p>'),
        }
      : { '/robots.txt': nothing, '/sitemap.xml': nothing }),
  }
}

// Answers that are not HTML pages, and pages that answer by what was asked: echoes, counters, slow ones, statuses.
import { setTimeout as wait } from 'node:timers/promises'
import type { Page, Pages } from './page.ts'

const plain =
  (type: string, body: string | Buffer): Page =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': type })
    response.end(body)
  }

const rss = `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>Tidewater Notes</title><link>https://tidewater.example/</link>
<description>Notes about water and clocks</description>
<item><title>Why the tide tables moved</title><link>https://tidewater.example/article</link>
<description><![CDATA[<p>Eleven minutes, every day.</p>]]></description><pubDate>Wed, 04 Mar 2026 08:30:00 GMT</pubDate></item>
</channel></rss>`

const atom = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>Tidewater Notes</title><id>urn:tidewater</id>
<updated>2026-03-04T08:30:00Z</updated><entry><title>Gauge drifts in frost</title><id>urn:tidewater:2</id>
<link href="https://tidewater.example/forum"/><updated>2026-01-12T07:10:00Z</updated>
<summary>Four people and a frozen tube.</summary></entry></feed>`

// The smallest file that readers accept as a PDF: one page, one line of text.
const pdf = (() => {
  const content = 'BT /F1 24 Tf 72 720 Td (High water at noon) Tj ET'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  return `${text}xref\n0 6\n0000000000 65535 f \n${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
})()

const echo: Page = async ({ request, response }) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  response.writeHead(200, { 'content-type': 'application/json' })
  const { method, url, headers, rawHeaders } = request
  response.end(JSON.stringify({ method, url, headers, rawHeaders, body: Buffer.concat(chunks).toString() }))
}

const slow: Page = async ({ response, url }) => {
  const ms = Math.min(Number(url.searchParams.get('ms')) || 0, 60_000)
  await Promise.race([wait(ms), new Promise((resolve) => response.on('close', resolve))])
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(`<!doctype html><title>Slow</title><h1>Slow page</h1><p>This page took ${ms} milliseconds.</p>`)
}

const counter: Page = ({ response, hit }) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'max-age=60' })
  response.end(`<!doctype html><title>Counter</title><h1>Visit number ${hit}</h1><p>Nobody else counts here.</p>`)
}

const status: Page = ({ response, url }) => {
  const code = Number(url.pathname.split('/').at(-1)) || 404
  const empty = code === 204 || code === 304
  const headers = { 'content-type': 'text/html; charset=utf-8', ...(code === 429 ? { 'retry-after': '7' } : {}) }
  response.writeHead(code, empty ? {} : headers)
  response.end(
    empty ? '' : `<!doctype html><title>Status ${code}</title><h1>Status ${code}</h1><p>A page with words.</p>`,
  )
}

export const kindPages: Pages = {
  '/data.json': plain(
    'application/json',
    JSON.stringify({ harbour: 'Tidewater', shift: 11, places: ['lock', 'coast'] }),
  ),
  '/data.xml': plain('application/xml', '<?xml version="1.0"?><tides><tide place="harbour" shift="11"/></tides>'),
  '/feed.rss': plain('application/rss+xml', rss),
  '/feed.atom': plain('application/atom+xml', atom),
  '/notes.txt': plain('text/plain; charset=utf-8', 'High water at noon.\n\nLow water at six.\n'),
  '/notes.md': plain('text/markdown; charset=utf-8', '# Notes\n\nHigh water at **noon**.\n'),
  '/paper.pdf': plain('application/pdf', pdf),
  '/untyped': ({ response }) => {
    response.writeHead(200)
    response.end('<!doctype html><title>No type</title><p>No content type was sent with this page.</p>')
  },
  '/picture.png': plain(
    'image/png',
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  ),
  '/robots.txt': plain('text/plain', 'User-agent: *\nDisallow: /private/\nSitemap: /sitemap.xml\n'),
  '/sitemap.xml': ({ response, base }) => {
    const paths = ['/', '/article', '/docs', '/product', '/forum', '/listing']
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.end(
      `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
        .map((path) => `<url><loc>${base}${path}</loc></url>`)
        .join('')}</urlset>`,
    )
  },
  '/page-kinds/login': plain(
    'text/html',
    '<!doctype html><title>Members</title><h1>Sign in to read on</h1><form><input name="user"><input name="secret" type="password"><button>Sign in</button></form>',
  ),
  '/page-kinds/none': plain(
    'text/html',
    '<!doctype html><title>Page not found – Tidewater Notes</title><h1>Oh dear</h1><p>Nothing is here. Try the <a href="/">first page</a>.</p>',
  ),
  '/echo': echo,
  '/slow': slow,
  '/counter': counter,
  '/status/*': status,
}

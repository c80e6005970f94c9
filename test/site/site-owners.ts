// Pages whose owner reserves uses of them, each in another way, and pages that note who visits.
import type { IncomingHttpHeaders } from 'node:http'
import type { Page, Pages } from './page.ts'

const page =
  (head = '', headers: Record<string, string> = {}): Page =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html', ...headers })
    response.end(
      `<!doctype html><html lang="en"><title>A report</title>${head}<h1>A report</h1><p>The harbour froze in March, and the ferry did not run for nine days.</p>`,
    )
  }

export const siteOwnerPages = (note: (url: string, headers: IncomingHttpHeaders) => void): Pages => ({
  '/robots.txt': ({ response }) =>
    void response
      .writeHead(200, { 'content-type': 'text/plain' })
      .end(
        'User-agent: *\nContent-Usage: /signal/ train-ai=n\nContent-Signal: search=yes\n\nUser-agent: testbot\nContent-Usage: /signal/ train-ai=n\nDisallow: /closed\n',
      ),
  '/.well-known/tdmrep.json': ({ response }) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify([{ location: '/mined/*', 'tdm-reservation': 1 }])),
  '/free': page(),
  '/noai': page('', { 'x-robots-tag': 'noai' }),
  '/meta': page('<meta name="robots" content="index"><meta name="robots" content="noai, noimageai">'),
  '/terms': page(
    '<meta name="tdm-reservation" content="1"><meta name="tdm-policy" content="https://example.com/terms">',
  ),
  '/pretends': page('<meta name="reservedUses" content="nothing"><meta name="reservedBy" content="nobody">'),
  '/signal/a': page(),
  '/mined/a': page(),
  '/to-mined': ({ response }) => void response.writeHead(302, { location: '/mined/a' }).end(),
  '/linked': page('<p><a href="/free">free</a> <a href="/closed">closed</a>'),
  '/closed': page(),
  '/who': (scene) => {
    note(`http://${scene.request.headers.host}/who`, scene.request.headers)
    return page()(scene)
  },
  '/from': ({ request, response, url }) => {
    note(`http://${request.headers.host}/from`, request.headers)
    response.writeHead(302, { location: url.searchParams.get('to') ?? '/' }).end()
  },
})

// Redirects: honest, endless, to places that are no web page, and to the server that must never be reached.
import type { Page, Pages } from './page.ts'

const to =
  (location: (scene: Parameters<Page>[0]) => string, status = 302): Page =>
  (scene) => {
    scene.response.writeHead(status, { location: location(scene) })
    scene.response.end()
  }

const chain: Page = ({ response, url }) => {
  const left = Number(url.searchParams.get('left')) || 0
  if (left > 0) {
    response.writeHead(302, { location: `/redirect/chain?left=${left - 1}` })
    response.end('on you go')
  } else {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>Arrived</title><h1>The end of the chain</h1><p>Nothing follows.</p>')
  }
}

const needsCookie: Page = ({ request, response }) => {
  if (/(^|; )pass=open-sesame(;|$)/.test(request.headers.cookie ?? '')) {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>Inside</title><h1>You carry the cookie</h1>')
  } else {
    response.writeHead(302, { location: '/redirect/cookie', 'set-cookie': ['pass=open-sesame; Path=/', 'other=1'] })
    response.end()
  }
}

const bodied: Page = ({ response, count }) => {
  response.writeHead(302, { location: '/article', 'content-type': 'text/html' })
  const chunk = Buffer.alloc(65_536, 'x')
  const more = () => {
    while (!response.destroyed) {
      count(chunk.length)
      if (!response.write(chunk)) {
        response.once('drain', more)
        return
      }
    }
  }
  more()
}

export const redirectPages: Pages = {
  '/redirect/loop': to(() => '/redirect/loop'),
  '/redirect/pair-a': to(() => '/redirect/pair-b'),
  '/redirect/pair-b': to(() => '/redirect/pair-a'),
  '/redirect/chain': chain,
  '/redirect/50': to(() => '/redirect/chain?left=50'),
  '/redirect/file': to(() => 'file:///etc/passwd'),
  '/redirect/data': to(() => 'data:text/html,<h1>hello</h1>'),
  '/redirect/javascript': to(() => 'javascript:alert(1)'),
  '/redirect/ftp': to(() => 'ftp://127.0.0.1/notes.txt'),
  '/redirect/garbage': to(() => 'http://[not-an-address'),
  '/redirect/empty': to(() => ''),
  '/redirect/nowhere': ({ response }) => {
    response.writeHead(302, { 'content-type': 'text/html' })
    response.end('<h1>A redirect without a place</h1>')
  },
  '/redirect/forbidden': to(({ port }) => `http://127.0.0.2:${port}/secret`),
  '/redirect/forbidden-307': to(({ port }) => `http://127.0.0.2:${port}/secret`, 307),
  '/redirect/forbidden-v6': to(({ port }) => `http://[::1]:${port}/secret`),
  '/redirect/forbidden-decimal': to(({ port }) => `http://2130706434:${port}/secret`),
  '/redirect/forbidden-userinfo': to(({ port }) => `http://127.0.0.1@127.0.0.2:${port}/secret`),
  '/redirect/metadata': to(() => 'http://169.254.169.254/latest/meta-data/'),
  '/redirect/localhost': to(({ port }) => `http://localhost:${port}/secret`),
  '/redirect/relative': to(() => '../article'),
  '/redirect/utf8': to(() => Buffer.from('/entry/grüße').toString('latin1')),
  '/redirect/301': to(() => '/echo', 301),
  '/redirect/303': to(() => '/echo', 303),
  '/redirect/307': to(() => '/echo', 307),
  '/redirect/308': to(() => '/echo', 308),
  '/redirect/cookie': needsCookie,
  '/redirect/bodied': bodied,
  // `?to=`: anywhere, another origin included.
  '/redirect/to': to(({ url }) => url.searchParams.get('to') ?? '/'),
}

// Serves the zoo at /zoo for people, and on a separate local port for the service to scrape.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import type { PublicPaths } from '../public-paths.ts'
import { type ZooPage, zooPages } from './zoo-pages.ts'

type Shown = { status: number; headers: Record<string, string>; body: string | Uint8Array }

const HTML = 'text/html; charset=utf-8'
const byPath = new Map(zooPages.map((animal) => [animal.path, animal]))

function showPage(method: string, path: string, cookie: string, now: number): Shown {
  if (path === 'robots.txt') return makePlainPage('User-agent: *\nDisallow: /zoo/private\n', 'text/plain')
  if (path === '') return makePlainPage(index(), HTML)
  const animal = byPath.get(path) ?? byPath.get(`${path}/`)
  if (!animal)
    return {
      ...makePlainPage('<!doctype html><title>Nothing here</title><h1>Nothing lives here</h1>', HTML),
      status: 404,
    }
  if (method === 'POST' && animal.post)
    return { status: 303, headers: { location: animal.post.location, 'set-cookie': animal.post.cookie }, body: '' }
  if (animal.location) return { status: 302, headers: { location: animal.location }, body: '' }
  return pageOf(animal, cookie, now)
}

function pageOf({ inside, html = '', status = 200, type = HTML }: ZooPage, cookie: string, now: number): Shown {
  if (inside && cookie.split(/;\s*/).includes(inside.cookie)) return makePlainPage(inside.html, HTML)
  return { ...makePlainPage(typeof html === 'function' ? html(now) : html, type), status }
}

const makePlainPage = (body: string | Uint8Array, type: string): Shown => ({
  status: 200,
  headers: { 'content-type': type },
  body,
})

const index = (): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>The zoo</title><style>body{font:1rem/1.6 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#1c2322;background:#fbfaf8}a{color:#0f6b63}</style></head><body><main><h1>The zoo</h1><p>Ordinary and hostile pages to point a scraper at. They are always here, and they need no network.</p><ul>${zooPages.map(({ path, title, why }) => `<li><a href="/zoo/${path}">${title}</a>: ${why}</li>`).join('')}</ul></main></body></html>`

export type Zoo = { origin: string; host: string; close(): Promise<void> }

/** Loopback only. If the port is taken, any other is used. */
async function openZoo(port: number, clock: Clock): Promise<Zoo> {
  const server = createServer((request, response) => answer(request, response, clock))
  await listen(server, port).catch(() => listen(server, 0))
  server.unref()
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin: `http://${host}`,
    host,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })

function answer(request: IncomingMessage, response: ServerResponse, clock: Clock): void {
  request.resume()
  const path = (request.url ?? '/').split(/[?#]/, 1)[0] ?? '/'
  const inside = path === '/robots.txt' ? 'robots.txt' : /^\/zoo(?:\/(.*))?$/.exec(path)?.[1]
  const { status, headers, body } =
    path === '/'
      ? { status: 302, headers: { location: '/zoo/' }, body: '' }
      : showPage(
          request.method ?? 'GET',
          inside ?? (path === '/zoo' ? '' : 'nothing'),
          request.headers.cookie ?? '',
          clock.now(),
        )
  response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body)
}

type ZooSettings = { zoo: 'on' | 'off'; zooPort: number | undefined; port: number }

const [USUAL, BESIDE] = [3002, 3003] as const

export async function openZooSite(
  { zoo, zooPort, port }: ZooSettings,
  clock: Clock,
  closing: { add(close: () => Promise<void>): void },
): Promise<Zoo | undefined> {
  if (zoo === 'off') return undefined
  const opened = await openZoo(zooPort ?? (port === USUAL ? BESIDE : 0), clock)
  closing.add(() => opened.close())
  return opened
}

/** Each page is sandboxed, so that its scripts do not run in this origin. */
const POLICY =
  "sandbox allow-scripts allow-forms; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; form-action 'none'"

export function addZooRoutes(server: FastifyInstance, zoo: Zoo | undefined, clock: Clock, paths: PublicPaths): void {
  server.get('/zoo/index.json', async () => ({
    origin: zoo?.origin ?? null,
    pages: zooPages.map(({ path, title, why, chip }) => ({
      path: `/zoo/${path}`,
      title,
      why,
      ...(chip ? { chip } : {}),
    })),
  }))
  const visitPage = (path: string, cookie: string) => showPage('GET', path, cookie, clock.now())
  server.get('/zoo', async (_request, reply) => reply.redirect(paths.of('/zoo/'), 302))
  server.get<{ Params: { '*': string } }>('/zoo/*', async ({ params, headers }, reply) => {
    const { status, headers: own, body } = visitPage(params['*'], headers.cookie ?? '')
    return reply
      .code(status)
      .headers({
        ...own,
        ...(own.location ? { location: paths.of(own.location) } : {}),
        'content-security-policy': POLICY,
      })
      .send(typeof body === 'string' ? paths.inHtml(body) : Buffer.from(body))
  })
}

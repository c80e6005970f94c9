// The hermetic web of all tests: one server on 127.0.0.1 with plain pages and hostile corners, each theme in its file.
// It counts who came and how much was sent, so that tests can tell what a client did, not only what it said.
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { articlePages } from './articles.ts'
import { bigPages } from './big.ts'
import { blockPages } from './blocks.ts'
import { browserPages } from './browser-pages.ts'
import { charsetPages } from './charsets.ts'
import { compressionPages } from './compressions.ts'
import { drawnPages } from './drawn.ts'
import { filePages } from './files.ts'
import { hostilePages } from './hostile.ts'
import { interactPages } from './interact.ts'
import { kindPages } from './kinds.ts'
import type { Page, Pages } from './page.ts'
import { redirectPages } from './redirects.ts'

export type { Page, Pages, Scene } from './page.ts'

export interface Site {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  url: string
  host: string
  port: number
  /** Requests that came for this path, whatever their query. */
  hits(path: string): number
  /** Body bytes written so far by a page that streams. */
  sent(path: string): number
  /** Paths of all requests, in order; query included. */
  visits(): readonly string[]
  close(): Promise<void>
}

/** Sites of this worker so far: the service that they share remembers by address what it read. */
const usedPorts = new Set<number>()

async function listenOnNewPort(server: http.Server): Promise<number> {
  for (;;) {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    if (!usedPorts.has(port)) {
      usedPorts.add(port)
      return port
    }
    await once(server.close(), 'close')
  }
}

const pages: Pages = {
  ...articlePages,
  ...kindPages,
  ...filePages,
  ...redirectPages,
  ...charsetPages,
  ...compressionPages,
  ...blockPages,
  ...bigPages,
  ...hostilePages,
  ...drawnPages,
  ...browserPages,
  ...interactPages,
}

/** `own`: pages that this site has beside, or instead of, those that all have. */
export async function startSite(own: Pages = {}): Promise<Site> {
  const hits = new Map<string, number>()
  const sent = new Map<string, number>()
  const visits: string[] = []
  const server = http.createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    const base = `http://127.0.0.1:${port}`
    const url = new URL(request.url ?? '/', base)
    const path = url.pathname
    const hit = (hits.get(path) ?? 0) + 1
    hits.set(path, hit)
    visits.push(request.url ?? '/')
    response.on('error', () => {})
    const count = (bytes: number) => sent.set(path, (sent.get(path) ?? 0) + bytes)
    const folder = `${path.slice(0, path.lastIndexOf('/') + 1)}*`
    const page = own[path] ?? own[folder] ?? pages[path] ?? pages[folder] ?? missing
    void (async () => page({ request, response, url, base, port, hit, count }))()
  })
  server.on('connection', (socket) => socket.on('error', () => {}))
  server.keepAliveTimeout = 30_000
  const port = await listenOnNewPort(server)
  return {
    url: `http://127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    hits: (path) => hits.get(path) ?? 0,
    sent: (path) => sent.get(path) ?? 0,
    visits: () => visits,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const missing: Page = ({ response, url }) => {
  response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' })
  const path = url.pathname.replace(/[<&]/g, '')
  response.end(`<!doctype html><title>Not here</title><h1>Nothing at this address</h1><p>No page lives at ${path}.</p>`)
}

// What the measurements of a running service share: a site, a service or its halves, a receiver of webhooks, and ways to wait.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { root } from '../../../scripts/setup.mjs'
import { RICH_SITE } from '../../load.mjs'
import { sleep, startUntil } from '../../process.mjs'

export const KEY = 'fc-0123456789abcdef0123456789abcdef'
const MAIN = join(root, 'dist/main.js')

/** A linked site of so many pages: the richer one where it is there, else one of our own. */
export async function startWeb(pages, delayMs = 0) {
  if (existsSync(RICH_SITE) && delayMs === 0) {
    const port = 20_000 + Math.floor(Math.random() * 20_000)
    const args = [RICH_SITE, '--port', String(port), '--pages', String(pages)]
    const { child } = await startUntil(args, /site on/)
    return { url: `http://127.0.0.1:${port}`, port, stop: () => child.kill(), visits: () => 0 }
  }
  const visits = []
  const server = createServer((request, response) => {
    const n = Number(/^\/site\/(\d+)/.exec(request.url ?? '')?.[1] ?? 0)
    if (request.url === '/robots.txt' || request.url?.includes('sitemap')) return response.writeHead(404).end()
    visits.push({ url: request.url, at: Date.now() })
    const search = new URL(request.url ?? '/', 'http://x').search
    const links = Array.from({ length: 12 }, (_, at) => (n * 3 + at + 1) % pages)
    const list = links.map((to) => `<li><a href="/site/${to}${search}">Page ${to}</a></li>`).join('')
    const send = () => {
      response.setHeader('content-type', 'text/html')
      response.end(
        `<title>Page ${n}</title><main><h1>Page ${n}</h1><p>Some words of page ${n}.</p><ul>${list}</ul></main>`,
      )
    }
    if (delayMs > 0) setTimeout(send, delayMs)
    else send()
  })
  return { ...(await listening(server)), visits: () => visits.length, visited: visits }
}

/** Where a server of the proof is found, and how it ends. */
export async function listening(server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}`, port, stop }
}

/** Counts deliveries by id; one without an id, or a body that differs under one, is a fault. */
export async function startReceiver() {
  const letters = new Map()
  let faults = 0
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const { webhookId, type, id, data } = JSON.parse(text)
      const known = letters.get(webhookId)
      if (!webhookId || (known && known.text !== text)) faults += 1
      letters.set(webhookId, { text, type, job: id, source: data?.[0]?.metadata?.sourceURL })
      response.end()
    })
  })
  const { url, ...rest } = await listening(server)
  return { ...rest, url: `${url}/`, letters, faults: () => faults }
}

export const newFolder = () => mkdtempSync(join(tmpdir(), 'orb-prove-'))

/** `start`, `serve` or `work`; `flags` are Node's; `main` may be that of another build. */
export async function startOrb({ command = 'start', flags = [], ports, dataDir = newFolder(), env = {}, main = MAIN }) {
  const settings = {
    ORB_PORT: '0',
    ORB_DATA_DIR: dataDir,
    ORB_API_KEY: KEY,
    ORB_LOG_LEVEL: 'error',
    ORB_ALLOW_PRIVATE: ports.map((port) => `127.0.0.1:${port}`).join(','),
    ...env,
  }
  const { child, found, output } = await startUntil(
    [...flags, main, command],
    /ready\s+(?:http:\/\/localhost:(\d+)|to work)/,
    settings,
  )
  const url = `http://127.0.0.1:${found[1]}`
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const end = async (signal = 'SIGTERM') => {
    child.kill(signal)
    await gone
  }
  return {
    url,
    pid: child.pid,
    dataDir,
    output,
    signal: (name) => child.kill(name),
    end,
    call: (method, path, body, key = KEY) => call(url, method, path, body, key),
    async stop() {
      await end('SIGKILL')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function call(url, method, path, body, key) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return response.json()
}

/** Runs a command of the program to its end and returns what it printed. */
export function orb(args, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, ...env } })
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.once('exit', () => resolve(out))
  })
}

export async function until(holds, ms = 600_000, everyMs = 200) {
  const end = performance.now() + ms
  for (;;) {
    const value = await Promise.resolve(holds()).catch(() => undefined)
    if (value) return value
    if (performance.now() > end) throw new Error('it did not happen in time')
    await sleep(everyMs)
  }
}

/** The sums of a job, without its documents. */
export const sums = (service, id, key, path = '/v2/crawl') =>
  service.call('GET', `${path}/${id}?skip=99999999&limit=1`, undefined, key)

export const finished = (service, id, ms, path) =>
  until(async () => {
    const status = await sums(service, id, undefined, path)
    return status.status && status.status !== 'scraping' ? status : undefined
  }, ms)

/** Every document's address, page by page. */
export async function sourcesOf(service, id) {
  const all = []
  for (let next = `/v2/crawl/${id}`; next; ) {
    const body = await service.call('GET', next)
    all.push(...body.data.map((document) => document.metadata.sourceURL))
    next = body.next?.replace(/^https?:\/\/[^/]+/, '')
  }
  return all
}

/** An empty database on the server; commits survive a kill of the server, unlike those of the tests' own settings. */
export async function newDatabase(adminUrl) {
  const name = `prove_${Date.now()}_${Math.floor(Math.random() * 1e6)}`
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.query(`alter database ${name} set synchronous_commit = on`)
  await client.end()
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

// Fault A 10: what the operator opens beside the public web is for the keys that have the right, on every way out; it is
// written down, and what a key with the right brought home is not handed to one without.
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Page, type Site, startSite } from '../site/site.ts'
import { type Json, request, runToEnd, type Service, startService } from './service.ts'
import { shared } from './shared.ts'
import { newKey as newKeyOf } from './team.ts'
import { until } from './waiting.ts'

/** `ORB_ALLOW_PRIVATE_FOR` is `everyone` there. */
const { service: open } = shared()
const list: Page = ({ response }) => {
  response.writeHead(200, { 'content-type': 'text/html' })
  const items = ['Ash', 'Birch', 'Cedar', 'Dogwood', 'Elm'].map(
    (tree) => `<article><h2><a href="/${tree}">${tree} trees of the harbour</a></h2><p>Words on ${tree}.</p></article>`,
  )
  response.end(`<title>Trees</title><main><h1>Trees</h1>${items.join('')}</main>`)
}
let site: Site
let receiver: http.Server
let service: Service
/** Where letters came to. */
const letters: string[] = []
const hook = (name: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${name}`
beforeAll(async () => {
  site = await startSite({ '/list': list })
  receiver = http.createServer((request, response) => {
    letters.push(request.url ?? '')
    response.end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  service = await startService({ env: { ORB_ALLOW_PRIVATE: '127.0.0.1', ORB_ALLOW_PRIVATE_FOR: 'keys' } })
})
afterAll(async () => {
  await service.stop()
  receiver.close()
  await site.close()
})

const newKey = async (rights: string[]): Promise<string> => {
  const { json } = await service.call('POST', '/v2/admin/keys', { name: `with ${rights.join() || 'nothing'}`, rights })
  return json.key
}
const as = (key: string) => (method: string, path: string, body?: unknown) =>
  request(service.url + path, method, body, { authorization: `Bearer ${key}` })

/** Every way that leads a request of one key to an address. */
const ways: [string, (call: ReturnType<typeof as>, page: string) => Promise<{ status: number; json: Json }>][] = [
  ['scrape', (call, url) => call('POST', '/v2/scrape', { url })],
  ['scrape from the cache', (call, url) => call('POST', '/v2/scrape', { url, maxAge: 1_000_000 })],
  ['scrape in a browser', (call, url) => call('POST', '/v2/scrape', { url, waitFor: 1, maxAge: 0 })],
  ['scrape with a picture', (call, url) => call('POST', '/v2/scrape', { url, formats: ['screenshot'], maxAge: 0 })],
  ['scrape in disguise', (call, url) => call('POST', '/v2/scrape', { url, proxy: 'enhanced', maxAge: 0 })],
  ['read', (call, url) => call('GET', `/r/${url}`)],
  ['map', (call, url) => call('POST', '/v2/map', { url })],
  ['crawl', (call, url) => job(call, 'crawl', { url, limit: 2 })],
  ['batch', (call, url) => job(call, 'batch/scrape', { urls: [url] })],
  ['interact', session],
  ['monitor of a page', (call, url) => watch(call, { type: 'scrape', urls: [url] })],
  ['monitor of a site', (call, url) => watch(call, { type: 'crawl', url, crawlOptions: { limit: 2 } })],
  ['monitor of a flow', flowWatch],
  ['feed', (call, url) => feed(call, url.replace('/article', '/list'))],
  ['agent', (call, url) => agent(call, url)],
]

async function watch(call: ReturnType<typeof as>, target: object) {
  const made = await call('POST', '/v2/monitor', { name: 'x', schedule: { text: 'daily' }, targets: [target] })
  if (made.status >= 300) return made
  const { id } = made.json.data
  const run = (await call('POST', `/v2/monitor/${id}/run`)).json.data
  let check: Json
  await until(async () => {
    check = (await call('GET', `/v2/monitor/${id}/checks/${run.id}`)).json.data
    return !['queued', 'running'].includes(check.status)
  })
  return { status: check.summary.new > 0 ? 200 : 403, json: { error: JSON.stringify(check), ...check } }
}

async function flowWatch(call: ReturnType<typeof as>, url: string) {
  const name = `flow-${Math.random().toString(36).slice(2)}`
  const stored = await call('PUT', `/v2/flow/${name}`, { steps: [{ type: 'open', url }] })
  return stored.status >= 300 ? stored : watch(call, { type: 'flow', name })
}

async function feed(call: ReturnType<typeof as>, url: string) {
  const { status, json } = await call('POST', '/v2/feeds', { url })
  return { status, json: { error: JSON.stringify(json), ...json } }
}

async function agent(call: ReturnType<typeof as>, url: string) {
  const { status, json } = await call('POST', '/v2/agent', { urls: [url], prompt: 'What is the title of the page?' })
  if (status !== 200) return { status, json }
  let run: Json
  await until(async () => {
    run = (await call('GET', `/v2/agent/${json.id}`)).json
    return run.status !== 'processing'
  })
  return {
    status: run.status === 'completed' && run.data !== null ? 200 : 403,
    json: { error: JSON.stringify(run), ...run },
  }
}

async function job(call: ReturnType<typeof as>, kind: string, body: object) {
  const started = await call('POST', `/v2/${kind}`, body)
  if (started.status !== 200) return started
  let state: Json
  await until(async () => {
    state = (await call('GET', `/v2/${kind}/${started.json.id}`)).json
    return state.status !== 'scraping'
  })
  const { json: errors } = await call('GET', `/v2/${kind}/${started.json.id}/errors`)
  const isThere = state.data.length > 0
  return { status: isThere ? 200 : 403, json: { ...state, error: JSON.stringify(errors.errors) } }
}

async function session(call: ReturnType<typeof as>, url: string) {
  const opened = await call('POST', '/v2/interact', {})
  const id = opened.json.id ?? opened.json.sessionId
  const code = `await page.goto(${JSON.stringify(url)}); await page.title()`
  const { json } = await call('POST', `/v2/interact/${id}/execute`, { code })
  await call('DELETE', `/v2/interact/${id}`)
  const reached = /Harbour|article|tide/i.test(JSON.stringify(json.result ?? json.stdout ?? ''))
  return { status: reached ? 200 : 403, json }
}

describe('the zoo, a site of our own', () => {
  it('is there for every key, and nothing else of this machine is', async () => {
    const call = as(await newKey([]))
    const { origin } = (await call('GET', '/zoo/index.json')).json
    for (const options of [{}, { waitFor: 1, maxAge: 0 }]) {
      const { status, json } = await call('POST', '/v2/scrape', { url: `${origin}/zoo/article`, ...options })
      expect([status, json.data?.metadata?.statusCode]).toEqual([200, 200])
    }
    const inside = [
      origin.replace(/:\d+$/, `:${site.port}`),
      service.url.replace('localhost', '127.0.0.1'),
      'http://localhost:1',
    ]
    for (const url of inside) expect((await call('POST', '/v2/scrape', { url: `${url}/zoo/article` })).status).toBe(403)
  })
})

describe('addresses that the operator opened', () => {
  it.each(ways)('are there for the operator and for keys with the right, and for no others: %s', async (_name, go) => {
    const page = `${site.url}/article`
    const [granted, plain] = [await newKey(['private']), await newKey([])]
    expect((await go(as(service.key), page)).status).toBe(200)
    expect((await go(as(granted), page)).status).toBe(200)
    const before = site.visits().length
    const refused = await go(as(plain), page)
    expect(refused.status).not.toBe(200)
    expect(site.visits().length).toBe(before)
  })

  it('webhooks of a key without the right are not sent there', async () => {
    const [granted, plain] = [await newKey(['private']), await newKey([])]
    const start = (key: string, name: string) =>
      as(key)('POST', '/v2/batch/scrape', { urls: ['http://unknown.invalid/'], webhook: hook(name) })
    expect((await start(granted, 'granted')).status).toBe(200)
    await until(() => letters.includes('/granted'))
    const started = await start(plain, 'plain')
    if (started.status === 200) {
      const log = async () => (await service.call('GET', `/v2/webhooks/deliveries?limit=50`)).json
      await until(async () => JSON.stringify(await log()).includes('not on the public web')).catch(() => undefined)
    } else expect(started.status).toBe(403)
    expect(letters).not.toContain('/plain')
  })

  it('are written down when they are visited', () => {
    expect(service.logged().some((line) => line.includes('visited through the allow-list'))).toBe(true)
  })

  it('are for everyone where the operator says so', async () => {
    const plain = await newKeyOf(open, {})
    expect((await plain.call('POST', '/v2/scrape', { url: `${site.url}/article` })).status).toBe(200)
  })
})

describe('the right to them', () => {
  it('is given by the operator alone', async () => {
    const { json: team } = await service.call('POST', '/v2/admin/teams', { name: 'tenant' })
    const owner = as(team.key)
    const { status } = await owner('POST', '/v2/admin/keys', { name: 'mine', rights: ['private'] })
    expect(status).toBe(403)
    const { json: own } = await owner('POST', '/v2/admin/keys', { name: 'mine' })
    expect((await owner('PATCH', `/v2/admin/keys/${own.data.id}`, { rights: ['private'] })).status).toBe(403)
    // Its admin manages the team, and visits what everybody may.
    expect((await owner('POST', '/v2/scrape', { url: `${site.url}/article` })).status).toBe(403)
    const given = await service.call('PATCH', `/v2/admin/keys/${own.data.id}`, { rights: ['private'] })
    expect(given.json.data.rights).toEqual(['private'])
    expect((await as(own.key)('POST', '/v2/scrape', { url: `${site.url}/article` })).status).toBe(200)
    // What a key has, its team may leave it.
    const kept = await owner('PATCH', `/v2/admin/keys/${own.data.id}`, { rights: ['private'], name: 'renamed' })
    expect(kept.status).toBe(200)
  })

  it('is given on the command line', async () => {
    const made = await runToEnd({ ORB_DATA_DIR: service.dataDir }, ['keys', 'create', 'default', 'x', '--private'])
    expect(made.code).toBe(0)
    const key = /fc-[0-9a-f]{32}/.exec(made.out)?.[0] ?? ''
    expect((await as(key)('POST', '/v2/scrape', { url: `${site.url}/article` })).status).toBe(200)
  })
})

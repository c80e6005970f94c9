// A service with proxies of the enhanced tier: `proxy: "auto"` visits again from another address when the basic tier is
// refused, and a proxy that fails is a fault of the gateway.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProxy, startSocksProxy, type TestProxy } from '../site/proxy.ts'
import { type Page, type Site, startSite } from '../site/site.ts'
import { migratedFolder, runToEnd, type Service, startService } from './service.ts'
import { callsWith, failure } from './team.ts'
import { until } from './waiting.ts'

const article =
  '<!doctype html><html lang="en"><title>Let in</title><main><h1>Let in</h1><p>Open to visitors.</p></main>'
const letIn: Page = ({ response }) => void response.writeHead(200, { 'content-type': 'text/html' }).end(article)
/** Refuses the first visitor and lets the second in. */
const refusing =
  (refuse: Page): Page =>
  (scene) =>
    scene.hit === 1 ? refuse(scene) : letIn(scene)
const status =
  (code: number): Page =>
  ({ response }) =>
    void response.writeHead(code, { 'content-type': 'text/html' }).end('<title>No</title><p>Not for you.</p>')
const statuses = [401, 403, 429, 500, 503]

let site: Site
let enhanced: TestProxy
let service: Service
let own: TestProxy
let keyOfTeam: string
beforeAll(async () => {
  enhanced = await startProxy()
  site = await startSite({
    '/reset': refusing(({ response }) => void response.socket?.resetAndDestroy()),
    ...Object.fromEntries(statuses.map((code) => [`/refuse/${code}/page`, refusing(status(code))])),
    '/always/403': status(403),
    '/gone': status(404),
  })
  own = await startSocksProxy({ login: 'me:s3cret' })
  const dataDir = await migratedFolder()
  const made = await runToEnd({ ORB_DATA_DIR: dataDir }, ['teams', 'create', 'ferry', '--json'])
  const team = JSON.parse(made.out)
  keyOfTeam = team.key
  service = await startService({
    dataDir,
    env: {
      ORB_ALLOW_PRIVATE: '127.0.0.1',
      ORB_ALLOW_PRIVATE_FOR: 'everyone',
      ORB_PROXIES_ENHANCED: enhanced.url,
      ORB_PROXIES_BASIC: `team:${team.id}=${own.url}`,
    },
  })
})
afterAll(async () => {
  await service?.stop()
  await Promise.all([site?.close(), enhanced?.close(), own?.close()])
})

describe('proxy: auto', () => {
  it.each(['/reset', ...statuses.map((code) => `/refuse/${code}/page`)])(
    'visits %s again through the enhanced tier, once, at the price of a page',
    async (path) => {
      const before = enhanced.tunnels().length
      const { markdown, metadata } = await service.sdk.scrape(site.url + path, { maxAge: 0 })
      expect(markdown).toMatch(/Open to visitors/)
      expect(metadata).toMatchObject({ statusCode: 200, proxyUsed: 'stealth', creditsUsed: 1 })
      expect(site.hits(path)).toBe(2)
      expect(enhanced.tunnels().length).toBeGreaterThan(before)
    },
  )

  it('returns the refusal when the enhanced tier gets it too, and does not try a third time', async () => {
    const { metadata } = await service.sdk.scrape(`${site.url}/always/403`, { maxAge: 0 })
    expect(metadata).toMatchObject({ statusCode: 403, proxyUsed: 'stealth' })
    expect(site.hits('/always/403')).toBe(2)
  })

  it('does not visit again what no other address could mend', async () => {
    const { metadata } = await service.sdk.scrape(`${site.url}/gone`, { maxAge: 0 })
    expect(metadata).toMatchObject({ statusCode: 404, proxyUsed: 'basic' })
    expect(site.hits('/gone')).toBe(1)
  })

  it('basic stays with its tier', async () => {
    const { metadata } = await service.sdk.scrape(`${site.url}/always/403?basic`, { maxAge: 0, proxy: 'basic' })
    expect(metadata).toMatchObject({ statusCode: 403, proxyUsed: 'basic' })
  })
})

it('visits for a team through its own proxy, and caches its pages apart', async () => {
  const call = callsWith(service, keyOfTeam)
  const url = `${site.url}/article`
  const scrape = async (as: typeof call, body = {}) => (await as('POST', '/v2/scrape', { url, ...body })).json.data
  await scrape(service.call)
  expect(own.tunnels()).toEqual([])
  const plain = await scrape(call)
  expect([plain.metadata.cacheState, own.tunnels().length]).toEqual(['miss', 1])
  expect((await scrape(call)).metadata.cacheState).toBe('hit')
  await scrape(call, { waitFor: 1, maxAge: 0 })
  expect(own.tunnels().length).toBeGreaterThan(1)
  expect(new Set(own.tunnels())).toEqual(new Set([`127.0.0.1:${site.port}`]))
})

it('visits for jobs through the proxy of their own team, also while another team starts some', async () => {
  // Sites that nobody visited yet: a proxy keeps its connections.
  const [ourSite, theirSite] = await Promise.all([startSite({}), startSite({})])
  const batch = async (as: typeof service.call, { url }: Site) => {
    const urls = [1, 2, 3].map((n) => `${url}/article?${n}`)
    return (await as('POST', '/v2/batch/scrape', { urls, maxAge: 0, maxConcurrency: 1 })).json.id
  }
  const ours = await batch(callsWith(service, keyOfTeam), ourSite)
  const theirs = await batch(service.call, theirSite)
  const ended = async (as: typeof service.call, id: string) =>
    (await as('GET', `/v2/batch/scrape/${id}`)).json.status === 'completed'
  await until(async () => (await ended(callsWith(service, keyOfTeam), ours)) && (await ended(service.call, theirs)))
  expect(own.tunnels()).toContain(`127.0.0.1:${ourSite.port}`)
  expect(own.tunnels()).not.toContain(`127.0.0.1:${theirSite.port}`)
  await Promise.all([ourSite.close(), theirSite.close()])
})

it('says Bad Gateway when the proxy fails', async () => {
  await enhanced.close()
  const refused = await failure(service.sdk.scrape(`${site.url}/article`, { maxAge: 0, proxy: 'enhanced' }))
  expect([refused.status, refused.code]).toEqual([502, 'SCRAPE_PROXY_SELECTION_ERROR'])
  expect(refused.message).toMatch(/^Bad Gateway/)
})

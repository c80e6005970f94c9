// Other teams' ids do not exist: every route with an id is walked with the real id of another team's thing, and answers
// as it answers to an id that nobody has. Faults E 41, 42.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { makeV1Routes } from '../../src/api/compat/v1.ts'
import { capabilities } from '../../src/capabilities/index.ts'
import { type Site, startSite } from '../site/site.ts'
import { type Answer, type Service, startService } from './service.ts'
import { callsWith, type Member, newTeam } from './team.ts'
import { finished, until } from './waiting.ts'

const NOBODY = '019a0000-0000-7000-8000-000000000000'

/** What stands at each id, by the path that asks for it. A route with an id that is not here fails the test. */
const THINGS: readonly (readonly [
  RegExp,
  (
    | 'scrape'
    | 'crawl'
    | 'batch'
    | 'extract'
    | 'delivery'
    | 'key'
    | 'team'
    | 'monitor'
    | 'agent'
    | 'session'
    | 'feed'
    | 'extractor'
    | undefined
  ),
])[] = [
  // Not ids: secret tokens, and names that each team has for itself.
  [
    /^\/live\/|^\/v2\/feeds\/:token\/|^\/v2\/monitor\/(feeds|email)\/|\/profiles\/:name$|^\/v2\/(flow|vault)\/:name/,
    undefined,
  ],
  [/^\/v\d\/scrape\/:/, 'scrape'],
  [/^\/v2\/monitor\/:/, 'monitor'],
  [/^\/v2\/feeds\/:/, 'feed'],
  [/^\/v2\/extractors\/:/, 'extractor'],
  [/^\/v2\/agent\/(threads\/)?:/, 'agent'],
  [/^\/v2\/(interact|browser)\/:/, 'session'],
  [/^\/v\d\/crawl\/(?:status\/|cancel\/)?:/, 'crawl'],
  [/^\/v\d\/batch\/scrape\/:/, 'batch'],
  [/^\/v\d\/extract\/:/, 'extract'],
  [/^\/v2\/jobs\/:/, 'crawl'],
  [/^\/v2\/webhooks\/deliveries\/:/, 'delivery'],
  [/^\/v2\/admin\/keys\/:/, 'key'],
  [/^\/v2\/admin\/teams\/:/, 'team'],
  [/^\/v2\/search\/:jobId\/feedback$/, 'scrape'],
  // Not ids of a team's things: a signed link, a signed upload, a paper, a job of a retired kind, a sub-path.
  [
    /^\/\.well-known\/|^\/v2\/media\/:|^\/v2\/parse\/upload\/:|^\/v2\/search\/research\/|^\/v1\/(llmstxt|deep-research)\/:/,
    undefined,
  ],
]

const BODIES: Readonly<Record<string, object>> = {
  'POST /v2/jobs/:id/export': { endpoint: 'https://example.com', bucket: 'abc', accessKey: 'a', secretKey: 'b' },
  'POST /v2/search/:jobId/feedback': { rating: 'bad', querySuggestions: 'x' },
  'POST /v2/scrape/:jobId/interact': { prompt: 'click' },
  'PATCH /v2/monitor/:id': { name: 'x' },
  ...Object.fromEntries(
    ['interact', 'browser'].flatMap((name) => [
      [`POST /v2/${name}/:sessionId/execute`, { code: '1' }],
      [`POST /v2/${name}/:sessionId/prompt`, { prompt: 'click' }],
      [`POST /v2/${name}/:sessionId/profile`, { name: 'shop' }],
      [`POST /v2/${name}/:sessionId/flow`, { name: 'report' }],
    ]),
  ),
  'POST /v2/extractors/:id/examples': { examples: [{ url: 'https://example.com/', data: { title: 'x' } }] },
  'POST /v2/extractors/:id/test': { urls: ['https://example.com/'] },
  'POST /v2/monitor/:id/pages/:pageId/feedback': { mattered: true },
}

const routes = [...capabilities.flatMap((capability) => capability.routes), ...makeV1Routes(capabilities)].filter(
  ({ path }) => path.includes(':'),
)

let site: Site
let hook: http.Server
let service: Service
let owner: Member
let stranger: Member
const ids: Record<string, string> = {}

beforeAll(async () => {
  site = await startSite()
  hook = http.createServer((_request, response) => response.end('ok'))
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  const { port } = hook.address() as AddressInfo
  service = await startService({
    env: {
      ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port},127.0.0.1:${port}`,
      ORB_KEYLESS: '127.0.0.9',
      ORB_STRICT_BODIES: 'on',
    },
  })
  owner = await newTeam(service, 'owner')
  stranger = await newTeam(service, 'stranger')
  const post = async (path: string, body: object) => (await owner.call('POST', path, body)).json
  const url = `${site.url}/article`
  ids.scrape = (await post('/v2/scrape', { url })).scrape_id
  ids.batch = (await post('/v2/batch/scrape', { urls: [url], webhook: `http://127.0.0.1:${port}/` })).id
  ids.crawl = (await post('/v2/crawl', { url, limit: 1 })).id
  ids.extract = (await post('/v2/extract', { urls: [url], prompt: 'the title' })).id
  ids.agent = (await post('/v2/agent', { prompt: 'the title', urls: [url] })).id
  ids.monitor = (
    await post('/v2/monitor', { name: 'm', schedule: { text: 'daily' }, targets: [{ type: 'scrape', urls: [url] }] })
  ).data.id
  ids.feed = (await post('/v2/feeds', { url: `${site.url}/listing` })).data.id
  const schema = { type: 'object', properties: { title: { type: 'string' } } }
  const program = { fields: { title: 'h1' } }
  ids.extractor = (await post('/v2/extractors', { name: 'titles', schema, program })).id
  ids.session = (await post('/v2/browser', {})).id
  ids.key = owner.keyId
  ids.team = owner.teamId
  const own = { call: callsWith(service, owner.key), url: service.url }
  await finished(own, `${service.url}/v2/batch/scrape/${ids.batch}`)
  await finished(own, `${service.url}/v2/crawl/${ids.crawl}`)
  await until(async () => {
    const { json } = await owner.call('GET', '/v2/webhooks/deliveries')
    ids.delivery = json.data[0]?.id
    return ids.delivery !== undefined
  })
})
afterAll(async () => {
  await service?.stop()
  await site?.close()
  hook?.close()
})

const comparable = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: [...headers.keys()].sort(),
})

describe('a stranger', () => {
  it.each(routes.map(({ method, path }) => [method, path] as const))(
    'cannot tell another team’s thing from nothing: %s %s',
    async (method, path) => {
      const thing = THINGS.find(([pattern]) => pattern.test(path))
      expect(thing, 'say in THINGS what stands at this id').toBeDefined()
      if (!thing?.[1]) return
      const at = (id: string) => path.replace(/:\w+/, id)
      const body = BODIES[`${method} ${path}`] ?? (method === 'PATCH' || method === 'POST' ? {} : undefined)
      const id = ids[thing[1]]!
      const foreign = await stranger.call(method, at(id), body)
      const unknown = await stranger.call(method, at(NOBODY), body)
      expect(foreign.status).toBe(404)
      expect(comparable(foreign)).toEqual(comparable(unknown))
      expect(foreign.text).not.toContain(id)
      const upper = await stranger.call(method, at(id.toUpperCase()), body)
      expect(upper.status).toBe(404)
      const malformed = await stranger.call(method, at('not-a-uuid'), body)
      expect([400, 404]).toContain(malformed.status)
    },
  )

  it('has left everything as it was', async () => {
    expect((await owner.call('GET', `/v2/crawl/${ids.crawl}`)).json.status).toBe('completed')
    expect((await owner.call('GET', `/v2/batch/scrape/${ids.batch}`)).json.status).toBe('completed')
    expect((await owner.call('GET', `/v2/scrape/${ids.scrape}`)).status).toBe(200)
    expect((await owner.call('GET', '/v2/admin/me')).json.data.team.name).toBe('owner')
  })

  it('learns no more from a socket', async () => {
    const closeOf = (path: string) =>
      new Promise<[number, string]>((resolve, reject) => {
        const socket = new WebSocket(service.url.replace('http', 'ws') + path, stranger.key)
        socket.on('close', (code, reason) => resolve([code, reason.toString()]))
        socket.on('error', reject)
      })
    for (const path of ['/v2/crawl/', '/v2/batch/scrape/', '/v1/crawl/']) {
      const foreign = await closeOf(path + (path.includes('batch') ? ids.batch : ids.crawl))
      expect(foreign[0]).toBe(1008)
      expect(foreign).toEqual(await closeOf(path + NOBODY))
    }
  })

  it('cannot add to another team’s batch, or rate its results', async () => {
    const append = (appendToId: string) =>
      stranger.call('POST', '/v2/batch/scrape', { urls: [`${site.url}/article`], appendToId })
    expect(comparable(await append(ids.batch!))).toEqual(comparable(await append(NOBODY)))
    const rate = (jobId: string) =>
      stranger.call('POST', '/v2/feedback', { endpoint: 'scrape', jobId, rating: 'bad', note: 'x' })
    expect((await rate(ids.scrape!)).status).toBe(404)
    expect(comparable(await rate(ids.scrape!))).toEqual(comparable(await rate(NOBODY)))
  })
})

describe('a program without a key', () => {
  const ask = (path: string, localAddress: string, headers: http.OutgoingHttpHeaders = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const body = JSON.stringify({ url: `${site.url}/article`, formats: ['markdown'] })
      const options = { method: 'POST', localAddress, headers: { 'content-type': 'application/json', ...headers } }
      const sent = http.request(service.url + path, options, async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve({ status: response.statusCode ?? 0, headers: new Headers(), text, json: JSON.parse(text) })
      })
      sent.on('error', reject)
      sent.end(body)
    })

  it('is answered from a network that the operator named, as a team of its own', async () => {
    const page = await ask('/v2/scrape', '127.0.0.9')
    expect(page.json).toMatchObject({ success: true, data: { markdown: expect.any(String) } })
    expect((await ask('/v2/scrape', '127.0.0.9', { authorization: 'Bearer ' })).status).toBe(200)
    expect((await ask('/v2/crawl', '127.0.0.9')).json.error).toMatch(/restricted to .*scrape, search, map, parse/)
    const { json } = await service.call('GET', '/v2/admin/teams')
    expect(json.data).toContainEqual(expect.objectContaining({ name: 'keyless', plan: 'free' }))
  })

  it.each<[string, string, http.OutgoingHttpHeaders]>([
    ['another network', '127.0.0.1', {}],
    ['a wrong key', '127.0.0.9', { authorization: 'Bearer fc-00000000000000000000000000000000' }],
    ['a page in a browser', '127.0.0.9', { origin: 'https://elsewhere.example' }],
    ['a browser without an origin', '127.0.0.9', { 'sec-fetch-site': 'same-origin' }],
    ['a proxy that nobody trusts', '127.0.0.9', { 'x-forwarded-for': '127.0.0.9' }],
  ])('is refused behind %s', async (_what, address, headers) => {
    expect((await ask('/v2/scrape', address, headers)).status).toBe(401)
  })
})

describe('strict bodies', () => {
  it('refuse the names of earlier versions, as the reference does', async () => {
    const { status, json } = await service.call('POST', '/v2/scrape', { url: `${site.url}/article`, parsePDF: true })
    expect([status, json.error]).toEqual([400, expect.stringMatching(/[Uu]nrecognized key.*/)])
    expect(JSON.stringify(json)).toContain('parsePDF')
  })
})

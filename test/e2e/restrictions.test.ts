// Wire contract §2: what a key is restricted to, where a team may call from, and the order of the checks.
import { beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { makeV1Routes } from '../../src/api/compat/v1.ts'
import { capabilities } from '../../src/capabilities/index.ts'
import { type Answer, request } from './service.ts'
import { shared } from './shared.ts'
import { failure, type Member, newKey, newTeam } from './team.ts'

const { site, operator: service } = shared()

const from = (address: string) => ({ 'x-forwarded-for': address })

describe('a key that is restricted to endpoints', () => {
  const BLOCKED = 'Forbidden: Request blocked: this API key is restricted to the following endpoints: scrape, crawl.'
  let key: Member
  beforeAll(async () => {
    key = await newKey(service, { endpoints: ['scrape', 'crawl'], rights: ['admin'] })
  })

  it('reaches these and their status, and nothing else', async () => {
    const scraped = await key.sdk.scrape(`${site.url}/article`)
    const id = String(scraped.metadata?.scrapeId)
    expect((await key.call('GET', `/v2/scrape/${id}`)).status).toBe(200)
    expect((await key.call('GET', '/v2/crawl/active')).status).toBe(200)
    expect((await key.call('GET', `/r/${site.url}/article`)).status).toBe(200)
    expect((await key.call('POST', '/v1/scrape', { url: `${site.url}/article` })).status).toBe(200)
    const refused = await failure(key.sdk.map(site.url))
    expect([refused.status, refused.message]).toEqual([403, BLOCKED])
    for (const [method, path] of [
      ['POST', '/v2/batch/scrape'],
      ['GET', `/v2/batch/scrape/${id}`],
      ['POST', '/v2/parse'],
      ['POST', '/v1/map'],
      ['GET', '/v2/search/developer'],
      ['GET', '/v2/webhooks/deliveries'],
      ['GET', '/v2/admin/keys'],
      ['GET', '/metrics'],
    ] as const) {
      const { status, json } = await key.call(method, path)
      expect([status, json.error], path).toEqual([403, BLOCKED])
    }
  })

  it('may always ask how its team stands', async () => {
    await key.sdk.getCreditUsage()
    await key.sdk.getQueueStatus()
    await key.sdk.getConcurrency()
    for (const path of ['/v2/team/activity', '/v2/admin/me']) expect((await key.call('GET', path)).status).toBe(200)
  })

  it('is refused on sockets too', async () => {
    const { id } = await service.sdk.startBatchScrape([`${site.url}/article`])
    expect(await closeOf(`/v2/batch/scrape/${id}`, key.key)).toMatchObject({ code: 3003 })
    expect((await closeOf(`/v2/batch/scrape/${id}`, service.key)).code).toBe(1000)
  })
})

describe('every operation', () => {
  const routes = [...capabilities.flatMap((capability) => capability.routes), ...makeV1Routes(capabilities)].filter(
    ({ right }) => right !== 'none',
  )
  const NOBODY = '019a0000-0000-7000-8000-000000000000'
  const ask = ({ call }: Member, { method, path }: (typeof routes)[number]) =>
    call(method, path.replace(/:\w+/g, NOBODY).replace('*', 'x'), /GET|DELETE/.test(method) ? undefined : {})

  it('asks for the right that it declares', async () => {
    const team = await newTeam(service, 'rights')
    const plain = await newKey(service, { team: team.teamId })
    for (const route of routes) {
      const [own, admin] = [await ask(plain, route), await ask(team, route)]
      const where = `${route.method} ${route.path}`
      const isRefused = (text: string) => /needs a key (with|of)/.test(text)
      expect(isRefused(own.text), where).toBe(route.right !== 'use')
      expect(isRefused(admin.text), where).toBe(route.right === 'operator')
    }
    const off = {
      mode: 'off',
      riskScoreThreshold: 80,
      blacklist: [],
      whitelist: [],
      blockedTlds: [],
      failurePolicy: 'open',
    }
    expect((await plain.call('PUT', '/v2/team/threat-protection', off)).status).toBe(403)
  })

  it.each([['map'], ['monitor']])(
    'is closed to a key that is restricted to %s, unless it says otherwise',
    async (group) => {
      const key = await newKey(service, { endpoints: [group] })
      for (const route of routes) {
        const { text } = await ask(key, route)
        const isOpen = route.group === 'open' || route.group === group
        expect(/restricted to the following endpoints/.test(text), `${route.method} ${route.path}`).toBe(!isOpen)
      }
    },
  )

  it('shows a key without rights its own calls alone', async () => {
    const team = await newTeam(service, 'two keys')
    const [one, other] = [await newKey(service, { team: team.teamId }), await newKey(service, { team: team.teamId })]
    await one.call('POST', '/v2/scrape', { url: `${site.url}/article` })
    const seen = async ({ call }: Member) => (await call('GET', '/v2/team/activity')).json.data.length
    expect([await seen(one), await seen(other), await seen(team)]).toEqual([1, 0, 1])
  })
})

describe('a key that is restricted to formats', () => {
  let key: Member
  const url = () => `${site.url}/article`
  beforeAll(async () => {
    key = await newKey(service, { formats: ['markdown', 'links'] })
  })
  const refusal = ({ status, json }: Answer) => [status, json.error]
  const blocked = (...names: string[]) => [
    403,
    'Forbidden: Request blocked: this API key is restricted to the following formats: markdown, links. ' +
      `Requested formats not allowed: ${names.join(', ')}.`,
  ]

  it('gets these, as names or objects, and nothing else', async () => {
    await key.sdk.scrape(url(), { formats: ['markdown', 'links'] })
    await key.sdk.scrape(url())
    expect((await key.call('GET', `/r/${url()}`)).status).toBe(200)
    const post = (path: string, body: object) => key.call('POST', path, body)
    expect(
      refusal(await post('/v2/scrape', { url: url(), formats: ['markdown', 'html', { type: 'rawHtml' }] })),
    ).toEqual(blocked('html', 'rawHtml'))
    expect(refusal(await post('/v2/batch/scrape', { urls: [url()], formats: ['html'] }))).toEqual(blocked('html'))
    expect(refusal(await post('/v2/crawl', { url: url(), scrapeOptions: { formats: ['images'] } }))).toEqual(
      blocked('images'),
    )
    expect(refusal(await post('/v1/scrape', { url: url(), formats: ['html'] }))).toEqual(blocked('html'))
  })

  it('is held to them by every operation that yields something of a page', async () => {
    const post = (path: string, body: object, method = 'POST') => key.call(method, path, body)
    const targets = [{ type: 'scrape', urls: [url()] }]
    const watched = { name: 'formats', schedule: { text: 'hourly' }, targets }
    const html = { scrapeOptions: { formats: ['html'] } }
    expect(refusal(await post('/v2/agent', { prompt: 'What is this?', urls: [url()] }))).toEqual(blocked('json'))
    expect(refusal(await post('/v2/extract', { urls: [url()], prompt: 'The title' }))).toEqual(blocked('json'))
    expect(refusal(await post('/v2/search', { query: 'article', ...html }))).toEqual(blocked('html'))
    expect(refusal(await post('/v2/browser', {}))).toEqual(blocked('browser session'))
    expect(refusal(await post(`/v2/scrape/${service.key}/interact`, { code: '1' }))).toEqual(blocked('browser session'))
    expect(refusal(await post('/v2/monitor', { ...watched, targets: [{ ...targets[0], ...html }] }))).toEqual(
      blocked('html'),
    )
    expect(refusal(await post('/v2/monitor', { ...watched, goal: 'new prices' }))).toEqual(blocked('json'))
    const made = await post('/v2/monitor', watched)
    expect(made.status, made.text).toBe(200)
    const own = `/v2/monitor/${made.json.data.id}`
    expect(refusal(await post(own, { judgeEnabled: true }, 'PATCH'))).toEqual(blocked('json'))
    const entry = { ...watched, targets: [{ ...targets[0], ...html }] }
    const imported = await post('/v2/monitor/import', { data: { version: 1, monitors: [entry] } })
    expect(imported.json).toMatchObject({
      data: [],
      skipped: [{ because: expect.stringMatching(/not allowed: html/) }],
    })
    expect((await key.call('DELETE', own)).status).toBe(200)
    const { uploadRef } = (await post('/v2/parse/upload-url', { filename: 'a.html' })).json.data
    expect(refusal(await post('/v2/parse', { uploadRef, formats: ['html'] }))).toEqual(blocked('html'))
    const form = new FormData()
    form.set('options', '{"formats":["rawHtml"]}')
    form.set('file', new Blob(['<p>Hello</p>'], { type: 'text/html' }), 'a.html')
    const headers = { authorization: `Bearer ${key.key}` }
    const parsed = await fetch(`${service.url}/v2/parse`, { method: 'POST', headers, body: form })
    expect([parsed.status, ((await parsed.json()) as { error: string }).error]).toEqual(blocked('rawHtml'))
  })

  it('may not have by an action what it may not have as a format', async () => {
    const acting = (type: string, more = {}) =>
      key.call('POST', '/v2/scrape', { url: url(), actions: [{ type, ...more }] })
    expect(refusal(await acting('screenshot'))).toEqual(blocked('screenshot'))
    expect((await acting('scrape')).status).toBe(403)
    expect((await acting('executeJavascript', { script: '1' })).status).toBe(403)
    expect((await acting('pdf')).status).toBe(403)
  })

  it('of which markdown is none cannot crawl by default or read plain pages', async () => {
    const linksOnly = await newKey(service, { formats: ['links'] })
    expect((await linksOnly.call('POST', '/v2/crawl', { url: url() })).status).toBe(403)
    expect((await linksOnly.call('GET', `/r/${url()}`)).status).toBe(403)
    expect((await linksOnly.call('POST', '/v2/scrape', { url: url(), formats: ['links'] })).status).toBe(200)
  })
})

describe('a team with a list of addresses', () => {
  let team: Member
  beforeAll(async () => {
    team = await newTeam(service, 'office', { ipAllow: ['203.0.113.0/24', '2001:db8::/32', '::ffff:198.51.100.7'] })
  })

  it('is let in from these, in whatever clothes, and refused from everywhere else', async () => {
    for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1', '198.51.100.7', '1.1.1.1, 203.0.113.9'])
      expect((await team.call('GET', '/v2/team/queue-status', undefined, from(address))).status, address).toBe(200)
    for (const [address, shown] of [
      ['198.51.100.8', '198.51.100.8'],
      ['::ffff:198.51.100.8', '198.51.100.8'],
      // What a client wrote in front of the proxy's own word is not believed.
      ['203.0.113.9, 192.0.2.1', '192.0.2.1'],
      ['not an address', 'not an address'],
    ] as const) {
      const { status, json } = await team.call('GET', '/v2/team/queue-status', undefined, from(address))
      expect([status, json.error]).toEqual([
        403,
        `Forbidden: Request blocked: IP address ${shown} is not on this team's allowed IP list.`,
      ])
    }
    expect((await team.call('GET', '/v2/team/queue-status')).json.error).toMatch(/IP address 127\.0\.0\.1 /)
  })

  it('is held to it on sockets and by every key', async () => {
    const answer = await team.call('POST', '/v2/batch/scrape', { urls: [`${site.url}/article`] }, from('203.0.113.9'))
    const path = `/v2/batch/scrape/${answer.json.id}`
    expect(await closeOf(path, team.key)).toMatchObject({ code: 3003 })
    expect((await closeOf(path, team.key, from('203.0.113.9'))).code).toBe(1000)
    const other = await newKey(service, { team: team.teamId })
    expect((await other.call('GET', '/v2/admin/me')).status).toBe(403)
  })

  it('changes it at once, and not so that it shuts itself out by mistake', async () => {
    const path = `/v2/admin/teams/${team.teamId}`
    const here = from('203.0.113.9')
    const refused = await team.call('PATCH', path, { ipAllow: ['10.0.0.0/8'] }, here)
    expect(refused.status).toBe(409)
    expect(refused.json.error).toMatch(/203\.0\.113\.9.*force/)
    for (const wrong of ['10.0.0', '10.0.0.0/33', 'example.com', '::/129', '1.2.3.4/8/8'])
      expect((await team.call('PATCH', path, { ipAllow: [wrong] }, here)).status, wrong).toBe(400)
    expect((await team.call('PATCH', path, { ipAllow: ['10.0.0.0/8'], force: true }, here)).status).toBe(200)
    expect((await team.call('GET', '/v2/admin/me', undefined, here)).status).toBe(403)
    expect((await service.call('PATCH', path, { ipAllow: [] })).status).toBe(200)
    expect((await team.call('GET', '/v2/admin/me', undefined, here)).status).toBe(200)
  })
})

describe('the order of checks', () => {
  it('is key, address, endpoint, rate, body, formats, credits', async () => {
    const team = await newTeam(service, 'ordered', { plan: 'free', credits: 0, ipAllow: ['203.0.113.1'] })
    const key = await newKey(service, { team: team.teamId, endpoints: ['scrape'], formats: ['markdown'] })
    const here = from('203.0.113.1')
    const map = () => key.call('POST', '/v2/map', {}, here)
    const scrape = (body: object) => key.call('POST', '/v2/scrape', body, here)
    const unknown = await request(`${service.url}/v2/map`, 'POST', {}, { authorization: 'Bearer fc-x' })
    expect(unknown.status).toBe(401)
    expect((await key.call('POST', '/v2/map', {})).json.error).toMatch(/IP address/)
    expect((await map()).json.error).toMatch(/endpoints/)
    expect((await scrape({})).status).toBe(400)
    expect((await scrape({ url: `${site.url}/article`, formats: ['html'] })).json.error).toMatch(/formats/)
    expect((await scrape({ url: `${site.url}/article` })).status).toBe(402)
    // The rest of the minute's ten, or the ten of the next one; then even a body that is wrong is told of the rate first.
    let limited: Answer | undefined
    for (let at = 0; at < 40 && !limited; at += 1) {
      const answer = await scrape({})
      if (answer.status === 429) limited = answer
    }
    expect(limited?.json.error).toMatch(/^Rate limit exceeded/)
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  })

  it('fails closed when what a key may do cannot be read', async () => {
    const broken = await newKey(service, { endpoints: ['scrape'] })
    const libsql = (await import('libsql')).default
    const database = new libsql(`${service.dataDir}/orb.db`)
    // The service may be writing.
    database.exec('pragma busy_timeout = 5000')
    database.prepare('update api_keys set endpoints = ? where id = ?').run('scribble', broken.keyId)
    database.close()
    const { status, json } = await broken.call('POST', '/v2/scrape', { url: `${site.url}/article` })
    expect([status, json.code]).toEqual([500, 'UNKNOWN_ERROR'])
  })
})

/** How the service ends a socket. */
function closeOf(path: string, key: string, headers: Record<string, string> = {}): Promise<{ code: number }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(service.url.replace('http', 'ws') + path, key, { headers })
    socket.on('close', (code) => resolve({ code }))
    socket.on('error', reject)
  })
}

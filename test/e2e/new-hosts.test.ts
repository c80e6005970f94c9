// Hosts that the installation has only just met: refused or told of by a policy, at the first address, after a redirect and
// for webhooks, remembered across a restart, and not remembered of what keeps nothing. On both stores.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { silentLog } from '../../src/base/log.ts'
import { storages } from '../../src/capabilities/index.ts'
import { openStore } from '../../src/store/index.ts'
import { newDatabase } from '../contract/open-store.ts'
import { type DnsServer, startDns } from '../site/dns.ts'
import { type Pages, type Site, startSite } from '../site/site.ts'
import { emptyFolder, type Json, type Service, startService } from './service.ts'
import { newTeam } from './team.ts'
import { until } from './waiting.ts'

const DAY_MS = 86_400_000
const html = '<!doctype html><title>A page</title><main><h1>A page</h1><p>With words enough to be one.</p></main>'
const pages: Pages = {
  '/plain': ({ response }) => void response.writeHead(200, { 'content-type': 'text/html' }).end(html),
  '/on': ({ response, port }) => void response.writeHead(302, { location: `http://led-to.com:${port}/plain` }).end(),
}
const HOSTS = [
  'met-before.com',
  'fresh.com',
  'told-of.com',
  'led-to.com',
  'kept-secret.com',
  'receiver.com',
  'floor.com',
]
const week = { mode: 'normal', riskScoreThreshold: 100, newHostDays: 7 }

const postgresUrl = inject('postgresUrl')
let site: Site
let dns: DnsServer
beforeAll(async () => {
  site = await startSite(pages)
  dns = await startDns({ answers: Object.fromEntries(HOSTS.map((host) => [host, { a: ['127.0.0.1'] }])) })
})
afterAll(() => Promise.all([site?.close(), dns?.close()]))

const at = (host: string, path = '/plain') => `http://${host}:${site.port}${path}`
const refused = ({ status, json }: { status: number; json: Json }) => {
  expect(json).toMatchObject({ success: false, code: 'unsafe_domain_blocked' })
  expect(json.error).toMatch(/host is new/)
  expect(status).toBe(403)
}

describe.each([
  ['SQLite', false],
  ['PostgreSQL', true],
])('new hosts on %s', (_name, onPostgres) => {
  const skip = onPostgres && !postgresUrl
  const dataDir = emptyFolder()
  let databaseUrl: string | undefined
  let service: Service
  const memory = { cacheMaxBytes: 1e9, cacheMaxAgeMs: 1e12, clock: systemClock, log: silentLog, dataDir }
  const start = (env: Record<string, string> = {}) =>
    startService({
      dataDir,
      env: {
        ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
        ORB_DNS_SERVERS: dns.address,
        ...(databaseUrl ? { ORB_DATABASE_URL: databaseUrl } : {}),
        ...env,
      },
    })
  beforeAll(async () => {
    if (skip) return
    databaseUrl = onPostgres ? await newDatabase(postgresUrl as string) : undefined
    const store = await openStore({ ...memory, databaseUrl, storages })
    await store.sightings.add([{ print: store.sightings.printOf('met-before.com'), at: Date.now() - 8 * DAY_MS }])
    await store.close()
    service = await start()
  })
  afterAll(() => service?.stop())
  const scrape = (url: string, threatProtection?: object, options: object = {}) =>
    service.call('POST', '/v2/scrape', { url, maxAge: 0, threatProtection, ...options })

  it.skipIf(skip)('are refused for as many days as the policy says, also when asked for again', async () => {
    const before = site.hits('/plain')
    refused(await scrape(at('fresh.com'), week))
    refused(await scrape(at('fresh.com'), week))
    expect(site.hits('/plain')).toBe(before)
    expect((await scrape(at('met-before.com'), week)).status).toBe(200)
    expect((await scrape(at('met-before.com'), { ...week, newHostDays: 9 })).status).toBe(403)
    expect((await scrape(at('fresh.com'), { ...week, whitelist: ['fresh.com'] })).status).toBe(200)
    expect((await scrape(at('fresh.com'), { mode: 'normal', riskScoreThreshold: 100 })).status).toBe(200)
    expect((await scrape(at('fresh.com'), { ...week, newHostDays: -1 })).status).toBe(400)
  })

  it.skipIf(skip)('are told of when the policy only wants to be told', async () => {
    const { json } = await scrape(at('told-of.com'), { ...week, newHostAction: 'warn' })
    expect(json.data.metadata.threatWarning).toMatch(/^told-of\.com: .*host is new/)
    const { explain } = (await service.call('GET', `/v2/scrape/${json.scrape_id}?explain=true`)).json
    const step = explain.steps.find((one: Json) => one.step === 'threats')
    expect(step.reasons.join()).toMatch(/host is new/)
    const said = await service.call('POST', '/v2/team/threat-protection/check', {
      url: at('told-of.com'),
      threatProtection: week,
    })
    expect(said.json.data).toMatchObject({ blocked: true, rule: expect.stringMatching(/host is new/) })
    expect(
      (await scrape(at('met-before.com'), { ...week, newHostAction: 'warn' })).json.data.metadata,
    ).not.toHaveProperty('threatWarning')
  })

  it.skipIf(skip)('are refused where a redirect leads to one', async () => {
    refused(await scrape(at('met-before.com', '/on'), week))
  })

  it.skipIf(skip)('take no webhooks of a team whose policy refuses them', async () => {
    const team = await newTeam(service, `careful ${onPostgres}`)
    await team.call('PUT', '/v2/team/threat-protection', week)
    const hook = at('receiver.com', '/hook')
    const batch = { urls: [at('met-before.com')], webhook: { url: hook, events: ['completed'] } }
    expect((await team.call('POST', '/v2/batch/scrape', batch)).status).toBe(200)
    let sent: Json
    await until(async () => {
      sent = (await team.call('GET', '/v2/webhooks/deliveries')).json.data?.[0]
      return sent !== undefined && sent.state !== 'pending' && sent.status !== 'pending'
    })
    expect(JSON.stringify(sent)).toMatch(/host is new/)
    expect(site.hits('/hook')).toBe(0)
  })

  it.skipIf(skip)(
    'are remembered across a restart, and forgotten on request; what keeps nothing is not remembered',
    async () => {
      expect((await scrape(at('kept-secret.com'), undefined, { zeroDataRetention: true })).status).toBe(200)
      refused(await scrape(at('kept-secret.com'), week, { zeroDataRetention: true }))
      const gone = await service.call('POST', '/v2/admin/forget', { host: 'told-of.com' })
      expect(gone.json.data.removed).toMatchObject({ host_sightings: 1 })
      await service.end()
      const store = await openStore({ ...memory, databaseUrl, storages })
      const prints = new Set<string>()
      for await (const rows of store.sightings.since(0)) for (const { print } of rows) prints.add(print)
      const known = HOSTS.filter((host) => prints.has(store.sightings.printOf(host)))
      expect(known).toEqual(['met-before.com', 'fresh.com', 'led-to.com', 'receiver.com'])
      await store.close()
      service = await start({ ORB_THREAT_PROTECTION: 'enforced', ORB_THREAT_NEW_HOST_DAYS: '7' })
      // The operator's floor holds for those who ask for nothing, and for those who would only be told.
      refused(await scrape(at('floor.com')))
      refused(await scrape(at('fresh.com'), { ...week, newHostAction: 'warn' }))
      expect((await scrape(at('met-before.com'), { riskScoreThreshold: 100 })).status).toBe(200)
    },
  )
})

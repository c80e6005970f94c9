// Administration over HTTP: keys, teams, the books, the service itself; who may do what, and what is remembered of it.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Json, runToEnd, type Service } from './service.ts'
import { shared } from './shared.ts'
import { callsWith, type Member, newKey, newTeam } from './team.ts'

let team: Member
const { site, operator: service } = shared()
beforeAll(async () => {
  team = await newTeam(service, 'web')
})

const NOBODY = '019a0000-0000-7000-8000-000000000000'
const actions = async (who: Member | Service, query = ''): Promise<string[]> =>
  (await who.call('GET', `/v2/admin/audit${query}`)).json.data.map((row: Json) => row.action)

describe('keys', () => {
  it('are made, shown once, used, changed and revoked', async () => {
    const made = await team.call('POST', '/v2/admin/keys', { name: 'laptop' })
    expect(made.status).toBe(200)
    expect(made.json.key).toMatch(/^fc-[0-9a-f]{32}$/)
    expect(made.json.data).toMatchObject({ name: 'laptop', state: 'valid', teamId: team.teamId, rights: [] })
    const laptop = callsWith(service, made.json.key)
    expect((await laptop('GET', '/v2/team/credit-usage')).status).toBe(200)
    const { text, json } = await team.call('GET', '/v2/admin/keys')
    expect(text).not.toContain(made.json.key)
    expect(json.data).toHaveLength(2)
    const { id } = made.json.data
    const changed = await team.call('PATCH', `/v2/admin/keys/${id}`, { name: 'old laptop', endpoints: ['map'] })
    expect(changed.json.data).toMatchObject({ name: 'old laptop', endpoints: ['map'], formats: [] })
    expect((await laptop('POST', '/v2/scrape', { url: 'nope' })).status).toBe(403)
    expect((await team.call('DELETE', `/v2/admin/keys/${id}`)).json.data.state).toBe('revoked')
    expect((await laptop('GET', '/v2/team/credit-usage')).status).toBe(401)
    expect((await team.call('PATCH', `/v2/admin/keys/${id}`, { name: 'x' })).status).toBe(409)
    const log = await actions(team)
    expect(log.slice(0, 3)).toEqual(['key.revoked', 'key.changed', 'key.created'])
    // The team and its first key came about in the same moment.
    expect(log.slice(3).sort()).toEqual(['key.created', 'team.created'])
  })

  it('end when they were told to', async () => {
    const later = new Date(Date.now() + 600_000).toISOString()
    const guest = await newKey(service, { team: team.teamId, name: 'guest', expiresAt: later })
    expect((await guest.call('GET', '/v2/admin/me')).status).toBe(200)
    const soon = new Date(Date.now() + 3000).toISOString()
    expect((await team.call('PATCH', `/v2/admin/keys/${guest.keyId}`, { expiresAt: soon })).status).toBe(200)
    await expect.poll(async () => (await guest.call('GET', '/v2/admin/me')).status).toBe(401)
    const { json } = await team.call('GET', '/v2/admin/keys')
    expect(json.data.find((row: Json) => row.name === 'guest').state).toBe('expired')
    const past = await team.call('POST', '/v2/admin/keys', { name: 'x', expiresAt: '2020-01-01T00:00:00Z' })
    expect(past.json.error).toMatch(/expiresAt: is in the past/)
  })

  it('cannot lock themselves out', async () => {
    expect((await team.call('DELETE', `/v2/admin/keys/${team.keyId}`)).status).toBe(409)
    expect((await team.call('PATCH', `/v2/admin/keys/${team.keyId}`, { rights: [] })).status).toBe(409)
  })

  it('without the right manage nothing, not even by guessing', async () => {
    const plain = await newKey(service, { team: team.teamId, name: 'plain' })
    for (const [method, path] of [
      ['GET', '/v2/admin/keys'],
      ['POST', '/v2/admin/keys'],
      ['DELETE', `/v2/admin/keys/${team.keyId}`],
      ['GET', '/v2/admin/teams'],
      ['POST', '/v2/admin/teams'],
      ['PATCH', `/v2/admin/teams/${team.teamId}`],
      ['GET', '/v2/admin/usage'],
      ['GET', '/v2/admin/usage/hosts'],
      ['GET', '/v2/admin/activity'],
      ['GET', '/v2/admin/audit'],
      ['GET', '/v2/admin/limits'],
      ['GET', '/v2/admin/webhook-secret'],
      ['POST', '/v2/admin/webhook-secret'],
      ['GET', '/v2/admin/health'],
    ] as const) {
      const { status } = await plain.call(
        method,
        path,
        method === 'GET' || method === 'DELETE' ? undefined : { name: 'x' },
      )
      expect(status, `${method} ${path}`).toBe(403)
    }
    expect((await plain.call('GET', '/v2/admin/me')).json.data).toMatchObject({ isAdmin: false, isOperator: false })
  })

  it('refuse rules that nobody knows', async () => {
    for (const options of [
      { endpoints: ['everything'] },
      { formats: ['gold'] },
      { rights: ['root'] },
      { expiresAt: 'soon' },
    ])
      expect((await team.call('POST', '/v2/admin/keys', { name: 'x', ...options })).status).toBe(400)
    expect((await team.call('POST', '/v2/admin/keys', {})).json.error).toMatch(/name/)
  })
})

describe('teams', () => {
  it('are the operator’s to make, and their own to name', async () => {
    const other = await newTeam(service, 'other', { plan: 'free', credits: 10 })
    expect((await other.call('GET', '/v2/admin/teams')).json.data.map((row: Json) => row.name)).toEqual(['other'])
    const all = (await service.call('GET', '/v2/admin/teams')).json.data.map((row: Json) => row.name)
    expect(all).toEqual(expect.arrayContaining(['default', 'web', 'other']))
    expect((await other.call('POST', '/v2/admin/teams', { name: 'mine' })).status).toBe(403)
    const path = `/v2/admin/teams/${other.teamId}`
    expect((await other.call('PATCH', path, { name: 'others' })).json.data.name).toBe('others')
    for (const options of [{ plan: 'scale' }, { credits: null }, { addCredits: 5 }, { zeroDataRetention: 'off' }])
      expect((await other.call('PATCH', path, options)).status).toBe(403)
    const raised = await service.call('PATCH', path, { plan: 'hobby', addCredits: 5 })
    expect(raised.json.data).toMatchObject({ plan: 'hobby', credits: { granted: 15, left: 15 } })
    expect((await service.call('PATCH', path, { credits: null })).json.data.credits.granted).toBeNull()
    expect((await service.call('PATCH', path, { credits: 1, addCredits: 1 })).status).toBe(400)
    expect((await service.call('PATCH', path, { name: 'web' })).status).toBe(409)
    expect((await service.call('POST', '/v2/admin/teams', { name: 'web' })).status).toBe(409)
  })

  it('do not become the operator’s by its name, nor lose anything with it', async () => {
    const { json } = await service.call('GET', '/v2/admin/me')
    const own = `/v2/admin/teams/${json.data.team.id}`
    const heir = await newTeam(service, 'heir')
    try {
      expect((await service.call('PATCH', own, { name: 'head office' })).status).toBe(200)
      expect((await heir.call('PATCH', `/v2/admin/teams/${heir.teamId}`, { name: 'default' })).status).toBe(200)
      expect((await heir.call('GET', '/v2/admin/me')).json.data.isOperator).toBe(false)
      expect((await heir.call('POST', '/v2/admin/teams', { name: 'empire' })).status).toBe(403)
      expect((await service.call('GET', '/v2/admin/me')).json.data.isOperator).toBe(true)
      expect((await service.call('GET', '/v2/admin/teams')).json.data.length).toBeGreaterThan(2)
    } finally {
      await heir.call('PATCH', `/v2/admin/teams/${heir.teamId}`, { name: 'heir' })
      await service.call('PATCH', own, { name: 'default' })
    }
  })

  it('do not see each other, and cannot tell a foreign id from none', async () => {
    const spy = await newTeam(service, 'spy')
    for (const [method, path, body] of [
      ['GET', '/v2/admin/teams/ID', undefined],
      ['PATCH', '/v2/admin/teams/ID', { name: 'taken over' }],
      ['GET', '/v2/admin/keys?team=ID', undefined],
      ['GET', '/v2/admin/usage?team=ID', undefined],
      ['GET', '/v2/admin/activity?team=ID', undefined],
      ['GET', '/v2/admin/audit?team=ID', undefined],
      ['GET', '/v2/admin/limits?team=ID', undefined],
    ] as const) {
      const foreign = await spy.call(method, path.replace('ID', team.teamId), body)
      const unknown = await spy.call(method, path.replace('ID', NOBODY), body)
      expect(foreign.status, path).toBe(404)
      expect(foreign.text).toBe(unknown.text)
    }
    const key = await spy.call('POST', '/v2/admin/keys', { name: 'x', team: team.teamId })
    expect(key.status).toBe(404)
    for (const method of ['DELETE', 'PATCH'] as const) {
      const foreign = await spy.call(method, `/v2/admin/keys/${team.keyId}`, method === 'PATCH' ? {} : undefined)
      const unknown = await spy.call(method, `/v2/admin/keys/${NOBODY}`, method === 'PATCH' ? {} : undefined)
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    }
    expect((await spy.call('GET', '/v2/admin/audit?team=all')).status).toBe(403)
  })
})

describe('the books', () => {
  it('add up use by day, endpoint, key and engine', async () => {
    const busy = await newTeam(service, 'busy')
    const second = await newKey(service, { team: busy.teamId, name: 'second' })
    await busy.sdk.scrape(`${site.url}/article`, { maxAge: 0 })
    await busy.sdk.scrape(`${site.url}/article`)
    await second.sdk.map(site.url, { limit: 1 })
    await busy.call('POST', '/v2/scrape', { url: 'http://127.0.0.2:1/' })
    const batch: Json = await second.sdk.batchScrape([`${site.url}/docs`, `${site.url}/article`], { pollInterval: 1 })
    expect(batch.status).toBe('completed')
    await expect.poll(async () => (await busy.call('GET', '/v2/admin/usage')).json.total.requests).toBe(5)
    const { json } = await busy.call('GET', '/v2/admin/usage?by=endpoint,key')
    const row = (endpoint: string, key: string) =>
      json.data.find((each: Json) => each.endpoint === endpoint && each.keyName === key)
    expect(row('scrape', 'first key')).toMatchObject({
      credits: 2,
      requests: 3,
      errors: 1,
      cacheHits: 1,
      engines: { http: 1, cache: 1, browser: 0, upload: 0 },
    })
    expect(row('map', 'second')).toMatchObject({ credits: 1, requests: 1 })
    expect(row('batch_scrape', 'second')).toMatchObject({ credits: 2, requests: 1 })
    expect(json.total).toMatchObject({ credits: 5, requests: 5, errors: 1 })
    const today = new Date().toISOString().slice(0, 10)
    const days = await busy.call('GET', `/v2/admin/usage?by=day&from=${today}&to=${today}`)
    expect(days.json).toMatchObject({ from: today, to: today, data: [{ day: today, credits: 5 }] })
    const { data: hosts } = (await busy.call('GET', '/v2/admin/usage/hosts')).json
    expect(hosts).toEqual([{ host: new URL(site.url).host, pages: 4, credits: 4 }])
    const everyone = await service.call('GET', '/v2/admin/usage?team=all&by=team')
    expect(everyone.json.data.find((each: Json) => each.teamName === 'busy').credits).toBe(5)
    for (const wrong of ['by=colour', 'from=2020-01-01', 'from=x', 'by='])
      expect((await busy.call('GET', `/v2/admin/usage?${wrong}`)).status, wrong).toBe(400)
  })

  it('show calls with their outcome', async () => {
    const one = await newTeam(service, 'one')
    await one.call('POST', '/v2/scrape', { url: 'http://127.0.0.2:1/' })
    await one.call('POST', '/v2/scrape', { url: 'nope' })
    const { json } = await one.call('GET', '/v2/admin/activity')
    expect(json.data).toMatchObject([
      { endpoint: 'scrape', status: 400, error: 'BAD_REQUEST', target: null },
      { endpoint: 'scrape', status: 403, error: 'UNSUPPORTED_SITE', target: 'http://127.0.0.2:1/' },
    ])
    const page = await one.call('GET', '/v2/admin/activity?limit=1')
    expect(page.json.data).toHaveLength(1)
    const next = await one.call('GET', `/v2/admin/activity?limit=1&cursor=${page.json.cursor}`)
    expect(next.json.data[0].id).toBe(json.data[1].id)
    expect(next.json.cursor).toBeNull()
  })

  it('tell limits and how far they are used', async () => {
    const small = await newTeam(service, 'small', { plan: 'free' })
    for (let at = 0; at < 3; at += 1) await small.call('POST', '/v2/scrape', { url: 'nope' })
    const { json } = await small.call('GET', '/v2/admin/limits')
    expect(json.data.plan).toMatchObject({ name: 'free', concurrency: 2, rates: { scrape: 10 } })
    expect(json.data.now).toMatchObject({ maxConcurrency: 2, running: 0, waiting: 0 })
    // Another minute may have begun meanwhile.
    expect(json.data.now.rates.scrape ?? 0).toBeLessThanOrEqual(3)
    expect(json.data.plans.map((plan: Json) => plan.name)).toContain('unlimited')
  })

  it('remember sign-ins', async () => {
    const signed = await team.call('POST', '/v2/admin/login')
    expect(signed.json.data).toMatchObject({ isAdmin: true, isOperator: false, team: { name: 'web' } })
    const { json } = await team.call('GET', '/v2/admin/audit?action=login')
    expect(json.data[0]).toMatchObject({ action: 'login', actor: team.keyId, details: { by: 'dashboard' } })
  })

  it('remember what the command line did', async () => {
    const env = { ORB_DATA_DIR: service.dataDir }
    const made = await runToEnd(env, ['teams', 'create', 'shell', '--plan', 'free', '--ip-allow', '10.0.0.0/8'])
    expect(made.code).toBe(0)
    const changed = await runToEnd(env, ['teams', 'change', 'shell', '--ip-allow', '', '--credits', '7'])
    expect(changed.code).toBe(0)
    const key = await runToEnd(env, ['keys', 'create', 'shell', 'k', '--admin', '--days', '3', '--endpoints', 'map'])
    const found = /fc-[0-9a-f]{32}/.exec(key.out)?.[0] ?? ''
    expect((await callsWith(service, found)('GET', '/v2/admin/me')).json.data).toMatchObject({ isAdmin: true })
    expect((await runToEnd(env, ['keys', 'create', 'k'])).err).toMatch(/name a team: .*shell/)
    const listed = await runToEnd(env, ['keys'])
    expect(listed.out).toMatch(/shell {2}k {2}\(admin; only map; until /)
    expect((await runToEnd(env, ['teams'])).out).toMatch(/shell {2}plan free {2}0 of 7 credits used\n/)
    const log = (await service.call('GET', '/v2/admin/audit?team=all&limit=5')).json.data
    expect(log[0]).toMatchObject({ actor: 'command line', action: 'key.created' })
  })

  it('are not touched by a command that was not understood', async () => {
    const env = { ORB_DATA_DIR: service.dataDir }
    const before = (await service.call('GET', '/v2/admin/audit?team=all')).text
    const ends = await Promise.all(
      [
        ['keys', 'create', 'web', 'k', '--days', '0'],
        ['keys', 'create', 'web', 'k', '--endpoints', 'x'],
        ['keys', 'create'],
        ['teams', 'change', 'web'],
        ['teams', 'create', 'x', '--plan', 'gold'],
        ['teams', 'create', 'x', '--ip-allow', '10.0.0'],
        ['teams', 'create', 'x', '--colour', 'red'],
      ].map((args) => runToEnd(env, args)),
    )
    expect(ends.map(({ code }) => code)).toEqual(ends.map(() => 2))
    expect((await service.call('GET', '/v2/admin/audit?team=all')).text).toBe(before)
  })
})

describe('the service', () => {
  it('signs webhooks with a secret that its team can make anew and remove', async () => {
    const secret = async (method: string) => (await team.call(method, '/v2/admin/webhook-secret')).json.data.secret
    expect(await secret('GET')).toBeNull()
    const made = await secret('POST')
    expect(made).toMatch(/^[0-9a-f]{64}$/)
    expect(await secret('GET')).toBe(made)
    expect(await secret('POST')).not.toBe(made)
    expect(await secret('DELETE')).toBeNull()
    expect(await secret('GET')).toBeNull()
  })

  it('tells how it is: memory, disk, browsers, queue', async () => {
    const { status, json } = await service.call('GET', '/v2/admin/health')
    expect(status).toBe(200)
    expect(json.data).toMatchObject({ database: 'sqlite', process: { pid: expect.any(Number), role: 'both' } })
    expect(json.data.memory.residentBytes).toBeGreaterThan(10_000_000)
    expect(json.data.disk.freeBytes).toBeGreaterThan(0)
    expect(json.data.disk.databaseBytes).toBeGreaterThan(0)
    const count = expect.any(Number)
    expect(json.data.queue).toMatchObject({ jobs: count, active: count, queued: count, webhooksPending: count })
    expect(json.data.pages.concurrency).toBeGreaterThan(0)
    expect(json.data.browsers.available).toBe(json.data.browsers.why === null)
  })
})

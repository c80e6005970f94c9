// Forgetting, proved: a page that carries a secret is scraped with a picture, crawled, read by an agent, watched and found by
// search; then it is forgotten, and no byte on the disk holds the secret any more, while everything else is still there.
import { expect, it } from 'vitest'
import { databasePath } from '../../src/store/sqlite.ts'
import { connectSqlite } from '../../src/store/sqlite-connection.ts'
import type { Pages } from '../site/site.ts'
import { itInSoak } from '../soak.ts'
import { began, onEachStore } from './each-store.ts'
import { asked, holders } from './raw-bytes.ts'
import type { Json } from './service.ts'
import { type Member, newKey, newTeam } from './team.ts'
import { finished, until } from './waiting.ts'

const secretOf = (name: string) => `zq${Buffer.from(`forget-${name}`).toString('hex')}qz`
let entries = ['a', 'b', 'c']
const pages: Pages = {
  '/forget/list': ({ response }) => {
    const items = entries.map(
      (name) =>
        `<article class="card"><h2><a href="/forget/entry-${name[0]}">Entry ${name}</a></h2><p>Some words on ${name}, ${secretOf('list')}, and why it is in the list.</p></article>`,
    )
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><title>List</title><main><h1>List</h1><p>All that there is.</p>${items.join('')}</main>`)
  },
  '/hook': ({ response }) => void response.end(),
  '/forget/*': ({ response, url }) => {
    const name = url.pathname.split('/').at(-1)!
    const next = name === 'start' ? '<a href="/forget/linked">The linked page</a>' : ''
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(
        `<!doctype html><title>Page ${name}</title><main><h1>Page ${name}</h1><p>The word of ${name} is ${secretOf(name)}, said once.</p><p>And more text that makes this page one that is worth reading from its beginning to its end.</p>${next}</main>`,
      )
  },
}

onEachStore(pages, ({ site, service, databaseUrl, traces: tracesOf, skip }) => {
  const at = (name: string) => `${site.url}/forget/${name}`
  /** As if the least time between two readings of all feeds were over. */
  const due = async () => {
    const statement = 'update feeds set checked_at = 0'
    const database = databaseUrl()
    if (database) await asked(database, statement)
    else {
      const file = connectSqlite(databasePath(service.dataDir), {})
      // The service may be writing.
      file.exec('pragma busy_timeout = 5000')
      file.exec(statement)
      file.close()
    }
  }
  const scrape = (name: string, options: object = {}) =>
    service.call('POST', '/v2/scrape', { url: at(name), formats: ['markdown', 'rawHtml'], ...options })
  const forget = async (body: object) => {
    const { status, json } = await service.call('POST', '/v2/admin/forget', body)
    expect([status, json.success], `${JSON.stringify(json)}\n${service.logged().slice(-5).join('\n')}`).toEqual([
      200,
      true,
    ])
    return json.data as Json
  }
  /** Not by the secret: what people search for is written down as well. */
  const found = async (name: string): Promise<string[]> =>
    ((await service.call('POST', '/v2/search', { query: `Page ${name}` })).json.data?.web ?? []).map(
      ({ url }: Json) => url,
    )
  const indexed = (name: string) => until(async () => (await found(name)).includes(at(name)))
  // Whatever an answer left to do behind it is done by now; the log of PostgreSQL has a test of its own.
  const traces = (name: string): Promise<string[]> => tracesOf(secretOf(name), 'base')

  it.skipIf(skip)('an address is forgotten wherever it was read, and its neighbours are not', async () => {
    const formats = ['markdown', 'rawHtml', 'chunks', 'summary', 'screenshot']
    for (const name of ['gone', 'stays']) await scrape(name, { formats })
    const [, kept] = await Promise.all([scrape('gone'), scrape('stays')])
    const crawl = await service.call('POST', '/v2/batch/scrape', { urls: [at('gone'), at('stays')] })
    await finished(service, crawl.json.url)
    expect((await service.call('POST', '/v2/map', { url: at('gone'), search: 'gone' })).status).toBe(200)
    const runs: string[] = []
    for (const kind of ['agent', 'extract']) {
      const question = { prompt: 'What is the word of gone?', urls: [at('gone')], webhook: `${site.url}/hook` }
      const { id } = (await service.call('POST', `/v2/${kind}`, question)).json
      await until(async () => (await service.call('GET', `/v2/${kind}/${id}`)).json.status !== 'processing')
      runs.push(id)
    }
    // What they report to webhooks is made of the page, and need not say its address.
    const sent = async (id: string) =>
      (await service.call('GET', `/v2/webhooks/deliveries?jobId=${id}`)).json.data.length
    for (const id of runs) expect(await sent(id)).toBeGreaterThan(0)
    const monitor = await service.call('POST', '/v2/monitor', {
      name: 'Watched',
      schedule: { text: 'weekly' },
      targets: [{ type: 'scrape', urls: [at('gone')] }],
    })
    const check = await service.call('POST', `/v2/monitor/${monitor.json.data.id}/run`)
    await until(async () => {
      const { json } = await service.call('GET', `/v2/monitor/${monitor.json.data.id}/checks/${check.json.data.id}`)
      return !['queued', 'running'].includes(json.data.status)
    })
    await Promise.all([indexed('gone'), indexed('stays')])
    const hits = { query: 'Page gone', scrapeOptions: { formats: ['markdown'], maxAge: 0 } }
    expect(JSON.stringify((await service.call('POST', '/v2/search', hits)).json)).toContain(secretOf('gone'))
    expect(await traces('gone')).not.toEqual([])
    // The server's own notes on the values in its tables forget as well.
    const database = databaseUrl()
    if (database) await asked(database, 'analyze')
    const { removed } = await forget({ url: at('gone') })
    expect(removed).toMatchObject({ agent_runs: 1, monitors: 1 })
    expect(removed.blobs).toBeGreaterThanOrEqual(1)
    expect(await traces('gone')).toEqual([])
    for (const id of runs) expect(await sent(id)).toBe(0)
    expect(await found('gone')).not.toContain(at('gone'))
    expect(await found('stays')).toContain(at('stays'))
    expect(await traces('stays')).not.toEqual([])
    expect((await service.call('GET', `/v2/scrape/${kept.json.scrape_id}`)).status).toBe(200)
    expect((await service.call('GET', `/v2/monitor/${monitor.json.data.id}`)).status).toBe(404)
  })

  it.skipIf(skip)('a feed is read again when it is due, and goes with its page or entry by entry', async () => {
    entries = ['a', 'b', 'c']
    const { data } = (await service.call('POST', '/v2/feeds', { url: at('list') })).json
    const titles = async () =>
      ((await (await fetch(data.json)).json()) as Json).items.map(({ title }: Json) => title) as string[]
    expect(await titles()).toEqual(['Entry a', 'Entry b', 'Entry c'])
    entries = ['c', 'b', 'a edited', 'd']
    const visits = site.hits('/forget/list')
    expect(await titles()).toHaveLength(3)
    expect(site.hits('/forget/list')).toBe(visits)
    await due()
    // Several readers at once make one visit.
    await Promise.all([titles(), titles(), titles()])
    expect(await titles()).toEqual(['Entry d', 'Entry a', 'Entry b', 'Entry c'])
    expect(site.hits('/forget/list')).toBe(visits + 1)
    entries = []
    await due()
    const failed = (await (await fetch(data.json)).json()) as Json
    expect(failed.items).toHaveLength(4)
    expect(failed.description).toContain('no list of entries')
    await forget({ url: `${site.url}/forget/entry-b` })
    expect(await titles()).toEqual(['Entry d', 'Entry a', 'Entry c'])
    await forget({ url: at('list') })
    expect((await fetch(data.json)).status).toBe(404)
    expect(await traces('list')).toEqual([])
  })

  it.skipIf(skip)('of a crawl, the pages of a host go and their places stay', async () => {
    const { json } = await service.call('POST', '/v2/crawl', {
      url: at('start'),
      limit: 5,
      sitemap: 'skip',
      crawlEntireDomain: true,
    })
    await finished(service, json.url)
    expect(await traces('linked')).not.toEqual([])
    await forget({ url: at('linked') })
    expect(await traces('linked')).toEqual([])
    const crawl = (await service.call('GET', `/v2/crawl/${json.id}`)).json
    expect(crawl.data.map(({ metadata }: Json) => metadata.sourceURL)).toEqual([at('start')])
    await forget({ host: '127.0.0.1' })
    expect([...(await traces('start')), ...(await traces('stays'))]).toEqual([])
  })

  it.skipIf(skip)('a team loses what it read, and keeps its keys and credits', async () => {
    const team = await newTeam(service, 'readers')
    const body = { url: at('team'), formats: ['markdown', 'rawHtml'] }
    expect((await team.call('POST', '/v2/scrape', body)).status).toBe(200)
    await scrape('ours')
    const plain = await newKey(service, {})
    expect((await plain.call('POST', '/v2/admin/forget', { host: '127.0.0.1' })).status).toBe(403)
    // An administrator of a team forgets what is the team's, whatever the host.
    expect((await team.call('POST', '/v2/admin/forget', { host: '127.0.0.1' })).status).toBe(200)
    expect(await traces('team')).toEqual([])
    expect(await traces('ours')).not.toEqual([])
    await team.call('POST', '/v2/scrape', body)
    const used = (await team.call('GET', '/v2/team/credit-usage')).json.data
    await forget({ team: team.teamId })
    expect(await traces('team')).toEqual([])
    expect(await traces('ours')).not.toEqual([])
    expect((await team.call('GET', '/v2/team/credit-usage')).json.data).toEqual(used)
  })

  itInSoak.skipIf(skip)('a team forgets the recordings of its sessions, and nobody else’s', async () => {
    const record = async (team: Pick<Member, 'call'>, name: string) => {
      const { json: session } = await team.call('POST', '/v2/interact', { recordSession: true })
      const code = `await page.goto(${JSON.stringify(at(name))}); await page.title()`
      expect((await team.call('POST', `/v2/interact/${session.id}/execute`, { code, timeout: 120 })).json.success).toBe(
        true,
      )
      await team.call('DELETE', `/v2/interact/${session.id}`)
      const film = async () => (await team.call('GET', `/v2/interact/${session.id}`)).json.recordingUrl
      await until(async () => (await film()) !== undefined)
      return film
    }
    const [team, other] = [await newTeam(service, 'filmed'), await newTeam(service, 'also filmed')]
    const gone = await record(team, 'filmed')
    const kept = await record(other, 'kept')
    const { data } = (await team.call('POST', '/v2/admin/forget', { host: '127.0.0.1' })).json
    expect(data.removed).toMatchObject({ sessions: 1, blobs: 1 })
    // Sightings are shared by all teams.
    expect(Object.keys(data.removed)).not.toContain('host_sightings')
    expect(await gone()).toBeUndefined()
    expect((await fetch(await kept())).status).toBe(200)
    expect(await tracesOf(at('filmed'), 'base')).toEqual([])
  })

  it.skipIf(skip)('whatever a team did with a page goes with its host, and its own words with the team', async () => {
    const team = await newTeam(service, 'does everything')
    const [url, words] = [at('everything'), secretOf('words')]
    const does = async (method: string, path: string, body: object, headers = {}): Promise<Json> => {
      const { status, json, text } = await team.call(method, path, body, headers)
      expect(status, `${path}: ${text}`).toBe(200)
      return json
    }
    const post = (path: string, body: object) => does('POST', path, body)
    const formats = ['markdown', { type: 'changeTracking', tag: words }]
    const scraped = await post('/v2/scrape', { url, formats, auditMetadata: { username: words } })
    const note = { endpoint: 'scrape', jobId: scraped.data.metadata.scrapeId, rating: 'bad', note: words, url }
    await post('/v2/feedback', note)
    const search = await post('/v2/search', { query: `Page everything ${words}` })
    const opinion = { rating: 'good', valuableSources: [{ url, reason: words }] }
    await post(`/v2/search/${search.id}/feedback`, opinion)
    const webhook = { url: `${site.url}/hook`, metadata: { words } }
    const options = { limit: 1, sitemap: 'skip', since: 'last', webhook }
    const crawl = await does('POST', '/v2/crawl', { url, ...options }, { 'x-idempotency-key': crypto.randomUUID() })
    await finished({ ...team, url: service.url }, crawl.url)
    await post('/v2/map', { url, search: words })
    const extract = await post('/v2/extract', { urls: [url], prompt: words, webhook })
    const agent = await post('/v2/agent', { urls: [url], prompt: words, webhook })
    for (const path of [`/v2/extract/${extract.id}`, `/v2/agent/${agent.id}`])
      await until(async () => (await team.call('GET', path)).json.status !== 'processing')
    const watch = { name: words, schedule: { text: 'weekly' }, goal: words, targets: [{ type: 'scrape', urls: [url] }] }
    await post('/v2/monitor', watch)
    const steps = [
      { type: 'open', url },
      { type: 'waitFor', text: words },
    ]
    await does('PUT', '/v2/flow/mine', { steps })
    await does('PUT', '/v2/vault/mine', { domain: '127.0.0.1', username: words, password: words })
    const announced = await post('/v2/parse/upload-url', { filename: `${words}.html` })
    await fetch(announced.data.uploadUrl, {
      method: 'PUT',
      body: `<p>${words}`,
      headers: { 'content-type': 'text/html' },
    })
    const session = await post('/v2/interact', { profile: { name: words } })
    const code = `await page.goto(${JSON.stringify(url)}); await page.evaluate((one) => { localStorage.words = one }, '${words}')`
    await post(`/v2/interact/${session.id}/execute`, { code, timeout: 120 })
    await does('DELETE', `/v2/interact/${session.id}`, {})
    const [page, own] = [() => traces('everything'), () => traces('words')]
    expect(await page()).not.toEqual([])
    await post('/v2/admin/forget', { host: '127.0.0.1' })
    expect(await page()).toEqual([])
    for (const kept of ['flow', 'vault']) expect((await team.call('GET', `/v2/${kept}`)).text).not.toContain('mine')
    expect(await own()).not.toEqual([])
    await post('/v2/admin/forget', { team: team.teamId })
    expect(await own()).toEqual([])
  })

  it.skipIf(skip)('the log of the database forgets it too', async () => {
    const url = databaseUrl()
    // SQLite's log lies in the data folder, and is looked at above.
    if (!url) return expect(await tracesOf(secretOf('gone'))).toEqual([])
    // The server would keep the files of its log to write over them.
    await asked(url, 'alter system set wal_recycle = off')
    await asked(url, 'select pg_reload_conf()')
    const [{ data_directory: folder }] = await asked(url, 'show data_directory')
    const inLog = () => holders(`${folder}/pg_wal`, secretOf('logged'), began)
    await scrape('logged')
    await until(() => inLog().length > 0)
    await forget({ url: at('logged') })
    expect(inLog()).toEqual([])
  })

  it.skipIf(skip)('a team may keep things for a shorter time', async () => {
    const team = await newTeam(service, 'short')
    const path = `/v2/admin/teams/${team.teamId}/retention`
    expect((await team.call('PUT', path, { pages: 48 })).status).toBe(400)
    expect((await team.call('PUT', path, { pages: 1, traces: 2 })).json.data).toEqual({ pages: 1, traces: 2 })
    expect((await team.call('GET', path)).json.data).toEqual({ pages: 1, traces: 2 })
    const stranger = await newTeam(service, 'strangers')
    expect((await stranger.call('GET', path)).status).toBe(404)
  })

  it.skipIf(skip)('names what is wrong with a request', async () => {
    for (const [body, message] of [
      [{}, /Say what/],
      [{ url: 'https://a.example/', host: 'a.example' }, /not both/],
      [{ host: 'https://a.example/' }, /without a scheme/],
      [{ team: '01890000-0000-7000-8000-000000000000' }, /no such team/],
    ] as const) {
      const { status, json } = await service.call('POST', '/v2/admin/forget', body)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(json.error).toMatch(message)
    }
  })
})

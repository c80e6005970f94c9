// Monitors through the released SDK: their life, checks of pages, sites and their diffs, webhooks, credits.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { heldPage } from '../site/held.ts'
import type { Page } from '../site/site.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { failure } from './team.ts'
import { until } from './waiting.ts'

let receiver: Receiver
let hook: string

/** What each page of the watched site says now; a number is a status it answers with. */
const says = new Map<string, string | number>()
const html = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`

const watched: Page = ({ response, url, hit }) => {
  const said = says.get(url.pathname) ?? 404
  if (typeof said === 'number') {
    response.writeHead(said, { 'content-type': 'text/html' })
    return void response.end(html('Not here', '<p>Nothing to see.</p>'))
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(html(url.pathname, said.replaceAll('{hit}', String(hit))))
}

/** A page that knows what it sent before; `sent` are the statuses it answered with. */
const sent: number[] = []
const marked: Page = ({ request, response, url }) => {
  const said = String(says.get(url.pathname) ?? '')
  const etag = `"${Buffer.from(said).toString('base64url').slice(-20)}"`
  const isKnown = request.headers['if-none-match'] === etag
  sent.push(isKnown ? 304 : 200)
  response.writeHead(isKnown ? 304 : 200, { 'content-type': 'text/html; charset=utf-8', etag })
  response.end(isKnown ? undefined : html('Marked', said))
}

/** Its validators never change. */
const frozen: Page = ({ request, response, url }) => {
  const isKnown = request.headers['if-none-match'] === '"1"'
  response.writeHead(isKnown ? 304 : 200, { 'content-type': 'text/html; charset=utf-8', etag: '"1"' })
  response.end(isKnown ? undefined : html('Frozen', String(says.get(url.pathname))))
}

const { page: held, hold } = heldPage()

const LONG =
  '<p>This page tells at some length about things that stay as they are, so that it has a body worth reading.</p>'

const { site, service } = shared({
  '/watch/*': watched,
  '/shop/*': watched,
  '/marked/*': marked,
  '/frozen/*': frozen,
  '/held': held,
})
beforeAll(async () => {
  receiver = await openReceiver()
  hook = receiver.url
})
afterAll(() => receiver.close())

/** Every hour, and not while a test runs. */
const awayFromNow = (): string => `${(new Date().getUTCMinutes() + 30) % 60} * * * *`

const create = (more: object = {}) =>
  service.sdk.createMonitor({
    name: 'Watched',
    schedule: { cron: awayFromNow() },
    targets: [{ type: 'scrape', urls: [`${site.url}/watch/a`] }],
    ...more,
  } as never) as Promise<Json>

/** Runs a check to its end. */
async function check(id: string, query: object = {}): Promise<Json> {
  const started = (await service.sdk.runMonitor(id)) as Json
  let detail: Json
  await until(async () => {
    detail = await service.sdk.getMonitorCheck(id, started.id, query as never)
    return detail.status !== 'queued' && detail.status !== 'running'
  })
  return detail
}

describe('the life of a monitor', () => {
  it('is created, read, listed, changed, paused and deleted', async () => {
    says.set('/watch/a', LONG)
    const made = await create({
      schedule: { text: 'hourly' },
      goal: 'the price drops',
      webhook: { url: hook, events: ['monitor.page'] },
    })
    expect(made).toMatchObject({
      name: 'Watched',
      status: 'active',
      schedule: { timezone: 'UTC' },
      retentionDays: 30,
      judgeEnabled: true,
      goal: 'the price drops',
      notification: {},
      lastRunAt: null,
      currentCheckId: null,
      lastCheckSummary: null,
      estimatedCreditsPerMonth: 720,
    })
    expect(made.schedule.cron).toMatch(/^\d+ \* \* \* \*$/)
    expect(made.targets[0].id).toMatch(/^[0-9a-f-]{36}$/)
    const wait = Date.parse(made.nextRunAt) - Date.now()
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(3_600_000)
    expect(((await service.sdk.getMonitor(made.id)) as Json).id).toBe(made.id)
    expect(((await service.sdk.listMonitors({ limit: 1 })) as Json)[0].id).toBe(made.id)
    const listed = await service.call('GET', '/v2/monitor?limit=1')
    expect(listed.json.pagination).toMatchObject({ limit: 1, offset: 0, hasMore: false, total: 1 })
    const changed = (await service.sdk.updateMonitor(made.id, { name: 'Other', webhook: null } as never)) as Json
    expect(changed).toMatchObject({ name: 'Other', webhook: null, schedule: made.schedule })
    const moved = (await service.sdk.updateMonitor(made.id, { schedule: { timezone: 'Asia/Tokyo' } } as never)) as Json
    expect(moved.schedule).toEqual({ cron: made.schedule.cron, timezone: 'Asia/Tokyo' })
    const paused = (await service.sdk.updateMonitor(made.id, { status: 'paused' } as never)) as Json
    expect(paused).toMatchObject({ status: 'paused', nextRunAt: null })
    await expect(service.sdk.runMonitor(made.id)).rejects.toThrow(
      'Monitor is paused. Resume it before running a check.',
    )
    expect(((await service.sdk.updateMonitor(made.id, { status: 'active' } as never)) as Json).nextRunAt).not.toBeNull()
    expect((await service.call('PATCH', `/v2/monitor/${made.id}`, {})).json.error).toBe('Update body cannot be empty')
    expect((await service.call('PATCH', `/v2/monitor/${made.id}`, { origin: 'x' })).status).toBe(200)
    expect(await service.sdk.deleteMonitor(made.id)).toBe(true)
    await expect(service.sdk.getMonitor(made.id)).rejects.toThrow('Monitor not found')
    expect(await service.sdk.listMonitors()).toEqual([])
  })

  it.each([
    [{ schedule: {} }, 'Schedule must include either cron or text'],
    [{ schedule: { cron: '0 * * * *', text: 'hourly' } }, 'Schedule must include either cron or text, not both'],
    [{ schedule: { cron: '* * * * *' } }, /smallest interval is 5 minutes/],
    [{ schedule: { text: 'once in a while' } }, /is not understood/],
    [{ schedule: { cron: '0 9 * * *', timezone: 'Nowhere/Land' } }, /time zone/],
    [{ targets: [] }, /targets/],
    [{ targets: [{ type: 'search', queries: ['x'] }] }, 'A search target requires a non-empty goal'],
    [
      {
        goal: 'x',
        targets: [{ type: 'search', queries: ['x'], includeDomains: ['a.com'], excludeDomains: ['b.com'] }],
      },
      'includeDomains and excludeDomains cannot both be specified',
    ],
    [{ goal: 'x', targets: [{ type: 'search', queries: ['x'], includeDomains: ['https://a.com'] }] }, /valid hostname/],
    [{ targets: [{ type: 'scrape', urls: ['ftp://x'] }] }, /Invalid URL/],
    [{ targets: [{ type: 'scrape', url: 'https://example.com', quotes: ['…'] }] }, /has no words/],
    [{ targets: [{ type: 'other' }] }, /scrape, crawl, search/],
    [{ webhook: { url: 'http://example.com', events: ['crawl.page'] } }, /events/],
    [{ retentionDays: 400 }, /retentionDays/],
    [{ watch: { ignorePatterns: ['('] } }, /pattern/],
    [{ surprise: 1 }, /Unrecognized key/],
    [{ notification: { email: { recipients: ['nobody'] } } }, /recipients/],
    [{ notification: { slack: { enabled: true, channelName: 'news' } } }, /Slack app.*`notification.channels`/],
  ])('is refused when it cannot be: %j', async (wrong, message) => {
    const body = { name: 'x', schedule: { text: 'hourly' }, targets: [{ type: 'scrape', url: site.url }], ...wrong }
    const { status, json } = await service.call('POST', '/v2/monitor', body)
    expect(status).toBe(400)
    if (typeof message === 'string') expect(json.error).toBe(message)
    else expect(json.error).toMatch(message)
  })

  it('warns that the links in its mails lead nowhere when no public address is set', async () => {
    const targets = [{ type: 'scrape', url: site.url }]
    const notification = { email: { enabled: true, recipients: ['ada@example.org'] } }
    const body = { name: 'x', schedule: { text: 'hourly' }, targets, notification }
    const { json } = await service.call('POST', '/v2/monitor', body)
    expect(json.warning).toMatch(/localhost.*ORB_PUBLIC_URL/)
  })

  it('answers politely about what is not there', async () => {
    const nobody = '019a0000-0000-7000-8000-000000000000'
    expect((await service.call('GET', '/v2/monitor/x')).status).toBe(400)
    expect((await service.call('POST', `/v2/monitor/${nobody}/run`)).json.error).toBe('Monitor not found')
    const made = await create()
    expect((await service.call('GET', `/v2/monitor/${made.id}/checks/${nobody}`)).json.error).toBe('Check not found')
    expect((await service.call('GET', `/v2/monitor/${made.id}/checks/x`)).status).toBe(400)
    const blank = await failure(service.sdk.updateMonitor(made.id, { goal: ' ' } as never))
    expect([blank.status, blank.message]).toEqual([400, 'goal must not be blank; send null to remove it'])
    const token = await service.call('POST', '/v2/monitor/email/confirm', { token: 'short' })
    expect([token.status, token.json.error]).toEqual([400, 'invalid_token'])
    const long = { name: 'n'.repeat(300), origin: 'mcp-x@1', schedule: { text: 'daily' }, targets: made.targets }
    expect((await service.call('POST', '/v2/monitor', long)).json.data.name).toHaveLength(256)
  })
})

describe('a check of pages', () => {
  it('tells new, same, changed, removed and failed pages apart, with a diff', async () => {
    const paths = ['/watch/one', '/watch/two', '/watch/three']
    for (const path of paths) says.set(path, `${LONG}<p>Price: $40.00</p>`)
    const made = await create({
      targets: [{ type: 'scrape', urls: paths.map((path) => site.url + path) }],
      webhook: { url: hook, metadata: { ticket: 'M-1' } },
    })
    const first = await check(made.id)
    expect(first).toMatchObject({
      status: 'completed',
      trigger: 'manual',
      summary: { totalPages: 3, new: 3, same: 0, changed: 0, removed: 0, error: 0 },
      actualCredits: 3,
      billingStatus: 'confirmed',
      targetResults: [{ type: 'scrape', expectedJobs: paths.map((path) => site.url + path) }],
    })
    expect(first.pages[0]).toMatchObject({ status: 'new', diff: null, judgment: null, previousScrapeId: null })
    says.set('/watch/one', `${LONG}<p>Price: $35.00</p>`)
    says.set('/watch/two', 503)
    says.set('/watch/three', 410)
    const second = await check(made.id)
    expect(second).toMatchObject({ status: 'partial', summary: { totalPages: 3, changed: 1, error: 1, removed: 1 } })
    const page = (path: string, of: Json = second) => of.pages.find(({ url }: Json) => url === site.url + path)
    expect(page('/watch/one').diff.text).toMatch(/^--- previous\n\+\+\+ current\n@@/)
    expect(page('/watch/one').diff.text).toContain('-Price: $40.00\n+Price: $35.00')
    expect(page('/watch/one').diff.json.files[0].chunks[0].changes.length).toBeGreaterThan(1)
    expect(page('/watch/one').previousScrapeId).toBe(page('/watch/one', first).currentScrapeId)
    expect(page('/watch/two')).toMatchObject({ status: 'error', statusCode: 503 })
    expect(page('/watch/three')).toMatchObject({ status: 'removed', statusCode: 410 })
    const scrape = await service.call('GET', `/v2/scrape/${page('/watch/one').currentScrapeId}`)
    expect(scrape.json.data.markdown).toContain('$35.00')
    says.set('/watch/two', `${LONG}<p>Price: $40.00</p>`)
    says.set('/watch/three', `${LONG}<p>Price: $40.00</p>`)
    const third = await check(made.id)
    expect(third.summary).toMatchObject({ same: 2, new: 1, error: 0 })
    const mine = receiver.letters.filter(({ data }) => data[0]?.monitorId === made.id)
    await until(() => receiver.letters.filter(({ data }) => data[0]?.monitorId === made.id).length >= 12)
    expect(mine.every(({ metadata }) => metadata.ticket === 'M-1')).toBe(true)
    const reported = receiver.letters.find(
      ({ type, id, data }) => type === 'monitor.page' && id === second.id && data[0].status === 'changed',
    )
    expect(reported).toMatchObject({ success: true, data: [{ checkId: second.id, isMeaningful: null }] })
    const ended = receiver.letters.find(({ type, id }) => type === 'monitor.check.completed' && id === second.id)
    expect(ended).toMatchObject({ success: false, data: [{ status: 'partial', summary: second.summary }] })
    const after = (await service.sdk.getMonitor(made.id)) as Json
    expect(after).toMatchObject({ currentCheckId: null, lastCheckSummary: third.summary })
    const all = (await service.sdk.listMonitorChecks(made.id)) as Json
    expect(all.map(({ id }: Json) => id)).toEqual([third.id, second.id, first.id])
    expect(((await service.sdk.listMonitorChecks(made.id, { status: 'partial' } as never)) as Json)[0].id).toBe(
      second.id,
    )
  })

  it('pages through what it found, and filters it', async () => {
    const paths = Array.from({ length: 30 }, (_, n) => `/watch/many-${n}`)
    for (const path of paths) says.set(path, `${LONG}<p>${path}</p>`)
    const made = await create({ targets: [{ type: 'scrape', urls: paths.map((path) => site.url + path) }] })
    const whole = await check(made.id)
    expect(whole.pages).toHaveLength(30)
    const one = await service.call('GET', `/v2/monitor/${made.id}/checks/${whole.id}?limit=20`)
    expect(one.json.next).toContain('skip=20')
    expect(one.json.data.next).toBe(one.json.next)
    expect(one.json.pagination).toMatchObject({ total: 30, hasMore: true })
    const none = await service.call('GET', `/v2/monitor/${made.id}/checks/${whole.id}?status=changed`)
    expect(none.json.data.pages).toEqual([])
    expect(none.json.next).toBeUndefined()
  })

  it('compares extracted values field by field, and leaves the text alone unless both are wanted', async () => {
    const shop = (price: string, blurb: string) =>
      `<p>${blurb}</p><dl><dt>Price</dt><dd>${price}</dd><dt>Colour</dt><dd>green</dd></dl>${LONG}`
    says.set('/shop/lamp', shop('$20.00', 'A lamp for the table.'))
    const schema = { type: 'object', properties: { price: { type: 'string' }, colour: { type: 'string' } } }
    const track = (modes: string[]) => ({
      targets: [
        {
          type: 'scrape',
          url: `${site.url}/shop/lamp`,
          scrapeOptions: { formats: [{ type: 'changeTracking', modes, schema }] },
        },
      ],
    })
    const data = await create(track(['json']))
    const mixed = await create(track(['json', 'git-diff']))
    const [firstData] = [await check(data.id), await check(mixed.id)]
    expect(firstData.pages[0].snapshot.json).toMatchObject({ price: expect.stringContaining('20') })
    expect(firstData.actualCredits).toBe(5)
    says.set('/shop/lamp', shop('$20.00', 'A lamp for the desk.'))
    expect((await check(data.id)).pages[0].status).toBe('same')
    const text = (await check(mixed.id)).pages[0]
    expect(text).toMatchObject({ status: 'changed', diff: { json: {} } })
    expect(text.diff.text).toContain('+A lamp for the desk.')
    says.set('/shop/lamp', shop('$18.00', 'A lamp for the desk.'))
    const [changed] = (await check(data.id)).pages
    expect(changed.status).toBe('changed')
    expect(Object.keys(changed.diff)).toEqual(['json'])
    expect(changed.diff.json.price).toMatchObject({
      previous: expect.stringContaining('20'),
      current: expect.stringContaining('18'),
    })
  })

  it('wakes nobody for what differs at every visit, and lists it with the reason', async () => {
    says.set('/watch/noisy', `${LONG}<p>You are number {hit} to come by.</p><p>Opening hours: 9 to 5.</p>`)
    const made = await create({ targets: [{ type: 'scrape', url: `${site.url}/watch/noisy` }] })
    await check(made.id)
    const quiet = await check(made.id)
    expect(quiet.summary).toMatchObject({ same: 1, changed: 0 })
    expect(quiet.pages[0].suppressed[0].reason).toMatch(/looked at again/)
    says.set('/watch/noisy', `${LONG}<p>You are number {hit} to come by.</p><p>Opening hours: 10 to 6.</p>`)
    const real = await check(made.id)
    expect(real.summary.changed).toBe(1)
    expect(real.pages[0].diff.text).toContain('+Opening hours: 10 to 6.')
    expect(real.pages[0].diff.text).not.toMatch(/^[-+].*number/m)
  })

  it('asks only whether a page is still the same where the site can say so', async () => {
    says.set('/marked/a', `${LONG}<p>Open from nine to five.</p>`)
    const target = { type: 'scrape', urls: [`${site.url}/marked/a`] }
    const made = await create({ targets: [target] })
    expect((await check(made.id)).summary).toMatchObject({ new: 1 })
    const same = await check(made.id)
    expect(same.summary).toMatchObject({ same: 1 })
    expect(same.pages[0]).toMatchObject({ statusCode: 304, metadata: { notModified: true } })
    expect(sent).toEqual([200, 304])
    says.set('/marked/a', `${LONG}<p>Open from ten to six.</p>`)
    const changed = await check(made.id)
    expect(changed.summary).toMatchObject({ changed: 1 })
    expect(changed.pages[0].diff.text).toContain('+Open from ten to six.')
    // Other parts of the page are another question: what the site said before is no answer to it.
    await check(made.id)
    await check(made.id)
    expect(sent.at(-1)).toBe(304)
    const { targets } = made
    const options = { onlyMainContent: false }
    await service.sdk.updateMonitor(made.id, { targets: [{ ...targets[0], scrapeOptions: options }] } as never)
    await check(made.id)
    expect(sent.at(-1)).toBe(200)
  })

  it('reads the whole page now and then, whatever the site answers', async () => {
    says.set('/frozen/a', `${LONG}<p>Open from nine to five.</p>`)
    const made = await create({ targets: [{ type: 'scrape', urls: [`${site.url}/frozen/a`] }] })
    await check(made.id)
    says.set('/frozen/a', `${LONG}<p>Open from ten to six.</p>`)
    const found: string[] = []
    while (found.length < 14 && found.at(-1) !== 'changed') {
      const { pages } = await check(made.id)
      found.push(pages[0].metadata.notModified ? 'not modified' : pages[0].status)
    }
    expect(found.length).toBeLessThan(14)
    // Validators that stayed the same over an edit are not used again.
    says.set('/frozen/a', `${LONG}<p>Open from eleven to seven.</p>`)
    const next = await check(made.id)
    expect(next.summary).toMatchObject({ changed: 1 })
  })

  it('judges a change by the goal, and says that a rule did', async () => {
    says.set('/watch/judged', `${LONG}<p>Price: $40.00</p><p>Opening hours: 9 to 5.</p>`)
    const made = await create({
      goal: 'Tell me when the price drops',
      targets: [{ type: 'scrape', url: `${site.url}/watch/judged` }],
    })
    await check(made.id)
    says.set('/watch/judged', `${LONG}<p>Price: $40.00</p><p>Opening hours: 10 to 6.</p>`)
    const other = (await check(made.id)).pages[0]
    expect(other.judgment).toMatchObject({ meaningful: false, judgeDegraded: true })
    says.set('/watch/judged', `${LONG}<p>Price: $30.00</p><p>Opening hours: 10 to 6.</p>`)
    const drop = await check(made.id)
    expect(drop.pages[0].judgment).toMatchObject({ meaningful: true, confidence: 'high' })
    expect(drop.pages[0].judgment.meaningfulChanges[0]).toMatchObject({ type: 'changed', before: 'Price: $40.00' })
    expect(drop.actualCredits).toBe(2)
  })
})

describe('a check of a site', () => {
  it('finds new and vanished pages by crawling it', async () => {
    const links = (...to: string[]) => to.map((path) => `<a href="${path}">${path}</a> `).join('')
    says.set('/watch/a', LONG)
    says.set('/shop/start', `${LONG}${links('/shop/x', '/shop/y')}`)
    for (const path of ['/shop/x', '/shop/y', '/shop/z']) says.set(path, `${LONG}<p>${path}</p>`)
    const made = await create({
      targets: [
        {
          type: 'crawl',
          url: `${site.url}/shop/start`,
          crawlOptions: { limit: 10, maxDepth: 1, sitemap: 'skip', crawlEntireDomain: true },
        },
        { type: 'scrape', url: `${site.url}/watch/a` },
      ],
    })
    const first = await check(made.id)
    expect(first.summary).toMatchObject({ totalPages: 4, new: 4 })
    expect(first.targetResults[0]).toMatchObject({ type: 'crawl', crawlId: expect.any(String) })
    expect(first.actualCredits).toBe(4)
    says.set('/shop/start', `${LONG}<p>The letter z has moved in.</p>${links('/shop/x', '/shop/z')}`)
    says.set('/shop/y', 404)
    const second = await check(made.id)
    expect(second.status).toBe('completed')
    expect(second.summary).toMatchObject({ new: 1, removed: 1, changed: 1, same: 2 })
  })
})

describe('a check that cannot run', () => {
  it('is refused while another runs, and written down when the team has no credits', async () => {
    const release = hold()
    const made = await create({
      targets: [{ type: 'scrape', urls: [`${site.url}/held`, 'http://no-such-host.invalid/'] }],
    })
    const started = (await service.sdk.runMonitor(made.id)) as Json
    const again = await service.call('POST', `/v2/monitor/${made.id}/run`)
    expect(again).toMatchObject({
      status: 409,
      json: { error: 'Monitor check is already running.', checkId: started.id },
    })
    release()
    await until(async () => ((await service.sdk.getMonitor(made.id)) as Json).currentCheckId === null, 30_000)
    const done = (await service.sdk.getMonitorCheck(made.id, started.id)) as Json
    expect(done.status).toBe('partial')
    expect(done.pages.find(({ status }: Json) => status === 'error').error).toMatch(/resolve/)
  })

  it('finds by search what is new and to the point, and what was seen before wakes nobody', async () => {
    const page = (path: string, text: string) => {
      says.set(path, `${LONG}<p>${text}</p>`)
      return service.sdk.scrape(`${site.url}${path}`)
    }
    const hits = async () =>
      (await service.call('POST', '/v2/search', { query: 'Zephyr release' })).json.data?.web?.length ?? 0
    await page('/watch/zephyr', 'Zephyr release 4.2 is out today with a faster parser.')
    await until(async () => (await hits()) === 1)
    const target = {
      ...{ type: 'search', queries: ['Zephyr release'], maxResults: 10, searchWindow: '24h' },
      ...{ includeDomains: [' 127.0.0.1 '], excludeDomains: [] },
    }
    const made = await create({ goal: 'a new release of Zephyr', targets: [target] })
    const first = await check(made.id)
    expect(first.status).toBe('completed')
    expect(first.pages).toMatchObject([
      { url: `${site.url}/watch/zephyr`, status: 'new', metadata: { searchStatus: 'alert' } },
    ])
    await page('/watch/zephyr-next', 'Zephyr release 4.3 came out this morning and mends the parser.')
    await until(async () => (await hits()) === 2)
    const second = await check(made.id)
    const other = await create({ goal: 'major new faster breakthroughs', targets: [target] })
    expect((await check(other.id)).pages.map((one: Json) => one.judgment.meaningful)).toEqual([false, false])
    const byUrl = new Map(second.pages.map((one: Json) => [one.url, one.metadata.searchStatus]))
    expect(byUrl.get(`${site.url}/watch/zephyr`)).toBe('already_seen')
    expect(byUrl.get(`${site.url}/watch/zephyr-next`)).toBe('alert')
    expect(second.summary).toMatchObject({ new: 1, same: 1 })
  })
})

it('reports when cited words are gone, and nothing else', async () => {
  const quotes = ['half a pail of oil', 'the lamp is lit at *dusk*', 'never said']
  const page = (second: string) =>
    `${LONG}<p>The lamp burns half a pail of oil.</p><p>${second}</p><footer>${second}</footer>`
  says.set('/watch/cited', page('The lamp is lit at <b>dusk</b>.'))
  const { id } = await create({ targets: [{ type: 'scrape', url: `${site.url}/watch/cited`, quotes }] })
  const checked = async () => (await check(id)).pages[0]
  const found = (page: Json) => page.metadata.citations.map((one: Json) => one.found)
  const first = await checked()
  expect([first.status, found(first)]).toEqual(['new', [true, true, false]])
  says.set('/watch/cited', page('THE LAMP is lit at dusk, as always.'))
  expect((await checked()).status).toBe('same')
  says.set('/watch/cited', page('The lamp is lit at nine.'))
  const gone = await checked()
  expect([gone.status, found(gone)]).toEqual(['changed', [true, false, false]])
  expect(gone.metadata.met).toEqual(['"the lamp is lit at *dusk*" is no longer on the page'])
  expect(gone.diff.text).toContain('+The lamp is lit at nine.')
  expect((await checked()).status).toBe('same')
  says.set('/watch/cited', page('The lamp is lit at dusk.'))
  expect((await checked()).metadata.met).toEqual(['"the lamp is lit at *dusk*" is on the page again'])
  says.set('/watch/cited', 503)
  const failed = await checked()
  expect([failed.status, failed.metadata.citations]).toEqual(['error', undefined])
  says.set('/watch/cited', 410)
  expect(found(await checked())).toEqual([false, false, false])
})

it('finds cited words in the footer, whatever the other options are', async () => {
  says.set(
    '/watch/footer',
    `${LONG.repeat(12)}</main><footer><p>Set in Harbour Roman by hand.</p><a href="/a">Imprint</a></footer>`,
  )
  const quoted = { url: `${site.url}/watch/footer`, quotes: ['set in harbour roman'] }
  const { id } = await create({ targets: [{ type: 'scrape', ...quoted, scrapeOptions: { formats: ['markdown'] } }] })
  expect((await check(id)).pages[0].metadata.citations).toEqual([{ quote: quoted.quotes[0], found: true }])
})

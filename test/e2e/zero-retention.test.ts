// Zero data retention, proved: pages that carry a secret are scraped, parsed and crawled, also with a kill in the middle, and
// then no byte on the disk holds the secret: data folder, write-ahead log, temporary files, log, PostgreSQL's own files.
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Pages } from '../site/site.ts'
import { began, onEachStore, type StoreContext } from './each-store.ts'
import { holders } from './raw-bytes.ts'
import type { Json } from './service.ts'
import { type Member, newTeam } from './team.ts'
import { finished, until } from './waiting.ts'

/** The secret of a page is a word that stands nowhere else, long enough never to come about by chance. */
const secretOf = (name: string) => `zq${Buffer.from(`secret-${name}`).toString('hex')}qz`
const page = (name: string, links = '') =>
  `<!doctype html><title>Page ${name}</title><main><h1>Page ${name}</h1><p>The word is ${secretOf(name)}, said once.</p>
  <p>And more text that makes this page one that is worth reading from its beginning to its end.</p>${links}</main>`
/** What the receiver of webhooks was told. */
const reported: string[] = []
const pages: Pages = {
  '/told': async ({ request, response }) => {
    let body = ''
    for await (const chunk of request) body += chunk
    reported.push(`${body} ${request.headers['x-hook'] ?? ''}`)
    response.end()
  },
  '/zdr/*': async ({ response, url, base }) => {
    const name = url.pathname.split('/').at(-1)!
    if (name.startsWith('slow')) await sleep(400)
    const links = name.startsWith('crawl') ? `<a href="${base}/zdr/${name}-next">next</a>` : ''
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(name, links))
  },
}

const suite = ({ site, service, killAndStart, traces: tracesOf, skip }: StoreContext) => {
  const scrape = (name: string, options: object) =>
    service.call('POST', '/v2/scrape', { url: `${site.url}/zdr/${name}`, ...options })
  const traces = async (name: string): Promise<string[]> => {
    const word = secretOf(name)
    // PostgreSQL's folder is searched above; the runtime of sandboxes is a copy of programs.
    const temporary = readdirSync(tmpdir()).filter((one) =>
      /orb-(?!e2e-|postgres-|runtime-)|orbweaver|playwright|puppeteer/.test(one),
    )
    return [
      ...(await tracesOf(word)),
      ...temporary.flatMap((one) => holders(join(tmpdir(), one), word, began)),
      ...(service.logged().some((line) => line.includes(word)) ? ['the log'] : []),
      ...((await service.call('GET', '/metrics')).text.includes(word) ? ['the metrics'] : []),
    ]
  }
  const keepNothing = { zeroDataRetention: true }

  it.skipIf(skip)('the search itself finds what is kept', async () => {
    expect((await scrape('kept', { formats: ['rawHtml'] })).status).toBe(200)
    expect(await traces('kept')).not.toEqual([])
  })

  it.skipIf(skip)('a scrape leaves nothing', async () => {
    const { json } = await scrape('scraped', { formats: ['markdown', 'rawHtml', 'links'], ...keepNothing })
    expect(json.data.markdown).toContain(secretOf('scraped'))
    expect(await traces('scraped')).toEqual([])
    expect((await service.call('GET', `/v2/scrape/${json.scrape_id}`)).status).toBe(404)
  })

  it.skipIf(skip)('a page in a browser leaves nothing', async () => {
    const { json } = await scrape('rendered', { formats: ['markdown', 'screenshot'], waitFor: 1, ...keepNothing })
    expect(json.data.markdown).toContain(secretOf('rendered'))
    expect(json.data.screenshot).toMatch(/^data:image\/png/)
    expect(await traces('rendered')).toEqual([])
  })

  it.skipIf(skip)('an uploaded file leaves nothing', async () => {
    const form = new FormData()
    form.set('file', new Blob([page('parsed')], { type: 'text/html' }), 'page.html')
    form.set('options', JSON.stringify({ formats: ['markdown'], ...keepNothing }))
    const answer = await fetch(`${service.url}/v2/parse`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}` },
      body: form,
    })
    expect(((await answer.json()) as Json).data.markdown).toContain(secretOf('parsed'))
    expect(await traces('parsed')).toEqual([])
  })

  it.skipIf(skip)('a crawl leaves nothing that can be read without its key', async () => {
    const started = await service.call('POST', '/v2/crawl', {
      url: `${site.url}/zdr/crawl-a`,
      limit: 3,
      sitemap: 'skip',
      crawlEntireDomain: true,
      ...keepNothing,
    })
    const done = await finished(service, `${service.url}/v2/crawl/${started.json.id}`)
    expect(done.data[0].markdown).toContain(secretOf('crawl-a'))
    expect(await traces('crawl-a')).toEqual([])
  })

  describe.each([
    ['after', ['html'], ['markdown']],
    ['before', ['markdown'], ['html']],
    ['with the same formats as', ['markdown'], ['markdown']],
  ])('a job with zero retention %s other requests for a page', (order, kept, sealed) => {
    it.skipIf(skip)('spoils it for no team: cache, map, search, since and monitors', async () => {
      const name = `shared-${order.split(' ')[0]}`
      const url = `${site.url}/zdr/${name}`
      const keepNothingOf = async (formats: readonly string[], kind: 'batch' | 'crawl' = 'batch') => {
        const [path, body] =
          kind === 'batch'
            ? ['/v2/batch/scrape', { urls: [url], formats }]
            : ['/v2/crawl', { url, limit: 1, sitemap: 'skip', scrapeOptions: { formats } }]
        const { json, text } = await service.call('POST', path as string, { ...(body as object), ...keepNothing })
        const done = await finished(service, json.url)
        expect(done.data, text).toHaveLength(1)
        return done.data[0]
      }
      if (order === 'before') await keepNothingOf(sealed)
      expect((await scrape(name, { formats: kept })).status).toBe(200)
      if (order !== 'before') expect(JSON.stringify(await keepNothingOf(sealed))).toContain(secretOf(name))
      await keepNothingOf(['links'], 'crawl')
      const team = await newTeam(service, `reader ${order}`)
      for (const reader of [team, service]) {
        for (const formats of [['markdown'], ['html'], ['links']]) {
          const again = await reader.call('POST', '/v2/scrape', { url, formats })
          expect([again.status, again.json.data?.metadata.statusCode], again.text).toEqual([200, 200])
        }
        const listed = await reader.call('POST', '/v2/map', { url: site.url, sitemap: 'skip' })
        expect([listed.status, JSON.stringify(listed.json.links)], listed.text).toEqual([
          200,
          expect.stringContaining(`Page ${name}`),
        ])
      }
      const query = { query: secretOf(name), scrapeOptions: { formats: ['markdown'] } }
      await until(async () => JSON.stringify((await team.call('POST', '/v2/search', query)).json).includes(url))
      const since = async () => {
        const { json } = await team.call('POST', '/v2/crawl', { url, limit: 1, sitemap: 'skip', since: 'last' })
        return (await finished(team as never, json.url)).data.map(({ change }: Json) => change)
      }
      expect(await since()).toEqual(['new'])
      await keepNothingOf(['markdown'], 'crawl')
      expect(await since()).toEqual(['same'])
      const target = { type: 'scrape', urls: [url] }
      const watch = { name, schedule: { text: 'weekly' }, targets: [target] }
      const { id } = (await team.call('POST', '/v2/monitor', watch)).json.data
      for (const status of ['new', 'same']) {
        const run = (await team.call('POST', `/v2/monitor/${id}/run`)).json.data
        const check = async () => (await team.call('GET', `/v2/monitor/${id}/checks/${run.id}`)).json.data
        await until(async () => !['queued', 'running'].includes((await check()).status))
        expect((await check()).pages).toMatchObject([{ status }])
        await keepNothingOf(['summary'])
      }
    })
  })

  it.skipIf(skip)('a job with zero retention is no baseline of since', async () => {
    const url = `${site.url}/zdr/baseline`
    const { json } = await service.call('POST', '/v2/crawl', { url, limit: 1, ...keepNothing })
    await finished(service, json.url)
    const refused = await service.call('POST', '/v2/crawl', { url, limit: 1, since: json.id })
    expect([refused.status, refused.json.error]).toEqual([400, expect.stringContaining('zero data retention')])
  })

  it.skipIf(skip)('a webhook that was taken leaves nothing', async () => {
    const before = reported.length
    const started = await service.call('POST', '/v2/batch/scrape', {
      urls: [`${site.url}/zdr/told`],
      webhook: { url: `${site.url}/told`, events: ['page', 'completed'] },
      ...keepNothing,
    })
    await finished(service, `${service.url}/v2/batch/scrape/${started.json.id}`)
    await until(() => reported.length >= before + 2)
    expect(reported.slice(before).join()).toContain(secretOf('told'))
    expect(await traces('told')).toEqual([])
  })

  it.skipIf(skip)(
    'a live session of a team that keeps nothing leaves nothing when it is stopped, and nothing does that a kill cuts off',
    async () => {
      const team = await newTeam(service, 'forced', { zeroDataRetention: 'forced' })
      const seen = async (name: string): Promise<string> => {
        const { id } = (await team.sdk.browser({ ttl: 60 })) as { id: string }
        const open = `await page.goto('${site.url}/zdr/${name}'); await page.evaluate(() => {
          localStorage.setItem('word', document.body.innerText); document.cookie = 'word=' + /zq\\w+qz/.exec(document.body.innerText) })
          console.log(await page.textContent('main'))`
        const ran = (await team.sdk.browserExecute(id, { language: 'node', code: open })) as Json
        expect(ran.stdout, JSON.stringify(ran)).toContain(secretOf(name))
        const prompt = { prompt: `Read the word ${secretOf(name)}` }
        expect((await team.call('POST', `/v2/interact/${id}/execute`, prompt)).status).toBeLessThan(500)
        return id
      }
      const film = await team.call('POST', '/v2/interact', { recordSession: true })
      expect([film.status, film.json.error]).toEqual([400, expect.stringContaining('zero data retention')])
      await team.sdk.deleteBrowser(await seen('driven'))
      expect(await traces('driven')).toEqual([])
      await seen('cut-off')
      const before = site.hits('/zdr/slow-scrape')
      void scrape('slow-scrape', { formats: ['markdown', 'rawHtml'], ...keepNothing }).catch(() => undefined)
      await until(() => site.hits('/zdr/slow-scrape') > before)
      await sleep(350)
      await killAndStart()
      expect([...(await traces('cut-off')), ...(await traces('slow-scrape'))]).toEqual([])
    },
  )

  it.skipIf(skip)('an agent is refused to a team that keeps nothing, and the refusal leaves nothing', async () => {
    const team = await newTeam(service, 'forced too', { zeroDataRetention: 'forced' })
    const prompt = `What is the word that begins like ${secretOf('asked')}?`
    const ask = (member: Pick<Member, 'call'>, extra: object) =>
      member.call('POST', '/v2/agent', { prompt, urls: [`${site.url}/zdr/asked`], ...extra })
    const forced = await ask(team, {})
    expect([forced.status, forced.json.error]).toEqual([400, expect.stringContaining('zero data retention')])
    expect((await ask(service, { zeroDataRetention: true })).status).toBe(400)
    expect(await traces('asked')).toEqual([])
    expect(site.hits('/zdr/asked')).toBe(0)
  })

  it.skipIf(skip)('what a team that keeps nothing reads, lists and looks for leaves nothing', async () => {
    const team = await newTeam(service, 'forced reader', { zeroDataRetention: 'forced' })
    const word = secretOf('address')
    const url = `${site.url}/zdr/${word}`
    const read = await team.call('GET', `/r/${url}`)
    expect([read.status, read.text]).toEqual([200, expect.stringContaining('The word is')])
    const formats = ['chunks', 'summary', 'links', { type: 'question', question: `What is ${word}?` }]
    const chunked = await team.call('POST', '/v2/scrape', { url, formats })
    expect(JSON.stringify(chunked.json.data.chunks), chunked.text).toContain('The word is')
    const listed = await team.call('POST', '/v2/map', { url, search: word, sitemap: 'skip' })
    expect(listed.json.links?.[0], listed.text).toMatchObject({ url })
    const query = { query: word, scrapeOptions: { formats: ['markdown'] } }
    expect([200, 503]).toContain((await team.call('POST', '/v2/search', query)).status)
    // What cannot be done without keeping something is refused, and the refusal is not kept either.
    const target = { type: 'scrape', urls: [url] }
    const refusals = [
      await team.call('POST', '/v2/extract', { urls: [url], prompt: word }),
      await team.call('POST', '/v2/monitor', { name: word, schedule: { text: 'weekly' }, targets: [target] }),
    ]
    for (const { status, json } of refusals)
      expect([status, json.error]).toEqual([expect.any(Number), expect.stringContaining('zero data retention')])
    const { data } = (await team.call('GET', '/v2/team/activity')).json
    expect(data.map(({ target }: Json) => target)).toEqual(data.map(() => null))
    expect(data.map(({ endpoint }: Json) => endpoint)).toEqual(expect.arrayContaining(['scrape', 'map']))
    expect(await traces('address')).toEqual([])
  })

  it.skipIf(skip)(
    'headers that callers gave to jobs and webhooks are not readable, whatever else is kept',
    async () => {
      const headers = { authorization: `Bearer ${secretOf('token')}`, cookie: `sid=${secretOf('token')}` }
      const webhook = { url: `${site.url}/told`, headers: { 'x-hook': secretOf('token') } }
      const url = `${site.url}/zdr/with-headers`
      const before = reported.length
      const batch = await service.call('POST', '/v2/batch/scrape', { urls: [url], headers, webhook })
      const crawl = await service.call('POST', '/v2/crawl', { url, limit: 1, scrapeOptions: { headers }, webhook })
      for (const { json } of [batch, crawl]) await finished(service, json.url)
      await until(() => reported.length >= before + 6)
      expect(reported.slice(before).every((one) => one.includes(secretOf('token')))).toBe(true)
      const target = { type: 'scrape', urls: [url], scrapeOptions: { headers } }
      const watch = { name: 'watch', schedule: { text: 'hourly' }, targets: [target], webhook }
      const made = await service.call('POST', '/v2/monitor', watch)
      expect(made.json.data, made.text).toMatchObject({ webhook, targets: [{ scrapeOptions: { headers } }] })
      expect((await service.call('PATCH', `/v2/monitor/${made.json.data.id}`, { webhook })).status).toBe(200)
      const agent = await service.call('POST', '/v2/agent', {
        prompt: 'Read the page',
        urls: [url],
        webhook,
        maxCredits: 1,
      })
      expect(agent.status, agent.text).toBe(200)
      expect(await traces('token')).toEqual([])
      expect((await service.call('DELETE', `/v2/monitor/${made.json.data.id}`)).status).toBe(200)
    },
  )
}
onEachStore(pages, suite, { ORB_LOG_LEVEL: 'debug', ORB_SEARCH_PROVIDERS: 'none' })

// Crawls through the released SDK, on the real service, against our own web.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { LINKED_PAGES, linkedPages } from '../site/linked.ts'
import type { Page } from '../site/site.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { finished, until } from './waiting.ts'

const robots = ['User-agent: *', 'Disallow: /linked/7', ''].join('\n')
/** Of pages with `?held`, so many come at once, and the others when they are let go. */
let free = 0
let letGo = Promise.resolve()
const linked: Page = async (scene) => {
  if (scene.url.searchParams.has('held') && free-- <= 0) await letGo
  await linkedPages['/linked/*']!(scene)
}
const { site, service } = shared({
  ...linkedPages,
  '/linked/*': linked,
  '/tongues/*': (scene) => inLanguages(scene),
  '/twins/*': (scene) => twins(scene),
  '/robots.txt': ({ response }) => void response.end(robots),
})

const post = (body: object, headers = {}) => service.call('POST', '/v2/crawl', body, headers)
const status = async (id: string, query = '') => (await service.call('GET', `/v2/crawl/${id}${query}`)).json
const start = async (path: string, options: object = {}) =>
  (await post({ url: site.url + path, crawlEntireDomain: true, sitemap: 'skip', ...options })).json
/** All documents of a job, page by page. */
async function documents(id: string): Promise<Json[]> {
  const all: Json[] = []
  for (let next: string | undefined = `/v2/crawl/${id}`; next; ) {
    const { json } = await service.call('GET', next)
    all.push(...json.data)
    next = json.next?.replace(service.url, '')
  }
  return all
}
const fresh = { scrapeOptions: { maxAge: 0 } }
function holdAfter(count: number): () => void {
  let release = () => {}
  free = count
  letGo = new Promise((resolve) => {
    release = resolve
  })
  return () => release()
}

const LANGUAGES = ['en', 'de', 'fr']
/** In three languages that only the head of a page names, with a link to a page of the same language. */
const inLanguages: Page = ({ response, url, base }) => {
  const [language = 'en', name] = url.pathname.split('/')[2]!.split('.')
  const ending = name ? `.${name}` : ''
  const alternates = LANGUAGES.map(
    (one) => `<link rel="alternate" hreflang="${one}" href="${base}/tongues/${one}${ending}">`,
  )
  const next = name ? '' : `<a href="/tongues/${language}.more">more</a> <a href="/tongues/fr.only">only</a>`
  response.setHeader('content-type', 'text/html')
  response.end(
    `<!doctype html><html lang="${language}"><title>${language}</title>${alternates.join('')}<h1>${language} ${ending}</h1>${next}`,
  )
}
const twins: Page = ({ response, url }) => {
  const name = url.pathname.split('/')[2]
  const links = name === '' ? ['a', 'b', 'c'].map((one) => `<a href="/twins/${one}">${one}</a>`).join(' ') : ''
  const text = name === 'c' ? 'The sluice is mended by hand.' : 'The sluice keeper counts the boats. '.repeat(20)
  response.setHeader('content-type', 'text/html')
  response.end(`<!doctype html><title>Twins</title><h1>Sluice</h1><main>${links}<p>${text}</p></main>`)
}

describe('a crawl', () => {
  it('reads a site in all its languages, or in one', async () => {
    const paths = async (options: object) => {
      const { url, id } = await start('/tongues/en', options)
      await finished(service, url)
      return (await documents(id)).map(({ metadata }) => metadata.url.replace(`${site.url}/tongues/`, '')).sort()
    }
    expect(await paths({})).toEqual([
      'de',
      'de.more',
      'de.only',
      'en',
      'en.more',
      'en.only',
      'fr',
      'fr.more',
      'fr.only',
    ])
    expect(await paths({ language: 'de' })).toEqual(['de', 'de.more', 'en'])
    expect((await post({ url: site.url, language: 'German' })).json.details[0].message).toContain('pt-BR')
  })

  it('returns the same content once, with its other addresses', async () => {
    const { url, id } = await start('/twins/', fresh)
    expect(await finished(service, url)).toMatchObject({ total: 3, completed: 3, creditsUsed: 3 })
    const byAddress = new Map((await documents(id)).map(({ metadata }) => [metadata.url, metadata.aliases]))
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `${site.url}/twins/${name}`)
    expect(byAddress.get(c)).toBeUndefined()
    expect([byAddress.get(a) ?? [a], byAddress.get(b) ?? [b]]).toEqual(byAddress.has(a) ? [[b], [b]] : [[a], [a]])
    const apart = await start('/twins/', { ...fresh, deduplicateSimilarURLs: false })
    expect(await finished(service, apart.url)).toMatchObject({ completed: 4 })
  })

  it('visits every page of the site once, and none that robots.txt forbids', async () => {
    const { id, url, success } = await start('/linked/0', fresh)
    expect(success).toBe(true)
    expect(url).toBe(`${service.url}/v2/crawl/${id}`)
    const done = await finished(service, url)
    expect(done).toMatchObject({ status: 'completed', total: LINKED_PAGES - 1, completed: LINKED_PAGES - 1 })
    expect(done.creditsUsed).toBe(LINKED_PAGES - 1)
    expect(done.warning).toMatch(/robotsBlocked/)
    const sources = (await documents(id)).map((document) => document.metadata.sourceURL)
    expect(new Set(sources).size).toBe(LINKED_PAGES - 1)
    for (let n = 0; n < LINKED_PAGES; n += 1) expect(site.hits(`/linked/${n}`)).toBe(n === 7 ? 0 : 1)
    const errors = await service.sdk.getCrawlErrors(id)
    expect(errors).toEqual({ errors: [], robotsBlocked: [`${site.url}/linked/7`] })
  })

  it('holds its limit exactly, however many pages are worked on at once', async () => {
    const { id, url } = await start('/linked/0', { limit: 10, maxConcurrency: 50, ...fresh })
    const done = await finished(service, url)
    expect(done).toMatchObject({ total: 10, completed: 10, creditsUsed: 10 })
    expect(await documents(id)).toHaveLength(10)
  })

  it('is done by the SDK in one call, with at most two status calls a poll', async () => {
    const began = performance.now()
    const job = await service.sdk.crawl(`${site.url}/linked/1`, {
      limit: 3,
      crawlEntireDomain: true,
      scrapeOptions: { formats: ['markdown'] },
      pollInterval: 1,
    })
    expect(job).toMatchObject({ status: 'completed', completed: 3 })
    expect(job.data).toHaveLength(3)
    // Lines of the log may come later than the answers that they are about.
    const lines = service.logged()
    const started = lines.findLastIndex((line) => line.includes('"method":"POST","route":"/v2/crawl"'))
    const calls = lines.slice(started).filter((line) => line.includes('"route":"/v2/crawl/:id"')).length
    expect(calls).toBeLessThanOrEqual(2 * (1 + (performance.now() - began) / 1000))
  })

  it('counts one page however it is written, and follows redirects to pages it has', async () => {
    const { id, url } = await start('/moods/', fresh)
    const done = await finished(service, url, 30_000)
    const sources = (await documents(id)).map((document) => document.metadata.url)
    expect(new Set(sources).size).toBe(sources.length)
    expect(sources.filter((source) => source === `${site.url}/linked/3`)).toHaveLength(1)
    expect(done.total).toBe(done.completed + 1)
    const { errors } = await service.sdk.getCrawlErrors(id)
    expect(errors.map((error) => error.url)).toEqual([`${site.url}/moods/broken`])
  })

  it('goes no deeper than it is told', async () => {
    const { url } = await start('/linked/0', { maxDiscoveryDepth: 1, ...fresh })
    const done = await finished(service, url)
    // The start and its ten links, less the one that robots.txt forbids and itself.
    const links = new Set(Array.from({ length: 10 }, (_, at) => (at * 7 + 1) % LINKED_PAGES))
    links.delete(7)
    links.add(0)
    expect(done.completed).toBe(links.size)
  })

  it('keeps the delay between pages, one at a time', async () => {
    const { url } = await start('/linked/0', { limit: 4, delay: 0.3, ...fresh })
    const done = await finished(service, url)
    expect(done.completed).toBe(4)
    expect(done.warning).toContain('stopped at its limit of 4 pages')
    expect(done.duration).toBeGreaterThanOrEqual(0.9)
  })

  it('names a pattern that cannot be used, and other wrongs', async () => {
    const bad = await post({ url: `${site.url}/`, includePaths: ['(oops'] })
    expect(bad.status).toBe(400)
    expect(bad.json.error).toContain('(oops')
    expect((await post({ url: `${site.url}/`, deepest: 2 })).status).toBe(400)
    const slow = await post({ url: `${site.url}/`, delay: 61 })
    expect(slow.json.error).toContain('The delay parameter is measured in seconds and cannot exceed 60 seconds.')
    const key = randomUUID()
    const once = { url: `${site.url}/linked/0`, limit: 1 }
    expect((await post(once, { 'x-idempotency-key': key })).status).toBe(200)
    expect((await post(once, { 'x-idempotency-key': key })).status).toBe(409)
    await expect(service.sdk.getCrawlErrors('not-a-uuid')).rejects.toMatchObject({ status: 400 })
  })

  it('suggests crawlEntireDomain when the path of the start holds nothing else', async () => {
    const { json } = await post({ url: `${site.url}/linked/0` })
    const done = await finished(service, json.url)
    expect(done).toMatchObject({ completed: 1 })
    expect(done.warning).toMatch(/crawlEntireDomain/)
  })
})

describe('a crawl that failed', () => {
  it('is run again by a retry, with the pages of the site', async () => {
    const { id } = await start('/linked/0?again', { limit: 3, scrapeOptions: { minAge: 1 } })
    const url = `${service.url}/v2/crawl/${id}`
    expect(await finished(service, url)).toMatchObject({ status: 'failed', completed: 0 })
    // The start page and the first two that it links to.
    const linked = [0, 1, 8].map((n) => `${site.url}/linked/${n}?again`)
    for (const address of linked) await service.call('POST', '/v2/scrape', { url: address })
    expect((await service.call('POST', `/v2/crawl/${id}/retry`)).json).toMatchObject({ retried: 1 })
    const done = await finished(service, url)
    expect(done).toMatchObject({ status: 'completed', total: 3, completed: 3, creditsUsed: 3 })
    expect(done.error).toBeUndefined()
    expect(done.data.map((document: Json) => document.metadata.sourceURL).sort()).toEqual(linked.sort())
  })
})

describe('a running crawl', () => {
  it('is listed as active, then cancelled: no new visit after the answer, results kept', async () => {
    const release = holdAfter(5)
    const { id } = await start('/linked/0?held', { maxConcurrency: 5, ...fresh })
    await until(async () => (await status(id)).completed >= 5)
    const { crawls } = await service.sdk.getActiveCrawls()
    const mine = crawls.find((each) => each.id === id)
    expect(mine).toMatchObject({ url: `${site.url}/linked/0?held` })
    expect(mine!.teamId).toMatch(/^[0-9a-f-]{36}$/)
    expect(mine!.options).toMatchObject({ crawlEntireDomain: true, scrapeOptions: { maxAge: 0 } })
    expect(await service.sdk.cancelCrawl(id)).toBe(true)
    const visits = site.visits().length
    const over = await status(id)
    expect(over.status).toBe('cancelled')
    expect(over.data.length).toBe(over.completed)
    await until(async () => /orb_pages_in_work 0/.test((await service.call('GET', '/metrics')).text), 2_000)
    // Requests that were on the wire at the moment of the cancel arrive after it.
    expect(site.visits().length).toBeLessThanOrEqual(visits + 5)
    expect((await status(id)).completed).toBe(over.completed)
    expect((await service.call('GET', '/v2/crawl/ongoing')).json.crawls.map((each: Json) => each.id)).not.toContain(id)
    release()
  })

  it('tells what happens as server-sent events, from any document on', async () => {
    const release = holdAfter(0)
    const { id } = await start('/linked/0?held', { limit: 12, ...fresh })
    const headers = { authorization: `Bearer ${service.key}` }
    const response = await fetch(`${service.url}/v2/crawl/${id}/events`, { headers })
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      release()
      text += chunk
    }
    const events = text.split('\n\n').filter(Boolean)
    expect(events[0]).toMatch(/^event: catchup\ndata: \{"success":true,"status":"scraping"/)
    expect(events.at(-1)).toMatch(/^event: done\ndata: /)
    const first = JSON.parse(events[0]!.split('data: ')[1]!)
    const rest = events.filter((event) => event.startsWith('event: document'))
    expect(first.data.length + rest.length).toBe(12)
    const again = await (await fetch(`${service.url}/v2/crawl/${id}/events?after=10`, { headers })).text()
    expect(JSON.parse(again.split('data: ')[1]!.split('\n')[0]!).data).toHaveLength(2)
  })
})

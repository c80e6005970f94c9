// Crawls and batches with `since`, on both stores: what is new, changed, the same and removed on a site that changes under
// the test, through kill -9 and through the released SDK.
import { describe, expect, it, vi } from 'vitest'
import type { Page } from '../site/site.ts'
import { itInSoak } from '../soak.ts'
import { onEachStore } from './each-store.ts'
import type { Json } from './service.ts'
import { finished, until } from './waiting.ts'

vi.setConfig({ testTimeout: 300_000 })

interface Leaf {
  text: string
  status?: number
  etag?: string
  to?: string
  /** In its title, if it is not the name in its address. */
  name?: string
  lastmod?: string
  /** Sends the same bytes every time. */
  steady?: true
  /** One of these is shown, a different one every time. */
  flickers?: readonly string[]
}

/** The site of one test: its pages by name, below a path of its own. */
const sites = new Map<string, Map<string, Leaf>>()
const letters: Json[] = []

const leaf: Page = async ({ request, response, url, hit }) => {
  const [, , site = '', name = ''] = url.pathname.split('/')
  const pages = sites.get(site)
  const page = pages?.get(name || 'index')
  if (url.searchParams.has('slow')) await new Promise((resolve) => setTimeout(resolve, 200))
  const send = (status: number, body = '', headers = {}) => {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
    response.end(body)
  }
  if (!pages || !page) return send(404, '<h1>Nothing here</h1>')
  if (page.to) return send(301, '', { location: `/since/${site}/${page.to}` })
  if (page.status) return send(page.status, '<h1>Something is wrong</h1>')
  if (page.etag && request.headers['if-none-match'] === page.etag) return send(304, '', { etag: page.etag })
  const names = [...pages.keys()].filter((one) => one !== 'index')
  const links = names.map((one) => `<li><a href="/since/${site}/${one}">${one}</a></li>`)
  const body = `<!doctype html><title>${page.name ?? name}</title><main><h1>About ${(page.name ?? name) || 'all'}</h1><p>${page.text}</p>${page.flickers ? `<p>${page.flickers[hit % page.flickers.length]}</p>` : ''}
    ${page.steady ? '' : `<p>${hit * 37} views</p>`}</main><nav><ul>${links.join('')}</ul></nav>`
  send(200, body, page.etag ? { etag: page.etag } : {})
}

const sitemap: Page = ({ response, base }) => {
  const entries = [...sites].flatMap(([site, pages]) =>
    [...pages].flatMap(([name, { lastmod }]) =>
      lastmod ? [`<url><loc>${base}/since/${site}/${name}</loc><lastmod>${lastmod}</lastmod></url>`] : [],
    ),
  )
  response.writeHead(200, { 'content-type': 'application/xml' })
  response.end(
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`,
  )
}

const hook: Page = async ({ request, response }) => {
  let text = ''
  for await (const chunk of request) text += chunk
  letters.push(JSON.parse(text))
  response.end()
}

const sentence = (what: string) => `This page is about ${what}, which is described here at some length for readers.`
let made = 0

onEachStore(
  { '/sitemap.xml': sitemap, '/hook': hook, ...siteFolders() },
  ({ site, service, killAndStart, skip, onSqlite }) => {
    const newSite = (names: readonly string[]) => {
      const name = `s${++made}`
      const pages = new Map<string, Leaf>([['index', { text: sentence('everything') }]])
      for (const one of names) pages.set(one, { text: sentence(one) })
      sites.set(name, pages)
      return { pages, path: `/since/${name}/`, url: `${site.url}/since/${name}/` }
    }
    const start = (url: string, body: object) =>
      service.call('POST', '/v2/crawl', { url, sitemap: 'skip', since: 'last', ...body })
    const crawl = async (url: string, body: object = {}) => {
      const { status, json } = await start(url, body)
      expect(json).toMatchObject({ success: true })
      expect(status).toBe(200)
      return { id: json.id as string, ...(await finished(service, json.url)) }
    }
    /** `name: change` of every page, in order of names. */
    const changes = (job: Json, url: string): string[] =>
      job.data.map((page: Json) => `${page.metadata.sourceURL.slice(url.length) || 'index'}: ${page.change}`).sort()
    const except = (job: Json, url: string) => changes(job, url).filter((line) => !line.endsWith(': same'))

    describe.skipIf(skip)('a crawl with since', () => {
      it('reads a page once when only lines differ that differ by themselves, and still finds an edit', async () => {
        const names = ['ash', 'birch', 'cedar', 'dogwood']
        const { pages, url, path } = newSite(names)
        for (const name of names)
          pages.get(name)!.flickers = [sentence('a quote of the day'), sentence('another quote')]
        const visits = () => names.map((name) => site.hits(`${path}${name}`))
        await crawl(url)
        expect(except(await crawl(url), url)).toEqual([])
        // The three that were first were read twice.
        const before = visits()
        expect(before.filter((times) => times === 3).length).toBeGreaterThanOrEqual(3)
        pages.get('birch')!.text = sentence('birches and their bark')
        expect(except(await crawl(url), url)).toEqual(['birch: changed'])
        expect(visits().map((times, at) => times - before[at]!)).toEqual([1, 2, 1, 1])
      })

      it('reports what is new, changed and removed, each once, and charges for nothing else', async () => {
        const { pages, url } = newSite(['ash', 'birch', 'cedar', 'dogwood', 'elm', 'fir'])
        for (const name of ['ash', 'birch']) pages.get(name)!.etag = `"${name}"`
        for (const name of ['cedar', 'fir']) pages.get(name)!.steady = true
        const first = await crawl(url)
        expect(changes(first, url)).toEqual(
          ['ash', 'birch', 'cedar', 'dogwood', 'elm', 'fir', 'index'].map((name) => `${name}: new`),
        )
        expect(first.creditsUsed).toBe(7)
        const second = await crawl(url)
        expect(except(second, url)).toEqual([])
        expect(second).toMatchObject({ completed: 7, creditsUsed: 0 })
        expect(second.data.every((page: Json) => page.markdown === undefined)).toBe(true)

        pages.set('birch', { text: sentence('birches and their bark'), etag: '"birch 2"' })
        pages.set('cedar', { text: sentence('cedar and its scent'), steady: true })
        pages.delete('dogwood')
        pages.get('elm')!.status = 500
        pages.set('gorse', { text: sentence('gorse') })
        const third = await crawl(url, { webhook: `${site.url}/hook`, changesOnly: true })
        expect(except(third, url)).toEqual(['birch: changed', 'cedar: changed', 'dogwood: removed', 'gorse: new'])
        expect(third.creditsUsed).toBe(3)
        const birch = third.data.find((page: Json) => page.metadata.sourceURL.endsWith('birch'))
        expect(birch.markdown).toContain('birches and their bark')
        const { errors } = (await service.call('GET', `/v2/crawl/${third.id}/errors`)).json
        expect(errors.map((error: Json) => error.url)).toEqual([`${url}elm`])
        const told = () => letters.filter((letter) => letter.id === third.id)
        await until(() => told().some(({ type }) => type === 'crawl.completed'))
        await until(() => told().filter(({ type }) => type === 'crawl.page').length >= 4)
        const events = told().filter(({ type }) => type === 'crawl.page')
        expect(events.map((event) => event.data[0].change).sort()).toEqual(['changed', 'changed', 'new', 'removed'])

        delete pages.get('elm')!.status
        expect(except(await crawl(url), url)).toEqual([])
        // The whole story again, from before the third crawl on.
        const again = await crawl(url, { since: second.id })
        expect(except(again, url)).toEqual(['birch: changed', 'cedar: changed', 'dogwood: removed', 'gorse: new'])
      })

      itInSoak('is exact when the service is killed in the middle', async () => {
        const names = Array.from({ length: 16 }, (_, at) => `p${at}?slow=1`)
        const { pages, url } = newSite([])
        for (const name of names) pages.set(name.replace('?slow=1', ''), { text: sentence(name) })
        const index = pages.get('index')!
        index.text += names.map((name) => `<a href="${name}">${name}</a>`).join(' ')
        await crawl(url, { maxConcurrency: 3 })
        for (const at of [2, 9, 13]) pages.get(`p${at}`)!.text = sentence(`edit ${at}`)
        pages.delete('p5')
        const { json } = await start(url, { maxConcurrency: 3 })
        await until(async () => (await service.call('GET', `/v2/crawl/${json.id}?limit=1`)).json.completed > 5)
        await killAndStart()
        const done = await finished(service, json.url.replace(/^http:\/\/[^/]+/, service.url))
        const found = except(done, url).map((line) => line.replace('?slow=1', ''))
        const by = (name: string) => found.filter((line) => line.startsWith(`${name}:`))
        for (const name of ['p2', 'p9', 'p13']) expect(new Set(by(name))).toEqual(new Set([`${name}: changed`]))
        expect(new Set(by('p5'))).toEqual(new Set(['p5: removed']))
        expect(new Set(found.map((line) => line.split(':')[0]))).toEqual(new Set(['p2', 'p9', 'p13', 'p5']))
        expect(except(await crawl(url, { maxConcurrency: 3 }), url)).toEqual([])
      })

      it('goes on from a crawl without since, from a time, and begins anew after forgetting', async () => {
        const { pages, url } = newSite(['one', 'two'])
        const plain = (await service.call('POST', '/v2/crawl', { url, sitemap: 'skip' })).json
        await finished(service, plain.url)
        pages.get('two')!.text = sentence('an edit of two')
        expect(except(await crawl(url, { since: plain.id }), url)).toEqual(['two: changed'])
        const before = new Date(Date.now() - 3_600_000).toISOString()
        expect(except(await crawl(url, { since: before }), url)).toEqual(['index: new', 'one: new', 'two: new'])
        const { status } = await service.call('POST', '/v2/admin/forget', { url: `${url}two` })
        expect(status).toBe(200)
        expect(except(await crawl(url), url)).toEqual(['two: new'])
      })
    })

    if (onSqlite)
      describe('a crawl with since, whatever the store', () => {
        it('believes a redirect only the second time, and a page that came back is new', async () => {
          const { pages, url } = newSite(['old', 'other'])
          await crawl(url)
          pages.get('old')!.to = 'moved'
          pages.set('moved', { text: sentence('what moved') })
          const before = await crawl(url)
          expect(except(before, url)).toEqual(['moved: new'])
          expect(except(await crawl(url), url)).toEqual(['old: removed'])
          expect(except(await crawl(url), url)).toEqual([])
          // Reported again from before the removal on, like a page that is gone.
          expect(except(await crawl(url, { since: before.id }), url)).toEqual(['old: removed'])
          delete pages.get('old')!.to
          expect(except(await crawl(url), url)).toEqual(['old: new'])
        })

        it('finds that a page moved although its bytes are the same', async () => {
          const { pages, url } = newSite([])
          const words = { text: sentence('one thing'), steady: true as const }
          pages.set('b', words)
          const batch = async () => {
            const { json } = await service.call('POST', '/v2/batch/scrape', { urls: [`${url}b`], since: 'last' })
            return changes(await finished(service, json.url), url)
          }
          const start = { url: `${url}b`, limit: 1, crawlEntireDomain: true }
          const followed = async () => except(await crawl(start.url, start), url)
          expect(await followed()).toEqual(['b: new'])
          expect(await batch()).toEqual(['b: new'])
          // The server serves the same file, with the same bytes, elsewhere.
          pages.set('b', { ...words, to: 'b2' })
          pages.set('b2', { ...words, name: 'b' })
          expect(await followed()).toEqual(['b: new'])
          expect(await followed()).toEqual(['b: removed'])
        })

        it('leaves pages unread as far as the sitemap proves right, and still finds a silent edit', async () => {
          const names = Array.from({ length: 60 }, (_, at) => `tree${at}`)
          const { pages, url, path } = newSite(names)
          const lastmod = new Date(Date.now() - 30 * 86_400_000).toISOString()
          for (const name of names) pages.get(name)!.lastmod = lastmod
          const options = { sitemap: 'include', limit: 80 }
          const visits = () => names.reduce((sum, name) => sum + site.hits(`${path}${name}`), 0)
          await crawl(url, options)
          // Nothing is known of the sitemap's word at first, so every page is read.
          const first = visits()
          await crawl(url, options)
          expect(visits() - first).toBe(60)
          for (let n = 0; n < 4; n++) await crawl(url, options)
          const before = visits()
          expect(except(await crawl(url, options), url)).toEqual([])
          expect(visits() - before).toBeLessThan(60)
          pages.get('tree3')!.text = sentence('a silent edit')
          let found: string[] = []
          for (let n = 0; n < 13 && found.length === 0; n++) found = except(await crawl(url, options), url)
          expect(found).toEqual(['tree3: changed'])
          // An announced edit is found at once.
          Object.assign(pages.get('tree4')!, {
            text: sentence('an announced edit'),
            lastmod: new Date(Date.now() + 86_400_000).toISOString(),
          })
          expect(except(await crawl(url, options), url)).toEqual(['tree4: changed'])
        })

        it('says what is wrong with a since', async () => {
          const { url } = newSite([])
          const wrong = async (body: object, path = '/v2/crawl') =>
            (await service.call('POST', path, { ...(path === '/v2/crawl' ? { url } : { urls: [url] }), ...body })).json
              .error
          expect(await wrong({ since: 'yesterday' })).toContain('"last"')
          expect(await wrong({ since: crypto.randomUUID() })).toContain('unknown or expired')
          expect(await wrong({ changesOnly: true })).toContain('`since`')
          expect(await wrong({ changesOnly: true }, '/v2/batch/scrape')).toContain('`since`')
        })

        it('works through the released SDK, for a crawl and for a batch', async () => {
          const { pages, url } = newSite(['kale', 'leek'])
          const through = async () => {
            const job = await service.sdk.crawl(url, { sitemap: 'skip', scrapeOptions: { since: 'last' } as object })
            return except({ data: job.data } as Json, url)
          }
          expect(await through()).toHaveLength(3)
          pages.get('kale')!.text = sentence('red kale')
          expect(await through()).toEqual(['kale: changed'])
          const batch = async () => {
            const options = { since: 'last' } as object
            const job = await service.sdk.batchScrape([`${url}kale`, `${url}leek`], { options })
            return changes({ data: job.data } as Json, url)
          }
          expect(await batch()).toEqual(['kale: new', 'leek: new'])
          pages.delete('leek')
          expect(await batch()).toEqual(['kale: same', 'leek: removed'])
        })
      })
  },
)

/** Pages are looked up by their folder. */
function siteFolders(): Record<string, Page> {
  return Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`/since/s${at}/*`, leaf]))
}

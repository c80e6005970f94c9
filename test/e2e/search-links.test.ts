// What a page is called by others: a page that is linked as "Tide tables of Holm" and never says so itself is found by these
// words, by the team whose pages call it so, as long as they are kept. Through the released SDK, on both stores.
import { expect, it } from 'vitest'
import type { Pages } from '../site/site.ts'
import { onEachStore } from './each-store.ts'
import type { Json } from './service.ts'
import { newTeam } from './team.ts'
import { until } from './waiting.ts'

/** A word that stands nowhere but in a link. */
const wordOf = (name: string) => `zq${Buffer.from(`links-${name}`).toString('hex')}qz`
let edition = 'first'

const html = (title: string, body: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${body}<p>These lines make the page one that is worth reading from its beginning to its end, and long enough.</p></main></html>`
const shown: Record<string, () => string> = {
  '/holm': () =>
    html(
      'Harbour office',
      `<p>See the <a href="/holm/page-17">Tide tables of Holm</a>, or ask.</p><ul>${[1, 2, 3, 4].map((n) => `<li>Notice ${n} <a href="/holm/notice-${n}">Weiterlesen</a></li>`).join('')}</ul>`,
    ),
  '/holm/page-17': () => html('Document seventeen', '<p>High water 04:12 and 16:40, low water 10:21 and 22:50.</p>'),
  '/holm/notice-1': () => html('Notice one', '<p>The bridge is closed on Sunday.</p>'),
  '/again': () => html('Changing list', `<p><a href="/again/target">${wordOf(edition)} records</a></p>`),
  '/again/target': () => html('Plain target', '<p>Columns of figures without a name.</p>'),
  '/gone': () => html('List to forget', `<p><a href="/gone/target">${wordOf('forgotten')} atlas</a></p>`),
  '/gone/target': () => html('Sheet of the coast', '<p>Lines and depths, nothing else.</p>'),
  '/kept-from': () => html('Secret list', `<p><a href="/kept-from/target">${wordOf('zero')} ledger</a></p>`),
  '/kept-from/target': () => html('Open sheet', '<p>Sums of a year that is long past.</p>'),
}
const pages: Pages = Object.fromEntries(
  Object.entries(shown).map(([path, body]) => [
    path,
    ({ response }) => void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body()),
  ]),
)

onEachStore(
  pages,
  ({ site, service, traces, killAndStart, skip }) => {
    const at = (path: string) => `${site.url}${path}`
    const found = async (query: string): Promise<string[]> =>
      ((await service.sdk.search(query, { limit: 20 }).catch(() => ({ web: [] }))).web ?? []).map((hit) =>
        String((hit as Json).url).replace(site.url, ''),
      )
    /** Read, and in the index. */
    async function filed(path: string, words: string): Promise<void> {
      await service.sdk.scrape(at(path), { maxAge: 0 })
      await until(async () => (await found(words)).includes(path), 20_000)
    }

    it.skipIf(skip)('is found by what others call it, in a crawl too, and explain says so', async () => {
      await service.sdk.crawl(at('/holm'), { limit: 10, sitemap: 'skip', crawlEntireDomain: true })
      await until(async () => (await found('document seventeen')).includes('/holm/page-17'), 20_000)
      expect(await found('tide tables holm')).toEqual(expect.arrayContaining(['/holm', '/holm/page-17']))
      const { json } = await service.call('POST', '/v2/search?explain=true', { query: 'tide tables of Holm' })
      const why = Object.fromEntries(json.explain.hits.web.map((hit: Json) => [hit.url, hit.byLinks]))
      expect(why[at('/holm/page-17')]).toEqual(['Tide tables of Holm'])
      expect(why[at('/holm')]).toBeUndefined()
      expect(json.data.web[0]).not.toHaveProperty('byLinks')
      // A text that leads to many pages names none of them.
      await until(async () => (await found('bridge closed')).includes('/holm/notice-1'), 20_000)
      expect(await found('weiterlesen')).toEqual(['/holm'])
    })

    it.skipIf(skip)('a team knows only what its own pages say', async () => {
      const team = await newTeam(service, 'others')
      await team.call('POST', '/v2/scrape', { url: at('/holm/page-17') })
      const ask = async (query: string) => (await team.call('POST', '/v2/search', { query })).json.data?.web ?? []
      await until(async () => (await ask('document seventeen')).length === 1, 20_000)
      expect(await ask('tide tables')).toEqual([])
    })

    it.skipIf(skip)('a page that is read again says what it says now, whatever died in between', async () => {
      await filed('/again', 'changing list')
      await service.sdk.scrape(at('/again'), { maxAge: 0 })
      await killAndStart()
      await filed('/again/target', 'columns of figures')
      expect(await found(wordOf('first'))).toEqual(expect.arrayContaining(['/again', '/again/target']))
      edition = 'second'
      await filed('/again', wordOf('second'))
      await service.sdk.scrape(at('/again/target'), { maxAge: 0 })
      await until(async () => (await found(wordOf('second'))).includes('/again/target'), 20_000)
      expect(await found(wordOf('first'))).toEqual([])
      edition = 'first'
    })

    it.skipIf(skip)('is forgotten with the page that says it, byte for byte', async () => {
      await filed('/gone', 'list to forget')
      await filed('/gone/target', 'sheet coast')
      expect(await found('atlas')).toEqual(expect.arrayContaining(['/gone', '/gone/target']))
      expect(await traces(wordOf('forgotten'), 'base')).not.toEqual([])
      await service.call('POST', '/v2/admin/forget', { url: at('/gone') })
      expect(await traces(wordOf('forgotten'), 'base')).toEqual([])
      expect(await found('atlas')).toEqual([])
      expect(await found('sheet coast')).toContain('/gone/target')
    })

    it.skipIf(skip)('under zero data retention nobody is called anything', async () => {
      await service.call('POST', '/v2/scrape', { url: at('/kept-from'), zeroDataRetention: true })
      await filed('/kept-from/target', 'open sheet sums')
      expect(await found('ledger')).toEqual([])
      expect(await traces(wordOf('zero'), 'base')).toEqual([])
    })
  },
  { ORB_SEARCH_PROVIDERS: 'none' },
)

// The index on both stores: the same pages give the same lists in the same order, however they came in; and kill -9 while
// pages are put in, some of them anew, leaves none out and none twice. `npm run prove search` does it with 5,000 pages and 50 kills.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newDatabase } from '../contract/open-store.ts'
import { MADE_WORDS, type MadePage, madeHtml, madePages } from '../site/made-pages.ts'
import { type Scene, type Site, startSite } from '../site/site.ts'
import { describeInSoak } from '../soak.ts'
import { type Json, type Service, startService } from './service.ts'
import { finished, until } from './waiting.ts'

const postgresUrl = inject('postgresUrl')
const PAGES = madePages(80, 11).filter(({ type }) => type === 'html')
/** Those that both stores hold before the kills. */
const FIRST = PAGES.slice(0, 60)
let site: Site
/** Added to every page: what it says when it is fetched again. */
let edition = 'firstedition'

beforeAll(async () => {
  const serve =
    (page: MadePage) =>
    ({ response }: Scene) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(madeHtml({ ...page, body: [...page.body, edition] }))
    }
  site = await startSite(Object.fromEntries(PAGES.map((page) => [page.path, serve(page)])))
})
afterAll(() => site?.close())

const urls = (pages = PAGES) => pages.map(({ path }) => site.url + path)
const settings = () => ({ ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, ORB_SEARCH_PROVIDERS: 'none' })

async function found(service: Service, query: string): Promise<string[]> {
  const { json } = await service.call('POST', '/v2/search', { query, limit: 100 })
  return (json.data?.web ?? []).map(({ url }: Json) => url)
}

async function load(service: Service, list: readonly string[]): Promise<void> {
  const body = { urls: list, formats: ['markdown'], maxAge: 0 }
  const { json } = await service.call('POST', '/v2/batch/scrape', body)
  await finished(service, json.url, 60_000)
}

interface Running {
  service: Service
  env: Record<string, string>
}

/** By the name of the store. */
const running = new Map<string, Running>()
const stores = [
  { name: 'SQLite', isHere: true },
  { name: 'PostgreSQL', isHere: postgresUrl !== undefined },
]
const on = (store: string): Running => running.get(store) as Running

beforeAll(async () => {
  for (const { name } of stores.filter(({ isHere }) => isHere)) {
    const env: Record<string, string> = settings()
    if (name === 'PostgreSQL') env.ORB_DATABASE_URL = await newDatabase(postgresUrl as string)
    running.set(name, { service: await startService({ env }), env })
  }
  await load(on('SQLite').service, urls(FIRST))
  await until(async () => (await found(on('SQLite').service, edition)).length === FIRST.length)
})
afterAll(() => Promise.all([...running.values()].map(({ service }) => service.stop())))

describe.skipIf(!postgresUrl)('on SQLite and PostgreSQL (skipped without PostgreSQL)', () => {
  beforeAll(async () => {
    const { service } = on('PostgreSQL')
    // Other segments: backwards, in lots, each put in before the next comes.
    const backwards = urls(FIRST).reverse()
    for (let from = 0; from < backwards.length; from += 20) {
      await load(service, backwards.slice(from, from + 20))
      await until(async () => (await found(service, edition)).length === Math.min(from + 20, backwards.length))
    }
  })

  it('the same pages give the same lists, in the same order, with the same passages', async () => {
    const queries = [
      ...MADE_WORDS.slice(0, 12),
      ...MADE_WORDS.slice(0, 10).map((word, at) => `${word} ${MADE_WORDS[at + 7]}`),
      ...MADE_WORDS.slice(3, 9).map((word, at) => `${word} ${MADE_WORDS[at]} ${MADE_WORDS[at + 11]} inurl:guides`),
      ...MADE_WORDS.slice(0, 6).map((word) => `"${word}" -${MADE_WORDS[9]}`),
    ]
    for (const query of queries) {
      const [one, other] = await Promise.all(
        ['SQLite', 'PostgreSQL'].map(async (store) => {
          const { json } = await on(store).service.call('POST', '/v2/search', { query, limit: 20 })
          return json.data.web
        }),
      )
      expect(other, query).toEqual(one)
      expect(one.length, query).toBeGreaterThan(0)
    }
  })
})

describeInSoak.concurrent('kill -9 while pages are put in', () => {
  for (const { name, isHere } of stores)
    it.skipIf(!isHere)(`loses none and doubles none on ${name}`, async () => {
      edition = 'secondedition'
      const own = on(name)
      const { json } = await own.service.call('POST', '/v2/batch/scrape', { urls: urls(), maxAge: 0 })
      // While pages come in, and while they are built or written; `npm run prove search` kills it fifty times.
      for (const ms of [250, 600]) {
        await sleep(ms)
        await own.service.end('SIGKILL')
        own.service = await startService({ env: own.env, dataDir: own.service.dataDir })
      }
      await finished(own.service, new URL(new URL(json.url).pathname, own.service.url).href)
      await until(async () => (await found(own.service, 'secondedition')).length >= PAGES.length)
      expect((await found(own.service, 'secondedition')).sort()).toEqual(urls().sort())
      expect(await found(own.service, 'firstedition')).toEqual([])
    })
})

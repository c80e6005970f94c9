// The index on both stores: the same pages give the same lists in the same order, however they came in; and kill -9 while
// pages are put in leaves none out and none twice. `npm run prove search` does it with 5,000 pages and 50 kills.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newDatabase } from '../contract/open-store.ts'
import { MADE_WORDS, type MadePage, madeHtml, madePages } from '../site/made-pages.ts'
import { type Scene, type Site, startSite } from '../site/site.ts'
import { emptyFolder, type Json, type Service, startService } from './service.ts'
import { finished, until } from './waiting.ts'

const postgresUrl = inject('postgresUrl')
const PAGES = madePages(80, 11).filter(({ type }) => type === 'html')
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

const urls = () => PAGES.map(({ path }) => site.url + path)
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

describe.skipIf(!postgresUrl)('on SQLite and PostgreSQL (skipped without PostgreSQL)', () => {
  let sqlite: Service
  let postgres: Service
  beforeAll(async () => {
    const database = await newDatabase(postgresUrl as string)
    ;[sqlite, postgres] = await Promise.all([
      startService({ env: settings() }),
      startService({ env: { ...settings(), ORB_DATABASE_URL: database } }),
    ])
    await load(sqlite, urls())
    // Other segments: backwards, in lots, each put in before the next comes.
    const backwards = urls().reverse()
    for (let from = 0; from < backwards.length; from += 20) {
      await load(postgres, backwards.slice(from, from + 20))
      await until(async () => (await found(postgres, edition)).length === Math.min(from + 20, backwards.length), 30_000)
    }
    await until(async () => (await found(sqlite, edition)).length === PAGES.length, 30_000)
  })
  afterAll(async () => {
    await Promise.all([sqlite?.stop(), postgres?.stop()])
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
        [sqlite, postgres].map(async (service) => {
          const { json } = await service.call('POST', '/v2/search', { query, limit: 20 })
          return json.data.web
        }),
      )
      expect(other, query).toEqual(one)
      expect(one.length, query).toBeGreaterThan(0)
    }
  })
})

const stores = [
  { name: 'SQLite', database: async () => undefined },
  { name: 'PostgreSQL', database: postgresUrl ? () => newDatabase(postgresUrl) : undefined },
]

describe('kill -9 while pages are put in', () => {
  for (const { name, database } of stores)
    it.skipIf(!database)(`loses none and doubles none on ${name}`, async () => {
      edition = 'firstedition'
      const databaseUrl = await database!()
      const dataDir = emptyFolder()
      const env = { ...settings(), ...(databaseUrl ? { ORB_DATABASE_URL: databaseUrl } : {}) }
      let service = await startService({ env, dataDir })
      await load(service, urls().slice(0, 30))
      edition = 'secondedition'
      const { json } = await service.call('POST', '/v2/batch/scrape', { urls: urls(), maxAge: 0 })
      // While pages come in, and while they are built or written; `npm run prove search` kills it fifty times.
      for (const ms of [250, 600]) {
        await sleep(ms)
        await service.end('SIGKILL')
        service = await startService({ env, dataDir })
      }
      try {
        await finished(service, new URL(new URL(json.url).pathname, service.url).href, 60_000)
        await until(async () => (await found(service, 'secondedition')).length >= PAGES.length, 60_000)
        expect((await found(service, 'secondedition')).sort()).toEqual(urls().sort())
        expect(await found(service, 'firstedition')).toEqual([])
      } finally {
        await service.stop()
      }
    })
})

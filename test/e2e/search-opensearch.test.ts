// The index of what was fetched on an OpenSearch server, by one setting: pages go there once each, come back ranked, and
// operators, dates and teams hold as they do with our own segments. The server speaks the protocol and refuses the rest.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OpenSearchServer, startOpenSearch } from '../site/open-search.ts'
import { type Scene, type Site, startSite } from '../site/site.ts'
import { type Json, type Service, startService } from './service.ts'
import { newTeam } from './team.ts'
import { until } from './waiting.ts'

const PAGES: Record<string, [title: string, body: string]> = {
  '/a': ['Pressure gauges', 'A pressure gauge measures the pressure of a gas against a dead weight tester.'],
  '/b': ['Level sensors', 'A level sensor tells how full a tank is, under pressure or not.'],
  '/c/d': ['Valves', 'A valve opens and closes a pipe.'],
  '/index': ['Parts', 'Look at <a href="/linked">the bathyscaphe handbook</a> for more of this and of that.'],
  '/linked': ['Untitled', 'What stands here is told in other words.'],
}
let site: Site
let other: OpenSearchServer
let service: Service

beforeAll(async () => {
  site = await startSite(
    Object.fromEntries(
      Object.entries(PAGES).map(([path, [title, body]]) => [
        path,
        ({ response }: Scene) => {
          response.setHeader('content-type', 'text/html; charset=utf-8')
          response.end(`<!doctype html><html lang="en"><title>${title}</title><main><p>${body}</p></main></html>`)
        },
      ]),
    ),
  )
  other = await startOpenSearch()
  service = await startService({
    env: {
      ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
      ORB_SEARCH_PROVIDERS: 'none',
      ORB_OPENSEARCH_URL: other.url,
    },
  })
})
afterAll(async () => {
  await service?.stop()
  await other?.close()
  await site?.close()
})

const ask = (query: string, more: object = {}) => service.call('POST', '/v2/search', { query, ...more })
/** A search puts in what waits; without one, pages are put in every fifteen seconds. */
const putIn = (count: number) => until(async () => (await ask('anything')) && other.pages.size === count)
const paths = async (query: string, more: object = {}): Promise<string[]> =>
  (await ask(query, more)).json.data.web.map(({ url }: Json) => url.replace(site.url, ''))

it('holds what was fetched, once each, and finds it with operators', async () => {
  expect((await ask('pressure')).status).toBe(503)
  for (const path of ['/a', '/b', '/c/d']) await service.sdk.scrape(site.url + path)
  await until(() => other.pages.size === 3, 30_000)
  await service.sdk.scrape(`${site.url}/a`, { maxAge: 0 })
  expect(await paths('pressure gauge')).toEqual(['/a', '/b'])
  expect((await ask('pressure gauge')).json.data.web[0].description).toMatch(/measures the pressure/)
  expect(await paths('"dead weight tester"')).toEqual(['/a'])
  expect(await paths('pressure -tank')).toEqual(['/a'])
  expect(await paths('intitle:sensors')).toEqual(['/b'])
  expect(await paths('site:127.0.0.1/c')).toEqual(['/c/d'])
  expect(await paths('pressure', { excludeDomains: ['127.0.0.1'] })).toEqual([])
  expect(await paths('pressure', { tbs: 'cdr:1,cd_max:1/1/2020' })).toEqual([])
  expect((await paths('', { query: 'valve', tbs: 'qdr:d' })).length).toBe(1)
  expect(other.pages.size).toBe(3)
})

it('keeps teams apart', async () => {
  const { call } = await newTeam(service, 'others')
  expect((await call('POST', '/v2/search', { query: 'pressure' })).status).toBe(503)
})

it('says so when the server fails, and puts pages in when it is well again', async () => {
  other.fail(500)
  const { status, json } = await ask('pressure')
  expect(status).toBe(503)
  expect(json.error).toMatch(/search server answered 500/)
  await service.sdk.scrape(`${site.url}/article`)
  other.fail(0)
  await putIn(4)
})

it('finds a page there by what links call it', async () => {
  await service.sdk.scrape(`${site.url}/index`)
  await putIn(5)
  await service.sdk.scrape(`${site.url}/linked`)
  await putIn(6)
  expect(await paths('bathyscaphe handbook')).toContain('/linked')
})

it('forgets there as well, and says so when it could not', async () => {
  const forget = (body: object) => service.call('POST', '/v2/admin/forget', body)
  const texts = () => [...other.pages.values()].map(({ text }) => text).join(' ')
  expect(texts()).toMatch(/dead weight/)
  expect((await forget({ url: `${site.url}/a` })).status).toBe(200)
  expect(texts()).not.toMatch(/dead weight/)
  other.fail(500)
  const { status, json } = await forget({ url: `${site.url}/b` })
  expect([status, json.error]).toEqual([503, expect.stringMatching(/may still hold it.*Send the same again/)])
  other.fail(0)
  expect(texts()).toMatch(/level sensor/)
  expect((await forget({ url: `${site.url}/b` })).status).toBe(200)
  expect(texts()).not.toMatch(/level sensor/)
  expect(other.pages.size).toBe(4)
})

// APIs of other services, as their clients call them.
import { beforeAll, expect, it } from 'vitest'
import { gaugeWorks } from '../site/gauge-works.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { until } from './waiting.ts'

const { site, service } = shared(gaugeWorks())
beforeAll(() => service.call('POST', '/v2/scrape', { url: `${site.url}/about` }))

it('searches in the form of Tavily, with the text of pages where it is wanted', async () => {
  const body = { query: 'Two people and a boat', max_results: 3, include_raw_content: 'markdown' }
  let reply: Json
  await until(async () => {
    reply = (await service.call('POST', '/tavily/search', body)).json
    return reply.results?.length > 0
  })
  expect(reply).toMatchObject({ query: body.query, answer: null, images: [], request_id: expect.any(String) })
  expect(reply.results[0]).toMatchObject({ url: `${site.url}/about`, score: 1, title: expect.any(String) })
  expect(reply.results[0].raw_content).toMatch(/Two people and a boat/)
})

it('reads pages in the form of Tavily, and lists those that failed with their reason', async () => {
  const urls = [`${site.url}/about`, `${site.url}/docs/`, 'http://127.0.0.1:1/']
  const { json } = await service.call('POST', '/tavily/extract', { urls })
  expect(json.results.map(({ url }: Json) => url)).toEqual(urls.slice(0, 2))
  expect(json.results[0].raw_content).toMatch(/Two people and a boat/)
  expect(json.failed_results).toMatchObject([{ url: urls[2], error: expect.stringMatching(/\S/) }])
})

it('names a mistake where clients of Tavily look for it', async () => {
  const { status, json } = await service.call('POST', '/tavily/search', { query: 'tides', time_range: 'soon' })
  expect(status).toBe(400)
  expect(json.detail.error).toMatch(/time_range: must be day, week, month or year/)
})

it('searches in the form of SearXNG', async () => {
  const { json } = await service.call('GET', '/searxng/search?q=Two+people+and+a+boat&format=json&language=en-US')
  expect(json).toMatchObject({ query: 'Two people and a boat', answers: [], unresponsive_engines: [] })
  expect(json.results[0]).toMatchObject({ url: `${site.url}/about`, category: 'general', score: 1 })
  const page = await service.call('GET', '/searxng/search?q=tides&format=html')
  expect([page.status, page.json.error]).toEqual([400, expect.stringContaining('format: must be json')])
})

it('reads a page with the headers of Jina', async () => {
  const read = (headers: Record<string, string>) => service.call('GET', `/r/${site.url}/about`, undefined, headers)
  const { text: whole } = await read({})
  const { text: part } = await read({ 'x-target-selector': 'h1' })
  expect(part.trim().length).toBeLessThan(whole.trim().length / 2)
  expect((await read({ 'x-respond-with': 'html' })).text).toMatch(/<h1[^>]*>/)
  const { json } = await read({ accept: 'application/json', 'x-no-cache': 'true' })
  expect(json).toMatchObject({ code: 200, data: { url: `${site.url}/about`, content: expect.stringMatching(/boat/) } })
  const wrong = await read({ 'x-respond-with': 'podcast' })
  expect([wrong.status, wrong.json.error]).toEqual([400, expect.stringContaining('must be one of markdown')])
})

it('needs a key', async () => {
  const anonymous = await fetch(`${service.url}/tavily/search`, { method: 'POST', body: '{}' })
  expect(anonymous.status).toBe(401)
})

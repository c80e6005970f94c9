// Every provider against a local server that speaks its protocol, and what becomes of answers that mean trouble.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseQuery } from '../../../search/engine/parse-query.ts'
import { type Provider, ProviderError, type ProviderFetch, type ProviderQuery } from '../provider.ts'
import { makeProviders } from './index.ts'

let server: Server
let base = ''
let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void
let asked: { url: string; body: string; headers: IncomingMessage['headers'] }[] = []
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      asked.push({ url: request.url ?? '', body, headers: request.headers })
      answer(request, response, body)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const web: ProviderFetch = async ({ url, method = 'GET', headers = {}, body }, signal) => {
  const response = await fetch(url, { method, headers, signal, ...(body === undefined ? {} : { body }) })
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
}

const all = makeProviders({
  searchProviders: [],
  searxngUrl: 'http://searx.example',
  braveKey: 'k',
  serperKey: 'k',
  tavilyKey: 'k',
  exaKey: 'k',
  googleKey: 'k',
  googleCx: 'c',
})
const named = (name: string): Provider => all.find((provider) => provider.name === name)!

const query = (source: ProviderQuery['source'] = 'web', text = 'pressure gauge'): ProviderQuery => ({
  text,
  full: text,
  parsed: parseQuery(text),
  source,
  limit: 5,
  lang: undefined,
  country: undefined,
  includeDomains: [],
  excludeDomains: [],
  categories: [],
  from: undefined,
  until: undefined,
  safe: false,
})

const jsonOf = (value: unknown) => JSON.stringify(value)
const HIT = { url: 'https://example.org/a', title: 'A title' }
/** What each says for one hit, and the parts of its request that matter. */
const PROTOCOLS: Record<string, { says: string; asks: RegExp; source?: ProviderQuery['source']; hit?: object }> = {
  wikipedia: {
    says: jsonOf({ query: { search: [{ title: 'Pressure gauge', snippet: 'A <span>pressure</span> gauge' }] } }),
    asks: /list=search.*srsearch=pressure\+gauge/,
    hit: { title: 'Pressure gauge', snippet: 'A pressure gauge' },
  },
  'hacker-news': {
    says: jsonOf({ hits: [{ url: HIT.url, title: HIT.title, created_at_i: 1_700_000_000 }] }),
    asks: /query=pressure\+gauge/,
    hit: { ...HIT, date: 1_700_000_000_000 },
  },
  github: {
    says: jsonOf({ items: [{ html_url: HIT.url, full_name: HIT.title, description: 'd' }] }),
    asks: /repositories\?q=pressure/,
  },
  arxiv: {
    says: `<feed><entry><id>http://arxiv.org/abs/1</id><title>A\n title</title><summary>S</summary><published>2024-01-02T00:00:00Z</published></entry></feed>`,
    asks: /search_query=all%3Apressure\+AND\+all%3Agauge/,
    hit: { url: 'https://arxiv.org/abs/1', title: 'A title', date: Date.UTC(2024, 0, 2) },
  },
  crossref: {
    says: jsonOf({ message: { items: [{ URL: HIT.url, title: [HIT.title] }] } }),
    asks: /works\?query=pressure/,
  },
  openalex: {
    says: jsonOf({ results: [{ display_name: HIT.title, primary_location: { landing_page_url: HIT.url } }] }),
    asks: /works\?search=pressure/,
  },
  'stack-exchange': {
    says: jsonOf({ items: [{ link: HIT.url, title: 'A &quot;title&quot;' }] }),
    asks: /q=pressure/,
    hit: { title: 'A "title"' },
  },
  'internet-archive': {
    says: jsonOf({ response: { docs: [{ identifier: 'x y', title: HIT.title }] } }),
    asks: /q=pressure/,
    hit: { url: 'https://archive.org/details/x%20y' },
  },
  marginalia: { says: jsonOf({ results: [{ ...HIT, description: 'd' }] }), asks: /public\/search\/pressure%20gauge/ },
  gdelt: {
    source: 'news',
    says: jsonOf({ articles: [{ ...HIT, seendate: '20261101T120000Z' }] }),
    asks: /mode=artlist/,
    hit: { date: Date.UTC(2026, 10, 1, 12) },
  },
  openverse: {
    source: 'images',
    says: jsonOf({
      results: [
        { foreign_landing_url: HIT.url, title: HIT.title, url: 'https://example.org/a.jpg', width: 10, height: 20 },
      ],
    }),
    asks: /images\/\?q=/,
    hit: { imageUrl: 'https://example.org/a.jpg', imageWidth: 10, imageHeight: 20 },
  },
  commons: {
    source: 'images',
    says: jsonOf({
      query: {
        pages: {
          1: {
            title: 'File:Gauge.jpg',
            imageinfo: [{ url: 'https://example.org/g.jpg', descriptionurl: HIT.url, width: 3, height: 4 }],
          },
        },
      },
    }),
    asks: /gsrsearch=pressure/,
    hit: { title: 'Gauge', imageWidth: 3 },
  },
  duckduckgo: {
    says: `<div class="result results_links"><a class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.org%2Fa">A <b>title</b></a><a class="result__snippet">S</a></div>`,
    asks: /html\/\?q=pressure/,
  },
  mojeek: {
    says: `<ul class="results-standard"><li><h2><a class="title" href="https://example.org/a">A title</a></h2><p class="s">S</p></li></ul>`,
    asks: /search\?q=pressure/,
  },
  searxng: { says: jsonOf({ results: [{ ...HIT, content: 'S' }] }), asks: /format=json.*categories=general/ },
  brave: { says: jsonOf({ web: { results: [{ ...HIT, description: 'S' }] } }), asks: /res\/v1\/web\/search\?q=/ },
  serper: { says: jsonOf({ organic: [{ link: HIT.url, title: HIT.title, snippet: 'S' }] }), asks: /^\/search$/ },
  tavily: { says: jsonOf({ results: [{ ...HIT, content: 'S' }] }), asks: /^\/search$/ },
  exa: { says: jsonOf({ results: [{ ...HIT, highlights: ['S'] }] }), asks: /^\/search$/ },
  google: {
    says: jsonOf({ items: [{ link: HIT.url, title: HIT.title, snippet: 'S' }] }),
    asks: /customsearch\/v1\?key=k&cx=c/,
  },
}

describe('providers', () => {
  it.each(Object.keys(PROTOCOLS))('%s is asked and read as it speaks', async (name) => {
    const { says, asks, source = 'web', hit = HIT } = PROTOCOLS[name]!
    asked = []
    answer = (_request, response) => response.end(says)
    const hits = await named(name).ask(query(source), base, web, AbortSignal.timeout(60_000))
    expect(hits[0]).toMatchObject(hit)
    expect(asked[0]!.url).toMatch(asks)
  })

  it('wikidata brings the official site of a name', async () => {
    answer = (request, response) =>
      response.end(
        request.url?.includes('wbsearchentities')
          ? jsonOf({ search: [{ id: 'Q1', label: 'Example', description: 'a site' }] })
          : jsonOf({
              entities: { Q1: { claims: { P856: [{ mainsnak: { datavalue: { value: 'https://example.org/' } } }] } } },
            }),
      )
    const hits = await named('wikidata').ask(query('web', 'Example'), base, web, AbortSignal.timeout(60_000))
    expect(hits).toEqual([{ url: 'https://example.org/', title: 'Example', snippet: 'a site' }])
  })

  it.each([
    [429, { 'retry-after': '7' }, '', 'busy', 7],
    [503, {}, '', 'busy', undefined],
    [403, {}, '', 'blocked', undefined],
    [500, {}, '', 'failed', undefined],
    [200, {}, '<html>Please complete the CAPTCHA</html>', 'captcha', undefined],
    [200, {}, '<html><p>A page that nobody expected</p></html>', 'changed', undefined],
  ] as const)('of a result page: status %s %o is trouble by its name', async (status, headers, body, kind, wait) => {
    answer = (_request, response) => response.writeHead(status, headers).end(body)
    const failure = await named('duckduckgo')
      .ask(query(), base, web, AbortSignal.timeout(60_000))
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ProviderError)
    expect(failure).toMatchObject({ kind, retryAfterSeconds: wait })
  })

  it.each(Object.keys(PROTOCOLS).filter((name) => !['gdelt', 'commons', 'google', 'serper', 'brave'].includes(name)))(
    '%s says so when its answers have changed',
    async (name) => {
      answer = (_request, response) => response.end('{"something":"else"}')
      const { source = 'web' } = PROTOCOLS[name]!
      await expect(named(name).ask(query(source), base, web, AbortSignal.timeout(60_000))).rejects.toMatchObject({
        kind: 'changed',
      })
    },
  )

  it('are chosen by name, or not at all', () => {
    const none = {
      searxngUrl: undefined,
      braveKey: undefined,
      serperKey: undefined,
      tavilyKey: undefined,
      exaKey: undefined,
      googleKey: undefined,
      googleCx: undefined,
    }
    expect(makeProviders({ ...none, searchProviders: ['none'] })).toEqual([])
    expect(makeProviders({ ...none, searchProviders: ['github', 'brave'] }).map(({ name }) => name)).toEqual(['github'])
    expect(makeProviders({ ...none, searchProviders: [] })).toHaveLength(15)
  })
})

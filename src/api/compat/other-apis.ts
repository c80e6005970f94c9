// APIs of other services that clients already speak, each a thin translation over our routes: Tavily below /tavily (search,
// extract), SearXNG below /searxng (search as JSON). Off unless ORB_OTHER_APIS names them.
import { z } from 'zod'
import { Problem } from '../../base/problem.ts'
import { validateInput } from '../../base/validate-input.ts'
import { isObject } from '../../base/values.ts'
import type { Capability } from '../../capabilities/capability.ts'
import type { AllServices, Route, RouteCall } from '../../capabilities/route.ts'
import { makeRouteFinder, parseReadyReply } from './v0.ts'

export type OtherApi = 'tavily' | 'searxng'

type Json = Record<string, unknown>

export function makeOtherApiRoutes(capabilities: readonly Capability[], apis: readonly OtherApi[]): Route[] {
  const find = makeRouteFinder(capabilities)
  const search = find('POST', '/v2/search')
  return [
    ...(apis.includes('tavily') ? [tavilySearch(search), tavilyExtract(find('POST', '/v2/scrape'))] : []),
    ...(apis.includes('searxng') ? [searxngSearch(search)] : []),
  ]
}

/** Runs one of our routes with a body made for it. */
async function callRoute(route: Route, services: AllServices, body: Json, call: RouteCall): Promise<Json> {
  const input = {
    body: validateInput(route.body as z.ZodType, body),
    asked: body,
    query: route.query?.parse({}),
    params: {},
  }
  return parseReadyReply(await route.handle(services, input, call)) as Json
}

const hitsOf = ({ data }: Json, source: string): Json[] => ((data as Json)[source] as Json[] | undefined) ?? []

/** Later hits score lower, as in the services that these clients were written for. */
const scoreAt = (index: number): number => Math.round(1000 / (index + 1)) / 1000

const secondsSince = (begun: number): number => Math.round((performance.now() - begun) / 10) / 100

const PERIODS: Readonly<Record<string, string>> = { day: 'd', week: 'w', month: 'm', year: 'y' }

/** `day` and `d` both become `qdr:d`. */
function recentOnly(range: string | undefined): Json {
  if (!range) return {}
  const letter = PERIODS[range] ?? range
  if (!Object.values(PERIODS).includes(letter))
    throw new Problem('bad_request', { because: 'time_range: must be day, week, month or year' })
  return { tbs: `qdr:${letter}` }
}

const tavilySearchBody = z.looseObject({
  query: z.string().min(1).max(500),
  topic: z.enum(['general', 'news', 'finance']).default('general'),
  max_results: z.int().min(0).max(20).default(5),
  include_raw_content: z.union([z.boolean(), z.enum(['markdown', 'text'])]).default(false),
  include_images: z.boolean().default(false),
  include_domains: z.array(z.string()).max(300).default([]),
  exclude_domains: z.array(z.string()).max(150).default([]),
  time_range: z.string().nullish(),
})

const tavilySearch = (search: Route): Route => ({
  ...search,
  path: '/tavily/search',
  summary: 'Search, as Tavily does',
  command: null,
  translate: undefined,
  formats: (body) => (isObject(body) && body.include_raw_content ? ['markdown'] : []),
  body: tavilySearchBody,
  query: undefined,
  example: { query: 'tide tables', max_results: 3 },
  reply: z.looseObject({
    query: z.string(),
    results: z.array(z.looseObject({ url: z.string(), content: z.string() })),
  }),
  async handle(services, { body }, call) {
    const begun = performance.now()
    const given = body as z.output<typeof tavilySearchBody>
    const source = given.topic === 'news' ? 'news' : 'web'
    const sources = [source, ...(given.include_images ? ['images'] : [])]
    const found = await callRoute(
      search,
      services,
      {
        query: given.query,
        sources,
        limit: Math.max(1, given.max_results),
        ...(given.include_domains.length > 0 ? { includeDomains: given.include_domains } : {}),
        ...(given.exclude_domains.length > 0 ? { excludeDomains: given.exclude_domains } : {}),
        ...recentOnly(given.time_range ?? undefined),
        ...(given.include_raw_content ? { scrapeOptions: { formats: ['markdown'] } } : {}),
      },
      call,
    )
    return {
      query: given.query,
      // An answer is the work of POST /v2/agent; search only finds pages.
      answer: null,
      images: hitsOf(found, 'images').map(({ imageUrl }) => imageUrl),
      results: hitsOf(found, source)
        .slice(0, given.max_results)
        .map(({ url, title, description, snippet, date, markdown }, index) => ({
          url,
          title: title ?? '',
          content: description ?? snippet ?? '',
          score: scoreAt(index),
          ...(date === undefined ? {} : { published_date: date }),
          raw_content: markdown ?? null,
        })),
      response_time: secondsSince(begun),
      request_id: call.requestId,
    }
  },
})

const tavilyExtractBody = z.looseObject({
  urls: z.union([z.string().transform((url) => [url]), z.array(z.string()).min(1).max(20)]),
  include_images: z.boolean().default(false),
})

const tavilyExtract = (scrape: Route): Route => ({
  ...scrape,
  path: '/tavily/extract',
  summary: 'Read pages, as Tavily does',
  command: null,
  translate: undefined,
  formats: () => ['markdown'],
  body: tavilyExtractBody,
  query: undefined,
  example: { urls: ['https://example.com'] },
  reply: z.looseObject({ results: z.array(z.looseObject({ url: z.string(), raw_content: z.string() })) }),
  async handle(services, { body }, call) {
    const begun = performance.now()
    const { urls, include_images } = body as z.output<typeof tavilyExtractBody>
    const formats = ['markdown', ...(include_images ? ['images'] : [])]
    const pages = await Promise.all(
      urls.map(async (url) => {
        try {
          const { data } = (await callRoute(scrape, services, { url, formats }, call)) as { data: Json }
          const { title } = data.metadata as Json
          return { url, title: title ?? null, raw_content: String(data.markdown ?? ''), images: data.images ?? [] }
        } catch (error) {
          if (!(error instanceof Problem) || error.kind === 'rate_limited') throw error
          return { url, error: error.message }
        }
      }),
    )
    return {
      results: pages.filter((page) => !('error' in page)),
      failed_results: pages.filter((page) => 'error' in page),
      response_time: secondsSince(begun),
      request_id: call.requestId,
    }
  },
})

const searxngQuery = z.looseObject({
  q: z.string().min(1).max(500),
  format: z.literal('json', { error: 'must be json' }),
  categories: z.string().max(200).default('general'),
  language: z.string().max(20).optional(),
  time_range: z.string().max(10).optional(),
  pageno: z.coerce.number().int().min(1).max(10).default(1),
})

const SEARXNG_PAGE = 10

const searxngSearch = (search: Route): Route => ({
  ...search,
  method: 'GET',
  path: '/searxng/search',
  summary: 'Search, as SearXNG does',
  command: null,
  translate: undefined,
  formats: undefined,
  body: undefined,
  query: searxngQuery,
  reply: z.looseObject({
    query: z.string(),
    results: z.array(z.looseObject({ url: z.string(), content: z.string() })),
  }),
  async handle(services, { query }, call) {
    const { q, categories, language, time_range, pageno } = query as z.output<typeof searxngQuery>
    const wanted = categories.split(',').map((one) => one.trim())
    const source = wanted.includes('images') ? 'images' : wanted.includes('news') ? 'news' : 'web'
    const found = await callRoute(
      search,
      services,
      {
        query: q,
        sources: [source],
        limit: pageno * SEARXNG_PAGE,
        ...(language && !['all', 'auto'].includes(language) ? { lang: language.split('-')[0] } : {}),
        ...recentOnly(time_range),
      },
      call,
    )
    const hits = hitsOf(found, source).slice((pageno - 1) * SEARXNG_PAGE)
    return {
      query: q,
      number_of_results: hits.length,
      results: hits.map(({ url, title, description, snippet, date, imageUrl }, index) => ({
        url,
        title: title ?? '',
        content: description ?? snippet ?? '',
        engine: 'orbweaver',
        engines: ['orbweaver'],
        category: source === 'web' ? 'general' : source,
        score: scoreAt(index),
        positions: [index + 1],
        publishedDate: date ?? null,
        ...(imageUrl === undefined ? {} : { img_src: imageUrl }),
      })),
      answers: [],
      corrections: [],
      infoboxes: [],
      suggestions: [],
      unresponsive_engines: [],
    }
  },
})

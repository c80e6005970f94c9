// A search over HTTP: queries, scrapes hits if requested, charges, and formats the response.

import { startDeadline } from '../../base/deadline.ts'
import { priceOfSearch } from '../../base/prices.ts'
import { Problem } from '../../base/problem.ts'
import type { SearchAnswer, SearchHit, SearchSource } from '../../base/search-types.ts'
import { hasCredentialHeaders } from '../../fetch/follow-redirects.ts'
import { parseQuery } from '../../search/engine/parse-query.ts'
import { searchStore } from '../../search/store/index.ts'
import { newId } from '../../store/id.ts'
import { withCreditReservation } from '../../teams/charge-credits.ts'
import type { RouteCall } from '../route.ts'
import { resolveZeroRetention } from '../start-job.ts'
import type { WebSearchRequest } from './index-and-provider-search.ts'
import type { HandlerServices } from './own-services.ts'
import { removeUnsafeHits } from './safe-hits.ts'
import type { SearchBody } from './schema.ts'
import { queryWordsKey } from './score-hits.ts'
import { type HitScrapeOptions, scrapeHit, scrapeHits } from './scrape-hits.ts'

/** Reserved from the caller's timeout for storing and sending. */
const RESERVED_FOR_REPLY_MS = 250

type Shown = Record<string, unknown>

type SearchSwitches = { explain: boolean; own: boolean }

export async function handleSearchRequest(
  services: HandlerServices,
  body: SearchBody,
  { explain, own: ownOnly }: SearchSwitches,
  call: RouteCall,
): Promise<object> {
  if (body.categories.includes('gov'))
    throw new Problem('not_offered', { because: 'The search of government sites is not offered by this service' })
  const { store, clock } = services
  const { caller } = call
  const zdr = resolveZeroRetention(
    body.enterprise?.includes('zdr') ?? false,
    caller.zeroDataRetention,
    body.scrapeOptions,
  )
  const id = newId(clock.now())
  call.note({ jobId: id, ...(zdr ? {} : { target: body.query }) })
  const { signal, clear, during } = startDeadline(body.timeout, call.signal)
  const began = clock.now()
  const sources = sourcesOf(body)
  try {
    const most = priceOfSearch(body.limit * Math.max(1, sources.length), zdr)
    return await withCreditReservation(store, caller, { id, endpoint: 'search', credits: most }, async (charge) => {
      const found = await ask(services, body, sources, { zdr, ownOnly, explain }, caller.teamId, signal)
      const answer = await removeUnsafeHits(services, found, caller.teamId, body.threatProtection)
      const hits = sources.reduce((sum, { source }) => sum + answer[source].length, 0)
      const own = priceOfSearch(hits, zdr)
      if (!zdr)
        await searchStore(store).searchVotes.remember({
          id,
          teamId: caller.teamId,
          words: queryWordsKey(parseQuery(body.query).words),
        })
      await charge.settle(own)
      const shown = shapes(
        answer,
        sources.map(({ source }) => source),
      )
      const leftMs = body.timeout - (clock.now() - began) - RESERVED_FOR_REPLY_MS
      const scraped = await during(() => withPages(services, shown, body, zdr, leftMs, call, signal))
      return {
        success: true,
        data: { ...shown, ...(body.sources.some(isToolCatalogue) ? { tools: [] } : {}) },
        ...joinWarnings([answer.warning, body.scrapeOptions ? withheld(body.scrapeOptions) : undefined]),
        id,
        creditsUsed: own + scraped.credits,
        ...(scraped.ids ? { scrapeIds: scraped.ids } : {}),
        ...(explain ? { explain: explainAnswer(answer) } : {}),
      }
    })
  } catch (error) {
    // A scrape's timeout message would be misleading for a search.
    if (error instanceof Problem && error.kind === 'timeout')
      throw new Problem('timeout', { instead: 'Request Timeout' })
    throw error
  } finally {
    clear()
  }
}

interface SourceOptions {
  source: SearchSource
  tbs?: string | undefined
  lang?: string | undefined
  country?: string | undefined
  location?: string | undefined
}

const isToolCatalogue = (item: SearchBody['sources'][number]): boolean =>
  (typeof item === 'string' ? item : item.type) === 'alexandria'

function sourcesOf(body: SearchBody): SourceOptions[] {
  const { tbs, lang, location } = body
  const country = body.country ?? (location === undefined ? 'US' : undefined)
  const seen = new Map<SearchSource, SourceOptions>()
  for (const item of body.sources) {
    const { type, ...own } = typeof item === 'string' ? { type: item } : item
    if (type === 'alexandria' || seen.has(type)) continue
    seen.set(type, { source: type, tbs, lang, country, location, ...own })
  }
  return [...seen.values()]
}

async function ask(
  services: HandlerServices,
  body: SearchBody,
  sources: readonly SourceOptions[],
  { zdr, ownOnly, explain }: { zdr: boolean; ownOnly: boolean; explain: boolean },
  teamId: string,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const groups = new Map<string, SourceOptions[]>()
  for (const one of sources) {
    const { source: _, ...options } = one
    const key = JSON.stringify(options)
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  const answers = await Promise.all(
    [...groups.values()].map((group) => {
      const { source: _, tbs, lang, country, location } = group[0]!
      const request: WebSearchRequest = {
        teamId,
        limit: body.limit,
        sources: group.map(({ source }) => source),
        ...dropNullish({ tbs, lang, country, location, safe: body.safe }),
        ...dropNullish({ includeDomains: body.includeDomains, excludeDomains: body.excludeDomains }),
        categories: body.categories,
        timeoutMs: body.timeout,
        zeroDataRetention: zdr,
        highlights: body.highlights,
        ownOnly,
        explain,
      }
      return services.search(body.query, request, signal)
    }),
  )
  const empty: SearchAnswer = { web: [], news: [], images: [], asked: [] }
  return answers.reduce<SearchAnswer>(
    (sum, { web, news, images, asked, warning }) => ({
      web: [...sum.web, ...web],
      news: [...sum.news, ...news],
      images: [...sum.images, ...images],
      asked: [...sum.asked, ...asked],
      ...(sum.warning || warning ? { warning: [...new Set([sum.warning, warning])].filter(Boolean).join(' ') } : {}),
    }),
    empty,
  )
}

const dropNullish = <T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never

function shapes(answer: SearchAnswer, sources: readonly SearchSource[]): Record<string, Shown[]> {
  const shape: Record<SearchSource, (hit: SearchHit) => Shown> = {
    web: ({ url, title, description, position, category }) => ({
      url,
      title,
      description,
      position,
      ...dropNullish({ category }),
    }),
    news: ({ url, title, description, position, date, imageUrl, category }) => ({
      url,
      title,
      snippet: description,
      ...(date === undefined ? {} : { date: new Date(date).toISOString() }),
      ...dropNullish({ imageUrl }),
      position,
      ...dropNullish({ category }),
    }),
    images: ({ url, title, imageUrl, imageWidth, imageHeight, position }) => ({
      title,
      imageUrl,
      ...dropNullish({ imageWidth, imageHeight }),
      url,
      position,
    }),
  }
  return Object.fromEntries(sources.map((source) => [source, answer[source].map(shape[source])]))
}

const SCRAPED = ['web', 'news'] as const
type Scraped = { credits: number; ids?: { web?: string[]; news?: string[] } }

/** Adds the hits' pages to the response or, in async mode, starts to fetch them. */
async function withPages(
  services: HandlerServices,
  shown: Record<string, Shown[]>,
  body: SearchBody,
  zdr: boolean,
  leftMs: number,
  call: RouteCall,
  signal: AbortSignal,
): Promise<Scraped> {
  const asked = body.scrapeOptions
  if (!asked || asked.formats.length === 0) return dropInvalid(shown, body)
  const timeout = Math.max(1, Math.min(asked.timeout ?? leftMs, leftMs))
  const options: HitScrapeOptions = {
    ...asked,
    timeout: Math.max(1000, timeout),
    zeroDataRetention: asked.zeroDataRetention || zdr,
    threatProtection: asked.threatProtection ?? body.threatProtection,
  }
  if (body.asyncScraping) return { credits: 0, ids: begin(services, shown, options, call) }
  let credits = 0
  for (const source of SCRAPED) {
    const hits = shown[source]
    if (!hits || hits.length === 0) continue
    const scraped = await scrapeHits(
      services,
      hits.map(({ url }) => String(url)),
      options,
      call,
      signal,
    )
    shown[source] = hits.flatMap((hit, at) => {
      const { document, credits: cost, failed } = scraped[at]!
      credits += cost
      if (failed && body.ignoreInvalidURLs) return []
      const { metadata, warning: _, ...fields } = document
      return [{ ...hit, ...fields, metadata }]
    })
  }
  return { credits }
}

function dropInvalid(shown: Record<string, Shown[]>, { ignoreInvalidURLs }: SearchBody): Scraped {
  if (ignoreInvalidURLs)
    for (const source of SCRAPED)
      if (shown[source]) shown[source] = shown[source].filter(({ url }) => /^https?:\/\//i.test(String(url)))
  return { credits: 0 }
}

/** Background scrapes: each has its own deadline and can be read by id later. */
function begin(
  services: HandlerServices,
  shown: Record<string, Shown[]>,
  options: HitScrapeOptions,
  { caller, baseUrl }: RouteCall,
) {
  const ids: { web?: string[]; news?: string[] } = {}
  for (const source of SCRAPED) {
    const hits = shown[source]
    if (!hits) continue
    ids[source] = hits.map(({ url }) => {
      const id = newId(services.clock.now())
      const limit = startDeadline(options.timeout ?? 60_000, new AbortController().signal)
      void limit
        .during(() => scrapeHit(services, id, String(url), options, { caller, baseUrl }, limit.signal))
        .finally(limit.clear)
      return id
    })
  }
  return ids
}

const explainAnswer = ({ asked, web, news, images }: SearchAnswer): object => ({
  asked,
  hits: Object.fromEntries(
    Object.entries({ web, news, images })
      .filter(([, hits]) => hits.length > 0)
      .map(([source, hits]) => [
        source,
        hits.map(({ url, from, score, why, byLinks }) => ({ url, from, score, why, byLinks })),
      ]),
  ),
})

const joinWarnings = (sentences: readonly (string | undefined)[]): { warning?: string } => {
  const warning = sentences.filter(Boolean).join(' ')
  return warning ? { warning } : {}
}

const withheld = ({ headers, allowCredentialsFor = [] }: HitScrapeOptions): string | undefined =>
  hasCredentialHeaders(headers) && allowCredentialsFor.length === 0
    ? 'The `headers` were not sent: hits are pages of sites that the request did not name. Scrape them by URL instead.'
    : undefined

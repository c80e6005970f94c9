// One search: our index and suitable providers are queried in parallel and merged into one list per source.
import { type Clock, DAY_MS } from '../../base/clock.ts'
import { problemOfAbort } from '../../base/deadline.ts'
import { Problem } from '../../base/problem.ts'
import type {
  ProviderOutcome,
  RunSearch,
  SearchAnswer,
  SearchHit,
  SearchRequest,
  SearchSource,
} from '../../base/search-types.ts'
import { type DateFilter, parseDateFilter } from '../../search/engine/date-filter.ts'
import {
  matchesQueryOperators,
  matchesSiteOperator,
  type ParsedQuery,
  parseQuery,
  parseSiteOperator,
} from '../../search/engine/parse-query.ts'
import type { SearchQuery } from '../../search/engine/run-query.ts'
import type { Indexer } from '../../search/indexer.ts'
import type { IndexHit, TeamPageSearch } from '../../search/search-team-pages.ts'
import type { SearchVotes } from '../../search/store/search-votes.ts'
import { askProviders, type ProvidersParts } from './ask-providers.ts'
import { findCategoryOfUrl, SEARCH_CATEGORIES } from './categories.ts'
import { type FusedHit, fuseRankedLists, type RankedList, type SearchCandidate } from './fuse-hits.ts'
import type { ProviderQuery } from './provider.ts'
import { rankPageImages } from './rank-page-images.ts'
import { makeHitScorer, queryWordsKey } from './score-hits.ts'
import { writeSearchWarning } from './search-warning.ts'

interface SearchParts extends ProvidersParts {
  index: (TeamPageSearch & Pick<Indexer, 'catchUp'>) | undefined
  votes: Pick<SearchVotes, 'forWords'>
  clock: Clock
}

const DEFAULT_LIMIT = 10
const DEFAULT_PATIENCE_MS = 4_000
const SHARE_OF_TIME = 0.6
/** Bonus for today's news; halved after ten days. */
const TODAYS_NEWS_BONUS = 0.6
const FRESH_HALF_LIFE_MS = 10 * DAY_MS

export interface WebSearchRequest extends SearchRequest {
  safe?: boolean
  highlights?: boolean
  explain?: boolean
  ownOnly?: boolean
}

export function makeCombinedSearch(parts: SearchParts): RunSearch {
  return async (text, request: WebSearchRequest, signal) => {
    const parsed = parseQuery(text)
    const now = parts.clock.now()
    const when = parseDateFilter(request.tbs, now)
    if (!when)
      throw new Problem('bad_request', {
        because: `tbs ${JSON.stringify(request.tbs)} is not a time filter; see docs/search.md`,
      })
    if (request.since !== undefined) when.from = Math.max(request.since, when.from ?? 0)
    const answer: SearchAnswer = { web: [], news: [], images: [], asked: [] }
    const sources = request.sources ?? ['web']
    // Once for all sources, while providers are queried.
    const caughtUp = Promise.resolve(parts.index?.catchUp(request.teamId, signal))
    const results = await Promise.all(
      sources.map((source) => searchSource(parts, { text, parsed, when, source, request, now, caughtUp }, signal)),
    )
    if (signal.aborted) throw problemOfAbort(signal)
    const asked: ProviderOutcome[] = []
    for (const [at, source] of sources.entries()) {
      answer[source] = results[at]!.hits
      asked.push(...results[at]!.asked)
    }
    const found = sources.reduce((sum, source) => sum + answer[source].length, 0)
    const isBroken = asked.some(({ name, state }) => name === 'index' && state === 'failed')
    const isEmpty = isBroken || !parts.index || (await parts.index.isEmpty(request.teamId))
    const couldAnswer =
      !isEmpty || asked.some(({ name, state }) => name !== 'index' && (state === 'answered' || state === 'empty'))
    const warning = writeSearchWarning(asked, {
      found,
      isEmpty,
      providers: parts.providers.length,
      ownOnly: request.ownOnly ?? false,
      isIndexOff: !parts.index,
      lag: isBroken ? undefined : await caughtUp,
    })
    if (found === 0 && !couldAnswer)
      throw new Problem('search_unavailable', { because: warning ?? 'nothing was asked' })
    return { ...answer, asked, ...(warning ? { warning } : {}) }
  }
}

interface SourceRequest {
  text: string
  parsed: ParsedQuery
  when: DateFilter
  source: SearchSource
  request: WebSearchRequest
  now: number
  /** Resolves when pending pages are indexed or time is up. */
  caughtUp: Promise<unknown>
}

async function searchSource(parts: SearchParts, asking: SourceRequest, signal: AbortSignal) {
  const { request, parsed, source, when, now } = asking
  const limit = request.limit ?? DEFAULT_LIMIT
  const query = providerQuery(asking, limit)
  // Zero data retention forbids sending the query to third parties.
  const providers = request.zeroDataRetention || request.ownOnly ? [] : parts.providers
  const patience = Math.min(DEFAULT_PATIENCE_MS, (request.timeoutMs ?? 60_000) * SHARE_OF_TIME)
  const began = performance.now()
  // A remote index may fail; the providers can still answer.
  let because: string | undefined
  const [own, outside, votes] = await Promise.all([
    asking.caughtUp
      .then(() => fromIndex(parts.index, asking, limit, signal))
      .catch((error: unknown) => {
        if (signal.aborted) throw error
        because = error instanceof Error ? error.message : String(error)
        return []
      }),
    askProviders({ ...parts, providers }, query, patience, signal),
    parts.votes.forWords(request.teamId, queryWordsKey(parsed.words)),
  ])
  const index: ProviderOutcome = {
    name: 'index',
    state: because !== undefined ? 'failed' : own.length > 0 ? 'answered' : 'empty',
    hits: own.length,
    ms: Math.round(performance.now() - began),
    ...(because === undefined ? {} : { because }),
  }
  const lists: RankedList[] = [
    { name: 'index', hits: own },
    ...outside.answers.map(({ name, hits }) => ({
      name,
      hits: hits
        .map(({ snippet, ...hit }) => ({ ...hit, description: snippet }))
        .filter((hit) => isHitAllowed(hit, query)),
    })),
  ]
  const score = makeHitScorer({ query: parsed.words, lists, votes })
  const fused = fuseRankedLists(lists, (hit, places) => {
    const fresh =
      source === 'news' && hit.date !== undefined
        ? TODAYS_NEWS_BONUS * 0.5 ** ((now - hit.date) / FRESH_HALF_LIFE_MS)
        : 0
    return score(hit, places) * (1 + fresh)
  })
  const sorted = when.newestFirst ? fused.sort((a, b) => (b.date ?? 0) - (a.date ?? 0)) : fused
  const categories = request.categories ?? []
  return {
    hits: sorted.slice(0, limit).map((hit, at) => toSearchHit(hit, at + 1, categories)),
    asked: [...(parts.index ? [index] : []), ...outside.asked],
  }
}

function toSearchHit(hit: FusedHit, position: number, categories: readonly string[]): SearchHit {
  const category = findCategoryOfUrl(hit.url, categories)
  return {
    url: hit.url,
    title: hit.title || hit.url,
    description: hit.description,
    position,
    ...(hit.date === undefined ? {} : { date: hit.date }),
    ...(category ? { category } : {}),
    ...(hit.imageUrl ? { imageUrl: hit.imageUrl } : {}),
    ...(hit.imageWidth ? { imageWidth: hit.imageWidth } : {}),
    ...(hit.imageHeight ? { imageHeight: hit.imageHeight } : {}),
    from: hit.from,
    score: hit.score,
    why: hit.why,
    ...(hit.byLinks ? { byLinks: hit.byLinks } : {}),
  }
}

async function fromIndex(
  index: TeamPageSearch | undefined,
  { parsed, when, source, request }: SourceRequest,
  limit: number,
  signal: AbortSignal,
): Promise<SearchCandidate[]> {
  if (!index) return []
  const categories = (request.categories ?? []).flatMap((name) => SEARCH_CATEGORIES.get(name) ?? [])
  const sites = categories.flatMap(({ domains }) => domains)
  const types = categories.flatMap(({ type }) => type ?? [])
  // Several categories are alternatives. Sites and file types cannot be combined in one query, so those hits are
  // filtered below.
  const mixed = sites.length > 0 && types.length > 0
  const query = types.length > 0 && !mixed ? { ...parsed, types: [...parsed.types, ...types] } : parsed
  const asked: SearchQuery = {
    query,
    includeDomains: [...(request.includeDomains ?? []), ...(mixed ? [] : sites)],
    excludeDomains: request.excludeDomains ?? [],
    tags: source === 'news' ? ['news'] : source === 'images' ? ['pictures'] : [],
    from: when.from,
    until: when.until,
    newestFirst: when.newestFirst,
    language: request.lang,
  }
  const many = source === 'images' ? limit * 3 + 10 : mixed ? limit * 10 : limit
  const wants = {
    passages: source !== 'images' && request.highlights !== false,
    links: source !== 'images' && request.explain === true,
  }
  const hits = await index.find(request.teamId, asked, many, wants, signal)
  if (source === 'images') return rankPageImages(hits, parsed, limit)
  return hits
    .filter(({ page }) => !mixed || findCategoryOfUrl(page.url, request.categories ?? []) !== undefined)
    .map((hit) => candidateOf(hit))
}

const withoutTitle = (passage: string, title: string): string =>
  title !== '' && passage.length > title.length + 20 && passage.startsWith(`${title} `)
    ? passage.slice(title.length + 1)
    : passage

const candidateOf = ({ page, passage, byLinks }: IndexHit): SearchCandidate => ({
  url: page.url,
  title: page.title,
  description: withoutTitle(passage ?? page.description, page.title),
  date: page.dated ?? undefined,
  imageUrl: page.image ?? undefined,
  print: page.print,
  ...(byLinks.length > 0 ? { byLinks } : {}),
})

function providerQuery({ text, parsed, when, source, request }: SourceRequest, limit: number): ProviderQuery {
  return {
    text: parsed.plain.replaceAll('"', ''),
    full: text,
    parsed,
    source,
    limit,
    lang: request.lang,
    country: request.country,
    includeDomains: request.includeDomains ?? [],
    excludeDomains: request.excludeDomains ?? [],
    categories: request.categories ?? [],
    from: when.from,
    until: when.until,
    safe: request.safe ?? false,
  }
}

/** Not every provider supports operators. */
function isHitAllowed(hit: SearchCandidate, query: ProviderQuery): boolean {
  const { includeDomains, excludeDomains, categories, parsed, from, until } = query
  const isOn = (domain: string) => {
    const place = parseSiteOperator(domain)
    return place !== undefined && matchesSiteOperator(hit.url, place)
  }
  if (includeDomains.length > 0 && !includeDomains.some(isOn)) return false
  if (excludeDomains.some(isOn)) return false
  if (categories.length > 0 && findCategoryOfUrl(hit.url, categories) === undefined) return false
  const extension = /\.([a-z0-9]{2,5})$/i.exec(new URL(hit.url).pathname)?.[1]?.toLowerCase() ?? ''
  if (parsed.types.length > 0 && !parsed.types.includes(extension)) return false
  if (parsed.withoutTypes.includes(extension)) return false
  if (hit.date !== undefined && ((from !== undefined && hit.date < from) || (until !== undefined && hit.date > until)))
    return false
  // A snippet is not the page: required words may occur outside of it.
  const page = { url: hit.url, title: hit.title, text: hit.description }
  return matchesQueryOperators({ ...parsed, phrases: [] }, page)
}

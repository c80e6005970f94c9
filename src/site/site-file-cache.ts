// Caches complete sitemaps for a week. Responses to requests with caller headers may be private and are not cached.
import { type Clock, DAY_MS } from '../base/clock.ts'
import { cacheScope } from '../fetch/private-address-access.ts'
import type { PageStore } from '../store/captures-and-scrapes.ts'
import type { SiteFetch, SiteResponse } from './site-fetch-types.ts'

const FRESH_MS = 7 * DAY_MS
const ROBOTS_FRESH_MS = DAY_MS
const MAX_BYTES = 10 * 1024 * 1024

export interface CachedSiteFile extends SiteResponse {
  fetchedAt: number
}

export interface SiteFileCache {
  find(url: string): Promise<CachedSiteFile | undefined>
  keep(url: string, file: CachedSiteFile): Promise<void>
}

/** `fresh`: skip the lookup, but store the response. */
export const withSitemapCache = (fetch: SiteFetch, files: SiteFileCache, clock: Clock, fresh: boolean): SiteFetch =>
  fetchAndKeep(fetch, files, clock, {
    ...{ fresh, freshMs: FRESH_MS },
    lasts: ({ status, truncated, body }) => status === 200 && !truncated && body.length <= MAX_BYTES,
  })

/** robots.txt for all processes on one database. That a site has none is stored as well. */
export const withSharedRobotsCache = (
  fetch: SiteFetch,
  files: SiteFileCache,
  clock: Clock,
  fresh: boolean,
): SiteFetch =>
  fetchAndKeep(fetch, files, clock, {
    ...{ fresh, freshMs: ROBOTS_FRESH_MS },
    lasts: ({ status }) => status < 500 && status !== 429,
  })

function fetchAndKeep(
  fetch: SiteFetch,
  files: SiteFileCache,
  clock: Clock,
  { fresh, freshMs, lasts }: { fresh: boolean; freshMs: number; lasts(answer: SiteResponse): boolean },
): SiteFetch {
  return async (request, signal) => {
    if (Object.keys(request.headers).length > 0) return fetch(request, signal)
    const before = fresh ? undefined : await files.find(request.url)
    if (before && clock.now() - before.fetchedAt < freshMs) return before
    const answer = await fetch(request, signal)
    if (lasts(answer)) await files.keep(request.url, { ...answer, fetchedAt: clock.now() })
    return answer
  }
}

export const makeSiteFileCache = (pages: PageStore): SiteFileCache => ({
  find: (url) => pages.findCapture(fileKey(url)),
  keep: (url, { url: landed, status, headers, body, truncated, fetchedAt }) =>
    pages.keepFile(fileKey(url), {
      engine: 'http',
      url: landed,
      status,
      headers,
      body,
      truncated,
      hops: [],
      proxyUsed: 'basic',
      timings: { totalMs: 0 },
      fetchedAt,
      warnings: [],
    }),
})
const fileKey = (url: string): string => [cacheScope(), 'file', url].filter(Boolean).join(' ')

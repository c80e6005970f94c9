// Caches complete sitemaps for a week. Responses to requests with caller headers may be private and are not cached.
import type { Clock } from '../base/clock.ts'
import { isSetApart } from '../fetch/caller-reach.ts'
import type { Pages } from '../store/pages.ts'
import type { SiteAnswer, SiteFetch } from './ports.ts'

const FRESH_MS = 7 * 24 * 3_600_000
const ROBOTS_FRESH_MS = 24 * 3_600_000
const MAX_BYTES = 10 * 1024 * 1024

export interface KeptFile extends SiteAnswer {
  fetchedAt: number
}

export interface SiteFiles {
  find(url: string): Promise<KeptFile | undefined>
  keep(url: string, file: KeptFile): Promise<void>
}

/** `fresh`: skip the lookup, but store the response. */
export const keepingFiles = (fetch: SiteFetch, files: SiteFiles, clock: Clock, fresh: boolean): SiteFetch =>
  keeping(fetch, files, clock, {
    ...{ fresh, freshMs: FRESH_MS },
    lasts: ({ status, truncated, body }) => status === 200 && !truncated && body.length <= MAX_BYTES,
  })

/** robots.txt for all processes on one database. That a site has none is stored as well. */
export const sharingRobots = (fetch: SiteFetch, files: SiteFiles, clock: Clock, fresh: boolean): SiteFetch =>
  keeping(fetch, files, clock, {
    ...{ fresh, freshMs: ROBOTS_FRESH_MS },
    lasts: ({ status }) => status < 500 && status !== 429,
  })

function keeping(
  fetch: SiteFetch,
  files: SiteFiles,
  clock: Clock,
  { fresh, freshMs, lasts }: { fresh: boolean; freshMs: number; lasts(answer: SiteAnswer): boolean },
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

export const filesIn = (pages: Pages): SiteFiles => ({
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
const fileKey = (url: string): string => `${isSetApart() ? 'own ' : ''}file ${url}`

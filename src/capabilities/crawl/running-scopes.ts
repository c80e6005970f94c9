// Scopes of running crawls, opened once per process, with compiled patterns and trap counters. A process that resumes a
// crawl counts its existing pages.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import { type CrawlScope, openCrawlScope } from '../../base/crawl-scope.ts'
import type { JobFacts } from '../../jobs/job-facts.ts'
import type { ScrapeBody } from '../../scrape/scrape-options.ts'
import type { RobotsOptions } from '../../site/fetch-robots.ts'
import type { Store } from '../../store/index.ts'
import { limitHeadersToOrigins } from '../visit-job-page.ts'
import type { StoredCrawl } from './start-crawl.ts'

const KEPT = 200
/** Pages read at once when a crawl is resumed. */
const RESUME_BATCH_PAGES = 2_000
/** Least time between two reads of what other processes added. */
const MIN_REFRESH_MS = 1_000

export type RunningCrawlScopes = ReturnType<typeof openRunningCrawlScopes>

export function openRunningCrawlScopes({ frontier, dialect }: Pick<Store, 'frontier' | 'dialect'>, clock: Clock) {
  const known = new LRUCache<string, Promise<CrawlScope>>({ max: KEPT })
  const followed = new LRUCache<string, { at: number; n: number }>({ max: KEPT })

  /** Other processes exist only on PostgreSQL. Most crawls have no address with a cap, and read nothing. */
  async function follow(jobId: string, scope: CrawlScope): Promise<void> {
    if (dialect !== 'postgres' || !scope.counts()) return
    const last = followed.get(jobId) ?? { at: Number.NEGATIVE_INFINITY, n: -1 }
    if (clock.now() - last.at < MIN_REFRESH_MS) return
    last.at = clock.now()
    followed.set(jobId, last)
    for (let more = true; more; ) {
      const pages = await frontier.addedAfter(jobId, last.n, RESUME_BATCH_PAGES)
      for (const { url } of pages) scope.countAccepted(url)
      last.n = pages.at(-1)?.n ?? last.n
      more = pages.length === RESUME_BATCH_PAGES
    }
  }

  async function open(job: JobFacts, start: string): Promise<CrawlScope> {
    const scope = openCrawlScope((job.settings as StoredCrawl).scope, start)
    for (let after = '', more = true; more; ) {
      const pages = await frontier.seen(job.id, after, RESUME_BATCH_PAGES)
      for (const { url, state } of pages) if (state !== 'dropped') scope.countAccepted(url)
      after = pages.at(-1)?.key ?? after
      more = pages.length === RESUME_BATCH_PAGES
    }
    return scope
  }

  return {
    async of(job: JobFacts) {
      // If the start redirected to another site, the crawl uses that one.
      const start = job.url ?? (job.settings as StoredCrawl).url
      const name = `${job.id} ${start}`
      const scope = known.get(name) ?? open(job, start)
      known.set(name, scope)
      scope.catch(() => known.delete(name))
      await follow(job.id, await scope)
      return scope
    },
  }
}

/** Headers of the caller, and further hosts that get them. */
export type CrawlCredentials = Pick<ScrapeBody, 'headers' | 'allowCredentialsFor'>

/** How robots.txt for `url` is read: with the caller's headers where these may be sent, as the pages are. */
export const makeRobotsTxtRequest = (
  { url: start, scope }: Pick<StoredCrawl, 'url' | 'scope'>,
  options: CrawlCredentials,
  url: string,
): RobotsOptions => ({
  agent: scope.robotsUserAgent,
  ignore: scope.ignoreRobotsTxt,
  headers: limitHeadersToOrigins(options, url, [start]).headers,
})

/** Other processes may read the file too, unless the crawl must leave nothing behind. */
export const robotsTxtRequestOfJob = (job: JobFacts, options: CrawlCredentials, url: string): RobotsOptions => ({
  ...makeRobotsTxtRequest(job.settings as StoredCrawl, options, url),
  share: !job.zeroDataRetention,
})

// Scopes of running crawls, opened once per process, with compiled patterns and trap counters. A process that resumes a
// crawl counts its existing pages, and those that other processes add meanwhile, so that the counters are those of the
// crawl.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import { type CrawlScope, openScope } from '../../base/crawl-scope.ts'
import type { JobFacts } from '../../jobs/job-facts.ts'
import type { ScrapeBody } from '../../scrape/options.ts'
import type { RobotsQuestion } from '../../site/robots.ts'
import type { Store } from '../../store/index.ts'
import { withOwnHeaders } from '../job-visit.ts'
import type { StoredCrawl } from './start-crawl.ts'

const KEPT = 200
/** Pages read at once when a crawl is resumed. */
const BATCH = 2_000
/** Least time between two reads of what other processes added. */
const FOLLOW_MS = 1_000

export interface Scopes {
  of(job: JobFacts): Promise<CrawlScope>
}

export function openScopes({ frontier, dialect }: Pick<Store, 'frontier' | 'dialect'>, clock: Clock): Scopes {
  const known = new LRUCache<string, Promise<CrawlScope>>({ max: KEPT })
  const followed = new LRUCache<string, { at: number; n: number }>({ max: KEPT })

  /** Only on PostgreSQL are there others. Most crawls meet no address that is counted, and read nothing here. */
  async function follow(jobId: string, scope: CrawlScope): Promise<void> {
    if (dialect !== 'postgres' || !scope.counts()) return
    const last = followed.get(jobId) ?? { at: Number.NEGATIVE_INFINITY, n: -1 }
    if (clock.now() - last.at < FOLLOW_MS) return
    last.at = clock.now()
    followed.set(jobId, last)
    for (let more = true; more; ) {
      const pages = await frontier.addedAfter(jobId, last.n, BATCH)
      for (const { url } of pages) scope.recall(url)
      last.n = pages.at(-1)?.n ?? last.n
      more = pages.length === BATCH
    }
  }

  async function open(job: JobFacts, start: string): Promise<CrawlScope> {
    const scope = openScope((job.settings as StoredCrawl).scope, start)
    for (let after = '', more = true; more; ) {
      const pages = await frontier.seen(job.id, after, BATCH)
      for (const { url, state } of pages) if (state !== 'dropped') scope.recall(url)
      after = pages.at(-1)?.key ?? after
      more = pages.length === BATCH
    }
    return scope
  }

  return {
    async of(job) {
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
export type CrawlAccess = Pick<ScrapeBody, 'headers' | 'allowCredentialsFor'>

/** How robots.txt for `url` is read: with the caller's headers where these may be sent, as the pages are. */
export const robotsQuestion = (
  { url: start, scope }: Pick<StoredCrawl, 'url' | 'scope'>,
  options: CrawlAccess,
  url: string,
): RobotsQuestion => ({
  agent: scope.robotsUserAgent,
  ignore: scope.ignoreRobotsTxt,
  headers: withOwnHeaders(options, url, [start]).headers,
})

/** Other processes may read the file too, unless the crawl must leave nothing behind. */
export const robotsOfJob = (job: JobFacts, options: CrawlAccess, url: string): RobotsQuestion => ({
  ...robotsQuestion(job.settings as StoredCrawl, options, url),
  share: !job.zeroDataRetention,
})

// Scopes of running crawls, opened once per process, with compiled patterns and trap counters. A process that resumes a
// crawl counts its existing pages, so that a restart does not reset the counters.
import { LRUCache } from 'lru-cache'
import { type CrawlScope, openScope } from '../../base/scope.ts'
import type { JobFacts } from '../../jobs/facts.ts'
import type { ScrapeBody } from '../../scrape/options.ts'
import type { RobotsQuestion } from '../../site/robots.ts'
import type { Store } from '../../store/index.ts'
import { withOwnHeaders } from '../job-visit.ts'
import type { StoredCrawl } from './start-crawl.ts'

const KEPT = 200
/** Pages read at once when a crawl is resumed. */
const BATCH = 2_000

export interface Scopes {
  of(job: JobFacts): Promise<CrawlScope>
}

export function openScopes({ frontier }: Pick<Store, 'frontier'>): Scopes {
  const known = new LRUCache<string, Promise<CrawlScope>>({ max: KEPT })

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
    of(job) {
      // If the start redirected to another site, the crawl uses that one.
      const start = job.url ?? (job.settings as StoredCrawl).url
      const name = `${job.id} ${start}`
      const scope = known.get(name) ?? open(job, start)
      known.set(name, scope)
      // A failed scope is not cached, so the next caller retries.
      scope.catch(() => known.delete(name))
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

// The scopes of running crawls, opened once each per process: their patterns are compiled and their traps counted there.
// A process that takes a crawl up counts what the crawl holds already, so that no restart opens a trap anew.
import { LRUCache } from 'lru-cache'
import { type CrawlScope, openScope } from '../../base/scope.ts'
import type { JobFacts } from '../../jobs/facts.ts'
import type { RobotsQuestion } from '../../site/robots.ts'
import type { Store } from '../../store/index.ts'
import type { CrawlSettings } from './settings.ts'
import type { StoredCrawl } from './start-crawl.ts'

const KEPT = 200
/** Pages read at once when a crawl is taken up. */
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
      // The start may have led to another site: then the crawl is of that one.
      const start = job.url ?? (job.settings as StoredCrawl).url
      const name = `${job.id} ${start}`
      const scope = known.get(name) ?? open(job, start)
      known.set(name, scope)
      // One that could not be opened is opened anew by the next who asks.
      scope.catch(() => known.delete(name))
      return scope
    },
  }
}

export const robotsQuestion = ({ robotsUserAgent, ignoreRobotsTxt }: CrawlSettings): RobotsQuestion => ({
  agent: robotsUserAgent,
  ignore: ignoreRobotsTxt,
})

// Pages that earlier crawls of the team tracked and that may no longer be linked. A change-tracking crawl visits them
// last.

import { LRUCache } from 'lru-cache'
import type { JobFacts } from '../../jobs/job-facts.ts'
import type { ScrapeBody } from '../../scrape/scrape-options.ts'
import { DEPTH_OF_KNOWN_PAGE } from '../../store/frontier.ts'
import type { NewJobPage } from '../../store/frontier-types.ts'
import type { Services } from '../route.ts'
import { type CrawlCredentials, type RunningCrawlScopes, robotsTxtRequestOfJob } from './running-scopes.ts'
import type { StoredCrawl } from './start-crawl.ts'

const MOST_PAGES = 1000
const MOST_JOBS = 200

type MemoryParts = Pick<Services, 'store' | 'site'> & { scopes: RunningCrawlScopes }

export type RememberedPages = ReturnType<typeof openRememberedPages>

export function openRememberedPages(parts: MemoryParts) {
  const known = new LRUCache<string, readonly NewJobPage[]>({ max: MOST_JOBS })
  return {
    async of(job: JobFacts, options: CrawlCredentials & Pick<ScrapeBody, 'formats'>, signal: AbortSignal) {
      const tracking = options.formats.find(({ type }) => type === 'changeTracking')
      if (!tracking) return []
      const tag = (tracking.tag as string | null) ?? null
      const found = known.get(job.id) ?? (await recall(parts, job, tag, options, signal))
      known.set(job.id, found)
      return found
    },
  }
}

async function recall(
  { store, site, scopes }: MemoryParts,
  job: JobFacts,
  tag: string | null,
  options: CrawlCredentials,
  signal: AbortSignal,
): Promise<readonly NewJobPage[]> {
  const start = job.url ?? (job.settings as StoredCrawl).url
  const scope = await scopes.of(job)
  const urls = await store.snapshots.knownUrls(job.teamId, tag, [new URL(start).origin], MOST_PAGES)
  const rules = robotsTxtRequestOfJob(job, options, start)
  const robots = urls.length > 0 ? await site.robotsOf(start, rules, signal) : undefined
  return urls.flatMap((known): NewJobPage[] => {
    const decision = scope.accept(known, 0, 'known')
    if (!decision.ok || !robots?.allows(decision.url)) return []
    return [{ key: decision.key, url: known, depth: DEPTH_OF_KNOWN_PAGE }]
  })
}

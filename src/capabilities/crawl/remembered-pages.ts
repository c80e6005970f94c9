// Pages that earlier crawls of the team tracked and that may no longer be linked. A change-tracking crawl visits them
// last: those that still exist are hidden, the others removed.
import { LRUCache } from 'lru-cache'
import type { JobFacts } from '../../jobs/job-facts.ts'
import type { ScrapeBody } from '../../scrape/options.ts'
import type { Site } from '../../site/site.ts'
import { REMEMBERED } from '../../store/frontier.ts'
import type { NewPage } from '../../store/frontier-types.ts'
import type { Store } from '../../store/index.ts'
import { type CrawlAccess, robotsOfJob, type Scopes } from './scopes.ts'
import type { StoredCrawl } from './start-crawl.ts'

/** Maximum remembered pages per crawl, and crawls cached. */
const MOST_PAGES = 1000
const MOST_JOBS = 200

interface MemoryParts {
  store: Store
  site: Site
  scopes: Scopes
}

export interface Memories {
  of(
    job: JobFacts,
    options: CrawlAccess & Pick<ScrapeBody, 'formats'>,
    signal: AbortSignal,
  ): Promise<readonly NewPage[]>
}

export function openMemories(parts: MemoryParts): Memories {
  const known = new LRUCache<string, readonly NewPage[]>({ max: MOST_JOBS })
  return {
    async of(job, options, signal) {
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
  options: CrawlAccess,
  signal: AbortSignal,
): Promise<readonly NewPage[]> {
  const start = job.url ?? (job.settings as StoredCrawl).url
  const scope = await scopes.of(job)
  const urls = await store.snapshots.knownUrls(job.teamId, tag, [new URL(start).origin], MOST_PAGES)
  const rules = robotsOfJob(job, options, start)
  const robots = urls.length > 0 ? await site.robotsOf(start, rules, signal) : undefined
  return urls.flatMap((known): NewPage[] => {
    const decision = scope.accept(known, 0, 'known')
    if (!decision.ok || !robots?.allows(decision.url)) return []
    return [{ key: decision.key, url: known, depth: REMEMBERED }]
  })
}

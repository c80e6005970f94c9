// The scopes of running crawls, opened once each per process: their patterns are compiled and their traps counted there.
import { openScope, type Scope } from '../../base/scope.ts'
import type { JobFacts } from '../../jobs/facts.ts'
import type { RobotsQuestion } from '../../site/robots.ts'
import type { CrawlSettings } from './settings.ts'
import type { StoredCrawl } from './start-crawl.ts'

const KEPT = 200

export interface Scopes {
  of(job: JobFacts): Scope
}

export function openScopes(): Scopes {
  const known = new Map<string, Scope>()
  return {
    of(job) {
      // The start may have led to another site: then the crawl is of that one.
      const start = job.url ?? (job.settings as StoredCrawl).url
      const name = `${job.id} ${start}`
      const scope = known.get(name) ?? openScope((job.settings as StoredCrawl).scope, start)
      known.delete(name)
      if (known.size >= KEPT) known.delete(known.keys().next().value!)
      known.set(name, scope)
      return scope
    },
  }
}

export const robotsQuestion = ({ robotsUserAgent, ignoreRobotsTxt }: CrawlSettings): RobotsQuestion => ({
  agent: robotsUserAgent,
  ignore: ignoreRobotsTxt,
})

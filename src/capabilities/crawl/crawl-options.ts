// The options of a crawl and their defaults.
import { type CrawlScopeOptions, scopeDefaults } from '../../base/crawl-scope.ts'

export interface CrawlSettings extends CrawlScopeOptions {
  limit: number
  language: string | undefined
  ignoreRobotsTxt: boolean
  robotsUserAgent: string | undefined
  delay: number | undefined
}

const DEFAULT_CRAWL_LIMIT = 10_000

export const crawlDefaults: CrawlSettings = {
  ...scopeDefaults,
  limit: DEFAULT_CRAWL_LIMIT,
  language: undefined,
  ignoreRobotsTxt: false,
  robotsUserAgent: undefined,
  delay: undefined,
}

// The options of a crawl and their defaults.
import type { CrawlScopeOptions } from '../../base/crawl-scope.ts'

export interface CrawlSettings extends CrawlScopeOptions {
  includePaths: string[]
  excludePaths: string[]
  limit: number
  language: string | undefined
  ignoreRobotsTxt: boolean
  robotsUserAgent: string | undefined
  delay: number | undefined
}

const DEFAULT_CRAWL_LIMIT = 10_000

export const crawlDefaults: CrawlSettings = {
  includePaths: [],
  excludePaths: [],
  regexOnFullURL: false,
  maxDiscoveryDepth: undefined,
  sitemap: 'include',
  routes: undefined,
  ignoreQueryParameters: false,
  deduplicateSimilarURLs: true,
  crawlEntireDomain: false,
  allowExternalLinks: false,
  allowSubdomains: false,
  limit: DEFAULT_CRAWL_LIMIT,
  language: undefined,
  ignoreRobotsTxt: false,
  robotsUserAgent: undefined,
  delay: undefined,
}

// A crawl's options as they apply: what the caller said, else what the prompt was taken to mean, else the defaults.
import type { ScopeOptions } from '../../base/scope.ts'
import type { Llm } from '../../llm/llm.ts'
import type { CrawlBody } from './schema.ts'
import { crawlWords } from './words.ts'

export interface CrawlSettings extends ScopeOptions {
  includePaths: string[]
  excludePaths: string[]
  limit: number
  ignoreRobotsTxt: boolean
  robotsUserAgent: string | undefined
  /** Seconds between pages. */
  delay: number | undefined
}

const DEFAULT_CRAWL_LIMIT = 10_000

export const crawlDefaults: CrawlSettings = {
  includePaths: [],
  excludePaths: [],
  regexOnFullURL: false,
  maxDiscoveryDepth: undefined,
  sitemap: 'include',
  ignoreQueryParameters: false,
  deduplicateSimilarURLs: true,
  crawlEntireDomain: false,
  allowExternalLinks: false,
  allowSubdomains: false,
  limit: DEFAULT_CRAWL_LIMIT,
  ignoreRobotsTxt: false,
  robotsUserAgent: undefined,
  delay: undefined,
}

export interface SettledCrawl {
  settings: CrawlSettings
  /** What the prompt was taken to mean; absent without a prompt. */
  generated: Partial<CrawlSettings> | undefined
  warning: string | undefined
}

export async function settleCrawl(llm: Llm, body: CrawlBody, signal: AbortSignal): Promise<SettledCrawl> {
  const words = body.prompt?.trim() ? await crawlWords(llm, body.prompt, body.url, signal) : undefined
  const given = Object.fromEntries(
    Object.keys(crawlDefaults)
      .map((name) => [name, body[name as keyof CrawlBody]])
      .filter(([, value]) => value !== undefined),
  )
  const settings = { ...crawlDefaults, ...words?.options, ...given } as CrawlSettings
  return { settings, generated: words?.options, warning: words?.warning }
}

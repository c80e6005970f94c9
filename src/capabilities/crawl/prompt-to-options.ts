// Turns a prompt into crawl options, by the model or else by rules (prompt-to-options-by-rules.ts).
import { z } from 'zod'
import type { Llm } from '../../llm/llm.ts'
import { siteOptionFields } from '../../site/site-options.ts'
import { type CrawlSettings, crawlDefaults } from './crawl-options.ts'
import { crawlOptionsByRules, type PromptedCrawlOptions } from './prompt-to-options-by-rules.ts'
import type { CrawlBody } from './schema.ts'

const { includePaths, excludePaths, maxDiscoveryDepth, sitemap, ignoreQueryParameters } = siteOptionFields
const { deduplicateSimilarURLs, crawlEntireDomain, allowExternalLinks, allowSubdomains } = siteOptionFields
const fields: Readonly<Record<string, z.ZodType>> = {
  includePaths,
  excludePaths,
  maxDiscoveryDepth,
  sitemap,
  ignoreQueryParameters,
  deduplicateSimilarURLs,
  crawlEntireDomain,
  allowExternalLinks,
  allowSubdomains,
  limit: z.int().min(1).max(100_000_000).describe('Maximum number of pages.'),
  delay: z.number().positive().max(60).describe('Seconds between pages.'),
}

const TASK = 'Options of a web crawl. Path patterns are regular expressions on the path, such as `blog/.*`.'

export async function crawlOptionsFromPrompt(
  llm: Llm,
  prompt: string,
  url: string,
  signal: AbortSignal,
): Promise<PromptedCrawlOptions> {
  const rules = crawlOptionsByRules(prompt, url)
  if (llm.by === 'extractive') return rules
  const answer = await llm.extract(
    {
      schema: z.toJSONSchema(z.object(fields).partial(), { io: 'input' }),
      job: 'options',
      prompt: TASK,
      text: () => `The crawl starts at ${url}\n\nThe user wants: ${prompt}`,
      found: rules.options,
      ...(rules.warning ? { foundWarnings: [rules.warning] } : {}),
    },
    signal,
  )
  if (answer.by === 'extractive') return { options: rules.options, warning: answer.warnings.join(' ') }
  const options = keepValidSettings(answer.value)
  const nothing = Object.keys(options).length === 0
  return {
    options,
    warning: nothing ? 'Nothing in the prompt could be turned into crawl options, so the defaults apply.' : undefined,
  }
}

function keepValidSettings(value: unknown): Partial<CrawlSettings> {
  const said = value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, schema]) => {
      const one = said[name]
      if (one === null || one === undefined || (Array.isArray(one) && one.length === 0)) return []
      const parsed = schema.safeParse(one)
      return parsed.success ? [[name, parsed.data]] : []
    }),
  )
}

/** The caller's values, then those derived from the prompt, then defaults. */
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

// Schemas of crawl. Fields have no defaults here: the prompt fills gaps first, then crawl-options.ts does.

import { z } from 'zod'
import { webhookOption } from '../../jobs/webhook-option.ts'
import {
  checkScrapeOptions,
  clientShape,
  fastModeRefusal,
  scrapeOptionsShape,
  webUrlSchema,
} from '../../scrape/scrape-options.ts'
import { siteOptionFields } from '../../site/site-options.ts'
import { sinceShape } from '../detect-changes-since.ts'
import { successReply } from '../schema-parts.ts'
import { crawlDefaults } from './crawl-options.ts'

export const crawlScrapeOptions = z
  .strictObject({ ...scrapeOptionsShape, ...sinceShape })
  .superRefine(checkScrapeOptions)
  .refine(({ lockdown }) => !lockdown, {
    error: 'lockdown is an option of a single scrape: a crawl has to visit the site to find its pages',
    path: ['lockdown'],
  })
  .describe('Options for each page, the same as those of a scrape.')

/** Names the defaults in the API description without filling them in. */
function describeDefaults<Shape extends Record<string, z.ZodType>>(shape: Shape): Shape {
  const defaults: Partial<Record<string, unknown>> = { ...crawlDefaults }
  const described = Object.entries(shape).map(([name, field]) => [
    name,
    defaults[name] === undefined ? field : field.meta({ default: defaults[name] }),
  ])
  return Object.fromEntries(described) as Shape
}

const crawlShape = {
  url: webUrlSchema,
  prompt: z.string().max(10_000).optional().describe('What to crawl, as a prompt; explicit fields take precedence.'),
  routes: z
    .enum(['hash', 'auto'])
    .optional()
    .describe(
      '`hash`: URLs such as `#/about`, as used by single-page applications, are separate pages. `auto`: so are the states that tabs and menu buttons lead to.',
    ),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i, { error: 'is not a language tag such as `de` or `pt-BR`' })
    .max(35)
    .optional()
    .describe('Only pages in this language, and the start; by default those in all languages.'),
  ...describeDefaults({ ...siteOptionFields, limit: z.int().min(1).optional().describe('Maximum number of pages.') }),
}

export const crawlBody = z
  .strictObject({
    ...crawlShape,
    maxConcurrency: z.int().min(1).optional().describe('Maximum number of pages at once.'),
    webhook: webhookOption('crawl').optional().describe('URL that receives the events.'),
    scrapeOptions: crawlScrapeOptions.nullish(),
    zeroDataRetention: z.boolean().default(false).describe('Store nothing of the pages.'),
    ...sinceShape,
    ...clientShape,
  })
  .refine(({ routes, scrapeOptions }) => routes !== 'auto' || !scrapeOptions?.fastMode, {
    error: fastModeRefusal('`routes: "auto"`'),
    path: ['scrapeOptions', 'fastMode'],
  })
  .describe('A site to crawl: the start, the pages to visit, the formats of each page.')
export type CrawlBody = z.output<typeof crawlBody>

export const crawlStartedReply = successReply({
  id: z.string(),
  url: z.string().describe('URL of the status.'),
  promptGeneratedOptions: z.looseObject({}).optional().describe('The options derived from the prompt.'),
  warning: z.string().optional(),
})

/** A dry run takes a crawl's body; its scrape options have no effect. */
export const crawlPlanBody = crawlBody.describe('A crawl plan: nothing is scraped or charged.')

const planned = z.object({
  url: z.string(),
  source: z.enum(['start', 'sitemap', 'robots', 'link', 'known']),
  depth: z.int(),
  lastmod: z.string().optional(),
})

export const crawlPlanReply = successReply({
  data: z.object({
    url: z.string(),
    options: z.looseObject({}).describe('The options as they would apply, prompt and defaults included.'),
    visit: z.array(planned).describe('URLs that would be visited, as far as can be determined without scraping.'),
    drop: z
      .array(planned.extend({ why: z.string(), because: z.string() }))
      .describe('URLs that would not be visited, and why.'),
    counts: z.object({ visit: z.int(), drop: z.int(), byReason: z.record(z.string(), z.int()) }),
    robots: z.object({ state: z.string(), delaySeconds: z.number().optional(), notes: z.array(z.string()) }).optional(),
    sitemaps: z.object({
      files: z.array(z.object({ url: z.string(), entries: z.int(), because: z.string().optional() })),
      foreign: z.int(),
      notes: z.array(z.string()),
    }),
    pagesRead: z.int().describe('Pages whose links were read for this plan.'),
    complete: z.boolean().describe('False if the plan stopped at one of its own limits.'),
  }),
  warning: z.string().optional(),
})

export const promptPreviewBody = z
  .strictObject({
    url: webUrlSchema,
    prompt: z.string().min(1).max(10_000).describe('What to crawl, in words.'),
    ...clientShape,
  })
  .describe('Words to turn into crawl options.')

export const promptPreviewReply = successReply({
  data: z
    .looseObject({ url: z.string() })
    .describe('Only the options that the words request. Starts nothing, costs nothing.'),
  warning: z.string().optional(),
})

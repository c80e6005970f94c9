// Request and response schemas of batch scrape.

import { z } from 'zod'
import { webhookOption } from '../../jobs/webhook-option.ts'
import { checkScrapeOptions, clientShape, scrapeOptionsShape } from '../../scrape/scrape-options.ts'
import { sinceShape } from '../detect-changes-since.ts'
import { successReply } from '../schema-parts.ts'

const MAX_URLS = 10_000
/** Longer URLs are reported one by one in `invalidURLs`. */
const MAX_URL_CHARS = 100_000

export const batchBody = z
  .strictObject({
    urls: z
      .array(z.string().max(MAX_URL_CHARS), { error: 'Invalid URL: `urls` must be a list of URLs' })
      .min(1, { error: 'Invalid URL: `urls` must have at least one URL' })
      .max(MAX_URLS, { error: `Invalid URL: \`urls\` may have at most ${MAX_URLS} URLs` })
      .describe('The pages to scrape.'),
    ...scrapeOptionsShape,
    ignoreInvalidURLs: z
      .boolean()
      .default(true)
      .describe('Scrape the rest if some URLs are invalid, and list those in `invalidURLs`.'),
    maxConcurrency: z.int().min(1).optional().describe('Maximum number of pages at once.'),
    appendToId: z.uuid().optional().describe('Add the pages to a running batch.'),
    webhook: webhookOption('batch_scrape').optional().describe('URL that receives the events.'),
    ...sinceShape,
    ...clientShape,
  })
  .superRefine(checkScrapeOptions)
  .describe('Pages to scrape, and their formats.')
export type BatchBody = z.output<typeof batchBody>

export const batchStartedReply = successReply({
  id: z.string(),
  url: z.string().describe('URL of the status.'),
  warning: z.string().optional(),
  invalidURLs: z.array(z.string()).optional().describe('The invalid URLs; present when `ignoreInvalidURLs` is true.'),
})

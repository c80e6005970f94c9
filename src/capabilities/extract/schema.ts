// Schemas of extract, kept for older clients; scrape with the `json` format does the same for one page.

import { z } from 'zod'
import { makeBoundedRecordSchema } from '../../base/bounded-record-schema.ts'
import { findSchemaFault } from '../../base/json-schema.ts'
import { webhookOption } from '../../jobs/webhook-option.ts'
import { checkScrapeOptions, clientShape, scrapeOptionsShape } from '../../scrape/scrape-options.ts'
import { successReply } from '../schema-parts.ts'

export const MAX_EXTRACT_PAGES = 100
const MAX_URLS = 10
const words = z.string().max(10_000)

const schema = makeBoundedRecordSchema(z.unknown(), 20_000)
  .superRefine((given, context) => {
    const fault = findSchemaFault(given)
    if (!fault) return
    const where = fault.path.length > 0 ? ` at ${fault.path.join('.')}` : ''
    const message = `Invalid JSON schema. The schema${where} ${fault.message}.`
    context.addIssue({ code: 'custom', message, params: { kind: 'unprocessable' } })
  })
  .describe('A JSON Schema of the result.')

export const extractScrapeOptions = z.strictObject(scrapeOptionsShape).superRefine(checkScrapeOptions)

export const extractBody = z
  .strictObject({
    urls: z
      .array(z.string().max(8192))
      .max(MAX_URLS)
      .optional()
      .describe('Pages to extract from; `https://example.com/*` means all pages of a site.'),
    prompt: words.optional().describe('What to extract, as a prompt.'),
    systemPrompt: words.optional().describe('How to extract, for the language model.'),
    schema: schema.optional(),
    enableWebSearch: z
      .boolean()
      .default(false)
      .describe('Has no effect and adds a warning: only the given pages and sites are read.'),
    allowExternalLinks: z
      .boolean()
      .default(false)
      .describe('Has no effect and adds a warning: only the given pages and sites are read.'),
    ignoreSitemap: z.boolean().default(false).describe('Find the pages of a site by its links alone.'),
    includeSubdomains: z.boolean().default(true).describe('Subdomains belong to the site.'),
    showSources: z.boolean().default(false).describe('Return the source pages of each field.'),
    ignoreInvalidURLs: z.boolean().default(true).describe('Skip invalid URLs.'),
    limit: z.int().min(1).max(MAX_EXTRACT_PAGES).optional().describe('Maximum number of pages to read.'),
    timeout: z.int().min(1000).max(300_000).optional().describe('Maximum milliseconds for one page.'),
    agent: z.looseObject({}).optional().describe('Has no effect and adds a warning.'),
    urlTrace: z.boolean().optional().describe('Has no effect and adds a warning; see `showSources`.'),
    scrapeOptions: extractScrapeOptions.optional().describe('How each page is scraped.'),
    threatProtection: scrapeOptionsShape.threatProtection,
    webhook: webhookOption('extract').optional().describe('URL that receives the events.'),
    ...clientShape,
  })
  .superRefine((body, context) => {
    const rule = (message: string) => context.addIssue({ code: 'custom', message })
    if (!body.urls?.length && !body.prompt) rule("Either 'urls' or 'prompt' must be provided.")
    else if (!body.urls?.length) rule('Extracting without `urls` needs web search, which this build does not have')
  })
  .describe('Pages, and the data to extract from them.')
export type ExtractBody = z.output<typeof extractBody>

export const extractStartedReply = successReply({
  id: z.string(),
  invalidURLs: z.array(z.string()).optional(),
  warning: z.string().optional(),
  warnings: z.array(z.string()).optional(),
  replacement: z.string().optional(),
})

export const extractStatusReply = z.object({
  success: z.boolean().describe('False only when the extraction failed.'),
  status: z.enum(['processing', 'completed', 'failed', 'cancelled']),
  data: z.unknown().optional(),
  error: z.string().optional(),
  warning: z.string().optional(),
  sources: z.record(z.string(), z.array(z.string())).optional(),
  expiresAt: z.string(),
  tokensUsed: z.int().optional(),
  cost: z.number().optional().describe('What the tokens cost, by ORB_LLM_PRICE.'),
  creditsUsed: z.int(),
  warnings: z.array(z.string()).optional(),
  replacement: z.string().optional(),
})

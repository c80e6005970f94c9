// Request and response schemas of scrape.
import { z } from 'zod'
import { document } from '../../scrape/document.ts'
import { scrapeBody } from '../../scrape/options.ts'

export { scrapeBody }

export const scrapeReply = z.object({
  success: z.literal(true),
  data: document,
  warning: z.string().optional(),
  scrape_id: z.string(),
})

export const scrapeStatusQuery = z.object({
  explain: z
    .enum(['true', 'false'])
    .optional()
    .transform((text) => text === 'true')
    .describe('Also return how the document came about.'),
})

export const scrapeStatusReply = z.object({
  success: z.literal(true),
  data: document,
  explain: z.looseObject({}).optional().describe('Engine, timings, hops, what was cut and why.'),
})

// Request and response schemas of scrape.

import { z } from 'zod'
import { documentSchema } from '../../scrape/document-schema.ts'
import { scrapeBody } from '../../scrape/scrape-options.ts'
import { queryFlag, successReply } from '../schema-parts.ts'

export { scrapeBody }

export const scrapeReply = successReply({
  data: documentSchema,
  warning: z.string().optional(),
  scrape_id: z.string(),
})

export const scrapeStatusQuery = z.object({
  explain: queryFlag('Also return how the document was produced.'),
})

export const scrapeStatusReply = successReply({
  data: documentSchema,
  explain: z.looseObject({}).optional().describe('Engine, timings, redirects, removed parts with reasons.'),
})

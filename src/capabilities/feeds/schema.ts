// Bodies and replies of the routes of feeds.

import { z } from 'zod'
import { jsonShape } from '../../scrape/formats/json.ts'
import { clientShape, scrapeOptionsShape, webUrlSchema } from '../../scrape/scrape-options.ts'
import { successReply } from '../schema-parts.ts'

// No headers and no actions: whoever has the address of a feed reads what they lead to.
const { location, mobile, waitFor, proxy, timeout, blockAds, skipTlsVerification } = scrapeOptionsShape

export const feedBody = z.strictObject({
  url: webUrlSchema,
  every: z.int().min(5).max(10_080).default(60).describe('Minimum minutes between two visits to the page.'),
  extractor: jsonShape.extractor.describe(
    'Id or name of an extractor of records to read the entries with, or `auto`; without it they are found by structure.',
  ),
  ...{ location, mobile, waitFor, proxy, timeout, blockAds, skipTlsVerification },
  ...clientShape,
})

export const shownFeedSchema = z.object({
  id: z.string(),
  url: z.string().describe('The page that it follows.'),
  title: z.string(),
  every: z.int().describe('Minimum minutes between two visits to the page.'),
  rss: z.string().describe('Its secret URL; the others differ only at the end.'),
  atom: z.string(),
  json: z.string(),
  checkedAt: z.string(),
  error: z.string().nullable().describe('Why the last reading failed.'),
})

export const newFeedReply = successReply({
  data: shownFeedSchema.extend({
    items: z.array(
      z.looseObject({
        title: z.string(),
        url: z.string(),
        date: z.string().optional(),
        image: z.string().optional(),
        price: z.object({ amount: z.number(), currency: z.string() }).optional(),
      }),
    ),
  }),
})

export const feedListReply = successReply({ data: z.array(shownFeedSchema) })
export const feedRemovedReply = successReply()

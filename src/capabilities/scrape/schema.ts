// The shapes of scrape on the wire.
import { z } from 'zod'
import { scrapeBody } from '../../scrape/options.ts'

export { scrapeBody }

const metadata = z
  .looseObject({
    title: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.union([z.string(), z.array(z.string())]).optional(),
    language: z.union([z.string(), z.array(z.string())]).nullish(),
    sourceURL: z.string().describe('The address that was asked for.'),
    url: z.string().describe('The address after all redirects.'),
    statusCode: z.int().describe('The status the page answered with.'),
    contentType: z.string().optional(),
    numPages: z.int().optional().describe('Of a PDF: pages that were read.'),
    totalPages: z.int().optional().describe('Of a PDF: pages it has.'),
    sourceFile: z.string().optional().describe('Of an upload: its name.'),
    error: z.string().optional().describe('Set when the page answered 400 or above.'),
    scrapeId: z.string(),
    proxyUsed: z.enum(['basic', 'stealth']),
    cacheState: z.enum(['hit', 'miss']).optional().describe('Absent when the cache was not consulted.'),
    cachedAt: z.string().optional(),
    creditsUsed: z.int(),
    concurrencyLimited: z.boolean(),
    concurrencyQueueDurationMs: z.number().optional(),
  })
  .describe('Facts about the page and this scrape; every meta tag of the page is here too.')

export const document = z
  .looseObject({
    markdown: z.string().nullish(),
    html: z.string().nullish(),
    rawHtml: z.string().nullish(),
    rawBase64: z.string().nullish(),
    links: z.array(z.string()).nullish(),
    images: z.array(z.string()).nullish(),
    attributes: z
      .array(z.object({ selector: z.string(), attribute: z.string(), values: z.array(z.string()) }))
      .nullish(),
    screenshot: z.string().nullish().describe('A link that works for 24 hours.'),
    product: z
      .looseObject({ title: z.string(), url: z.string(), variants: z.array(z.looseObject({})) })
      .nullish()
      .describe('Absent when the page has no product; `warning` says so.'),
    menu: z
      .looseObject({ isMenu: z.boolean(), confidence: z.number(), sections: z.array(z.looseObject({})) })
      .nullish(),
    branding: z.looseObject({ colorScheme: z.enum(['light', 'dark']) }).nullish(),
    actions: z
      .object({
        screenshots: z.array(z.string()),
        scrapes: z.array(z.object({ url: z.string(), html: z.string() })),
        javascriptReturns: z.array(z.object({ type: z.string(), value: z.unknown() })),
        pdfs: z.array(z.string()),
      })
      .optional()
      .describe('What the actions made, in their order; links work for 24 hours.'),
    pages: z
      .array(z.object({ pageNumber: z.int(), markdown: z.string() }))
      .nullish()
      .describe('Of a PDF, when its parser was asked for `pages`.'),
    blocks: z
      .array(
        z.looseObject({
          pageNumber: z.int(),
          width: z.number().nullable(),
          height: z.number().nullable(),
          status: z.enum(['ok', 'partial', 'failed']),
          items: z.array(z.looseObject({ id: z.string(), type: z.string(), content: z.string() })),
        }),
      )
      .nullish()
      .describe('Of a PDF, when its parser was asked for `blocks`.'),
    warning: z.string().optional(),
    metadata,
  })
  .describe('The page: a field for each format that was asked for, and `metadata` always.')

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

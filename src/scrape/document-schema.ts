// Response schema of a scraped page: one field per format, and metadata.
import { z } from 'zod'
import { PAGE_USES } from '../base/page-uses.ts'
import { formats } from './formats/index.ts'

const metadata = z
  .looseObject({
    title: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.union([z.string(), z.array(z.string())]).optional(),
    language: z.union([z.string(), z.array(z.string())]).nullish(),
    sourceURL: z.string().describe('The requested URL.'),
    url: z.string().describe('The URL after all redirects.'),
    statusCode: z.int().describe('HTTP status of the page.'),
    contentType: z.string().optional(),
    numPages: z.int().optional().describe('Of a PDF: pages that were read.'),
    totalPages: z.int().optional().describe('Of a PDF: pages it has.'),
    sourceFile: z.string().optional().describe('Of an upload: its name.'),
    pageKind: z
      .enum(['login', 'wall', 'parked', 'not_found', 'consent', 'javascript'])
      .optional()
      .describe(
        'Of a page that has no content of its own: a sign-in form, a wall that wants a registration or subscription, a parked domain or the default page of a server, “not found” whatever the status, a consent dialog, or a page that its scripts did not fill.',
      ),
    pageKindReason: z.string().optional().describe('The evidence for `pageKind`.'),
    reservedUses: z
      .array(z.enum(PAGE_USES))
      .optional()
      .describe(
        'Uses from which the owner excludes the page. Files of the site are read if the team declares its uses.',
      ),
    reservedBy: z.array(z.string()).optional().describe('The statements that exclude them.'),
    tdmPolicy: z.string().optional().describe('URL of the terms under which a reserved use can be licensed.'),
    aliases: z.array(z.string()).optional().describe('In a crawl: further URLs of the same content.'),
    error: z.string().optional().describe('Set if the page returned 400 or above.'),
    scrapeId: z.string(),
    proxyUsed: z.enum(['basic', 'stealth']).optional().describe('Absent for an upload.'),
    cacheState: z.enum(['hit', 'miss']).optional().describe('Absent when the cache was not consulted.'),
    cachedAt: z.string().optional(),
    creditsUsed: z.int(),
    modelTokens: z.int().optional().describe('Tokens of the language model that this scrape used.'),
    modelCost: z.number().optional().describe('What they cost, by ORB_LLM_PRICE.'),
    concurrencyLimited: z.boolean(),
    concurrencyQueueDurationMs: z.number().optional(),
  })
  .meta({ id: 'Metadata' })
  .describe('Metadata of the page and this scrape, including every meta tag of the page.')

/** Formats that share a field declare the same schema. */
const fields = Object.fromEntries(
  formats.map(({ field, reply, help }) => [field, reply.nullish().describe(reply.description ?? help)]),
)

export const downloadedFileSchema = z.object({
  id: z.string(),
  name: z.string(),
  contentType: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  url: z.string(),
})

/** One run of a flow, as the last of its actions left it. */
export const flowRunSchema = z.object({
  name: z.string(),
  version: z.int(),
  data: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .describe('Values that its `extract` steps read.'),
  steps: z.array(
    z.object({
      type: z.string(),
      ok: z.boolean(),
      healed: z.boolean().describe('The element was found by another of its names.'),
      ms: z.int(),
      note: z.string().optional(),
      picture: z.string().optional().describe('The page after the step.'),
    }),
  ),
  downloads: z.array(z.object({ name: z.string(), bytes: z.int(), url: z.string() })),
  healed: z
    .array(z.looseObject({ type: z.string() }))
    .optional()
    .describe('The steps with the names that were found; `PUT /v2/flow/{name}` keeps them as a new version.'),
  warning: z.string().optional().describe('It ended on a page of another path than the recording.'),
})

export const documentSchema = z
  .looseObject({
    ...fields,
    actions: z
      .object({
        screenshots: z.array(z.string()),
        scrapes: z.array(z.object({ url: z.string(), html: z.string() })),
        javascriptReturns: z.array(z.object({ type: z.string(), value: z.unknown() })),
        pdfs: z.array(z.string()),
        flows: z.array(flowRunSchema).optional(),
      })
      .optional()
      .describe('Results of the actions, in order; links work for 24 hours.'),
    downloads: z
      .array(downloadedFileSchema.extend({ markdown: z.string().optional().describe('With `"parse": true`.') }))
      .optional()
      .describe('Files that were downloaded during `actions`; links are valid for 24 hours.'),
    pages: z
      .array(z.object({ pageNumber: z.int(), markdown: z.string() }))
      .nullish()
      .describe('Of a PDF, if its parser has the option `pages`.'),
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
      .describe('Of a PDF, if its parser has the option `blocks`.'),
    change: z
      .enum(['new', 'changed', 'same', 'removed'])
      .optional()
      .describe('In a crawl or batch with `since`; `same` and `removed` have no other field but `metadata`.'),
    warning: z.string().optional(),
    metadata,
  })
  .meta({ id: 'Document' })
  .describe('The page: a field for each requested format, and always `metadata`.')

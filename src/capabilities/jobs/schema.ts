// Schemas of jobs: list, job, pages, downloads. Times are ISO.

import { z } from 'zod'
import { clientShape, webUrlSchema } from '../../scrape/scrape-options.ts'
import { successReply } from '../schema-parts.ts'

const integerSchema = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: `must be a whole number between ${min} and ${max}` })
    .transform(Number)
    .refine((value) => value >= min && value <= max, {
      error: `must be between ${min} and ${max}`,
      params: { named: true },
    })

const jobShown = z.object({
  id: z.string(),
  kind: z.string().describe('`crawl`, `batch`, `extract`, …'),
  status: z.enum(['scraping', 'completed', 'failed', 'cancelled']),
  paused: z.boolean(),
  url: z.string().nullable().describe('Where a crawl began.'),
  discovering: z.boolean().describe('URLs are still being discovered.'),
  pageLimit: z.int().nullable(),
  total: z.int().describe('Pages known so far.'),
  queued: z.int(),
  active: z.int(),
  completed: z.int(),
  failed: z.int(),
  dropped: z.int().describe('URLs that were found and are not visited.'),
  creditsUsed: z.int(),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
  expiresAt: z.string(),
  error: z.string().nullable(),
  warning: z.string().nullable(),
})
export type ShownJob = z.output<typeof jobShown>

export const listJobsQuery = z.object({
  kind: z.string().max(40).optional(),
  limit: integerSchema(1, 200).default(50),
  cursor: z.uuid().optional().describe('From the page before.'),
})
export const listJobsReply = successReply({
  data: z.array(jobShown),
  cursor: z.string().nullable().describe('Value of `cursor` for the next page; null at the end.'),
})

export const jobReply = successReply({ data: jobShown })

const pageShown = z.object({
  url: z.string(),
  depth: z.int(),
  state: z.enum(['queued', 'active', 'done', 'failed', 'dropped']),
  why: z.string().nullable().describe('Why it failed or was dropped.'),
  scrapeId: z.string().nullable().describe('Of its document.'),
  at: z.string().nullable(),
})
export type ShownPage = z.output<typeof pageShown>

export const jobPagesQuery = z.object({
  after: z.string().max(9000).default('').describe('Start here: `next` of the previous page.'),
  limit: integerSchema(1, 5000).default(1000),
})
export const jobPagesReply = successReply({
  data: z.array(pageShown),
  next: z.string().nullable().describe('Value of `after` for the next page; null at the end.'),
})

const format = z
  .enum(['jsonl', 'csv', 'parquet', 'markdown', 'warc', 'wacz'])
  .default('jsonl')
  .describe(
    '`jsonl`: a document per line. `csv`: a row per page, or per record of the only list in `json`, `product` and `items`. `parquet`: the same table, with numbers and booleans. `markdown`: a zip with a file per page. `warc`: the pages as received. `wacz`: a zip of that WARC with an index, for replay.',
  )

export const downloadQuery = z.object({ format })

const patternSchema = (pattern: RegExp, error: string) => z.string().max(900).regex(pattern, { error })

export const exportBody = z
  .strictObject({
    format,
    endpoint: webUrlSchema.describe('URL of an S3-compatible service.'),
    bucket: patternSchema(/^[a-z0-9](?:[a-z0-9-]|\.(?!\.)){1,61}[a-z0-9]$/, 'is not the name of a bucket'),
    object: patternSchema(
      /^(?![./])(?!.*\/\.{0,2}(?:\/|$))[A-Za-z0-9!_.*'()/-]+$/,
      "is not a valid object name: letters, digits, `!_.*'()-` and single slashes",
    )
      .optional()
      .describe('Name of the object; by default the name of the downloaded file.'),
    region: z.string().min(1).max(100).default('us-east-1'),
    accessKey: z.string().min(1).max(200),
    secretKey: z.string().min(1).max(200).describe('Used for this export and not stored.'),
    style: z
      .enum(['path', 'host'])
      .default('path')
      .describe('Position of the bucket name: `path` for `endpoint/bucket`, `host` for `bucket.endpoint`.'),
    ...clientShape,
  })
  .describe('A bucket, and what to write into it.')

export const exportReply = successReply({
  data: z.object({ bucket: z.string(), object: z.string(), bytes: z.int() }),
})

// Schemas of feedback, and the minimum content of an opinion.

import { z } from 'zod'
import { makeBoundedRecordSchema } from '../../base/bounded-record-schema.ts'
import { clientShape } from '../../scrape/scrape-options.ts'
import { successReply } from '../schema-parts.ts'

const MAX_METADATA_BYTES = 8192
const MAX_METADATA_KEYS = 500

const sourceUrl = z
  .string()
  .max(2048)
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), {
    error: 'must be an http(s) address',
    params: { named: true },
  })

const shape = (missing: number) => ({
  rating: z.enum(['good', 'partial', 'bad']),
  valuableSources: z
    .array(z.strictObject({ url: sourceUrl, reason: z.string().max(1000).optional() }))
    .max(50)
    .optional()
    .describe('Useful results.'),
  missingContent: z
    .array(z.strictObject({ topic: z.string().min(1).max(200), description: z.string().max(2000).optional() }))
    .max(missing)
    .optional()
    .describe('Information that was missing from the results.'),
  querySuggestions: z.string().max(2000).optional(),
})

type SearchOpinion = {
  rating: 'good' | 'partial' | 'bad'
  valuableSources?: unknown[] | undefined
  missingContent?: unknown[] | undefined
  querySuggestions?: string | undefined
}

/** A search rating needs at least one detail. */
function checkSearch(
  { rating, valuableSources, missingContent, querySuggestions }: SearchOpinion,
  context: z.RefinementCtx,
): void {
  const rule = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  const [sources, missing] = [valuableSources?.length ?? 0, missingContent?.length ?? 0]
  if (rating === 'good' && sources === 0) rule('valuableSources', 'A good rating needs `valuableSources`')
  if (rating === 'partial' && sources + missing === 0)
    rule('missingContent', 'A partial rating needs `valuableSources` or `missingContent`')
  if (rating === 'bad' && missing === 0 && !querySuggestions)
    rule('missingContent', 'A bad rating needs `missingContent` or `querySuggestions`')
}

export const searchFeedbackBody = z
  .strictObject({ ...shape(20), ...clientShape })
  .superRefine(checkSearch)
  .describe('A rating of a search.')

const word = z
  .string()
  .max(80)
  .regex(/^[a-z0-9][a-z0-9_-]*$/, { error: 'must be lower-case words joined by - or _' })
const SUBSTANCE = [
  'issues',
  'tags',
  'note',
  'valuableSources',
  'missingContent',
  'querySuggestions',
  'url',
  'pageNumbers',
] as const

export const feedbackBody = z
  .strictObject({
    endpoint: z.enum(['search', 'scrape', 'parse', 'map']),
    jobId: z.uuid().describe('The `id` of a search or map, the `metadata.scrapeId` of a scrape or parse.'),
    ...shape(50),
    issues: z.array(word).max(20).optional(),
    tags: z.array(word).max(20).optional(),
    note: z.string().max(4000).optional(),
    url: sourceUrl.optional(),
    pageNumbers: z.array(z.int().min(1)).max(100).optional(),
    metadata: makeBoundedRecordSchema(z.unknown(), MAX_METADATA_KEYS)
      .optional()
      .refine((given) => given === undefined || Buffer.byteLength(JSON.stringify(given)) <= MAX_METADATA_BYTES, {
        error: `may hold ${MAX_METADATA_BYTES} bytes of JSON at most`,
        params: { named: true },
      }),
    ...clientShape,
  })
  .superRefine((body, context) => {
    if (body.endpoint === 'search') return checkSearch(body, context)
    const isFilled = SUBSTANCE.some((name) => {
      const value = body[name]
      return Array.isArray(value) ? value.length > 0 : Boolean(value)
    })
    if (!isFilled)
      context.addIssue({ code: 'custom', path: [], message: `Give at least one of ${SUBSTANCE.join(', ')}` })
  })
  .describe('A rating of a result.')

export const feedbackReply = successReply({
  feedbackId: z.string(),
  creditsRefunded: z.int().describe('Always 0 here.'),
  alreadySubmitted: z.boolean().optional().describe('True when the team had rated this job before.'),
})

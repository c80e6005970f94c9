// Schemas of monitors. Our additions to the contract (`watch`, more channels) are optional.
import { z } from 'zod'
import { makeBoundedRecordSchema } from '../../base/bounded-record-schema.ts'
import { headersOption } from '../../base/caller-headers.ts'
import { domainsOption, refuseBothDomainLists } from '../../base/host-pattern.ts'
import { urlOption } from '../../base/url-option.ts'
import { hasWords } from '../../llm/find-quotes.ts'
import { checkScrapeOptions, clientShape, scrapeOptionsShape, webUrlSchema } from '../../scrape/scrape-options.ts'
import { siteOptionFields } from '../../site/site-options.ts'
import { type FormatsOfBody, requestedFormats } from '../../teams/key-restrictions.ts'
import { assertRe2Pattern } from '../../understanding/changes/monitor-rules.ts'
import { notificationOption } from './notification-options.ts'

const MAX_NAME = 256

const scheduleOption = z
  .strictObject({
    cron: z.string().min(1).max(128).optional().describe('Five fields: minute, hour, day, month, day of the week.'),
    text: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe('In words: `every 30 minutes`, `hourly`, `daily at 9am`, `weekly`.'),
    timezone: z.string().min(1).max(64).optional().describe('IANA name of the time zone; `UTC` by default.'),
  })
  .describe('When to check.')
export type ScheduleOption = z.output<typeof scheduleOption>

const oneOf = (both: boolean) => (given: ScheduleOption, context: z.RefinementCtx) => {
  if (given.cron !== undefined && given.text !== undefined)
    context.addIssue({ code: 'custom', message: 'Schedule must include either cron or text, not both' })
  // A PATCH may change only the time zone.
  else if (given.cron === undefined && given.text === undefined && (both || given.timezone === undefined))
    context.addIssue({ code: 'custom', message: 'Schedule must include either cron or text' })
}

/** Monitors compare text, so `markdown` is always included. */
function withMarkdown(given: unknown): unknown {
  if (!given || typeof given !== 'object' || !('formats' in given) || !Array.isArray(given.formats)) return given
  const named = given.formats.some(
    (one) => one === 'markdown' || (one as { type?: unknown } | null)?.type === 'markdown',
  )
  return named ? given : { ...given, formats: ['markdown', ...given.formats] }
}

const scrapeOptions = z
  .preprocess(withMarkdown, z.strictObject(scrapeOptionsShape).superRefine(checkScrapeOptions))
  .optional()
  .describe('How the pages are scraped; `markdown` is always added.')

const id = z.uuid().optional().describe('Keep it when you send the target again.')

const scrapeTarget = z.preprocess(
  (given) => {
    if (!given || typeof given !== 'object' || !('url' in given) || 'urls' in given) return given
    const { url, ...rest } = given as Record<string, unknown>
    return { ...rest, urls: [url] }
  },
  z.strictObject({
    type: z.literal('scrape'),
    id,
    urls: z.array(webUrlSchema).min(1).max(1000).describe('The pages to check; a single `url` is accepted too.'),
    quotes: z
      .array(
        z
          .string()
          .min(1)
          .max(5000)
          .refine(hasWords, { error: 'has no words', params: { named: true } }),
      )
      .min(1)
      .max(20)
      .optional()
      .describe('Words cited from the pages. Then only words that are removed, or there again, count as a change.'),
    scrapeOptions,
  }),
)

const crawlTarget = z.strictObject({
  type: z.literal('crawl'),
  id,
  url: webUrlSchema,
  crawlOptions: z
    .preprocess(
      (given) => {
        if (!given || typeof given !== 'object' || !('maxDepth' in given) || 'maxDiscoveryDepth' in given) return given
        const { maxDepth, ...rest } = given as Record<string, unknown>
        return { ...rest, maxDiscoveryDepth: maxDepth }
      },
      z.object({
        ...siteOptionFields,
        limit: z.int().min(1).optional().describe('Maximum number of pages. 100 by default.'),
        maxConcurrency: z.int().min(1).optional(),
      }),
    )
    .optional()
    .describe('Which pages of the site; the options of a crawl.'),
  scrapeOptions,
})

const flowTarget = z.strictObject({
  type: z.literal('flow'),
  id,
  name: z.string().min(1).max(64).describe('A stored flow that begins with an `open` step; its last page is compared.'),
  with: makeBoundedRecordSchema(z.string().max(100_000), 200).default({}).describe('Values of its parameters.'),
  scrapeOptions,
})

const domains = domainsOption(50)

const searchTarget = z.preprocess(
  (given) => {
    if (!given || typeof given !== 'object') return given
    const {
      depth: _,
      alertMode: __,
      recheckAfter: ___,
      scrapeOptions: ____,
      ...rest
    } = given as Record<string, unknown>
    return rest
  },
  z
    .strictObject({
      type: z.literal('search'),
      id,
      queries: z.array(z.string().trim().min(1).max(256)).min(1).max(12),
      searchWindow: z.enum(['5m', '15m', '1h', '6h', '24h', '7d']).default('24h').describe('Maximum age of results.'),
      maxResults: z.int().min(1).max(50).default(10).describe('Maximum number of results, over all queries.'),
      includeDomains: domains,
      excludeDomains: domains,
    })
    .superRefine(refuseBothDomainLists),
)

const targetTypes = { scrape: scrapeTarget, crawl: crawlTarget, search: searchTarget, flow: flowTarget }

let targetSchemas: object[] | undefined
const target = z
  .unknown()
  .transform((given, context): z.output<(typeof targetTypes)[keyof typeof targetTypes]> => {
    const type = given && typeof given === 'object' && 'type' in given ? String(given.type) : ''
    const schema = Object.hasOwn(targetTypes, type) ? targetTypes[type as keyof typeof targetTypes] : undefined
    if (!schema) {
      const message = `\`type\` is one of ${Object.keys(targetTypes).join(', ')}`
      context.addIssue({ code: 'custom', message, params: { named: true } })
      return z.NEVER
    }
    const parsed = schema.safeParse(given, { reportInput: true })
    if (parsed.success) return parsed.data
    context.issues.push(...(parsed.error.issues as never[]))
    return z.NEVER
  })
  .meta({
    description:
      'What to check: pages (`scrape`), a site (`crawl`), results of a search (`search`) or where a flow ends (`flow`).',
    get anyOf() {
      targetSchemas ??= Object.values(targetTypes).map((schema) =>
        z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
      )
      return targetSchemas as never
    },
  })
export type RequestedTarget = z.output<typeof target>
/** A flow is stored as the page that it opens, with the flow as its action. */
export type MonitorTarget = Exclude<RequestedTarget, { type: 'flow' }>

const condition = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('appears'), text: z.string().min(1).max(500) }),
  z.strictObject({ type: z.literal('vanishes'), text: z.string().min(1).max(500) }),
  z.strictObject({ type: z.literal('below'), value: z.number(), near: z.string().min(1).max(200).optional() }),
  z.strictObject({ type: z.literal('above'), value: z.number(), near: z.string().min(1).max(200).optional() }),
])

const pattern = z
  .string()
  .min(1)
  .max(500, { abort: true })
  .superRefine((given, context) => {
    try {
      assertRe2Pattern(given)
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message, params: { named: true } })
    }
  })

export const watchOption = z
  .strictObject({
    only: z.array(z.string().min(1).max(1000)).max(50).default([]).describe('CSS selectors: only these parts count.'),
    ignoreSelectors: z.array(z.string().min(1).max(1000)).max(50).default([]).describe('CSS selectors to leave out.'),
    ignoreText: z
      .array(z.string().min(1).max(500))
      .max(100)
      .default([])
      .describe('Lines that contain one of these texts.'),
    ignorePatterns: z.array(pattern).max(100).default([]).describe('The same for patterns (RE2).'),
    minChars: z.int().min(0).max(1_000_000).default(0).describe('Minimum number of changed characters.'),
    minPercent: z.number().min(0).max(100).default(0).describe('Minimum changed share of the text.'),
    alertWhen: z.array(condition).max(20).default([]).describe('If set, only these lines count as a change.'),
    learn: z.boolean().default(true).describe('Learn which parts change without significance.'),
    confirm: z.boolean().default(true).describe('Confirm a change with a second visit.'),
    adaptive: z.boolean().default(false).describe('Check unchanged pages less often.'),
  })
  .describe('What counts as a change.')
export type WatchOption = z.output<typeof watchOption>

const EVENTS = ['monitor.page', 'monitor.check.completed', 'page', 'check.completed'] as const
const address = urlOption({ named: true })
const webhook = z
  .union([
    address.transform((url) => ({ url, headers: {}, events: [] as string[] })),
    z.strictObject({
      url: address,
      headers: headersOption({ maxChars: 8192, most: 50 }).default({}),
      metadata: makeBoundedRecordSchema(z.unknown(), 500).optional(),
      events: z.array(z.enum(EVENTS)).max(20).default([]).describe('All by default.'),
    }),
  ])
  .describe('URL that receives the events.')

const shape = {
  name: z.string().min(1).max(MAX_NAME),
  targets: z.array(target).min(1).max(50),
  webhook: webhook.nullish(),
  notification: notificationOption.nullish(),
  goal: z.string().max(2000).nullish().describe('The changes of interest, in words.'),
  judgeEnabled: z.boolean().optional(),
  ...clientShape,
}

/** Names generated from a URL by a tool are cut; longer names by people are rejected. */
const cutName = (given: unknown): unknown => {
  if (!given || typeof given !== 'object') return given
  const { name, origin } = given as { name?: unknown; origin?: unknown }
  const isTool = typeof origin === 'string' && origin.startsWith('mcp')
  return isTool && typeof name === 'string' ? { ...given, name: name.slice(0, MAX_NAME) } : given
}

export const createMonitorBody = z
  .preprocess(
    cutName,
    z.strictObject({
      ...shape,
      schedule: scheduleOption.superRefine(oneOf(true)),
      retentionDays: z.int().min(1).max(365).default(30).describe('How long results are kept.'),
      watch: watchOption.optional(),
    }),
  )
  .describe('Pages, sites or searches to watch, and when.')
export type NewMonitorBody = z.output<typeof createMonitorBody>

export const updateMonitorBody = z
  .preprocess(
    cutName,
    z
      .strictObject({
        ...shape,
        goal: shape.goal.refine((goal) => goal?.trim() !== '', {
          error: 'goal must not be blank; send null to remove it',
        }),
        schedule: scheduleOption.superRefine(oneOf(false)),
        retentionDays: z.int().min(1).max(365),
        status: z.enum(['active', 'paused']),
        watch: watchOption,
      })
      .partial(),
  )
  .describe('What to change; the rest stays. `null` clears `webhook` and `notification`.')
export type UpdateMonitorBody = z.output<typeof updateMonitorBody>

/** A judge reads pages with a model, as the format `json` does. */
export const formatsOfMonitorBody: FormatsOfBody = (body) => {
  const { targets = [], goal, judgeEnabled } = (body ?? {}) as UpdateMonitorBody
  const pages = targets.flatMap((one) => [
    ...(one.type === 'search' ? [] : requestedFormats(one.scrapeOptions, ['markdown'])),
    ...(one.type === 'flow' ? ['flow action'] : []),
  ])
  const judges = judgeEnabled ?? Boolean(goal)
  return judges ? [...pages, 'json'] : pages
}

const integerSchema = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: 'must be a whole number' })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error: `must be between ${min} and ${max}` })

const limit = integerSchema(1, 100).default(25)
const offset = integerSchema(0, 999_999_999).default(0)
export const listMonitorsQuery = z.object({ limit, offset })
export const listChecksQuery = z.object({
  limit,
  offset,
  status: z
    .enum(['queued', 'running', 'completed', 'partial', 'failed', 'skipped_overlap', 'skipped_no_credits'])
    .optional(),
})
export const checkPagesQuery = z.object({
  limit,
  skip: offset,
  status: z.enum(['same', 'new', 'changed', 'removed', 'error']).optional().describe('Only pages with this outcome.'),
})

export const recipientTokenBody = z.strictObject({
  token: z
    .string()
    .max(1000)
    .refine(({ length }) => length >= 16 && length <= 64, { error: 'invalid_token' }),
  ...clientShape,
})

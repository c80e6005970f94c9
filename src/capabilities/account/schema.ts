// Response schemas of the account routes, as the released clients read them.

import { z } from 'zod'
import { successReply } from '../schema-parts.ts'

const period = {
  billingPeriodStart: z.string().nullable(),
  billingPeriodEnd: z.string().nullable(),
}
const span = {
  startDate: z.string(),
  endDate: z.string(),
  apiKey: z.string().nullable().describe('The name of a key, with `byApiKey`; null otherwise.'),
}

export const creditReply = successReply({
  data: z.object({
    remainingCredits: z.int().describe(`Remaining credits; always the same large number for a team without a limit.`),
    planCredits: z.int(),
    ...period,
  }),
})

export const tokenReply = successReply({
  data: z.object({ remainingTokens: z.int(), planTokens: z.int(), ...period }),
})

export const historyQuery = z.object({
  byApiKey: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .describe('A row for each key.'),
  timeRange: z.enum(['day', 'week', 'month']).default('month').describe('Length of each period.'),
})

export const creditHistoryReply = successReply({
  periods: z.array(z.object({ ...span, creditsUsed: z.int(), totalCredits: z.int() })),
})

export const tokenHistoryReply = successReply({
  periods: z.array(z.object({ ...span, tokensUsed: z.int(), totalTokens: z.int() })),
})

export const queueReply = successReply({
  jobsInQueue: z.int(),
  activeJobsInQueue: z.int(),
  waitingJobsInQueue: z.int(),
  maxConcurrency: z.int(),
  mostRecentSuccess: z.string().nullable().describe('When a page was last scraped, within 24 hours.'),
})

export const concurrencyReply = successReply({ concurrency: z.int(), maxConcurrency: z.int() })

export const activityQuery = z.object({
  endpoint: z.string().max(40).optional().describe('A value of `endpoint` in the response.'),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, { error: 'must be a whole number between 1 and 100' })
    .transform(Number)
    .refine((value) => value >= 1 && value <= 100, { error: 'must be between 1 and 100', params: { named: true } })
    .default(50),
  cursor: z.uuid().optional().describe('From the page before.'),
})

export const activityReply = successReply({
  data: z.array(
    z.object({
      id: z.string(),
      endpoint: z.string(),
      api_version: z.string(),
      created_at: z.string(),
      target: z.string().nullable(),
      credits: z.int().describe('Its cost; a running job or session has paid for the work done so far.'),
    }),
  ),
  cursor: z.string().nullable(),
  has_more: z.boolean(),
})

export const whoamiReply = successReply({
  data: z.object({
    team: z.object({ id: z.string(), name: z.string(), plan: z.string() }),
    key: z.object({
      id: z.string(),
      name: z.string(),
      rights: z.array(z.string()),
      endpoints: z.array(z.string()).describe('Endpoints that the key is restricted to; empty: all.'),
      formats: z.array(z.string()).describe('Formats that the key is restricted to; empty: all.'),
    }),
    limits: z.object({
      creditsLeft: z.int().nullable().describe('Null: no limit.'),
      concurrency: z.int().describe('Pages at once.'),
      queuedPages: z.int().nullable().describe('Null: no limit.'),
      requestsPerMinute: z.record(z.string(), z.int()).nullable().describe('By kind of request; null: no limit.'),
    }),
    model: z
      .object({
        tokensPerMonth: z.int().nullable().describe('What this key may use in a calendar month (UTC); null: no limit.'),
        costPerMonth: z.number().nullable(),
        tokens: z.int().describe('Used by this key this month.'),
        cost: z.number().describe('By ORB_LLM_PRICE.'),
      })
      .describe('Use of the language model.'),
    version: z.string(),
    capabilities: z.array(z.string()).describe('What this service offers.'),
    apiUrl: z.string().describe('The base URL for clients.'),
  }),
})

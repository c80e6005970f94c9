// Schemas of administration: keys, teams, limits, usage, activity, audit, webhooks, health. Times are ISO.

import { z } from 'zod'
import { isCidrBlock } from '../../base/cidr-block.ts'
import { formats } from '../../scrape/formats/index.ts'
import { clientShape } from '../../scrape/scrape-options.ts'
import { KEY_RIGHTS } from '../../teams/key-rights.ts'
import { planNames } from '../../teams/plans.ts'
import { AUDIT_ACTIONS } from '../../teams/store/audit-log.ts'
import { USAGE_DIMENSIONS } from '../../teams/store/usage-count-store.ts'
import { successReply } from '../schema-parts.ts'

export const dataReply = <S extends z.ZodType>(data: S) => successReply({ data })
export const pagedReply = <S extends z.ZodType>(row: S) =>
  successReply({
    data: z.array(row),
    cursor: z.string().nullable().describe('Value of `cursor` for the next page; null at the end.'),
  })

const when = z.string().describe('ISO time.')
const name = z.string().trim().min(1).max(200)
const planName = z.enum(planNames)
const retention = z
  .enum(['off', 'allowed', 'forced'])
  .describe(
    '`off`: pages are kept for a day; `allowed`: a call may request that nothing is kept; `forced`: nothing is kept.',
  )
const ipAllow = z
  .array(
    z
      .string()
      .max(100)
      .trim()
      .refine(isCidrBlock, { error: 'is not an IPv4 or IPv6 address or CIDR block', params: { named: true } }),
  )
  .max(1000)
  .describe('Addresses and CIDR blocks the team may call from; empty: from anywhere.')
const integerSchema = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,7}$/, { error: `must be a whole number between ${min} and ${max}` })
    .transform(Number)
    .refine((value) => value >= min && value <= max, {
      error: `must be between ${min} and ${max}`,
      params: { named: true },
    })
const team = z
  .union([z.uuid(), z.literal('all')])
  .optional()
  .describe("The id of a team, or `all`; the caller's own by default. Others need a key of the operator.")
const cursor = z.uuid().optional().describe('From the page before.')

export const teamQuery = z.object({ team })

const keyRules = {
  rights: z
    .array(z.enum(KEY_RIGHTS))
    .max(10)
    .describe(
      '`admin`: may manage the keys of its team. `vault`: may use and change its vault. `private`: may visit what ORB_ALLOW_PRIVATE opens.',
    ),
  endpoints: z
    .array(z.string().max(40).meta({ 'x-declared': 'groups' }))
    .max(50)
    .describe('The only groups of endpoints it may call (`scrape`, `crawl`, `map`, …); an empty list allows all.'),
  formats: z
    .array(z.enum(formats.map((format) => format.name)))
    .max(100)
    .describe('Formats that the key may request; an empty list allows all.'),
  expiresAt: z.iso.datetime({ offset: true }).max(40).nullable().describe('When it stops working; null: never.'),
  modelTokensPerMonth: z
    .int()
    .min(0)
    .nullable()
    .describe('Tokens of the language model that it may use in a calendar month (UTC); null: no limit.'),
  modelCostPerMonth: z.number().min(0).nullable().describe('The same in money, by ORB_LLM_PRICE; null: no limit.'),
}

export const keyBody = z
  .strictObject({
    name: name.describe('To tell keys apart.'),
    team: z.uuid().optional().describe("The team of the key; the caller's own by default."),
    rights: keyRules.rights.default([]),
    endpoints: keyRules.endpoints.default([]),
    formats: keyRules.formats.default([]),
    expiresAt: keyRules.expiresAt.default(null),
    modelTokensPerMonth: keyRules.modelTokensPerMonth.default(null),
    modelCostPerMonth: keyRules.modelCostPerMonth.default(null),
    ...clientShape,
  })
  .describe('A new key.')

export const keyChangeBody = z
  .strictObject({ name, ...keyRules })
  .partial()
  .extend(clientShape)
  .describe('The changes to a key; lists are replaced.')

export const shownKeySchema = z.object({
  id: z.string(),
  teamId: z.string(),
  name: z.string(),
  hint: z.string().describe('The last four characters.'),
  state: z.enum(['valid', 'expired', 'revoked']),
  rights: z.array(z.string()),
  endpoints: z.array(z.string()),
  formats: z.array(z.string()),
  createdAt: when,
  expiresAt: z.string().nullable(),
  modelTokensPerMonth: z.int().nullable(),
  modelCostPerMonth: z.number().nullable(),
  revokedAt: z.string().nullable(),
})
export const newKeyReply = dataReply(shownKeySchema).extend({
  key: z.string().describe('The key, shown only once: only its hash is stored.'),
})

export const shownTeamSchema = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.string(),
  zeroDataRetention: retention,
  ipAllow: z.array(z.string()),
  createdAt: when,
  credits: z.object({
    granted: z.int().nullable().describe('Total credits it may spend; null: no limit.'),
    spent: z.int(),
    reserved: z.int().describe('Reserved for running work.'),
    left: z.int().nullable(),
  }),
})

export const teamBody = z
  .strictObject({
    name,
    plan: planName.default('unlimited'),
    credits: z.int().min(0).nullable().default(null).describe('Total credits it may spend; null: no limit.'),
    zeroDataRetention: retention.default('allowed'),
    ipAllow: ipAllow.default([]),
    ...clientShape,
  })
  .describe('A new team.')

export const teamChangeBody = z
  .strictObject({
    name: name.optional(),
    plan: planName.optional(),
    zeroDataRetention: retention.optional(),
    ipAllow: ipAllow.optional(),
    credits: z.int().min(0).nullable().optional().describe('Total credits it may spend; null: no limit.'),
    addCredits: z.int().min(1).optional().describe('Credits to add.'),
    force: z.boolean().default(false).describe('Apply it even if the new `ipAllow` excludes the caller.'),
    ...clientShape,
  })
  .describe('The changes to a team. Only the operator sets plan, credits and retention.')

export const newTeamReply = dataReply(shownTeamSchema).extend({
  key: z.string().describe('The first key of the team, with the right `admin`; shown only once.'),
})

export const callerReply = dataReply(
  z.object({
    key: z.object({ id: z.string(), name: z.string(), rights: z.array(z.string()) }),
    team: z.object({ id: z.string(), name: z.string(), plan: z.string() }),
    isAdmin: z.boolean().describe('May manage the keys of its team.'),
    isOperator: z.boolean().describe('May manage all teams.'),
    version: z.string(),
  }),
)

const planShown = z.object({
  name: z.string(),
  rates: z.record(z.string(), z.int()).nullable().describe('Requests per minute by bucket; null: no limit.'),
  concurrency: z.int().nullable().describe('Concurrent pages; null: the limit of the service.'),
  maxQueuedJobs: z.int().nullable(),
})
export const limitsReply = dataReply(
  z.object({
    teamId: z.string(),
    plan: planShown,
    now: z.object({
      rates: z.record(z.string(), z.int()).describe('Requests counted in this minute, by bucket.'),
      windowEndsAt: when,
      running: z.int().describe('Active pages.'),
      waiting: z.int().describe('Requests that wait for a slot here.'),
      maxConcurrency: z.int(),
      queued: z.int().describe('Pages of jobs that wait.'),
    }),
    plans: z.array(planShown).describe('Total number.'),
  }),
)

export const usageQuery = z.object({
  team,
  from: z.iso.date().optional().describe('First day, UTC; 30 days ago by default.'),
  to: z.iso.date().optional().describe('Last day, UTC, included; today by default.'),
  by: z
    .string()
    .default('day')
    .transform((text) => [...new Set(text.split(',').map((part) => part.trim()))])
    .pipe(z.array(z.enum(USAGE_DIMENSIONS)).min(1).max(USAGE_DIMENSIONS.length))
    .describe('Grouping of the rows: `day`, `endpoint`, `key`, `team`, or several with commas.'),
})
const sums = {
  credits: z.int(),
  requests: z.int().describe('Calls that do work.'),
  errors: z.int().describe('Calls and visits that failed.'),
  cacheHits: z.int().describe('Pages from the cache.'),
  engines: z
    .object({ cache: z.int(), http: z.int(), browser: z.int(), upload: z.int() })
    .describe('Pages by where they came from.'),
  modelTokens: z.int().describe('Tokens of the language model, in rows of the endpoint `model`.'),
  modelCost: z.number().describe('What they cost, by ORB_LLM_PRICE.'),
}
export const usageReply = successReply({
  from: z.string(),
  to: z.string(),
  data: z.array(
    z.object({
      day: z.string().optional(),
      endpoint: z.string().optional(),
      keyId: z.string().nullable().optional(),
      keyName: z.string().nullable().optional(),
      teamId: z.string().optional(),
      teamName: z.string().nullable().optional(),
      ...sums,
    }),
  ),
  total: z.object(sums),
})

export const hostUsageReply = successReply({
  data: z.array(z.object({ host: z.string(), pages: z.int(), credits: z.int() })),
})

export const activityQuery = z.object({
  team,
  endpoint: z.string().max(40).optional(),
  limit: integerSchema(1, 500).default(100),
  cursor,
})
export const activityReply = pagedReply(
  z.object({
    id: z.string(),
    jobId: z.string().nullable().describe('The scrape or job it led to.'),
    teamId: z.string(),
    keyId: z.string().nullable(),
    keyName: z.string().nullable(),
    endpoint: z.string(),
    apiVersion: z.string(),
    at: when,
    target: z.string().nullable(),
    username: z.string().nullable().describe('From `auditMetadata`.'),
    status: z.int(),
    ms: z.int(),
    engine: z.string().nullable(),
    error: z.string().nullable().describe('The code of the failure.'),
  }),
)

export const auditQuery = z.object({
  team,
  action: z.enum(AUDIT_ACTIONS).optional(),
  limit: integerSchema(1, 500).default(100),
  cursor,
})
export const auditReply = pagedReply(
  z.object({
    id: z.string(),
    at: when,
    teamId: z.string().nullable(),
    actor: z.string().describe('The id of a key, `command line`, or an issuer and its subject.'),
    action: z.enum(AUDIT_ACTIONS),
    subject: z.string().nullable(),
    details: z.looseObject({}),
  }),
)

export const secretReply = dataReply(
  z.object({ secret: z.string().nullable().describe('Signs the webhooks of the team; null: they are not signed.') }),
)

const condition = z.object({
  status: z.enum(['ok', 'degraded', 'unavailable']),
  why: z.array(z.string()).describe('What is missing or wrong, and why.'),
  version: z.string(),
  uptimeSeconds: z.int(),
  process: z.object({ pid: z.int(), role: z.string(), node: z.string() }),
  memory: z.object({ residentBytes: z.int(), heapBytes: z.int(), availableBytes: z.int() }),
  disk: z.object({ path: z.string(), freeBytes: z.int(), totalBytes: z.int(), databaseBytes: z.int().nullable() }),
  database: z.enum(['sqlite', 'postgres']),
  browsers: z.object({
    available: z.boolean(),
    why: z.string().nullable().describe('Why there is none.'),
    running: z.int(),
  }),
  pages: z.object({
    concurrency: z.int(),
    running: z.int(),
    waiting: z.int().describe('Requests that wait for a slot.'),
  }),
  queue: z.object({
    jobs: z.int().describe('Running jobs of all teams.'),
    active: z.int().describe('Their pages being worked on.'),
    queued: z.int().describe('Their pages that wait.'),
    capacity: z.int().describe('Pages that all workers together can work on at once.'),
    webhooksPending: z.int(),
  }),
})
export type ServiceHealth = z.output<typeof condition>
export const healthReply = dataReply(condition)

const modelFacts = z.object({
  json: z.enum(['schema', 'object', 'none']).describe('How it returns JSON.'),
  tools: z.boolean(),
  contextTokens: z.int().nullable(),
  answers: z.int(),
  secondsPerAnswer: z.number().nullable(),
  tokensPerSecond: z.number().nullable(),
  trouble: z.string().nullable(),
})
const modelShown = z.object({
  from: z
    .enum(['dashboard', 'environment', 'service', 'none'])
    .describe('Where the model was set; `service`: the team uses that of the service.'),
  url: z.string().nullable(),
  model: z.string().nullable(),
  hasKey: z.boolean().describe('The key itself is never shown.'),
  facts: modelFacts.nullable(),
})
export const modelReply = dataReply(modelShown)
export type ShownModel = z.output<typeof modelShown>

export const modelTestReply = dataReply(
  z.object({
    by: z.enum(['model', 'extractive']).describe('`extractive`: the model returned nothing usable; see `warnings`.'),
    value: z.unknown(),
    prompt: z.string().describe('The whole request to the model.'),
    answer: z.string().describe('The whole response of the model.'),
    ms: z.int(),
    inputTokens: z.int(),
    outputTokens: z.int(),
    warnings: z.array(z.string()),
  }),
)

// Request and response schemas of agent runs.

import { z } from 'zod'
import { jsonSchemaOption } from '../../base/json-schema.ts'
import { urlOption } from '../../base/url-option.ts'
import { webhookOption } from '../../jobs/webhook-option.ts'
import { clientShape, scrapeOptionsShape } from '../../scrape/scrape-options.ts'
import { successReply } from '../schema-parts.ts'
import { DOCUMENT_SECONDS, PAGE_SECONDS } from './steps.ts'

export const AGENT_EVENTS = ['started', 'action', 'completed', 'failed', 'cancelled'] as const
const MODELS = ['spark-2', 'spark-1-pro', 'spark-1-mini'] as const

export const agentBody = z
  .strictObject({
    prompt: z.string().min(1).max(10_000).describe('What to find, in words.'),
    urls: z.array(urlOption()).max(50).optional().describe('Pages to start from.'),
    strictConstrainToURLs: z.boolean().default(false).describe('Visit only `urls` and pages below them.'),
    schema: jsonSchemaOption.optional().describe('A JSON Schema of the result.'),
    maxCredits: z.number().positive().default(2500).describe('A run that would exceed this fails and costs nothing.'),
    model: z.enum(MODELS).optional().describe('Accepted for older clients; all values have the same effect.'),
    effort: z
      .enum(['low', 'medium', 'high'])
      .optional()
      .describe(
        `How many pages it may read (6, 14 or 40), how many at once (2, 3 or 4), and how many tokens a model may use for it (100,000, 400,000 or 1,500,000). A run waits ${PAGE_SECONDS} s for a page and ${DOCUMENT_SECONDS} s for a document.`,
      ),
    webhook: webhookOption('agent', AGENT_EVENTS).optional().describe('URL that receives the events.'),
    threatProtection: scrapeOptionsShape.threatProtection,
    auditMetadata: scrapeOptionsShape.auditMetadata,
    threadId: z.uuid().optional().describe('Continue the conversation of an earlier run.'),
    mode: z.enum(['extract', 'chat']).default('extract').describe('`chat` also returns a `message`.'),
    dryRun: z.boolean().default(false).describe('Return the plan and its expected cost without running it.'),
    exchange: z.looseObject({}).optional().describe('Accepted for compatibility; this service makes no purchases.'),
    overrideWhitelist: z.string().max(10_000).optional().describe('Accepted and not used.'),
    ...clientShape,
  })
  .describe('A query for the web.')
export type AgentBody = z.output<typeof agentBody>

const planned = z.object({
  plan: z.array(z.object({ tool: z.string(), input: z.looseObject({}) })),
  because: z.string().describe('Why these steps come first.'),
  schema: z.looseObject({}).optional().describe('The fields that the prompt names, if any.'),
  pages: z.int().describe('Pages it expects to read.'),
  secondsPerPage: z.int().describe('Maximum wait per page.'),
  estimatedCredits: z.int(),
})

export const agentStartedReply = successReply({
  id: z.string().optional().describe('Id of the run; absent with `dryRun`.'),
  threadId: z.string().optional(),
  threadTurn: z.int().optional(),
  quote: planned.optional().describe('With `dryRun`: the plan and its price.'),
})

const source = z.object({
  url: z.string(),
  quote: z.string().nullable().describe('The words of the page; null if it was in the structured data.'),
  at: z.string(),
  by: z.enum(['model', 'rules']),
  verified: z.literal(false).optional().describe('A value of the model that the page does not state literally.'),
})

export const agentStatusReply = successReply({
  id: z.string(),
  status: z.enum(['processing', 'completed', 'failed']),
  data: z.unknown().optional(),
  error: z.string().optional(),
  stopReason: z
    .literal('credit_limit_reached')
    .optional()
    .describe('Present for a failed run that reached `maxCredits`. It is free and returns no `partial` data.'),
  model: z.string(),
  effort: z.string().optional(),
  expiresAt: z.string(),
  creditsUsed: z.int(),
  maxCredits: z.int(),
  threadId: z.string(),
  threadTurn: z.int(),
  mode: z.string(),
  message: z.string().optional(),
  warning: z.string().optional(),
  confidence: z
    .number()
    .optional()
    .describe('For a text answer: the share of the prompt that the quoted passages cover, 0 to 1.'),
  sources: z
    .record(z.string(), source)
    .optional()
    .describe(
      'Where each value comes from, by its path in `data`; `answer[1]`, `answer[2]` … for the further lines of an answer.',
    ),
  tokens: z
    .object({
      used: z.int(),
      most: z.int(),
      cost: z.number().optional().describe('What they cost, by ORB_LLM_PRICE.'),
    })
    .optional()
    .describe('With a language model, after the run: the tokens used and the maximum that the effort allows.'),
})

export const agentListReply = successReply({
  agents: z.array(
    z.object({
      id: z.string(),
      createdAt: z.string(),
      targetHint: z.string(),
      origin: z.string(),
      integration: z.string().optional(),
      settings: z.object({ hidden: z.boolean(), starred: z.boolean() }),
      status: z.enum(['processing', 'completed', 'failed']),
      options: z.looseObject({}),
    }),
  ),
  next: z.string().optional(),
})

export const agentTraceReply = successReply({
  id: z.string(),
  events: z.array(z.looseObject({ type: z.string(), eventId: z.string(), occurredAt: z.string() })),
  creditsUsed: z.int(),
  activeBrowserSessions: z
    .array(
      z.object({
        id: z.string(),
        liveViewUrl: z.string(),
        viewport: z.object({ width: z.int(), height: z.int() }),
      }),
    )
    .optional()
    .describe('With `liveView`: the browsers that the run has open now.'),
})

export const agentSpansReply = z
  .object({ resourceSpans: z.array(z.looseObject({})) })
  .describe('An ExportTraceServiceRequest, as OpenTelemetry collectors accept it at /v1/traces.')

export const agentReplayReply = successReply({
  id: z.string(),
  data: z.unknown(),
  sources: z.record(z.string(), source),
  isSame: z.boolean().describe('Whether the result is identical byte for byte.'),
  steps: z.array(
    z.object({
      n: z.int(),
      tool: z.string(),
      input: z.unknown(),
      open: z.array(z.string()).describe('Fields that were still missing after this step.'),
      items: z.int().describe('Items of a list that were known then.'),
    }),
  ),
})

export const agentSnapshotReply = successReply({
  id: z.string(),
  snapshotId: z.string(),
  snapshot: z.string(),
})

export const agentThreadReply = successReply({
  thread: z.object({
    id: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
    status: z.enum(['idle', 'running']),
    runs: z.array(z.looseObject({ id: z.string(), turn: z.int(), status: z.string() })),
  }),
})

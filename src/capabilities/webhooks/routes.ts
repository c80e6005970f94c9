// A team's webhook deliveries, and redelivery.

import { z } from 'zod'
import { isoTimeOrNull } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import { isUuid } from '../../base/uuid-format.ts'
import { webhookHeaders } from '../../jobs/deliver-webhooks.ts'
import { webhookDeliveryStore } from '../../jobs/store/index.ts'
import type { WebhookDelivery, WebhookDeliveryDetails } from '../../jobs/store/webhook-deliveries.ts'
import { defineCapability } from '../capability.ts'
import { defineRoute } from '../route.ts'
import { successReply } from '../schema-parts.ts'

const PATH = '/v2/webhooks/deliveries'

const delivery = z.object({
  id: z.string().describe('The `webhookId` of the event: the same in every attempt.'),
  jobId: z.string(),
  event: z.string(),
  url: z.string(),
  state: z.enum(['pending', 'delivered', 'dead']).describe('`dead`: all attempts failed.'),
  attempts: z.int(),
  status: z.int().nullable().describe('The last response of the receiver.'),
  error: z.string().nullable(),
  createdAt: z.string(),
  nextAttemptAt: z.string().nullable(),
  endedAt: z.string().nullable(),
})

/** Display limit; the body was sent whole. */
const MAX_SHOWN_CHARS = 500_000

const opened = delivery.extend({
  headers: z
    .record(z.string(), z.string())
    .describe('Headers of the last or next attempt; values that may be secret are hidden.'),
  body: z.string().nullable().describe('What was sent; null when it is not kept, as with zero data retention.'),
  bodyBytes: z.int().describe('Its whole size: only the beginning of a very large payload is returned.'),
  tries: z
    .array(
      z.object({
        at: z.string(),
        ms: z.int(),
        status: z.int().nullable().describe('The response of the receiver; null: none.'),
        error: z.string().nullable(),
        signature: z.string().nullable().describe('Null: it was not signed.'),
      }),
    )
    .describe('Attempts, newest first, at most twenty.'),
})

const toShownDelivery = ({ nextAt, createdAt, endedAt, ...row }: WebhookDelivery) => ({
  ...row,
  createdAt: isoTimeOrNull(createdAt),
  nextAttemptAt: row.state === 'pending' ? isoTimeOrNull(nextAt) : null,
  endedAt: isoTimeOrNull(endedAt),
})

/** Header names whose values are secrets. */
const SECRET_HEADER_NAME = /auth|cookie|token|secret|password|(?:^|[-_])key/i

const hideSecret = (name: string, value: string): string =>
  SECRET_HEADER_NAME.test(name) ? `(hidden, ${value.length} characters)` : value

function shownWhole({ headers, body, tries, ...row }: WebhookDeliveryDetails) {
  const sent = Object.entries(webhookHeaders(headers, tries.at(-1)?.signature ?? null))
  return {
    ...toShownDelivery(row),
    headers: Object.fromEntries(sent.map(([name, value]) => [name, hideSecret(name, value)])),
    body: body?.slice(0, MAX_SHOWN_CHARS) ?? null,
    bodyBytes: body === undefined ? 0 : Buffer.byteLength(body),
    tries: tries.toReversed().map(({ at, ...one }) => ({ ...one, at: new Date(at).toISOString() })),
  }
}

const idIn = (params: Readonly<Record<string, string | undefined>>): string => {
  const id = (params.id ?? '').toLowerCase()
  if (!isUuid(id)) throw new Problem('bad_request', { because: 'the id of a delivery is a UUID' })
  return id
}

const list = defineRoute({
  method: 'GET',
  path: PATH,
  summary: 'Sent and pending webhooks of the last seven days, newest first',
  query: z.object({
    jobId: z.uuid().optional().describe('Only those of one job.'),
    limit: z
      .string()
      .regex(/^\d{1,4}$/, { error: 'must be a whole number up to 1000' })
      .transform(Number)
      .refine((value) => value >= 1 && value <= 1000, { error: 'must be between 1 and 1000' })
      .default(100),
  }),
  reply: successReply({ data: z.array(delivery) }),
  async handle({ store }, { query }, { caller }) {
    const { jobId, limit } = query
    const rows = await webhookDeliveryStore(store).list(caller.teamId, {
      ...(jobId ? { jobId: jobId.toLowerCase() } : {}),
      limit,
    })
    return { success: true, data: rows.map(toShownDelivery) }
  },
})

const get = defineRoute({
  method: 'GET',
  path: `${PATH}/:id`,
  summary: 'One webhook delivery: the request, and the response to each attempt',
  reply: successReply({ data: opened }),
  async handle({ store }, { params }, { caller }) {
    const row = await webhookDeliveryStore(store).open(caller.teamId, idIn(params))
    if (!row) throw new Problem('not_found', { instead: 'There is no such delivery' })
    return { success: true, data: shownWhole(row) }
  },
})

const replay = defineRoute({
  method: 'POST',
  path: `${PATH}/:id/replay`,
  summary: 'Send a webhook again, with the same id and body',
  reply: successReply({ data: delivery }),
  async handle({ store, queue }, { params }, { caller }) {
    const id = idIn(params)
    const found = await store.transaction(async (tx) => {
      if (!(await webhookDeliveryStore(store).again(tx, caller.teamId, id))) return false
      await queue.enqueue(tx, 'webhook', [id])
      return true
    })
    const row = found ? await webhookDeliveryStore(store).get(caller.teamId, id) : undefined
    if (!row) throw new Problem('not_found', { instead: 'There is no such delivery' })
    return { success: true, data: toShownDelivery(row) }
  },
})

export const webhooksCapability = defineCapability({
  name: 'webhooks',
  tag: 'Webhooks',
  right: 'use',
  bucket: 'account',
  cliGroup: 'Look after jobs',
  routes: [list, get, replay],
})

// The log of a team's webhooks, and sending one again.
import { z } from 'zod'
import { isUuid } from '../../base/id.ts'
import { Problem } from '../../base/problem.ts'
import type { Delivery } from '../../store/deliveries.ts'
import { defineCapability } from '../capability.ts'
import { needs, route } from './needs.ts'

const PATH = '/v2/webhooks/deliveries'

const delivery = z.object({
  id: z.string().describe('The `webhookId` of the event: the same however often it is sent.'),
  jobId: z.string(),
  event: z.string(),
  url: z.string(),
  state: z.enum(['pending', 'delivered', 'dead']).describe('`dead`: given up after all tries.'),
  attempts: z.int(),
  status: z.int().nullable().describe('What the receiver answered last.'),
  error: z.string().nullable(),
  createdAt: z.string(),
  nextAttemptAt: z.string().nullable(),
  endedAt: z.string().nullable(),
})

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

const shown = ({ nextAt, createdAt, endedAt, ...row }: Delivery) => ({
  ...row,
  createdAt: iso(createdAt),
  nextAttemptAt: row.state === 'pending' ? iso(nextAt) : null,
  endedAt: iso(endedAt),
})

const list = route({
  method: 'GET',
  path: PATH,
  summary: 'Webhooks that were sent or are on their way, newest first, for seven days',
  tag: 'Webhooks',
  bucket: 'account',
  query: z.object({
    jobId: z.uuid().optional().describe('Only those of one job.'),
    limit: z
      .string()
      .regex(/^\d{1,4}$/, { error: 'must be a whole number up to 1000' })
      .transform(Number)
      .refine((value) => value >= 1 && value <= 1000, { error: 'must be between 1 and 1000' })
      .default(100),
  }),
  reply: z.object({ success: z.literal(true), data: z.array(delivery) }),
  async handle({ store }, { query }, { caller }) {
    const { jobId, limit } = query
    const rows = await store.deliveries.list(caller.teamId, { ...(jobId ? { jobId: jobId.toLowerCase() } : {}), limit })
    return { success: true, data: rows.map(shown) }
  },
})

const replay = route({
  method: 'POST',
  path: `${PATH}/:id/replay`,
  summary: 'Send a webhook again, with the same id and the same bytes',
  tag: 'Webhooks',
  bucket: 'account',
  reply: z.object({ success: z.literal(true), data: delivery }),
  async handle({ store, queue }, { params }, { caller }) {
    const id = (params.id ?? '').toLowerCase()
    if (!isUuid(id)) throw new Problem('bad_request', { because: 'the id of a delivery is a UUID' })
    const found = await store.transaction(async (tx) => {
      if (!(await store.deliveries.again(tx, caller.teamId, id))) return false
      await queue.ring(tx, 'webhook', [id])
      return true
    })
    const row = found ? await store.deliveries.get(caller.teamId, id) : undefined
    if (!row) throw new Problem('not_found', { instead: 'There is no such delivery' })
    return { success: true, data: shown(row) }
  },
})

export const webhooks = defineCapability({ name: 'webhooks', needs, routes: [list, replay] })

// Builds a job's webhook events. Deliveries enter the outbox in the transaction of the event; deliver-webhooks.ts sends
// them.

import type { Clock } from '../base/clock.ts'
import { newId } from '../store/id.ts'
import type { Store } from '../store/index.ts'
import type { Tx } from '../store/tables.ts'
import { webhookDeliveryStore } from './store/index.ts'
import type { NewWebhookDelivery } from './store/webhook-deliveries.ts'
import type { WebhookSettings } from './webhook-option.ts'
import type { WorkQueue } from './work-queue.ts'

export interface WebhookSource {
  id: string
  teamId: string
  kind: string
  webhook: string | null
  keyId: string | null
  zeroDataRetention?: boolean
}

export type WebhookEvent = { name: string; success: boolean; dataText?: string; error?: string | undefined }

/** Undefined when the event is not wanted. The body is reused for every try. */
export function makeWebhookDelivery(
  job: WebhookSource,
  { namespace, names }: { namespace: string; names: readonly string[] },
  event: WebhookEvent,
  now: number,
): NewWebhookDelivery | undefined {
  if (job.webhook === null || !names.includes(event.name)) return undefined
  const webhook = JSON.parse(job.webhook) as WebhookSettings
  const type = `${namespace}.${event.name}`
  if (!isEventWanted(webhook.events, type)) return undefined
  const id = newId(now)
  const head = JSON.stringify({ success: event.success, type, id: job.id, webhookId: id })
  const tail = JSON.stringify({
    ...(event.error === undefined ? {} : { error: event.error }),
    ...(webhook.metadata === undefined ? {} : { metadata: webhook.metadata }),
  })
  const body = `${head.slice(0, -1)},"data":[${event.dataText ?? ''}]${tail === '{}' ? '}' : `,${tail.slice(1)}`}`
  const zeroDataRetention = job.zeroDataRetention === true
  const { teamId, keyId } = job
  return {
    id,
    teamId,
    keyId,
    jobId: job.id,
    event: type,
    url: webhook.url,
    headers: webhook.headers,
    body,
    zeroDataRetention,
  }
}

type WebhookQueueParts = { store: Store; queue: Pick<WorkQueue, 'enqueue'>; clock: Clock }

/** Writes the delivery of an event in the transaction of the event; returns its id, or undefined if it is not wanted. */
export async function queueWebhook(
  { store, queue, clock }: WebhookQueueParts,
  tx: Tx,
  source: WebhookSource,
  events: { namespace: string; names: readonly string[] },
  event: WebhookEvent,
): Promise<string | undefined> {
  const delivery = makeWebhookDelivery(source, events, event, clock.now())
  if (!delivery) return undefined
  await webhookDeliveryStore(store).add(tx, [delivery])
  await queue.enqueue(tx, 'webhook', [delivery.id])
  return delivery.id
}

/** Accepts the full name, or the part after the namespace. */
export function isEventWanted(events: readonly string[], type: string): boolean {
  if (events.length === 0) return true
  const suffix = type.slice(type.indexOf('.') + 1)
  return events.some((event) => event === type || event === suffix)
}

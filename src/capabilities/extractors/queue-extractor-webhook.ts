// The webhook event of extractors.
import { webhookDeliveryStore } from '../../jobs/store/index.ts'
import { makeWebhookDelivery } from '../../jobs/webhook-events.ts'
import type { Services } from '../route.ts'
import type { StoredExtractor } from './store/extractors.ts'

export async function queueDriftWebhook(
  { store, clock, queue }: Services,
  { teamId, id, webhook }: StoredExtractor,
  data: object,
): Promise<void> {
  const source = { id, teamId, keyId: null, kind: 'extractor', webhook: webhook && JSON.stringify(webhook) }
  const event = { name: 'drifted', success: true, dataText: JSON.stringify(data) }
  const delivery = makeWebhookDelivery(source, { namespace: 'extractor', names: ['drifted'] }, event, clock.now())
  if (!delivery) return
  await store.transaction(async (tx) => {
    await webhookDeliveryStore(store).add(tx, [delivery])
    await queue.enqueue(tx, 'webhook', [delivery.id])
  })
}

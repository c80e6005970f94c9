// The webhook events of extractors.
import { webhookDeliveryStore } from '../../jobs/store/index.ts'
import { isEventWanted } from '../../jobs/webhook-events.ts'
import { newId } from '../../store/id.ts'
import type { GivenServices } from '../route.ts'
import type { StoredExtractor } from './store/extractors.ts'

export async function queueExtractorWebhook(
  { store, clock, queue }: GivenServices<'core' | 'jobs'>,
  { teamId, id: extractorId, webhook }: StoredExtractor,
  type: 'extractor.drifted',
  data: object,
): Promise<void> {
  if (!webhook || !isEventWanted(webhook.events, type)) return
  const id = newId(clock.now())
  const extra = webhook.metadata === undefined ? {} : { metadata: webhook.metadata }
  const body = JSON.stringify({ success: true, type, id: extractorId, webhookId: id, data: [data], ...extra })
  const { url, headers } = webhook
  await store.transaction(async (tx) => {
    await webhookDeliveryStore(store).add(tx, [
      { id, teamId, keyId: null, jobId: extractorId, event: type, url, headers, body },
    ])
    await queue.enqueue(tx, 'webhook', [id])
  })
}

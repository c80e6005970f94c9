// A monitor's webhook events, written to the outbox in the transaction of the change.
import { webhookDeliveryStore } from '../../jobs/store/index.ts'
import { isEventWanted, type WebhookSettings } from '../../jobs/webhook-events.ts'
import { newId } from '../../store/id.ts'
import type { Tx } from '../../store/tables.ts'
import type { HandlerServices } from './own-services.ts'
import type { NewCheckPage } from './store/check-pages-and-watched-pages.ts'
import type { Check } from './store/checks.ts'
import type { Monitor } from './store/monitors.ts'

interface MonitorEvent {
  type: 'monitor.page' | 'monitor.check.completed'
  success: boolean
  data: object
  error?: string | undefined
}

async function send(parts: HandlerServices, tx: Tx, monitor: Monitor, checkId: string, event: MonitorEvent) {
  const webhook = monitor.webhook as WebhookSettings | null
  if (!webhook || !isEventWanted(webhook.events, event.type)) return undefined
  const id = newId(parts.clock.now())
  const body = JSON.stringify({
    success: event.success,
    type: event.type,
    id: checkId,
    webhookId: id,
    data: [event.data],
    ...(event.error === undefined ? {} : { error: event.error }),
    ...(webhook.metadata === undefined ? {} : { metadata: webhook.metadata }),
  })
  const { teamId, keyId } = monitor
  const { url, headers } = webhook
  await webhookDeliveryStore(parts.store).add(tx, [
    { id, teamId, keyId, jobId: checkId, event: event.type, url, headers, body },
  ])
  await parts.queue.enqueue(tx, 'webhook', [id])
  return id
}

export function queuePageWebhook(parts: HandlerServices, tx: Tx, monitor: Monitor, page: NewCheckPage) {
  const judgment = page.judgment as { meaningful: boolean } | null
  return send(parts, tx, monitor, page.checkId, {
    type: 'monitor.page',
    success: page.status !== 'error',
    data: {
      monitorId: monitor.id,
      checkId: page.checkId,
      url: page.url,
      status: page.status,
      previousScrapeId: page.previousScrapeId,
      currentScrapeId: page.currentScrapeId,
      error: page.error,
      isMeaningful: judgment?.meaningful ?? null,
      judgment,
      diff: page.diff,
    },
    error: page.error ?? undefined,
  })
}

export function queueCheckWebhook(
  parts: HandlerServices,
  tx: Tx,
  monitor: Monitor,
  check: Pick<Check, 'id' | 'status' | 'summary' | 'error'>,
) {
  return send(parts, tx, monitor, check.id, {
    type: 'monitor.check.completed',
    success: check.status === 'completed',
    data: { monitorId: monitor.id, checkId: check.id, status: check.status, summary: check.summary },
    error: check.error ?? undefined,
  })
}

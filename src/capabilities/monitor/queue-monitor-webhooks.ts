// A monitor's webhook events, written to the outbox in the transaction of the change.
import { queueWebhook, type WebhookEvent } from '../../jobs/webhook-events.ts'
import type { Tx } from '../../store/tables.ts'
import type { HandlerServices } from './own-services.ts'
import type { NewCheckPage } from './store/check-pages-and-watched-pages.ts'
import type { Check } from './store/checks.ts'
import type { Monitor } from './store/monitors.ts'

const EVENTS = { namespace: 'monitor', names: ['page', 'check.completed'] }

interface MonitorEvent extends Omit<WebhookEvent, 'dataText'> {
  data: object
}

function send(parts: HandlerServices, tx: Tx, monitor: Monitor, id: string, { data, ...event }: MonitorEvent) {
  const { teamId, keyId, webhook } = monitor
  const source = { id, teamId, keyId, kind: 'monitor', webhook: webhook ? JSON.stringify(webhook) : null }
  return queueWebhook(parts, tx, source, EVENTS, { ...event, dataText: JSON.stringify(data) })
}

export function queuePageWebhook(parts: HandlerServices, tx: Tx, monitor: Monitor, page: NewCheckPage) {
  const judgment = page.judgment as { meaningful: boolean } | null
  return send(parts, tx, monitor, page.checkId, {
    name: 'page',
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
    name: 'check.completed',
    success: check.status === 'completed',
    data: { monitorId: monitor.id, checkId: check.id, status: check.status, summary: check.summary },
    error: check.error ?? undefined,
  })
}

// The webhook deliveries of jobs, agent runs and monitors, and what crawls and batches with `since` store.
import { DAY_MS } from '../../base/clock.ts'
import { defineStorage } from '../../store/capability-storage.ts'
import { openRecrawledPages } from './recrawled-pages.ts'
import { openWebhookDeliveries } from './webhook-deliveries.ts'

/** A series that no job used for this long begins anew. */
const SERIES_LIFE_MS = 365 * DAY_MS
const series = { table: 'sync_series', column: 'series_id' }

export const webhookDeliveryStore = defineStorage({
  open: ({ db, clock, sealer }) => openWebhookDeliveries(db, clock, sealer),
  expiry: [{ table: 'deliveries', time: 'expires_at' }],
  forget: [{ table: 'deliveries', urls: ['url'], texts: ['body'] }],
})

export const recrawledPageStore = defineStorage({
  open: ({ db, dialect, clock }) => openRecrawledPages(db, dialect, clock),
  // Its pages go with it.
  expiry: [{ table: 'sync_series', time: 'used_at', afterMs: SERIES_LIFE_MS, batch: 1 }],
  forget: [
    { table: 'synced_pages', id: null, urls: ['url'], parent: series },
    { table: 'sync_noise', id: null, keys: ['last_key'], parent: series },
    { table: 'sync_series', urls: ['url'] },
  ],
})

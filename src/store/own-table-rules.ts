// How the store's own tables expire and forget an address or a team. Pages, captures and the search index need code (forget-rows.ts).
import { DAY_MS, HOUR_MS } from '../base/clock.ts'
import type { StorageRules } from './capability-storage.ts'

const job = { table: 'jobs', column: 'job_id' }

export const ownTableRules: Pick<StorageRules, 'expiry' | 'forget' | 'busy'> = {
  expiry: [
    { table: 'host_turns', id: 'print', time: 'seen_at', afterMs: HOUR_MS },
    { table: 'searches', time: 'at', afterMs: DAY_MS },
  ],
  forget: [
    { table: 'jobs', urls: ['url'], texts: ['settings', 'webhook'], sendsWebhooks: true },
    { table: 'job_options', parent: job, texts: ['body'], removesParent: true },
    { table: 'snapshots', urls: ['url'] },
    { table: 'idempotency', id: null },
  ],
  busy: [{ table: 'jobs', column: 'state', value: 'scraping' }],
}

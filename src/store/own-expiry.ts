// How the store's own tables expire and forget an address or a team. Pages, captures and the search index need code (forget.ts).
import type { StorageRules } from './storage.ts'

const job = { table: 'jobs', column: 'job_id' }

export const ownRules: Pick<StorageRules, 'expiry' | 'forget' | 'busy'> = {
  expiry: [{ table: 'host_turns', id: 'print', time: 'seen_at', afterMs: 3_600_000 }],
  forget: [
    { table: 'jobs', urls: ['url'], texts: ['settings', 'webhook'], sendsWebhooks: true },
    { table: 'job_options', parent: job, texts: ['body'], removesParent: true },
    { table: 'snapshots', urls: ['url'] },
    { table: 'idempotency', id: null },
  ],
  busy: [{ table: 'jobs', column: 'state', value: 'scraping' }],
}

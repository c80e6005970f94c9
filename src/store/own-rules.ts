// How the store's own tables forget an address or a team. Pages, captures and the search index need code (forget.ts).
import type { StorageRules } from './storage.ts'

const run = { table: 'agent_runs', column: 'run_id' }
const job = { table: 'jobs', column: 'job_id' }

export const ownRules: Pick<StorageRules, 'forget' | 'busy' | 'retention'> = {
  forget: [
    { table: 'search_outbox', urls: ['url'] },
    { table: 'search_votes', keys: ['url_key'] },
    { table: 'searches' },
    { table: 'search_teams', id: null },
    { table: 'search_segments' },
    { table: 'agent_runs', texts: ['body', 'result', 'error', 'webhook'] },
    { table: 'agent_steps', parent: run, texts: ['input', 'result'], removesParent: true },
    { table: 'agent_events', parent: run, texts: ['body'], removesParent: true },
    { table: 'jobs', urls: ['url'], texts: ['settings', 'webhook'] },
    { table: 'job_options', parent: job, texts: ['body'], removesParent: true },
    { table: 'deliveries', urls: ['url'], texts: ['body'] },
    { table: 'snapshots', urls: ['url'] },
    { table: 'feedback', texts: ['body'] },
    { table: 'activity' },
    { table: 'sessions', blob: 'recording', readBlob: true, scrape: 'scrape_id' },
    { table: 'uploads', blob: 'blob_id' },
    { table: 'profiles', id: null },
    { table: 'idempotency', id: null },
  ],
  retention: [{ setting: 'traces', table: 'agent_runs', time: 'finished_at' }],
  busy: [
    { table: 'jobs', column: 'state', value: 'scraping' },
    { table: 'agent_runs', column: 'state', value: 'processing' },
    { table: 'sessions', column: 'state', value: 'active' },
  ],
}

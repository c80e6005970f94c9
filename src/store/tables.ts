// The typed tables of both dialects, to which each capability's store/ adds its own. Times are epoch milliseconds; ids
// are UUIDv7 text.

import { type Generated, type Kysely, sql, type Transaction } from 'kysely'
import type { Bytes } from './column-types.ts'
import type { SearchTables } from './search-tables.ts'

export type ZeroDataRetention = 'off' | 'allowed' | 'forced'
export type LedgerKind = 'reserve' | 'settle' | 'release' | 'grant'

export interface Tables extends SearchTables {
  teams: {
    id: string
    name: string
    plan: string
    zero_data_retention: ZeroDataRetention
    created_at: number
    /** IP addresses and CIDR blocks as JSON; an empty list allows any. */
    ip_allow: Generated<string>
    is_operator: Generated<number>
  }
  api_keys: {
    id: string
    team_id: string
    name: string
    hash: string
    hint: string
    created_at: number
    revoked_at: number | null
    /** JSON lists; an empty list of endpoints or formats allows all. */
    rights: Generated<string>
    endpoints: Generated<string>
    formats: Generated<string>
    expires_at: number | null
    /** What it may spend on the language model in a month; null: no limit. */
    model_tokens: number | null
    model_cost: number | null
  }
  host_sightings: { print: string; at: number }
  blob_chunks: { id: string; n: number; body: Uint8Array | ArrayBuffer }
  host_turns: { print: string; next_at: number; rest_until: number; strikes: number; seen_at: number }
  balances: { team_id: string; granted: number | null; spent: number; reserved: number }
  reservations: {
    job_id: string
    team_id: string
    key_id: string | null
    credits: number
    endpoint: string
    at: number
  }
  ledger: {
    id: Generated<number>
    team_id: string
    key_id: string | null
    job_id: string | null
    kind: LedgerKind
    credits: number
    endpoint: string | null
    at: number
  }
  captures: {
    id: string
    cache_key: string
    url: string
    /** JSON of the Capture without its body. */
    head: string
    fetched_at: number
    last_used_at: number
    bytes: number
    body_blob_id: string | null
    body: Bytes
  }
  documents: {
    id: string
    capture_id: string | null
    digest_key: string
    created_at: number
    /** Kept at least until then, even without a capture, because a scrape may refer to it. */
    keep_until: number
    bytes: number
    body: Uint8Array
  }
  scrapes: {
    id: string
    team_id: string
    key_id: string | null
    url: string
    document_id: string
    credits: number
    created_at: number
    expires_at: number
    options: string
    overlay: string
    explain: string
  }
  blobs: {
    id: string
    team_id: string | null
    content_type: string
    bytes: number
    created_at: number
    /** Null: lives as long as its capture. */
    expires_at: number | null
  }
  settings: { name: string; value: string }
  snapshots: {
    id: string
    team_id: string
    url: string
    branch: string
    taken_at: number
    bytes: number
    body: Uint8Array
    data: string | null
  }
  jobs: {
    id: string
    team_id: string
    key_id: string | null
    kind: string
    state: JobState
    url: string | null
    settings: string
    webhook: string | null
    zero_data_retention: number
    page_limit: number | null
    slots: number | null
    max_active: number | null
    delay_ms: number
    next_at: number
    /** Last turn, for fairness between the jobs of a team. */
    turn: number
    discovering: number
    lease_until: number
    total: number
    queued: number
    active: number
    completed: number
    failed: number
    dropped: number
    credits: number
    created_at: number
    finished_at: number | null
    deadline_at: number
    expires_at: number
    error: string | null
    warning: string | null
    paused_at: number | null
  }
  job_options: { job_id: string; n: number; body: string }
  idempotency: { team_id: string; endpoint: string; key: string; at: number }
  frontier: {
    id: string
    job_id: string
    url_key: string
    /** Key of the page that has its content. */
    alias_of: Generated<string | null>
    url: string
    depth: number
    options_n: number
    n: number
    state: PageState
    reason: string | null
    run_at: number
    lease_until: number | null
    attempts: number
    /** Order of completion: results are numbered from 1 without gaps. */
    seq: number | null
    scrape_id: string | null
    error: string | null
    at: number | null
  }
  bells: {
    kind: string
    id: string
    run_at: number
    priority: number
    lease_until: number
    attempts: number
    again_at: number | null
  }
  workers: { id: string; concurrency: number; seen_at: number }
  deliveries: {
    id: string
    team_id: string
    job_id: string
    event: string
    url: string
    headers: string
    state: WebhookDeliveryState
    attempts: number
    next_at: number
    status: number | null
    error: string | null
    created_at: number
    ended_at: number | null
    expires_at: number
    body: string
    key_id: string | null
    tries: Generated<string>
  }
  activity: {
    id: string
    team_id: string
    key_id: string | null
    job_id: string | null
    endpoint: string
    api_version: string
    at: number
    /** Null without a target, or with zero data retention. */
    target: string | null
    /** From `auditMetadata`. */
    username: string | null
    status: number
    ms: number
    engine: string | null
    error: string | null
  }
  /** Sums per UTC day, key (or the empty text) and endpoint. */
  usage_days: {
    day: number
    team_id: string
    key_id: string
    endpoint: string
    /** Moved here from the ledger by the sweep; younger rows are still there. */
    credits: Generated<number>
    requests: Generated<number>
    errors: Generated<number>
    by_cache: Generated<number>
    by_http: Generated<number>
    by_browser: Generated<number>
    by_upload: Generated<number>
    model_tokens: Generated<number>
    model_cost: Generated<number>
  }
  audit_log: {
    id: string
    at: number
    team_id: string | null
    actor: string
    action: string
    subject: string | null
    details: string
  }
  feedback: {
    id: string
    team_id: string
    key_id: string | null
    job_id: string
    endpoint: string
    rating: string
    at: number
    body: string
  }
  browser_leases: { id: string; process: string; owner: string; since: number; until: number }
}

export type JobState = 'scraping' | 'completed' | 'failed' | 'cancelled'
export type PageState = 'queued' | 'active' | 'done' | 'failed' | 'dropped'
type WebhookDeliveryState = 'pending' | 'delivered' | 'dead'

export type Db = Kysely<Tables>
/** A running transaction. Methods that take one do all their work on it. */
export type Tx = Transaction<Tables>
export type Dialect = 'sqlite' | 'postgres'

export function toBuffer(value: Uint8Array | ArrayBuffer): Buffer {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(value)
}

/** A literal, not a parameter: SQLite uses a partial index only for a constant. */
export const stateIs = (state: JobState | PageState | WebhookDeliveryState) => sql<boolean>`state = ${sql.lit(state)}`

export function inTransaction<T>(db: Db, tx: Tx | undefined, work: (tx: Tx) => Promise<T>): Promise<T> {
  return tx ? work(tx) : db.transaction().execute(work)
}

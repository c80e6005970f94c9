// The typed tables, one interface each, as both dialects hold them. Times are epoch milliseconds; ids are UUIDv7 text.
// Only store/ may import this file.
import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'

export type ZeroDataRetention = 'off' | 'allowed' | 'forced'
export type LedgerKind = 'reserve' | 'settle' | 'release' | 'grant'

/** Bytes go in as an array; SQLite hands back an ArrayBuffer, PostgreSQL a Buffer: read them with `bytesOf`. */
type Bytes = ColumnType<Uint8Array | ArrayBuffer | null, Uint8Array | null, Uint8Array | null>

export interface Tables {
  teams: {
    id: string
    name: string
    plan: string
    zero_data_retention: ZeroDataRetention
    created_at: number
  }
  api_keys: {
    id: string
    team_id: string
    name: string
    hash: string
    hint: string
    created_at: number
    revoked_at: number | null
  }
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
    /** Everything of the Capture but its body, as JSON. */
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
    /** Until then at least, even when no capture leads here any more: some scrape may refer to it. */
    keep_until: number
    bytes: number
    body: string
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
    /** Null: it lives as long as the capture whose body it is. */
    expires_at: number | null
  }
  uploads: {
    id: string
    team_id: string
    filename: string
    content_type: string
    created_at: number
    expires_at: number
    /** Null until the file has come. */
    blob_id: string | null
  }
  settings: { name: string; value: string }
}

export type Db = Kysely<Tables>
/** A running transaction. Verbs that take one do all their work on it. */
export type Tx = Transaction<Tables>
export type Dialect = 'sqlite' | 'postgres'

export function bytesOf(value: Uint8Array | ArrayBuffer): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array(value)
}

/** Runs `work` on the caller's transaction, or on one of its own. */
export function within<T>(db: Db, tx: Tx | undefined, work: (tx: Tx) => Promise<T>): Promise<T> {
  return tx ? work(tx) : db.transaction().execute(work)
}

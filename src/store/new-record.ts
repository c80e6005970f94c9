// The input of recording one scrape.
import type { Capture } from '../base/page.ts'
import type { OutboxKind } from './search-index.ts'
import type { NewSnapshot } from './snapshots.ts'

/** Location of a capture's body. `keepBody` makes it before the transaction, since it may write a file. */
export type KeptBody = { inline: Uint8Array } | { blobId: string; bytes: number }

export interface NewScrape {
  id: string
  teamId: string
  keyId: string | null
  url: string
  options: unknown
  /** Metadata of this scrape alone: its id, credits, cache state, … */
  overlay: unknown
  explain: unknown
  credits: number
  /** Default: one day. */
  lifeMs?: number
}

export interface NewRecord {
  scrape: NewScrape
  /** An existing document, or the JSON bytes of a new one without the scrape's own metadata. */
  /** `sealed`: encrypted at rest. */
  document: { id: string } | { digestKey: string; body: Uint8Array; sealed?: boolean }
  /** An existing capture, a new one, or none when the page must not be cached. */
  capture: { id: string } | { cacheKey: string; capture: Capture; body: KeptBody } | undefined
  /** State of a tracked page, stored in the same transaction as the scrape that saw it. */
  snapshot?: NewSnapshot | undefined
  /** Absent when searches must not find it. */
  findable?: { url: string; at: number; kind: OutboxKind } | undefined
}

// What is written down of one scrape.
import type { Capture } from '../base/page.ts'
import type { OutboxKind } from './search-index.ts'
import type { NewSnapshot } from './snapshots.ts'

/** Where a capture's body is kept: made by `keepBody` before the transaction, since it may write a file. */
export type KeptBody = { inline: Uint8Array } | { blobId: string; bytes: number }

export interface NewScrape {
  id: string
  teamId: string
  keyId: string | null
  url: string
  options: unknown
  /** The metadata that is this scrape's own: its id, its credits, its cache state, … */
  overlay: unknown
  explain: unknown
  credits: number
  /** How long it can be asked for; a day unless said otherwise. */
  lifeMs?: number
}

export interface NewRecord {
  scrape: NewScrape
  /** A document that was found, or the JSON bytes of a new one, without the scrape's own metadata. */
  /** `sealed`: nobody who reads the disk may read it. */
  document: { id: string } | { digestKey: string; body: Uint8Array; sealed?: boolean }
  /** A capture that was found, a new one, or none when the page must not be cached. */
  capture: { id: string } | { cacheKey: string; capture: Capture; body: KeptBody } | undefined
  /** How a tracked page looks now; kept together with the scrape that saw it, so that neither is known without the other. */
  snapshot?: NewSnapshot | undefined
  /** Absent when it must not be found by searches. */
  findable?: { url: string; at: number; kind: OutboxKind } | undefined
}

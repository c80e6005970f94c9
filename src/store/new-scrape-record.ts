// The input of recording one scrape.
import type { Capture } from '../base/visit-and-capture-types.ts'
import type { SearchOutboxKind } from './search-outbox.ts'
import type { NewTrackedSnapshot } from './tracked-page-snapshots.ts'

/** Made by `keepBody` before the transaction, since it may write a file. */
export type KeptBody = { inline: Uint8Array } | { blobId: string; bytes: number }

interface NewScrape {
  id: string
  teamId: string
  keyId: string | null
  url: string
  /** An object that is not changed afterwards: its headers are sealed, and its text is kept for the next scrape. */
  options: object | null
  /** JSON texts. */
  overlay: string
  explain: string | null
  credits: number
  lifeMs?: number
}

/** The document to index for search when the scrape's own holds other text. Without a body: it is stored already. */
export interface MainTextDocument {
  digestKey: string
  body: Uint8Array | undefined
}

export interface NewScrapeRecord {
  scrape: NewScrape
  /** The body of a new document excludes the scrape's own metadata. */
  /** `sealed`: encrypted at rest. */
  /** `keepUntil`: as the lookup found it. */
  document: { id: string; keepUntil?: number } | { digestKey: string; body: Uint8Array; sealed?: boolean }
  capture: { id: string } | { cacheKey: string; capture: Capture; body: KeptBody } | undefined
  snapshot?: NewTrackedSnapshot | undefined
  findable?: { url: string; at: number; kind: SearchOutboxKind; by?: MainTextDocument } | undefined
}

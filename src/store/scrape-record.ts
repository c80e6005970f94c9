// The input of recording one scrape.
import type { Capture } from '../base/page.ts'
import type { OutboxKind } from './search-outbox.ts'
import type { NewSnapshot } from './snapshots.ts'

/** Made by `keepBody` before the transaction, since it may write a file. */
export type KeptBody = { inline: Uint8Array } | { blobId: string; bytes: number }

interface NewScrape {
  id: string
  teamId: string
  keyId: string | null
  url: string
  options: unknown
  overlay: unknown
  /** JSON text. */
  explain: string | null
  credits: number
  lifeMs?: number
}

/** The document that a page is found by, when the scrape's own has another text; without a body, one that is stored. */
export interface MainText {
  digestKey: string
  body: Uint8Array | undefined
}

export interface NewRecord {
  scrape: NewScrape
  /** The body of a new document excludes the scrape's own metadata. */
  /** `sealed`: encrypted at rest. */
  document: { id: string } | { digestKey: string; body: Uint8Array; sealed?: boolean }
  capture: { id: string } | { cacheKey: string; capture: Capture; body: KeptBody } | undefined
  snapshot?: NewSnapshot | undefined
  findable?: { url: string; at: number; kind: OutboxKind; by?: MainText } | undefined
}

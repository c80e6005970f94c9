// What a provider of hits is: one file in providers/ and one line in its list. It says which queries suit it and how to ask;
// its budget, its health and whether it is asked at all are the caller's business (health.ts).
import type { SearchSource } from '../../base/search.ts'
import type { ParsedQuery } from '../../search/engine/query.ts'

export interface ProviderQuery {
  /** What people typed, without operators. */
  text: string
  /** The same as a search engine that knows operators is asked. */
  full: string
  parsed: ParsedQuery
  source: SearchSource
  limit: number
  lang: string | undefined
  country: string | undefined
  includeDomains: readonly string[]
  excludeDomains: readonly string[]
  categories: readonly string[]
  /** Epoch milliseconds. */
  from: number | undefined
  until: number | undefined
  safe: boolean
}

/** A hit as a provider tells it; the first is its best. */
export interface ProviderHit {
  url: string
  title: string
  snippet: string
  date?: number
  imageUrl?: string
  imageWidth?: number
  imageHeight?: number
}

export interface ProviderRequest {
  url: string
  method?: 'GET' | 'POST' | 'PUT'
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Pretends to be a browser: for pages that are made for people. */
  asBrowser?: boolean
}

export interface ProviderReply {
  status: number
  headers: Readonly<Record<string, string>>
  text: string
}

/** Fetches through the one door; fails like every fetch does. */
export type AskWeb = (ask: ProviderRequest, signal: AbortSignal) => Promise<ProviderReply>

export interface ProviderSettings {
  /** Base addresses by provider's name, for installations behind a mirror. */
  bases: ReadonlyMap<string, string>
  keys: ReadonlyMap<string, string>
}

export interface Provider {
  name: string
  /** Where it stands. */
  base: string
  /** `own`: an address or key of the operator's; `open`: anybody may ask. */
  kind: 'own' | 'open'
  sources: readonly SearchSource[]
  /** 0: not for this query; 1: made for it. */
  suits(query: ProviderQuery): number
  /** May be asked this often in a minute. */
  perMinute: number
  ask(query: ProviderQuery, base: string, web: AskWeb, signal: AbortSignal): Promise<ProviderHit[]>
}

/** A provider that answered, but not with hits: what follows for it is decided by its kind. */
export class ProviderTrouble extends Error {
  readonly kind: 'busy' | 'captcha' | 'blocked' | 'changed' | 'failed'
  /** For `busy`, when it says so. */
  readonly retryAfterSeconds: number | undefined
  constructor(kind: ProviderTrouble['kind'], message: string, retryAfterSeconds?: number) {
    super(message)
    this.kind = kind
    this.retryAfterSeconds = retryAfterSeconds
  }
}

// A search provider: one file in providers/ and one line in its list.
import type { SearchHit, SearchSource } from '../../base/search-types.ts'
import type { ParsedQuery } from '../../search/engine/parse-query.ts'

export interface ProviderQuery {
  text: string
  /** The query for engines that support operators. */
  full: string
  parsed: ParsedQuery
  source: SearchSource
  limit: number
  lang: string | undefined
  country: string | undefined
  includeDomains: readonly string[]
  excludeDomains: readonly string[]
  categories: readonly string[]
  from: number | undefined
  until: number | undefined
  safe: boolean
}

export interface ProviderHit
  extends Pick<SearchHit, 'url' | 'title' | 'date' | 'imageUrl' | 'imageWidth' | 'imageHeight'> {
  snippet: string
}

export interface ProviderRequest {
  url: string
  method?: 'GET' | 'POST' | 'PUT'
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Sends browser headers, for HTML result pages. */
  asBrowser?: boolean
}

export type ProviderReply = { status: number; headers: Readonly<Record<string, string>>; text: string }

export type ProviderFetch = (ask: ProviderRequest, signal: AbortSignal) => Promise<ProviderReply>

export interface Provider {
  name: string
  base: string
  sources: readonly SearchSource[]
  suits(query: ProviderQuery): number
  perMinute: number
  ask(query: ProviderQuery, base: string, web: ProviderFetch, signal: AbortSignal): Promise<ProviderHit[]>
}

/** A response without hits; its kind decides the consequences. */
export class ProviderError extends Error {
  readonly kind: 'busy' | 'captcha' | 'blocked' | 'changed' | 'failed'
  readonly retryAfterSeconds: number | undefined
  constructor(kind: ProviderError['kind'], message: string, retryAfterSeconds?: number) {
    super(message)
    this.kind = kind
    this.retryAfterSeconds = retryAfterSeconds
  }
}

// Types of a web search, used by search, monitor and agent. Each caller charges for itself (base/prices.ts).

export type SearchSource = 'web' | 'news' | 'images'

export interface SearchRequest {
  teamId: string
  limit?: number
  sources?: readonly SearchSource[]
  /** `qdr:d`, `cdr:1,cd_min:…`, `sbd:1`: see docs/search.md. */
  tbs?: string
  includeDomains?: readonly string[]
  excludeDomains?: readonly string[]
  categories?: readonly string[]
  lang?: string
  country?: string
  location?: string
  /** Seen or dated since then, in epoch milliseconds. */
  since?: number
  timeoutMs?: number
  /** The query may not be stored or leave this machine. */
  zeroDataRetention?: boolean
}

export interface SearchHit {
  url: string
  title: string
  description: string
  position: number
  /** As the page states, in epoch milliseconds. */
  date?: number
  category?: string
  imageUrl?: string
  imageWidth?: number
  imageHeight?: number
  from: readonly string[]
  score: number
  why?: Readonly<Record<string, number>>
  /** Texts of links with query words that the page itself lacks. */
  byLinks?: readonly string[]
}

export interface SearchAnswer {
  web: SearchHit[]
  news: SearchHit[]
  images: SearchHit[]
  warning?: string
  asked: readonly ProviderOutcome[]
}

export interface ProviderOutcome {
  name: string
  state: 'answered' | 'empty' | 'failed' | 'late' | 'suspended'
  hits: number
  ms: number
  because?: string
}

/** Fails with `search_unavailable` when no source could answer. */
export type RunSearch = (query: string, request: SearchRequest, signal: AbortSignal) => Promise<SearchAnswer>

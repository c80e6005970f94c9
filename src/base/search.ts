// The search port of search, monitor and agent. Each caller charges for itself (base/prices.ts).

export type SearchSource = 'web' | 'news' | 'images'

export interface SearchRequest {
  /** Also searches this team's own pages. */
  teamId: string
  /** Per source; default 10. */
  limit?: number
  /** Default `['web']`. */
  sources?: readonly SearchSource[]
  /** `qdr:d`, `cdr:1,cd_min:…`, `sbd:1`: see docs/search.md. */
  tbs?: string
  includeDomains?: readonly string[]
  excludeDomains?: readonly string[]
  /** `github`, `research`, `pdf`. */
  categories?: readonly string[]
  /** Hits in this language come first. */
  lang?: string
  country?: string
  location?: string
  /** Seen or dated since then, in epoch milliseconds. */
  since?: number
  /** Providers that take longer are left out and reported. */
  timeoutMs?: number
  /** The query may not be stored or leave this machine. */
  zeroDataRetention?: boolean
}

export interface SearchHit {
  url: string
  title: string
  description: string
  /** From 1. */
  position: number
  /** As the page states, in epoch milliseconds. */
  date?: number
  category?: string
  imageUrl?: string
  imageWidth?: number
  imageHeight?: number
  /** `index` is our own, the rest are providers. */
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
  /** Which sources failed, for people. */
  warning?: string
  /** The same for programs. */
  asked: readonly SearchAsked[]
}

export interface SearchAsked {
  name: string
  /** `suspended`: no request was sent. */
  state: 'answered' | 'empty' | 'failed' | 'late' | 'suspended'
  hits: number
  ms: number
  because?: string
}

/** Fails with `search_unavailable` when no source could answer. */
export type Search = (query: string, request: SearchRequest, signal: AbortSignal) => Promise<SearchAnswer>

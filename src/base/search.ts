// The search port that search, monitor and agent share. It does not charge; each caller does (base/prices.ts).

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
  /** Only pages seen or dated since then, in epoch milliseconds. */
  since?: number
  /** For the whole search; providers that are later are left out and reported. */
  timeoutMs?: number
  /** The query may not be stored or leave this machine. */
  zeroDataRetention?: boolean
}

export interface SearchHit {
  url: string
  title: string
  /** Passages that match the query, or the provider's description. */
  description: string
  /** From 1. */
  position: number
  /** Publication or change date that the page states, in epoch milliseconds. */
  date?: number
  category?: string
  imageUrl?: string
  imageWidth?: number
  imageHeight?: number
  /** `index` is our own, the rest are providers. */
  from: readonly string[]
  score: number
  /** Components of the score. */
  why?: Readonly<Record<string, number>>
  /** Texts of links to it that contain query words missing on the page itself. */
  byLinks?: readonly string[]
}

export interface SearchAnswer {
  web: SearchHit[]
  news: SearchHit[]
  images: SearchHit[]
  /** For people: which sources failed; absent when all answered. */
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
  /** Why it failed, or until when it is suspended. */
  because?: string
}

/** Fails with `search_unavailable` when no source could answer. */
export type Search = (query: string, wish: SearchRequest, signal: AbortSignal) => Promise<SearchAnswer>

// What one part of the service may ask of the search, and what it is told: the words that search, monitor and agent share.
// Nothing here charges; whoever asks pays in its own way (base/prices.ts).

export type SearchSource = 'web' | 'news' | 'images'

export interface SearchRequest {
  /** Whose pages are searched besides the open web. */
  teamId: string
  /** Most hits for each source; 10 unless told. */
  limit?: number
  /** `['web']` unless told. */
  sources?: readonly SearchSource[]
  /** `qdr:d`, `cdr:1,cd_min:…`, `sbd:1`: see docs/search.md. */
  tbs?: string
  includeDomains?: readonly string[]
  excludeDomains?: readonly string[]
  /** `github`, `research`, `pdf`. */
  categories?: readonly string[]
  /** `en`, `de`, …: hits in this language come first. */
  lang?: string
  country?: string
  location?: string
  /** Only pages seen or dated at or after this moment, in epoch milliseconds. */
  since?: number
  /** Milliseconds for the whole search; what has not answered by then is left out and named. */
  timeoutMs?: number
  /** Nothing of the query may be kept, or leave this machine. */
  zeroDataRetention?: boolean
}

/** One thing that was found, whatever it was found by. */
export interface SearchHit {
  url: string
  title: string
  /** The passages that answer the query, or what the provider said about it. */
  description: string
  /** 1 for the first. */
  position: number
  /** When the page says it was published or changed, in epoch milliseconds. */
  date?: number
  category?: string
  imageUrl?: string
  imageWidth?: number
  imageHeight?: number
  /** Who had it: `index` is our own, the rest are providers. */
  from: readonly string[]
  score: number
  /** What the score is made of. */
  why?: Readonly<Record<string, number>>
  /** Texts of links to it that have words of the query which the page itself has not. */
  byLinks?: readonly string[]
}

export interface SearchAnswer {
  web: SearchHit[]
  news: SearchHit[]
  images: SearchHit[]
  /** What was asked, what answered and what did not, for people; absent when all went as wanted. */
  warning?: string
  /** The same for programs. */
  asked: readonly SearchAsked[]
}

export interface SearchAsked {
  name: string
  /** `suspended` ones got no request. */
  state: 'answered' | 'empty' | 'failed' | 'late' | 'suspended'
  hits: number
  ms: number
  /** Why it failed, or until when it is left alone. */
  because?: string
}

/** Fails with `search_unavailable` when nothing at all could answer. */
export type Search = (query: string, wish: SearchRequest, signal: AbortSignal) => Promise<SearchAnswer>

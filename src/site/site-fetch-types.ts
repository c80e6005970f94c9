// Types of the functions that app.ts passes to site/: a fetch through the egress, and a page reader in worker threads.

interface SiteRequest {
  url: string
  headers: Readonly<Record<string, string>>
  /** Hosts besides that of `url` that keep the headers after a redirect. */
  credentialHosts?: readonly string[] | undefined
  maxBytes: number
}

export interface SiteResponse {
  url: string
  status: number
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  truncated: boolean
  /** When the site sent it, if it comes from the cache. */
  fetchedAt?: number
}

export type SiteFetch = (request: SiteRequest, signal: AbortSignal) => Promise<SiteResponse>

export interface ParsedSitePage {
  links: readonly string[]
  title: string | undefined
  description: string | undefined
}

export type ParseSitePage = (answer: SiteResponse, signal: AbortSignal) => Promise<ParsedSitePage>

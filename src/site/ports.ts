// The ports that app.ts provides to site/: a fetch through the egress, and a page reader in worker threads.

interface SiteRequest {
  url: string
  headers: Readonly<Record<string, string>>
  /** Hosts besides that of `url` that keep the headers after a redirect. */
  credentialHosts?: readonly string[] | undefined
  maxBytes: number
}

export interface SiteAnswer {
  url: string
  status: number
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  truncated: boolean
  /** When the site sent it, if it comes from the cache. */
  fetchedAt?: number
}

export type SiteFetch = (request: SiteRequest, signal: AbortSignal) => Promise<SiteAnswer>

export interface SitePage {
  links: readonly string[]
  title: string | undefined
  description: string | undefined
}

export type ReadPage = (answer: SiteAnswer, signal: AbortSignal) => Promise<SitePage>

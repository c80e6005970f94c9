// Types of the functions that app.ts passes to site/: a fetch through the egress, and a page reader in worker threads.
import type { Capture } from '../base/visit-and-capture-types.ts'
import type { EgressRequest } from '../fetch/egress.ts'

interface SiteRequest extends Pick<EgressRequest, 'url' | 'headers' | 'credentialHosts'> {
  maxBytes: number
}

export interface SiteResponse extends Pick<Capture, 'url' | 'status' | 'headers' | 'body' | 'truncated'> {
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

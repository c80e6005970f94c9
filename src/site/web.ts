// What site/ needs of the outside web, as app.ts introduces it: a fetch that goes through the one door, and a reader of
// pages that runs in the workshop's threads.

export interface SiteRequest {
  url: string
  headers: Readonly<Record<string, string>>
  maxBytes: number
}

export interface SiteAnswer {
  /** After redirects. */
  url: string
  status: number
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  truncated: boolean
  /** When a site answered this, if that was not just now. */
  fetchedAt?: number
}

/** Throws a Problem when nothing answers. */
export type SiteFetch = (request: SiteRequest, signal: AbortSignal) => Promise<SiteAnswer>

export interface SitePage {
  /** Absolute, each once, in the order of the page. */
  links: readonly string[]
  title: string | undefined
  description: string | undefined
}

export type ReadPage = (answer: SiteAnswer, signal: AbortSignal) => Promise<SitePage>

// The nouns that flow through the house: a Visit is asked of an engine, a Capture is what it brings home, a Document is
// what the caller receives.
import type { Action, ActionResults, ScreenshotOptions, Shot } from './actions.ts'
import type { Look } from './computed-style.ts'

/** Everything an engine may need to know about one page to fetch. */
/** What a site said of the page it sent, so that it can say next time that it is still the same. */
export interface Marks {
  etag?: string
  lastModified?: string
}

export interface Visit {
  /** Absolute, normalised http(s) address. */
  url: string
  /** Headers the caller asked to send; they win over the engine's own. */
  headers: Readonly<Record<string, string>>
  /** Locales in order of preference, for Accept-Language. */
  languages: readonly string[]
  country: string
  mobile: boolean
  blockAds: boolean
  waitForMs: number
  /** The caller named a location, so the page may learn where it is visited from. */
  geolocate: boolean
  /** Steps to run on the page before it is read; engines that give no actions ignore them. */
  actions: readonly Action[]
  screenshot?: ScreenshotOptions | undefined
  /** The audio or video of the page is wanted: a browser tells which files the page asked for. */
  media?: boolean
  /** The browser is to measure how the page looks. */
  look?: boolean
  /** What the browser remembers from earlier visits, as JSON; a capture brings back what it remembers then. */
  remembered?: string | undefined
  /** The marks of the page as it is known: a site may answer 304, without a body, when it is still that. */
  marks?: Marks
  skipTlsVerification: boolean
  proxy: 'basic' | 'enhanced' | 'auto'
  /** How the cache may answer; engines other than the cache ignore it. */
  cache: CacheOptions
  /** The caller may go where others may not, so what is kept of it is kept apart. */
  apart?: true
  /** Nobody waits for the page after this moment, in milliseconds of `performance.now()`. */
  endsAt?: number
  /** Whose share of what is scarce it takes. */
  team?: string
}

export interface CacheOptions {
  /** False: the cache is not consulted at all (actions, change tracking, …). */
  read: boolean
  maxAgeMs: number
  minAgeMs: number | undefined
  /** Only the cache may answer: `minAge` or `lockdown`. */
  only: boolean
}

export interface Hop {
  url: string
  status: number
  location: string
}

/** What an engine can give beyond plain bytes; plans ask for gives, engines declare them. */
export type Give = 'bytes' | 'rendered' | 'screenshot' | 'look' | 'actions' | 'mobile' | 'memory' | 'cached'

/** The bytes of a page as one engine received them. */
export interface Capture {
  engine: string
  /** Final address after all redirects. */
  url: string
  status: number
  /** Lower-case names; a repeated header is joined with a comma. */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  /** True when the body was cut at the byte budget. */
  truncated: boolean
  hops: readonly Hop[]
  proxyUsed: 'basic' | 'stealth'
  timings: { dnsMs?: number; firstByteMs?: number; totalMs: number }
  /** When the bytes left the origin, in epoch milliseconds. */
  fetchedAt: number
  warnings: readonly string[]
  screenshot?: Shot
  look?: Look
  /** Addresses of audio, video and manifests that the page asked for while a browser showed it. */
  requests?: readonly string[]
  actions?: ActionResults
  /** What the browser remembers after a visit that brought memories, as JSON. */
  remembers?: string
  /** Set when the capture came out of the page cache: the row it is. */
  cacheId?: string
}

export type MetadataValue = string | string[] | number | boolean | null

/** The answer to a scrape: `metadata` always, the rest as the formats asked. */
export interface Document {
  metadata: Record<string, MetadataValue>
  warning?: string
  [field: string]: unknown
}

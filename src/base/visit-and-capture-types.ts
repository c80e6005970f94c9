// The main types: an engine receives a Visit and returns a Capture; the caller receives a Document.
import type {
  ActionResults,
  BrowserAction,
  ScreenshotOptions,
  ScreenshotOrPdf,
  ScrollOptions,
} from './browser-action-types.ts'
import type { ComputedStyle } from './computed-style.ts'
import type { NetworkOptions, NetworkRecord } from './network-responses.ts'

export interface CacheValidators {
  etag?: string
  lastModified?: string
  /** Hash of the body: the same bytes need not be read again. */
  body?: string
}

export interface Visit {
  url: string
  headers: Readonly<Record<string, string>>
  /** Hosts that get `headers` besides the origin of `url`. */
  credentialHosts?: readonly string[] | undefined
  languages: readonly string[]
  country: string
  mobile: boolean
  blockAds: boolean
  waitForMs: number
  geolocate: boolean
  actions: readonly BrowserAction[]
  /** Keep the files that the page offers for download during actions. */
  downloads?: boolean
  screenshot?: ScreenshotOptions | undefined
  /** The browser records which media files the page loads. */
  media?: boolean
  computedStyle?: boolean
  scroll?: ScrollOptions
  /** The browser records JSON responses that the page fetches. */
  network?: NetworkOptions | undefined
  remembered?: string | undefined
  /** Of the cached page: the site may respond 304 without a body. */
  marks?: CacheValidators
  /** Nothing but text is wanted, so the site may send markdown instead of HTML. */
  acceptsMarkdown?: boolean
  skipTlsVerification: boolean
  proxy: 'basic' | 'enhanced' | 'auto'
  cache: PageCacheOptions
  /** The caller reaches private networks or has proxies of its own, so its cache entries are kept separate. */
  apart?: string
  endsAt?: number
  /** Team charged for browser and thread quota. */
  team?: string
}

export interface PageCacheOptions {
  read: boolean
  maxAgeMs: number
  minAgeMs: number | undefined
  only: boolean
}

export interface RedirectHop {
  url: string
  status: number
  location: string
}

export type EngineAbility =
  | 'bytes'
  | 'rendered'
  | 'screenshot'
  | 'computedStyle'
  | 'actions'
  | 'mobile'
  | 'memory'
  | 'cached'

export interface Capture {
  engine: string
  url: string
  status: number
  /** Lower-case names; repeated headers are joined with a comma. */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  /** The body was cut at the byte budget. */
  truncated: boolean
  hops: readonly RedirectHop[]
  proxyUsed: 'basic' | 'stealth'
  timings: { dnsMs?: number; firstByteMs?: number; totalMs: number }
  /** When the origin sent the bytes, in epoch milliseconds. */
  fetchedAt: number
  warnings: readonly string[]
  /** The body is what the server sent, because scripts left less text in the browser. */
  asSent?: boolean
  screenshot?: ScreenshotOrPdf
  computedStyle?: ComputedStyle
  /** Media files and manifests that the page requested in the browser. */
  requests?: readonly string[]
  network?: NetworkRecord
  actions?: ActionResults
  remembers?: string
  cacheId?: string
}

/** Wraps an uploaded file as a capture, as if it had been fetched. */
export const makeUploadCapture = (file: {
  url: string
  contentType: string
  body: Uint8Array
  fetchedAt: number
}): Capture => ({
  engine: 'upload',
  url: file.url,
  status: 200,
  headers: { 'content-type': file.contentType },
  body: file.body,
  truncated: false,
  hops: [],
  proxyUsed: 'basic',
  timings: { totalMs: 0 },
  fetchedAt: file.fetchedAt,
  warnings: [],
})

/** The address of a file that has none. */
export const makeFileUrl = (name: string): string => `file:///${encodeURIComponent(name)}`

export type MetadataValue = string | string[] | number | boolean | null

export interface Document {
  metadata: Record<string, MetadataValue>
  warning?: string
  [field: string]: unknown
}

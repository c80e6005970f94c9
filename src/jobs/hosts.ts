// Manners towards sites: a host that says it is busy (429, 503) is left alone for as long as it asks, or ever longer when
// it does not say. Per process and bounded: what is forgotten is learned again by one answer.
import { LRUCache } from 'lru-cache'

/** Hosts remembered; the longest unheard-of go first. */
const MAX_HOSTS = 10_000
const FIRST_REST_MS = 2_000
/** No site may put a page off for longer than this at a time. */
const MAX_REST_MS = 10 * 60_000

export interface Hosts {
  /** Milliseconds until this host may be visited again; 0: now. */
  restMs(host: string, now: number): number
  /** The host said it is busy; returns for how long it is left alone. */
  busy(host: string, askedSeconds: number | undefined, now: number): number
  /** It answered well. */
  fine(host: string): void
}

export function openHosts(): Hosts {
  const known = new LRUCache<string, { until: number; strikes: number }>({ max: MAX_HOSTS })
  return {
    restMs: (host, now) => Math.max(0, (known.get(host)?.until ?? 0) - now),
    busy(host, askedSeconds, now) {
      const before = known.get(host)
      // Pages that were under way together say it together: that is one strike.
      const again = before !== undefined && before.until > now
      const strikes = again ? before.strikes : (before?.strikes ?? 0) + 1
      const asked = askedSeconds === undefined ? FIRST_REST_MS * 2 ** Math.min(10, strikes - 1) : askedSeconds * 1000
      const restMs = Math.min(MAX_REST_MS, Math.max(asked, again ? before.until - now : 0))
      known.set(host, { until: now + restMs, strikes })
      return restMs
    },
    fine(host) {
      known.delete(host)
    },
  }
}

/** What a Retry-After header asks for, in seconds: a number or a date. */
export function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}

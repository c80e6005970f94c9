// Backoff for hosts that respond 429 or 503: their Retry-After, or exponential. Per process and bounded.
import { LRUCache } from 'lru-cache'

const MAX_HOSTS = 10_000
const FIRST_REST_MS = 2_000
/** Limit of one delay, whatever the site requests. */
const MAX_REST_MS = 10 * 60_000

export interface Hosts {
  /** Milliseconds; 0: now. */
  restMs(host: string, now: number): number
  /** Returns the delay in milliseconds. */
  busy(host: string, askedSeconds: number | undefined, now: number): number
  fine(host: string): void
}

export function openHosts(): Hosts {
  const known = new LRUCache<string, { until: number; strikes: number }>({ max: MAX_HOSTS })
  return {
    restMs: (host, now) => Math.max(0, (known.get(host)?.until ?? 0) - now),
    busy(host, askedSeconds, now) {
      const before = known.get(host)
      // Responses of pages in flight together count as one strike.
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

export function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}

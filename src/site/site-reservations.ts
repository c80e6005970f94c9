// What a site reserves for its pages in robots.txt (Content-Signal) and /.well-known/tdmrep.json.

import { LRUCache } from 'lru-cache'
import { abortAfter } from '../base/abort-after.ts'
import { type Clock, DAY_MS } from '../base/clock.ts'
import type { Reservation } from '../base/page-uses.ts'
import { MAX_ROBOTS_BYTES } from '../content/parse-robots.ts'
import { parseTdmrep } from '../content/read-reservations.ts'
import type { RobotsCache } from './fetch-robots.ts'
import type { SiteFetch } from './site-fetch-types.ts'

/** A file that cannot be read reserves nothing. */
type ReadSiteReservations = (url: string, signal: AbortSignal) => Promise<Reservation[]>

const MAX_ORIGINS = 1000
const TIMEOUT_MS = 10_000
const FAILURE_CACHE_MS = 60_000

export function makeSiteReservationReader(
  { robotsOf }: Pick<RobotsCache, 'robotsOf'>,
  fetch: SiteFetch,
  clock: Clock,
): ReadSiteReservations {
  const known = new LRUCache<string, { until: number; of: (url: string) => Reservation[] }>({ max: MAX_ORIGINS })
  async function tdmrepOf(origin: string, signal: AbortSignal) {
    const kept = known.get(origin)
    if (kept && kept.until > clock.now()) return kept.of
    const within = AbortSignal.any([signal, abortAfter(TIMEOUT_MS)])
    const request = { url: `${origin}/.well-known/tdmrep.json`, headers: {}, maxBytes: MAX_ROBOTS_BYTES }
    const response = await fetch(request, within).catch(() => signal.throwIfAborted())
    const isFile = response?.status === 200 && !response.truncated
    const of = parseTdmrep(isFile ? new TextDecoder().decode(response.body) : '')
    const lasts = response && response.status < 500 ? DAY_MS : FAILURE_CACHE_MS
    known.set(origin, { until: clock.now() + lasts, of })
    return of
  }
  return async (url, signal) => {
    const [robots, tdmrep] = await Promise.all([robotsOf(url, {}, signal), tdmrepOf(new URL(url).origin, signal)])
    const uses = robots.reserves(url)
    return [...(uses.length > 0 ? [{ uses, by: 'Content-Signal in robots.txt' }] : []), ...tdmrep(url)]
  }
}

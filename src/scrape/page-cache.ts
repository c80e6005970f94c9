// Adapts the store to the cache engine: a stored page matches when its age fits the visit's cache options.

import type { Clock } from '../base/clock.ts'
import type { CacheOptions, Visit } from '../base/page.ts'
import type { PageCache } from '../fetch/cache.ts'
import type { Pages } from '../store/pages.ts'
import { cacheKeyOf } from './plan.ts'

export const pageCache = (pages: Pick<Pages, 'findCapture'>, clock: Clock): PageCache => ({
  async find(visit: Visit) {
    if (!mayAsk(visit.cache)) return undefined
    const capture = await pages.findCapture(cacheKeyOf(visit))
    return capture && fits(visit.cache, capture.fetchedAt, clock.now()) ? capture : undefined
  },
})

export const mayAsk = ({ read, maxAgeMs }: CacheOptions): boolean => read && maxAgeMs > 0

export function fits({ maxAgeMs, minAgeMs = 0 }: CacheOptions, fetchedAt: number, now: number): boolean {
  const ageMs = now - fetchedAt
  return ageMs <= maxAgeMs && ageMs >= minAgeMs
}

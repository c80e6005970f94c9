// The store as the cache engine sees it: a kept page answers a visit when its age fits the visit's wish.
import type { Visit } from '../base/page.ts'
import type { Clock } from '../base/time.ts'
import type { PageCache } from '../fetch/cache.ts'
import type { Pages } from '../store/pages.ts'
import { cacheKeyOf } from './plan.ts'

export const pageCache = (pages: Pick<Pages, 'findCapture'>, clock: Clock): PageCache => ({
  async find(visit: Visit) {
    const { maxAgeMs, minAgeMs = 0 } = visit.cache
    if (maxAgeMs === 0) return undefined
    const capture = await pages.findCapture(cacheKeyOf(visit))
    const ageMs = capture ? clock.now() - capture.fetchedAt : Number.POSITIVE_INFINITY
    return ageMs <= maxAgeMs && ageMs >= minAgeMs ? capture : undefined
  },
})

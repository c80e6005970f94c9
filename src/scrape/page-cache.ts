// Adapts the store to the cache engine: a stored page matches when its age fits the visit's cache options.

import type { Clock } from '../base/clock.ts'
import type { Capture, PageCacheOptions, Visit } from '../base/visit-and-capture-types.ts'
import type { PageCache } from '../fetch/cache-engine.ts'
import type { PageStore } from '../store/captures-and-scrapes.ts'
import { cacheKeyOf } from './scrape-plan.ts'

export const makePageCache = (pages: Pick<PageStore, 'findCapture'>, clock: Clock): PageCache => ({
  async find(visit: Visit) {
    if (!mayReadCache(visit.cache)) return undefined
    const capture = await pages.findCapture(cacheKeyOf(visit))
    if (!capture || !isCacheAgeAllowed(visit.cache, capture.fetchedAt, clock.now())) return undefined
    return visit.acceptsMarkdown || visit.cache.only || !isMarkdownOfPage(capture) ? capture : undefined
  },
})

/** Sent instead of HTML to a visit that accepted it; a file of that type has no other form. */
const isMarkdownOfPage = ({ url, headers }: Capture): boolean =>
  /^text\/(?:x-)?markdown\b/i.test(headers['content-type'] ?? '') &&
  !/\.(?:md|mdx|markdown)$/i.test(new URL(url).pathname)

export const mayReadCache = ({ read, maxAgeMs }: PageCacheOptions): boolean => read && maxAgeMs > 0

export function isCacheAgeAllowed(
  { maxAgeMs, minAgeMs = 0 }: PageCacheOptions,
  fetchedAt: number,
  now: number,
): boolean {
  const ageMs = now - fetchedAt
  return ageMs <= maxAgeMs && ageMs >= minAgeMs
}

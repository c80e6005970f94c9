// The engine that answers from memory. What is kept, for how long and for whom is the store's business: it comes in
// through the PageCache port.
import type { Capture, Visit } from '../base/page.ts'
import type { Engine } from './engine.ts'

export interface PageCache {
  /** A capture that answers this visit as its `cache` wish allows, or nothing. */
  find(visit: Visit): Promise<Capture | undefined>
}

export function cacheEngine(pages: PageCache): Engine {
  return {
    name: 'cache',
    // A kept capture was made by some engine for the same options, so it serves whatever that visit asked for.
    gives: ['cached', 'bytes', 'rendered', 'mobile'],
    cost: 0,
    fetch: (visit) => (visit.cache.read ? pages.find(visit) : Promise.resolve(undefined)),
  }
}

// The cache engine: returns stored captures. The store decides retention and visibility, through the PageCache port.
import type { Capture, Visit } from '../base/visit-and-capture-types.ts'
import type { FetchEngine } from './fetch-engine.ts'

export interface PageCache {
  find(visit: Visit): Promise<Capture | undefined>
}

export function makeCacheEngine(pages: PageCache): FetchEngine {
  return {
    name: 'cache',
    // A stored capture was made with the same options, so it satisfies the same visit. Of actions only the presses that
    // are part of the URL are cached: a visit with a caller's own does not read the cache.
    gives: ['cached', 'bytes', 'rendered', 'mobile', 'actions'],
    cost: 0,
    fetch: (visit) => (visit.cache.read ? pages.find(visit) : Promise.resolve(undefined)),
  }
}

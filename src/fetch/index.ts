// The list of engines.
import { cacheEngine, type PageCache } from './cache.ts'
import type { Egress } from './egress.ts'
import type { Engine } from './engine.ts'
import { httpEngine } from './http.ts'

export function engines({ egress, pageCache }: { egress: Egress; pageCache: PageCache }): readonly Engine[] {
  return [cacheEngine(pageCache), httpEngine(egress)]
}

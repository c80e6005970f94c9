// The list of engines.

import type { Disguise } from './browser-fingerprint.ts'
import { cacheEngine, type PageCache } from './cache.ts'
import type { Egress } from './egress.ts'
import type { Engine } from './engine.ts'
import { httpEngine } from './http.ts'

interface EngineParts {
  egress: Egress
  pageCache: PageCache
  browser?: Engine
  disguise?: Disguise
}

export function engines({ egress, pageCache, browser, disguise }: EngineParts): readonly Engine[] {
  return [cacheEngine(pageCache), httpEngine(egress, disguise), ...(browser ? [browser] : [])]
}

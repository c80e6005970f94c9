// The list of engines.

import type { BrowserTlsTransport } from './browser-tls-fingerprint.ts'
import { makeCacheEngine, type PageCache } from './cache-engine.ts'
import type { Egress } from './egress.ts'
import type { FetchEngine } from './fetch-engine.ts'
import { makeHttpEngine } from './http-engine.ts'

interface EngineParts {
  egress: Egress
  pageCache: PageCache
  browser?: FetchEngine
  /** Never together with an identity of our own. */
  disguise?: BrowserTlsTransport | undefined
  browserFound?: () => Promise<unknown>
}

export function listEngines({
  egress,
  pageCache,
  browser,
  disguise,
  browserFound,
}: EngineParts): readonly FetchEngine[] {
  return [makeCacheEngine(pageCache), makeHttpEngine(egress, disguise, browserFound), ...(browser ? [browser] : [])]
}

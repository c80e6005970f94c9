// Caches which documents were indexed recently, so that a cache hit does not enter the outbox again.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'

/** Short: another process may have removed the document from the index. */
const CACHE_MS = 5 * 60_000
const MOST = 20_000
/** Each set of options makes a document of its own. */
const MAX_DOCUMENTS_PER_PAGE = 10

interface NotedDocument {
  teamId: string
  documentId: string
  kind: string
  url: string
}

interface RecentlyIndexedCache {
  has(document: NotedDocument): boolean
  add(documents: readonly NotedDocument[]): void
  clear(): void
}

export function openRecentlyIndexedCache(clock: Clock): RecentlyIndexedCache {
  /** By page, so that all its documents are forgotten when it is gone. */
  const pages = new LRUCache<string, Map<string, number>>({ max: MOST })
  const pageOf = ({ teamId, url }: NotedDocument) => `${teamId} ${url}`
  const nameOf = ({ documentId, kind }: NotedDocument) => `${documentId} ${kind}`
  return {
    has(document) {
      const since = pages.get(pageOf(document))?.get(nameOf(document))
      return since !== undefined && Math.abs(clock.now() - since) < CACHE_MS
    },
    add(documents) {
      for (const document of documents) {
        const page = pageOf(document)
        const known = pages.get(page)
        // Never skip `gone`: the page may have come back in between.
        if (document.kind === 'gone') pages.delete(page)
        else if (known && known.size < MAX_DOCUMENTS_PER_PAGE) known.set(nameOf(document), clock.now())
        else pages.set(page, new Map([[nameOf(document), clock.now()]]))
      }
    },
    clear: () => pages.clear(),
  }
}

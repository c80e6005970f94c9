// Caches which documents were indexed lately, so that a cache hit does not enter the outbox again.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/time.ts'

/** Short: another process may have removed the document from the index. */
const REMEMBER_MS = 5 * 60_000
const MOST = 20_000

interface NotedDocument {
  teamId: string
  documentId: string
  kind: string
  url: string
}

interface IndexedLately {
  has(document: NotedDocument): boolean
  add(documents: readonly NotedDocument[]): void
  /** Call after removing pages from the index. */
  clear(): void
}

export function indexedLately(clock: Clock): IndexedLately {
  const at = new LRUCache<string, number>({ max: MOST })
  const nameOf = ({ teamId, documentId, kind, url }: NotedDocument) => `${teamId} ${documentId} ${kind} ${url}`
  return {
    has(document) {
      const since = at.get(nameOf(document))
      return since !== undefined && Math.abs(clock.now() - since) < REMEMBER_MS
    },
    add(documents) {
      // Never skip `gone`: the page may have come back in between.
      for (const document of documents) if (document.kind !== 'gone') at.set(nameOf(document), clock.now())
    },
    clear: () => at.clear(),
  }
}

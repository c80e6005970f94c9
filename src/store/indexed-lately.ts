// Which documents this process has put into the search index lately. An answer from the cache is the document that is there
// already: it need not be written down, looked at and left alone each time that somebody asks for it.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/time.ts'

/** Short: another process may have taken the document out of the index. */
const REMEMBER_MS = 5 * 60_000
const MOST = 20_000

interface NotedDocument {
  teamId: string
  documentId: string
  kind: string
  url: string
}

export interface IndexedLately {
  has(document: NotedDocument): boolean
  add(documents: readonly NotedDocument[]): void
  /** Something was taken out of the index: what is asked for again is to be put in again. */
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
      // That a page is gone is said each time: it may have come back in between.
      for (const document of documents) if (document.kind !== 'gone') at.set(nameOf(document), clock.now())
    },
    clear: () => at.clear(),
  }
}

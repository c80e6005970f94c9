// The outbox of the search index: each result notes its page in its own transaction.
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { compileStatementOnce } from './compiled-statements.ts'
import type { Db, Tx } from './tables.ts'

/** Short: another process may have removed the document from the index. */
const CACHE_MS = 5 * 60_000
const MOST = 20_000
/** Each set of options makes a document of its own. */
const MAX_DOCUMENTS_PER_PAGE = 10

type NotedDocument = Omit<NewSearchOutboxEntry, 'at'>

/** Which documents were indexed recently, so that a cache hit does not enter the outbox again. */
function openRecentlyIndexedCache(clock: Clock) {
  /** By page, so that all its documents are forgotten when it is gone. */
  const pages = new LRUCache<string, Map<string, number>>({ max: MOST })
  const pageOf = ({ teamId, url }: NotedDocument) => `${teamId} ${url}`
  const nameOf = ({ documentId, kind }: NotedDocument) => `${documentId} ${kind}`
  return {
    has(document: NotedDocument): boolean {
      const since = pages.get(pageOf(document))?.get(nameOf(document))
      return since !== undefined && Math.abs(clock.now() - since) < CACHE_MS
    },
    add(documents: readonly NotedDocument[]): void {
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

/** `private` pages, such as uploads, are visible to their team only, whatever their host. */
export type SearchOutboxKind = 'page' | 'private' | 'gone'

export interface NewSearchOutboxEntry {
  teamId: string
  url: string
  documentId: string
  at: number
  kind: SearchOutboxKind
}

export type SearchOutbox = ReturnType<typeof openSearchOutbox>

export function openSearchOutbox(db: Db, clock: Clock, isUsed: boolean) {
  const insertOutbox = compileStatementOnce(({ teamId, url, documentId, at, kind }: NewSearchOutboxEntry) =>
    sql`insert into search_outbox (team_id, url, document_id, at, kind)
      select cast(${teamId} as text), cast(${url} as text), cast(${documentId} as text), cast(${at} as bigint), cast(${kind} as text)
      where ${kind} = 'gone' or not exists
        (select 1 from search_outbox where document_id = ${documentId} and team_id = ${teamId} and kind = ${kind})`.compile(
      db,
    ),
  )
  const lately = openRecentlyIndexedCache(clock)
  let age = 0
  return {
    async note(tx: Tx, page: NewSearchOutboxEntry) {
      if (!isUsed || lately.has(page)) return
      const { numAffectedRows } = await insertOutbox(tx, page)
      // Queued by a transaction that has committed: further cache hits need no query.
      if (numAffectedRows === 0n) lately.add([page])
    },
    indexed: (pages: readonly NewSearchOutboxEntry[]) => lately.add(pages),
    forgotten() {
      lately.clear()
      age += 1
    },
    age: () => age,
  }
}

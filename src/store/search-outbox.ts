// The outbox of the search index: each result notes its page in its own transaction.
import { sql } from 'kysely'
import type { Clock } from '../base/clock.ts'
import { compileStatementOnce } from './compiled-statements.ts'
import { openRecentlyIndexedCache } from './recently-indexed-documents.ts'
import type { Db, Tx } from './tables.ts'

/** `private` pages, such as uploads, are visible to their team only, whatever their host. */
export type SearchOutboxKind = 'page' | 'private' | 'gone'

export interface NewSearchOutboxEntry {
  teamId: string
  url: string
  documentId: string
  at: number
  kind: SearchOutboxKind
}

export interface SearchOutbox {
  note(tx: Tx, page: NewSearchOutboxEntry): Promise<void>
  indexed(pages: readonly NewSearchOutboxEntry[]): void
  forgotten(): void
  age(): number
}

export function openSearchOutbox(db: Db, clock: Clock, isUsed: boolean): SearchOutbox {
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
    async note(tx, page) {
      if (!isUsed || lately.has(page)) return
      const { numAffectedRows } = await insertOutbox(tx, page)
      // Queued by a transaction that has committed: further cache hits need no query.
      if (numAffectedRows === 0n) lately.add([page])
    },
    indexed: (pages) => lately.add(pages),
    forgotten() {
      lately.clear()
      age += 1
    },
    age: () => age,
  }
}

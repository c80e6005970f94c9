// What search stores: the index, votes on hits, and earlier versions of pages.
import type { Store } from '../../store/index.ts'
import { openSearchIndex, type SearchIndexStore } from './search-index.ts'
import { openPageVersions, type PageVersions } from './versions.ts'
import { openSearchVotes, type SearchVotes } from './votes.ts'

interface SearchStore {
  searchIndex: SearchIndexStore
  searchVotes: SearchVotes
  versions: PageVersions
}

const opened = new WeakMap<object, SearchStore>()

export function searchStore({ database, searchOutbox }: Pick<Store, 'database' | 'searchOutbox'>): SearchStore {
  const known = opened.get(database) ?? {
    searchIndex: openSearchIndex(database, searchOutbox),
    searchVotes: openSearchVotes(database.db, database.clock),
    versions: openPageVersions(database.db),
  }
  opened.set(database, known)
  return known
}

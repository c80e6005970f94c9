// What search stores: the index, votes on hits, and earlier versions of pages. The store fills the outbox in the
// transaction of each result.
import { defineStorage } from '../../store/storage.ts'
import { search } from './0620-search.ts'
import { pageVersions } from './0720-page-versions.ts'
import { searchLinks } from './0740-search-links.ts'
import { searchOnDemand } from './0790-search-on-demand.ts'
import { openSearchIndex } from './search-index.ts'
import { openPageVersions } from './versions.ts'
import { openSearchVotes } from './votes.ts'

export const searchStore = defineStorage({
  migrations: [search, pageVersions, searchLinks, searchOnDemand],
  open: (database) => ({
    searchIndex: openSearchIndex(database),
    searchVotes: openSearchVotes(database.db, database.clock),
    versions: openPageVersions(database.db),
  }),
  forget: [
    { table: 'search_outbox', urls: ['url'] },
    { table: 'search_votes', keys: ['url_key'] },
    { table: 'searches' },
    { table: 'search_teams', id: null },
    { table: 'search_segments' },
  ],
})

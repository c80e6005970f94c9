// What search stores: the index, votes on hits, and earlier versions of pages.
import { defineStorage } from '../../store/capability-storage.ts'
import { openPageVersions } from './page-versions.ts'
import { openSearchIndexStore } from './search-segments-and-outbox.ts'
import { openSearchVotes } from './search-votes.ts'

export const searchStore = defineStorage({
  open: (database) => ({
    searchIndex: openSearchIndexStore(database),
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

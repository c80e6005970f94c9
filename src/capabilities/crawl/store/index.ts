// What crawls and batches with `since` store, how long it lives, and how an address is forgotten.
import { DAY_MS } from '../../../base/clock.ts'
import { defineStorage } from '../../../store/capability-storage.ts'
import { syncedPagesMigration } from './0840-synced-pages.ts'
import { syncNoiseMigration } from './0860-sync-noise.ts'
import { syncChecksMigration } from './0900-sync-checks.ts'
import { openRecrawledPages } from './recrawled-pages.ts'

/** A series that no crawl used for this long begins anew. */
const LIFE_MS = 365 * DAY_MS

export const recrawledPageStore = defineStorage({
  migrations: [syncedPagesMigration, syncNoiseMigration, syncChecksMigration],
  open: ({ db, dialect, clock }) => openRecrawledPages(db, dialect, clock),
  expiry: [
    // Its pages go with it.
    { table: 'sync_series', time: 'used_at', afterMs: LIFE_MS, batch: 1 },
  ],
  forget: [
    {
      table: 'synced_pages',
      id: null,
      urls: ['url'],
      parent: { table: 'sync_series', column: 'series_id' },
    },
    { table: 'sync_noise', id: null, keys: ['last_key'], parent: { table: 'sync_series', column: 'series_id' } },
    { table: 'sync_series', urls: ['url'] },
  ],
})

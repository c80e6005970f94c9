// What crawls and batches with `since` store, how long it lives, and how an address is forgotten.
import { defineStorage } from '../../../store/storage.ts'
import { syncedPages } from './0840-synced-pages.ts'
import { syncNoise } from './0860-sync-noise.ts'
import { openSyncedPages } from './synced-pages.ts'

/** A series that no crawl used for this long begins anew. */
const LIFE_MS = 365 * 86_400_000

export const syncStore = defineStorage({
  migrations: [syncedPages, syncNoise],
  open: ({ db, dialect, clock }) => openSyncedPages(db, dialect, clock),
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

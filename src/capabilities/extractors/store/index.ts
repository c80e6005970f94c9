// What extractors store. They are kept until they are deleted, those that a model taught, and values of read pages, for a month.
import { DAY_MS } from '../../../base/clock.ts'
import { defineStorage } from '../../../store/capability-storage.ts'
import { modelTaughtMigration } from './0925-model-taught.ts'
import { extractorPagesMigration } from './0935-extractor-pages.ts'
import { openExtractorTable } from './extractors.ts'

export const extractorStore = defineStorage({
  migrations: [modelTaughtMigration, extractorPagesMigration],
  open: ({ db, clock }) => openExtractorTable(db, clock),
  forget: [
    { table: 'extractors', id: null, texts: ['body'] },
    { table: 'extractor_pages', urls: ['url'], texts: ['body'] },
  ],
  expiry: [
    { table: 'extractors', time: 'learnt_at', afterMs: 30 * DAY_MS },
    { table: 'extractor_pages', time: 'read_at', afterMs: 30 * DAY_MS },
  ],
  retention: [
    { setting: 'pages', table: 'extractors', time: 'learnt_at' },
    { setting: 'pages', table: 'extractor_pages', time: 'read_at' },
  ],
})

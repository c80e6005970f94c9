// Values that an extractor read before its site changed: what it is healed by.
import type { MigrationStep } from '../../../store/migrations/migration-step.ts'

export const extractorPagesMigration: MigrationStep = {
  name: '0935-extractor-pages',
  async up(db) {
    await db.schema
      .createTable('extractor_pages')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('extractor_id', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('read_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('extractor_pages_key')
      .on('extractor_pages')
      .columns(['team_id', 'extractor_id', 'url'])
      .unique()
      .execute()
    await db.schema.createIndex('extractor_pages_read_at').on('extractor_pages').columns(['read_at']).execute()
  },
}

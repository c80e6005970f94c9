// Feeds of list pages, and the entries that were seen.
import type { MigrationStep } from '../../../store/migrations/columns.ts'

export const feedsMigration: MigrationStep = {
  name: '0850-feeds',
  async up(db) {
    await db.schema
      .createTable('feeds')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('token', 'text', (column) => column.notNull().unique())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('every_ms', 'bigint', (column) => column.notNull())
      .addColumn('options', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('checked_at', 'bigint', (column) => column.notNull())
      .addColumn('error', 'text')
      .execute()
    await db.schema.createIndex('feeds_by_team').on('feeds').columns(['team_id', 'id']).execute()
    await db.schema
      .createTable('feed_items')
      .addColumn('feed_id', 'text', (column) => column.notNull().references('feeds.id').onDelete('cascade'))
      .addColumn('url_key', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('n', 'integer', (column) => column.notNull())
      .addColumn('first_at', 'bigint', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('feed_items_key', ['feed_id', 'url_key'])
      .execute()
  },
}

// What is known of pages that are crawled again and again, for crawls and batches with `since`.
import { bytesColumn, type MigrationStep } from '../../store/migrations/columns.ts'

export const syncedPagesMigration: MigrationStep = {
  name: '0840-synced-pages',
  async up(db, dialect) {
    await db.schema
      .createTable('sync_series')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('job_id', 'text')
      .addColumn('done_at', 'bigint')
      .addColumn('trust', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('used_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('sync_series_by_name', ['team_id', 'name'])
      .execute()
    await db.schema
      .createTable('synced_pages')
      .addColumn('series_id', 'text', (column) => column.notNull().references('sync_series.id').onDelete('cascade'))
      .addColumn('url_key', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('depth', 'integer', (column) => column.notNull())
      .addColumn('prints', bytesColumn(dialect), (column) => column.notNull())
      .addColumn('chars', 'integer', (column) => column.notNull())
      .addColumn('marks', 'text')
      .addColumn('listed_at', 'bigint')
      .addColumn('listed_by', 'text')
      .addColumn('read_at', 'bigint', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addColumn('first_at', 'bigint', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addColumn('gone_at', 'bigint')
      .addColumn('absences', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('unread', 'integer', (column) => column.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('synced_pages_key', ['series_id', 'url_key'])
      .execute()
  },
}

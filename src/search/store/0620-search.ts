// The search index: outbox, pages, segments, searches and votes on their hits.
import { autoIncrementColumn, bytesColumn, type MigrationStep } from '../../store/migrations/columns.ts'

export const search: MigrationStep = {
  name: '0620-search',
  async up(db, dialect) {
    await db.schema
      .createTable('search_outbox')
      // Ids are the versions of pages, so none may come twice: SQLite would count from one again in an empty table.
      .addColumn('id', autoIncrementColumn(dialect), (column) =>
        dialect === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey(),
      )
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('document_id', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('search_pages')
      .addColumn('number', autoIncrementColumn(dialect), (column) =>
        dialect === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey(),
      )
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('url_key', 'text', (column) => column.notNull())
      .addColumn('version', 'bigint', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('canonical', 'text')
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('language', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('dated', 'bigint')
      .addColumn('image', 'text')
      .addColumn('pictures', 'text', (column) => column.notNull())
      .addColumn('print', 'text', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addColumn('text', bytesColumn(dialect))
      .addUniqueConstraint('search_pages_by_url', ['team_id', 'url_key'])
      .execute()
    await db.schema.createIndex('search_pages_by_age').on('search_pages').column('seen_at').execute()
    await db.schema
      .createTable('search_segments')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('live', 'bigint', (column) => column.notNull())
      .addColumn('pages', 'bigint', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('search_segments_by_team').on('search_segments').columns(['team_id', 'live']).execute()
    await db.schema
      .createTable('search_segment_parts')
      .addColumn('segment_id', 'text', (column) =>
        column.notNull().references('search_segments.id').onDelete('cascade'),
      )
      .addColumn('n', 'bigint', (column) => column.notNull())
      .addColumn('body', bytesColumn(dialect), (column) => column.notNull())
      .addPrimaryKeyConstraint('search_segment_parts_key', ['segment_id', 'n'])
      .execute()
    await db.schema
      .createTable('searches')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('words', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('searches_by_age').on('searches').column('at').execute()
    await db.schema
      .createTable('search_votes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('search_id', 'text', (column) => column.notNull())
      .addColumn('words', 'text', (column) => column.notNull())
      .addColumn('url_key', 'text', (column) => column.notNull())
      .addColumn('vote', 'bigint', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('search_votes_by_team').on('search_votes').columns(['team_id', 'words']).execute()
  },
}

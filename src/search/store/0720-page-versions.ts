// What pages said before they changed: the text that a newer fetch took the place of.
import { bytesColumn, type MigrationStep } from '../../store/migrations/columns.ts'

export const pageVersions: MigrationStep = {
  name: '0720-page-versions',
  async up(db, dialect) {
    await db.schema.alterTable('search_pages').addColumn('text_since', 'bigint').execute()
    await db.schema
      .createTable('page_versions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('url_key', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('text', bytesColumn(dialect), (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('page_versions_of_page')
      .on('page_versions')
      .columns(['team_id', 'url_key', 'since'])
      .execute()
    await db.schema.createIndex('page_versions_by_age').on('page_versions').columns(['seen_at', 'bytes']).execute()
  },
}

// Captures, documents and scrapes. Bodies are the last columns, so that SQLite reads the rest without walking through
// them.
import { sql } from 'kysely'
import { bytesColumn, type MigrationStep } from './columns.ts'

export const pages: MigrationStep = {
  name: '0003-pages',
  async up(db, dialect) {
    await db.schema
      .createTable('captures')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('cache_key', 'text', (column) => column.notNull().unique())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('head', 'text', (column) => column.notNull())
      .addColumn('fetched_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('body_blob_id', 'text')
      .addColumn('body', bytesColumn(dialect))
      .execute()
    await db.schema.createIndex('captures_by_use').on('captures').columns(['last_used_at', 'bytes']).execute()
    await db.schema.createIndex('captures_by_age').on('captures').column('fetched_at').execute()

    await db.schema
      .createTable('documents')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('capture_id', 'text', (column) => column.references('captures.id').onDelete('set null'))
      .addColumn('digest_key', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('keep_until', 'bigint', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('body', bytesColumn(dialect), (column) => column.notNull())
      .addUniqueConstraint('documents_by_capture', ['capture_id', 'digest_key'])
      .execute()
    await db.schema.createIndex('documents_weight').on('documents').columns(['capture_id', 'bytes']).execute()
    await db.schema
      .createIndex('documents_loose')
      .on('documents')
      .column('keep_until')
      .where(sql<boolean>`capture_id is null`)
      .execute()

    await db.schema
      .createTable('scrapes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id').onDelete('cascade'))
      .addColumn('key_id', 'text')
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('document_id', 'text', (column) => column.notNull().references('documents.id'))
      .addColumn('credits', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('options', 'text', (column) => column.notNull())
      .addColumn('overlay', 'text', (column) => column.notNull())
      .addColumn('explain', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('scrapes_by_expiry').on('scrapes').column('expires_at').execute()
    await db.schema.createIndex('scrapes_by_document').on('scrapes').column('document_id').execute()
    await db.schema.createIndex('scrapes_by_team').on('scrapes').columns(['team_id', 'created_at']).execute()
  },
}

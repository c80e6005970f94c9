// Rows for the files on disk, and the few facts an instance keeps about itself.
import type { MigrationStep } from './columns.ts'

export const blobsAndSettings: MigrationStep = {
  name: '0004-blobs-and-settings',
  async up(db) {
    await db.schema
      .createTable('blobs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text')
      .addColumn('content_type', 'text', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint')
      .execute()
    await db.schema.createIndex('blobs_by_expiry').on('blobs').column('expires_at').execute()
    await db.schema
      .createTable('settings')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute()
  },
}

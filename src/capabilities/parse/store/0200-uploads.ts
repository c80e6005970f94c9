// Files that were announced for parsing: who may send one, and where it went.
import type { MigrationStep } from '../../../store/migrations/columns.ts'

export const uploadsMigration: MigrationStep = {
  name: '0200-uploads',
  async up(db) {
    await db.schema
      .createTable('uploads')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('filename', 'text', (column) => column.notNull())
      .addColumn('content_type', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('blob_id', 'text')
      .execute()
    await db.schema.createIndex('uploads_by_team').on('uploads').columns(['team_id', 'created_at']).execute()
  },
}

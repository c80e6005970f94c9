// Extractors of a team, one row per version, and what their pages gave.
import type { MigrationStep } from '../../../store/migrations/columns.ts'

export const extractorsMigration: MigrationStep = {
  name: '0920-extractors',
  async up(db) {
    await db.schema
      .createTable('extractors')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('name', 'text')
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('stats', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('extractors_key', ['team_id', 'id', 'version'])
      .execute()
  },
}

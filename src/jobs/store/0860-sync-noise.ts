// Lines that differ between two readings of a page a moment apart, for each series.
import type { MigrationStep } from '../../store/migrations/columns.ts'

export const syncNoiseMigration: MigrationStep = {
  name: '0860-sync-noise',
  async up(db) {
    await db.schema
      .createTable('sync_noise')
      .addColumn('series_id', 'text', (column) => column.notNull().references('sync_series.id').onDelete('cascade'))
      .addColumn('print', 'bigint', (column) => column.notNull())
      .addColumn('pages', 'integer', (column) => column.notNull())
      .addColumn('last_key', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('sync_noise_key', ['series_id', 'print'])
      .execute()
  },
}

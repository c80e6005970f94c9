// Limits that several processes keep together: requests in the current minute, and pages being worked on.
import type { MigrationStep } from '../../store/migrations/columns.ts'

export const sharedLimits: MigrationStep = {
  name: '0310-shared-limits',
  async up(db) {
    await db.schema
      .createTable('rate_windows')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('bucket', 'text', (column) => column.notNull())
      .addColumn('window_start', 'bigint', (column) => column.notNull())
      .addColumn('used', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('rate_windows_key', ['team_id', 'bucket'])
      .execute()
    await db.schema
      .createTable('slots')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('slots_by_team').on('slots').columns(['team_id', 'lease_until']).execute()
  },
}

// Who holds a browser context, in which process, and until when.
import type { MigrationStep } from './columns.ts'

export const browserLeases: MigrationStep = {
  name: '0340-browser-leases',
  async up(db) {
    await db.schema
      .createTable('browser_leases')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('process', 'text', (column) => column.notNull())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .addColumn('until', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('browser_leases_until').on('browser_leases').column('until').execute()
  },
}

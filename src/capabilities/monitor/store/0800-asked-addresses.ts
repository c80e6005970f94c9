// Which mail addresses were asked for consent, over all teams, by a keyed hash of the address.
import type { MigrationStep } from '../../../store/migrations/columns.ts'

export const askedAddressesMigration: MigrationStep = {
  name: '0800-asked-addresses',
  async up(db) {
    await db.schema
      .createTable('asked_addresses')
      .addColumn('print', 'text', (column) => column.primaryKey())
      .addColumn('notice_id', 'text', (column) => column.notNull())
      .addColumn('asked_at', 'bigint', (column) => column.notNull())
      .addColumn('declined_at', 'bigint')
      .execute()
    await db.schema.createIndex('asked_addresses_by_time').on('asked_addresses').column('asked_at').execute()
  },
}

// Flows of a team, one row per version, and its vault.
import type { MigrationStep } from '../../../store/migrations/columns.ts'

export const flowsMigration: MigrationStep = {
  name: '0810-flows',
  async up(db) {
    await db.schema
      .createTable('flows')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('flows_key', ['team_id', 'name', 'version'])
      .execute()
    await db.schema
      .createTable('vault')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('domain', 'text', (column) => column.notNull())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('vault_key', ['team_id', 'name'])
      .execute()
  },
}

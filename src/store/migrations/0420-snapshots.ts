// What a team's tracked pages looked like when they were last seen.
import { bytesColumn, type MigrationStep } from './columns.ts'

export const snapshots: MigrationStep = {
  name: '0420-snapshots',
  async up(db, dialect) {
    await db.schema
      .createTable('snapshots')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('branch', 'text', (column) => column.notNull())
      .addColumn('taken_at', 'bigint', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('body', bytesColumn(dialect), (column) => column.notNull())
      .addColumn('data', 'text')
      .addUniqueConstraint('snapshots_of_page', ['team_id', 'branch', 'url'])
      .execute()
    await db.schema.createIndex('snapshots_by_age').on('snapshots').columns(['taken_at', 'bytes']).execute()
  },
}

// What browsers remember for a team under a name, and who is saving it now.
import { bytesColumn, type MigrationStep } from '../../store/migrations/columns.ts'

export const profiles: MigrationStep = {
  name: '0100-profiles',
  async up(db, dialect) {
    await db.schema
      .createTable('profiles')
      .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('state', bytesColumn(dialect))
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('saver', 'text')
      .addColumn('saver_until', 'bigint', (column) => column.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('profiles_pk', ['team_id', 'name'])
      .execute()
  },
}

// Marks the operator's team by a column instead of its name, which can change.
import { sql } from 'kysely'
import type { MigrationStep } from './columns.ts'

export const operatorTeam: MigrationStep = {
  name: '0600-operator-team',
  async up(db) {
    await db.schema
      .alterTable('teams')
      .addColumn('is_operator', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    // The first start made it before any other team could be.
    await sql`update teams set is_operator = 1 where id = (select id from teams order by created_at, id limit 1)`.execute(
      db,
    )
    await sql`create unique index teams_operator on teams (is_operator) where is_operator = 1`.execute(db)
  },
}

// Credits: the append-only ledger, the sums it adds up to, and the reservations that are still open.
import { sql } from 'kysely'
import { autoIncrementColumn, type MigrationStep } from './columns.ts'

export const ledger: MigrationStep = {
  name: '0002-ledger',
  async up(db, dialect) {
    await db.schema
      .createTable('balances')
      .addColumn('team_id', 'text', (column) => column.primaryKey().references('teams.id').onDelete('cascade'))
      .addColumn('granted', 'bigint')
      .addColumn('spent', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('reserved', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createTable('reservations')
      .addColumn('job_id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id').onDelete('cascade'))
      .addColumn('key_id', 'text')
      .addColumn('credits', 'bigint', (column) => column.notNull())
      .addColumn('endpoint', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('reservations_by_age').on('reservations').column('at').execute()
    await db.schema
      .createTable('ledger')
      .addColumn('id', autoIncrementColumn(dialect), (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id').onDelete('cascade'))
      .addColumn('key_id', 'text')
      .addColumn('job_id', 'text')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('credits', 'bigint', (column) => column.notNull())
      .addColumn('endpoint', 'text')
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('ledger_by_team').on('ledger').columns(['team_id', 'at']).execute()
    // Teams that were there before the ledger have no limit.
    await sql`insert into balances (team_id) select id from teams`.execute(db)
  },
}

// Live browser sessions: whose they are, which process holds the browser, how long they last and what they cost so far.
import type { MigrationStep } from '../../../store/migrations/columns.ts'

export const sessionsMigration: MigrationStep = {
  name: '0630-sessions',
  async up(db) {
    await db.schema
      .createTable('sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id').onDelete('cascade'))
      .addColumn('key_id', 'text')
      .addColumn('scrape_id', 'text')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('address', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_activity', 'bigint', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('activity_ttl_ms', 'bigint', (column) => column.notNull())
      .addColumn('ended_at', 'bigint')
      .addColumn('error', 'text')
      .addColumn('prompted', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('billed', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('stream', 'integer', (column) => column.notNull().defaultTo(1))
      .addColumn('recording', 'text')
      .addColumn('profile', 'text')
      .addColumn('saves_profile', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.createIndex('sessions_by_team').on('sessions').columns(['team_id', 'created_at']).execute()
    await db.schema.createIndex('sessions_by_state').on('sessions').columns(['state', 'seen_at']).execute()
    await db.schema.createIndex('sessions_by_scrape').on('sessions').column('scrape_id').unique().execute()
  },
}

// What keys may do and until when, where a team may call from, and the books beside the ledger: activity, sums by day,
// the audit log, feedback.
import { type ColumnDefinitionBuilder, sql } from 'kysely'
import type { MigrationStep } from './columns.ts'

export const rightsAndUsage: MigrationStep = {
  name: '0300-rights-and-usage',
  async up(db) {
    const list = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('[]')
    await db.schema.alterTable('teams').addColumn('ip_allow', 'text', list).execute()
    await db.schema.alterTable('api_keys').addColumn('rights', 'text', list).execute()
    await db.schema.alterTable('api_keys').addColumn('endpoints', 'text', list).execute()
    await db.schema.alterTable('api_keys').addColumn('formats', 'text', list).execute()
    await db.schema.alterTable('api_keys').addColumn('expires_at', 'bigint').execute()
    // The keys that came with an installation or with a team are its owners'; all others stay as they were used.
    await sql`update api_keys set rights = '["admin"]' where name in ('first key', 'configured')`.execute(db)

    await db.schema
      .createTable('activity')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id').onDelete('cascade'))
      .addColumn('key_id', 'text')
      .addColumn('job_id', 'text')
      .addColumn('endpoint', 'text', (column) => column.notNull())
      .addColumn('api_version', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('target', 'text')
      .addColumn('username', 'text')
      .addColumn('status', 'bigint', (column) => column.notNull())
      .addColumn('ms', 'bigint', (column) => column.notNull())
      .addColumn('engine', 'text')
      .addColumn('error', 'text')
      .execute()
    await db.schema.createIndex('activity_by_team').on('activity').columns(['team_id', 'id']).execute()
    await db.schema.createIndex('activity_by_job').on('activity').column('job_id').execute()

    await db.schema
      .createTable('usage_days')
      .addColumn('day', 'bigint', (column) => column.notNull())
      .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id').onDelete('cascade'))
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('endpoint', 'text', (column) => column.notNull())
      .addColumn('credits', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('requests', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('errors', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('by_cache', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('by_http', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('by_browser', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('by_upload', 'bigint', (column) => column.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('usage_days_key', ['team_id', 'day', 'key_id', 'endpoint'])
      .execute()
    await db.schema.createIndex('ledger_by_age').on('ledger').column('at').execute()

    await db.schema
      .createTable('audit_log')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('team_id', 'text')
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('subject', 'text')
      .addColumn('details', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('audit_log_by_team').on('audit_log').columns(['team_id', 'id']).execute()

    await db.schema
      .createTable('feedback')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id').onDelete('cascade'))
      .addColumn('key_id', 'text')
      .addColumn('job_id', 'text', (column) => column.notNull())
      .addColumn('endpoint', 'text', (column) => column.notNull())
      .addColumn('rating', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addUniqueConstraint('feedback_once', ['team_id', 'job_id'])
      .execute()
    await db.schema.createIndex('feedback_by_age').on('feedback').column('at').execute()
  },
}

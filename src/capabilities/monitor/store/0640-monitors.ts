// Monitors with their schedule, checks with results, and the last known state of each page.
import { type Kysely, sql } from 'kysely'
import { bytesColumn, type MigrationStep } from '../../../store/migrations/columns.ts'
import type { Dialect } from '../../../store/tables.ts'

export const monitorsMigration: MigrationStep = {
  name: '0640-monitors',
  async up(db, dialect) {
    await monitorTables(db)
    await checkTables(db, dialect)
    await pageTables(db, dialect)
    await noticeTables(db)
  },
}

async function monitorTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('monitors')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id').onDelete('cascade'))
    .addColumn('key_id', 'text')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('cron', 'text', (column) => column.notNull())
    .addColumn('timezone', 'text', (column) => column.notNull())
    // Between two ticks, at least: how long a missed one may be put off, and when silence is a fault.
    .addColumn('interval_ms', 'bigint', (column) => column.notNull())
    .addColumn('targets', 'text', (column) => column.notNull())
    .addColumn('webhook', 'text')
    .addColumn('notification', 'text')
    .addColumn('watch', 'text', (column) => column.notNull())
    .addColumn('retention_days', 'integer', (column) => column.notNull())
    .addColumn('goal', 'text')
    .addColumn('judge_enabled', 'integer', (column) => column.notNull())
    .addColumn('estimated_credits', 'bigint', (column) => column.notNull())
    .addColumn('next_run_at', 'bigint')
    .addColumn('last_run_at', 'bigint')
    .addColumn('current_check_id', 'text')
    .addColumn('last_summary', 'text')
    // Ticks passed over since the last change, of a monitor that looks less often where nothing happens.
    .addColumn('calm', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('feed_token', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()
  const active = sql<boolean>`status = 'active'`
  await db.schema.createIndex('monitors_due').on('monitors').columns(['next_run_at', 'id']).where(active).execute()
  await db.schema.createIndex('monitors_by_team').on('monitors').columns(['team_id', 'id']).execute()
  await db.schema.createIndex('monitors_by_feed').on('monitors').column('feed_token').execute()
}

async function checkTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('monitor_checks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('monitor_id', 'text', (column) => column.notNull().references('monitors.id').onDelete('cascade'))
    .addColumn('team_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('trigger', 'text', (column) => column.notNull())
    .addColumn('scheduled_for', 'bigint')
    .addColumn('started_at', 'bigint')
    .addColumn('finished_at', 'bigint')
    .addColumn('estimated_credits', 'bigint')
    .addColumn('reserved_credits', 'bigint')
    .addColumn('actual_credits', 'bigint')
    .addColumn('billing', 'text', (column) => column.notNull())
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('targets', 'text', (column) => column.notNull())
    .addColumn('notified', 'text')
    .addColumn('error', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    // Changes with every progress; a check without progress has lost its work message.
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('checks_of_monitor').on('monitor_checks').columns(['monitor_id', 'id']).execute()
  await db.schema.createIndex('checks_by_expiry').on('monitor_checks').column('expires_at').execute()
  await db.schema
    .createIndex('checks_open')
    .on('monitor_checks')
    .column('updated_at')
    .where(sql<boolean>`status in ('queued', 'running')`)
    .execute()
  await db.schema
    .createTable('monitor_check_pages')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('check_id', 'text', (column) => column.notNull().references('monitor_checks.id').onDelete('cascade'))
    .addColumn('monitor_id', 'text', (column) => column.notNull())
    .addColumn('target_id', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('previous_scrape_id', 'text')
    .addColumn('current_scrape_id', 'text')
    .addColumn('status_code', 'integer')
    .addColumn('credits', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('error', 'text')
    .addColumn('metadata', 'text')
    .addColumn('judgment', 'text')
    .addColumn('diff', 'text')
    .addColumn('snapshot', 'text')
    // What changed and woke nobody, each with its reason.
    .addColumn('suppressed', 'text')
    .addColumn('texts', bytesColumn(dialect))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('check_page_once', ['check_id', 'target_id', 'url'])
    .execute()
  await db.schema.createIndex('check_pages_in_order').on('monitor_check_pages').columns(['check_id', 'id']).execute()
  await db.schema
    .createIndex('check_pages_of_monitor')
    .on('monitor_check_pages')
    .columns(['monitor_id', 'url', 'id'])
    .execute()
}

async function pageTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('monitor_pages')
    .addColumn('monitor_id', 'text', (column) => column.notNull().references('monitors.id').onDelete('cascade'))
    .addColumn('target_id', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('scrape_id', 'text')
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    // By which an unchanged answer is known: validators of the site, and a hash of the bytes.
    .addColumn('marks', 'text')
    .addColumn('body', bytesColumn(dialect))
    .addColumn('data', 'text')
    .addColumn('memory', 'text')
    .addPrimaryKeyConstraint('monitor_pages_key', ['monitor_id', 'target_id', 'url'])
    .execute()
}

async function noticeTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('monitor_recipients')
    .addColumn('monitor_id', 'text', (column) => column.notNull().references('monitors.id').onDelete('cascade'))
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('asked_at', 'bigint')
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('monitor_recipients_key', ['monitor_id', 'email'])
    .execute()
  await db.schema
    .createTable('monitor_notices')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('monitor_id', 'text', (column) => column.notNull().references('monitors.id').onDelete('cascade'))
    .addColumn('team_id', 'text', (column) => column.notNull())
    .addColumn('check_id', 'text')
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('next_at', 'bigint', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('notices_of_monitor').on('monitor_notices').columns(['monitor_id', 'id']).execute()
  await db.schema
    .createIndex('notices_due')
    .on('monitor_notices')
    .column('next_at')
    .where(sql<boolean>`state = 'pending'`)
    .execute()
  await db.schema.createIndex('notices_by_expiry').on('monitor_notices').column('expires_at').execute()
}

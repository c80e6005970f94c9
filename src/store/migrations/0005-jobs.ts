// Jobs, their pages (the frontier), work messages (`bells`), workers, webhook deliveries and idempotency keys.
import { type Kysely, sql } from 'kysely'
import type { MigrationStep } from './columns.ts'

export const jobs: MigrationStep = {
  name: '0005-jobs',
  async up(db) {
    await jobTables(db)
    await frontierTable(db)
    await queueTables(db)
    await deliveryTables(db)
  },
}

async function jobTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('jobs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id').onDelete('cascade'))
    .addColumn('key_id', 'text')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('url', 'text')
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('webhook', 'text')
    .addColumn('zero_data_retention', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('page_limit', 'bigint')
    .addColumn('slots', 'integer')
    .addColumn('max_active', 'integer')
    .addColumn('delay_ms', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('next_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('turn', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('discovering', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('lease_until', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('total', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('queued', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('active', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('completed', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('failed', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('dropped', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('credits', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('finished_at', 'bigint')
    .addColumn('deadline_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('warning', 'text')
    .execute()
  const running = sql<boolean>`state = 'scraping'`
  await db.schema.createIndex('jobs_turns').on('jobs').columns(['team_id', 'turn']).where(running).execute()
  await db.schema.createIndex('jobs_by_deadline').on('jobs').column('deadline_at').where(running).execute()
  await db.schema.createIndex('jobs_by_expiry').on('jobs').column('expires_at').execute()
  await db.schema
    .createTable('job_options')
    .addColumn('job_id', 'text', (column) => column.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('n', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('job_options_key', ['job_id', 'n'])
    .execute()
  await db.schema
    .createTable('idempotency')
    .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id').onDelete('cascade'))
    .addColumn('endpoint', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_key', ['team_id', 'endpoint', 'key'])
    .execute()
  await db.schema.createIndex('idempotency_by_age').on('idempotency').column('at').execute()
}

async function frontierTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('frontier')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('job_id', 'text', (column) => column.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('url_key', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('depth', 'integer', (column) => column.notNull())
    .addColumn('options_n', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('n', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('run_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('lease_until', 'bigint')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('seq', 'bigint')
    .addColumn('scrape_id', 'text')
    .addColumn('error', 'text')
    .addColumn('at', 'bigint')
    .addUniqueConstraint('frontier_once', ['job_id', 'url_key'])
    .execute()
  const when = (state: string) => sql<boolean>`state = ${sql.lit(state)}`
  const index = (name: string) => db.schema.createIndex(name).on('frontier')
  await index('frontier_next').columns(['job_id', 'run_at', 'n']).where(when('queued')).execute()
  await index('frontier_leases').column('lease_until').where(when('active')).execute()
  await index('frontier_results').unique().columns(['job_id', 'seq']).where(sql<boolean>`seq is not null`).execute()
  await index('frontier_troubles')
    .columns(['job_id', 'n'])
    .where(sql<boolean>`state in ('failed', 'dropped')`)
    .execute()
}

async function queueTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('bells')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('run_at', 'bigint', (column) => column.notNull())
    .addColumn('priority', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('lease_until', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    // Sent again while it is handled: deliver it once more afterwards.
    .addColumn('again_at', 'bigint')
    .addPrimaryKeyConstraint('bells_key', ['kind', 'id'])
    .execute()
  await db.schema.createIndex('bells_next').on('bells').columns(['kind', 'priority', 'run_at']).execute()
  await db.schema
    .createTable('workers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('concurrency', 'integer', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute()
}

async function deliveryTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id').onDelete('cascade'))
    .addColumn('job_id', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('headers', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('next_at', 'bigint', (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('error', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('deliveries_by_team').on('deliveries').columns(['team_id', 'id']).execute()
  await db.schema
    .createIndex('deliveries_due')
    .on('deliveries')
    .column('next_at')
    .where(sql<boolean>`state = 'pending'`)
    .execute()
  await db.schema.createIndex('deliveries_by_expiry').on('deliveries').column('expires_at').execute()
}

// Agent runs: what was asked, the steps that were taken for it, the events of its trace, and what it had found when.
import type { MigrationStep } from '../../../store/migrations/columns.ts'

export const agentRunsMigration: MigrationStep = {
  name: '0660-agent',
  async up(db) {
    await db.schema
      .createTable('agent_runs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id').onDelete('cascade'))
      .addColumn('key_id', 'text')
      .addColumn('thread_id', 'text', (column) => column.notNull())
      .addColumn('turn', 'integer', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('webhook', 'text')
      .addColumn('max_credits', 'bigint', (column) => column.notNull())
      .addColumn('credits', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('events', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('cancel_at', 'bigint')
      .addColumn('lease_until', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('error', 'text')
      .addColumn('result', 'text')
      .execute()
    await db.schema.createIndex('agent_runs_of_team').on('agent_runs').columns(['team_id', 'created_at']).execute()
    await db.schema.createIndex('agent_runs_of_thread').on('agent_runs').columns(['thread_id', 'turn']).execute()
    await db.schema.createIndex('agent_runs_by_expiry').on('agent_runs').column('expires_at').execute()
    const run = 'agent_runs.id'
    await db.schema
      .createTable('agent_steps')
      .addColumn('run_id', 'text', (column) => column.notNull().references(run).onDelete('cascade'))
      .addColumn('n', 'integer', (column) => column.notNull())
      .addColumn('call_id', 'text', (column) => column.notNull())
      .addColumn('tool', 'text', (column) => column.notNull())
      .addColumn('input', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('credits', 'bigint', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('result', 'text')
      .addPrimaryKeyConstraint('agent_steps_key', ['run_id', 'n'])
      .execute()
    await db.schema
      .createTable('agent_events')
      .addColumn('run_id', 'text', (column) => column.notNull().references(run).onDelete('cascade'))
      .addColumn('n', 'bigint', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('agent_events_key', ['run_id', 'n'])
      .execute()
    await db.schema
      .createTable('agent_snapshots')
      .addColumn('run_id', 'text', (column) => column.notNull().references(run).onDelete('cascade'))
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('agent_snapshots_key', ['run_id', 'id'])
      .execute()
  },
}

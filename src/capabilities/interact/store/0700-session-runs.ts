// Which agent run a live session belongs to: its live view stands beside the run, and the run pays for it.
import type { MigrationStep } from '../../../store/migrations/columns.ts'

export const sessionRunsMigration: MigrationStep = {
  name: '0700-session-runs',
  async up(db) {
    await db.schema.alterTable('sessions').addColumn('run_id', 'text').execute()
    await db.schema.createIndex('sessions_by_run').on('sessions').column('run_id').execute()
  },
}

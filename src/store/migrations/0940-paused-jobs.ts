// Jobs can be paused.
import type { MigrationStep } from './migration-step.ts'

export const pausedJobs: MigrationStep = {
  name: '0940-paused-jobs',
  async up(db) {
    await db.schema.alterTable('jobs').addColumn('paused_at', 'bigint').execute()
  },
}

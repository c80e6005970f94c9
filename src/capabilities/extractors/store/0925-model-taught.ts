// Extractors that a model taught: the request that they belong to, and when, since they expire.
import type { MigrationStep } from '../../../store/migrations/migration-step.ts'

export const modelTaughtMigration: MigrationStep = {
  name: '0925-model-taught',
  async up(db) {
    await db.schema.alterTable('extractors').addColumn('learnt_for', 'text').execute()
    await db.schema.alterTable('extractors').addColumn('learnt_at', 'bigint').execute()
    await db.schema
      .createIndex('extractors_learnt')
      .on('extractors')
      .columns(['team_id', 'learnt_for', 'learnt_at'])
      .execute()
    await db.schema.createIndex('extractors_learnt_at').on('extractors').columns(['learnt_at']).execute()
  },
}

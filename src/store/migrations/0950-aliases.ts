// Pages that are results under another address point to it.
import { sql } from 'kysely'
import type { MigrationStep } from './migration-step.ts'

export const aliases: MigrationStep = {
  name: '0950-aliases',
  async up(db) {
    await db.schema.alterTable('frontier').addColumn('alias_of', 'text').execute()
    await db.schema
      .createIndex('frontier_aliases')
      .on('frontier')
      .columns(['job_id', 'alias_of'])
      .where(sql<boolean>`alias_of is not null`)
      .execute()
  },
}

// What keys may spend on the language model in a month, and what they spent by day.
import type { MigrationStep } from './columns.ts'

export const modelUse: MigrationStep = {
  name: '0910-model-use',
  async up(db) {
    await db.schema.alterTable('api_keys').addColumn('model_tokens', 'bigint').execute()
    await db.schema.alterTable('api_keys').addColumn('model_cost', 'double precision').execute()
    await db.schema
      .alterTable('usage_days')
      .addColumn('model_tokens', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('usage_days')
      .addColumn('model_cost', 'double precision', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}

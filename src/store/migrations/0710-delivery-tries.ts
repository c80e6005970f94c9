// Each try of a webhook is remembered: when, how long it took, what the receiver answered, and how it was signed.
import type { Kysely } from 'kysely'
import type { MigrationStep } from './columns.ts'

export const deliveryTries: MigrationStep = {
  name: '0710-delivery-tries',
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('deliveries')
      .addColumn('tries', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute()
  },
}

// When the installation first met a site, by a keyed print of its name: the name itself is not kept.
import type { Kysely } from 'kysely'
import type { MigrationStep } from './columns.ts'

export const hostsSeen: MigrationStep = {
  name: '0730-host-sightings',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('host_sightings')
      .addColumn('print', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('host_sightings_by_time').on('host_sightings').columns(['at', 'print']).execute()
  },
}

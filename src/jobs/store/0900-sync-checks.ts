// How often the word of a site that nothing changed was checked, and how often it was wrong. `trust` of a series is no
// longer used; it stays for versions that run beside this one.
import type { MigrationStep } from '../../store/migrations/columns.ts'

const CHECKS = ['lastmod_checks', 'lastmod_misses', 'validator_checks', 'validator_misses']

export const syncChecksMigration: MigrationStep = {
  name: '0900-sync-checks',
  async up(db) {
    for (const table of ['sync_series', 'synced_pages'])
      for (const name of CHECKS)
        await db.schema
          .alterTable(table)
          .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
          .execute()
    await db.schema
      .alterTable('synced_pages')
      .addColumn('unvisited', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}

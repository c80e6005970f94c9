// Pages and messages change state often, and each change leaves a dead entry that later scans pass. PostgreSQL removes
// them when a fifth of the table is dead by default, which for a large job is far too late.
import { sql } from 'kysely'
import type { MigrationStep } from './columns.ts'

export const frontierUpkeep: MigrationStep = {
  name: '0890-frontier-upkeep',
  async up(db, dialect) {
    if (dialect !== 'postgres') return
    for (const table of ['frontier', 'bells', 'jobs'])
      await sql`alter table ${sql.table(table)} set (
        autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0)`.execute(
        db,
      )
  },
}

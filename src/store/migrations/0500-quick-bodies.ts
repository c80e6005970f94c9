// Compresses bodies with lz4 on PostgreSQL: pglz took half of the server's time per crawled page.
import { sql } from 'kysely'
import type { MigrationStep } from './columns.ts'

const BODIES = [
  ['captures', 'body'],
  ['documents', 'body'],
  ['snapshots', 'body'],
] as const

export const quickBodies: MigrationStep = {
  name: '0500-quick-bodies',
  async up(db, dialect) {
    if (dialect !== 'postgres') return
    for (const [table, column] of BODIES) {
      await sql`
        do ${sql.lit(`begin
          alter table ${table} alter column ${column} set compression lz4;
        exception when feature_not_supported or syntax_error or invalid_parameter_value then
          alter table ${table} alter column ${column} set storage external;
        end`)}`.execute(db)
    }
  },
}

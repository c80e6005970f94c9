// Cached pages by address: what is known of a site already is found without reading every row.
import { sql } from 'kysely'
import type { MigrationStep } from './columns.ts'

export const capturesByUrl: MigrationStep = {
  name: '0006-captures-by-url',
  async up(db, dialect) {
    // PostgreSQL compares text by the rules of a language; beginnings are found only in an index that compares letters.
    if (dialect === 'postgres') await sql`create index captures_by_url on captures (url text_pattern_ops)`.execute(db)
    else await db.schema.createIndex('captures_by_url').on('captures').column('url').execute()
  },
}

// Makes private addresses a right of keys; existing keys keep it. Deliveries store the key that requested them.
import { type Kysely, sql } from 'kysely'
import type { MigrationStep } from './columns.ts'

export const privateRight: MigrationStep = {
  name: '0680-private-right',
  async up(db: Kysely<unknown>) {
    await sql`update api_keys set rights = '["private"]' where rights = '[]'`.execute(db)
    await sql`update api_keys set rights = replace(rights, '["', '["private","') where rights not like '%"private"%'`.execute(
      db,
    )
    await db.schema.alterTable('deliveries').addColumn('key_id', 'text').execute()
  },
}

// Addresses that the operator opened beside the public web are a right of keys. Those that could use them so far still can.
// A webhook on its way knows by which key it was asked for.
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

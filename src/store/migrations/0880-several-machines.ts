// What machines on one database share: the bytes of blobs where there is no bucket, and their politeness to hosts.
import type { Kysely } from 'kysely'
import { bytesColumn, type MigrationStep } from './columns.ts'

export const severalMachines: MigrationStep = {
  name: '0880-several-machines',
  async up(db: Kysely<unknown>, dialect) {
    await db.schema
      .createTable('blob_chunks')
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('n', 'integer', (column) => column.notNull())
      .addColumn('body', bytesColumn(dialect), (column) => column.notNull())
      .addPrimaryKeyConstraint('blob_chunks_key', ['id', 'n'])
      .execute()
    await db.schema
      .createTable('host_turns')
      .addColumn('print', 'text', (column) => column.primaryKey())
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .addColumn('rest_until', 'bigint', (column) => column.notNull())
      .addColumn('strikes', 'integer', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('host_turns_by_age').on('host_turns').column('seen_at').execute()
  },
}

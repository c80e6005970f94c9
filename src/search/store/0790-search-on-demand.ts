// Which teams search, so that only their pages are indexed behind the requests; and indexes to read the outbox by team.
import type { MigrationStep } from '../../store/migrations/columns.ts'

export const searchOnDemand: MigrationStep = {
  name: '0790-search-on-demand',
  async up(db) {
    await db.schema
      .createTable('search_teams')
      .addColumn('team_id', 'text', (column) => column.primaryKey())
      .addColumn('searched_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('search_outbox_by_team').on('search_outbox').columns(['team_id', 'id']).execute()
    await db.schema.createIndex('search_outbox_by_document').on('search_outbox').column('document_id').execute()
  },
}

// What pages call the pages that they lead to, and which of it a page in the index was filed with.
import { sql } from 'kysely'
import type { MigrationStep } from '../../store/migrations/columns.ts'

export const searchLinks: MigrationStep = {
  name: '0740-search-links',
  async up(db, dialect) {
    await db.schema.alterTable('search_pages').addColumn('links', 'text').execute()
    await db.schema.alterTable('search_pages').addColumn('links_since', 'bigint').execute()
    await db.schema
      .createIndex('search_pages_by_links_age')
      .on('search_pages')
      .column('links_since')
      .where('links_since', 'is not', null)
      .execute()
    await db.schema
      .createTable('search_links')
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('bucket', 'bigint', (column) => column.notNull())
      .addColumn('slot', 'bigint', (column) => column.notNull())
      .addColumn('target', 'bigint', (column) => column.notNull())
      .addColumn('source', 'bigint', (column) => column.notNull().references('search_pages.number').onDelete('cascade'))
      .addColumn('text', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('search_links_key', ['team_id', 'bucket', 'slot'])
      // Dozens are written for every page: one tree less.
      .$call((table) => (dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table))
      .execute()
    await db.schema.createIndex('search_links_by_source').on('search_links').column('source').execute()
  },
}

// How callers come by a key on their own: logins of the command line, and identities that a trusted issuer vouched for.
import type { MigrationStep } from '../../store/migrations/columns.ts'

export const onboarding: MigrationStep = {
  name: '0320-onboarding',
  async up(db) {
    await db.schema
      .createTable('cli_logins')
      .addColumn('session_hash', 'text', (column) => column.primaryKey())
      .addColumn('challenge', 'text', (column) => column.notNull())
      .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id').onDelete('cascade'))
      .addColumn('key_name', 'text', (column) => column.notNull())
      .addColumn('approved_by', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('identities')
      .addColumn('issuer', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('identities_key', ['issuer', 'subject'])
      .execute()
    await db.schema
      .createTable('used_assertions')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}

// The video of a recording, made when it is first asked for: its blob, and where each page's segments lie in it.
import type { MigrationStep } from '../../../store/migrations/columns.ts'

export const sessionReplaysMigration: MigrationStep = {
  name: '0895-session-replays',
  async up(db) {
    await db.schema.alterTable('sessions').addColumn('replay', 'text').execute()
    await db.schema.alterTable('sessions').addColumn('replay_index', 'text').execute()
  },
}

// What browser sessions store: their repository, migrations, and how an address or a team is forgotten.
import { defineStorage } from '../../../store/storage.ts'
import { sessions } from './0630-sessions.ts'
import { sessionRuns } from './0700-session-runs.ts'
import { sessionReplays } from './0895-session-replays.ts'
import { openBrowserSessions } from './sessions.ts'

export const sessionStore = defineStorage({
  migrations: [sessions, sessionRuns, sessionReplays],
  open: ({ db, clock }) => openBrowserSessions(db, clock),
  forget: [
    {
      table: 'sessions',
      blob: 'recording',
      readBlob: true,
      madeOfBlob: 'replay',
      scrape: 'scrape_id',
      sendsWebhooks: true,
    },
  ],
  busy: [{ table: 'sessions', column: 'state', value: 'active' }],
})

// What browser sessions store: their repository, migrations, and how an address or a team is forgotten.
import { defineStorage } from '../../../store/capability-storage.ts'
import { openBrowserSessions } from './sessions.ts'

export const sessionStore = defineStorage({
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

// What feedback stores.
import { defineStorage } from '../../../store/storage.ts'
import { openFeedback } from './feedback.ts'

declare module '../../../store/tables.ts' {
  interface Tables {
    feedback: {
      id: string
      team_id: string
      key_id: string | null
      job_id: string
      endpoint: string
      rating: string
      at: number
      body: string
    }
  }
}

export const feedbackStore = defineStorage({
  // The store's step 0300 creates the table.
  migrations: [],
  open: ({ db, clock }) => openFeedback(db, clock),
  forget: [{ table: 'feedback', texts: ['body'] }],
})

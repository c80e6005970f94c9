// What feedback stores.
import { defineStorage } from '../../../store/storage.ts'
import { openFeedback } from './feedback.ts'

export const feedbackStore = defineStorage({
  // The store's step 0300 creates the table.
  migrations: [],
  open: ({ db, clock }) => openFeedback(db, clock),
  forget: [{ table: 'feedback', texts: ['body'] }],
})

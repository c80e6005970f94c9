// What feedback stores.
import { defineStorage } from '../../../store/capability-storage.ts'
import { openFeedbackTable } from './feedback.ts'

export const feedbackStore = defineStorage({
  // The store's step 0300 creates the table.
  open: ({ db, clock }) => openFeedbackTable(db, clock),
  forget: [{ table: 'feedback', texts: ['body'] }],
})

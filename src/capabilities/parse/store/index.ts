// What parsing stores: announced uploads, with their migration and how a team's are forgotten.
import { defineStorage } from '../../../store/capability-storage.ts'
import { openUploads } from './uploads.ts'

export const uploadStore = defineStorage({
  open: ({ db, clock }) => openUploads(db, clock),
  forget: [{ table: 'uploads', blob: 'blob_id' }],
})

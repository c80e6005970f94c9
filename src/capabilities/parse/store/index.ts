// What parsing stores: announced uploads, with their migration and how a team's are forgotten.
import { defineStorage } from '../../../store/storage.ts'
import { uploads } from './0200-uploads.ts'
import { openUploads } from './uploads.ts'

export const uploadStore = defineStorage({
  migrations: [uploads],
  open: ({ db, clock }) => openUploads(db, clock),
  forget: [{ table: 'uploads', blob: 'blob_id' }],
})

// What extractors store; kept until they are deleted.
import { defineStorage } from '../../../store/capability-storage.ts'
import { extractorsMigration } from './0920-extractors.ts'
import { openExtractorTable } from './extractors.ts'

export const extractorStore = defineStorage({
  migrations: [extractorsMigration],
  open: ({ db, clock }) => openExtractorTable(db, clock),
  forget: [{ table: 'extractors', id: null, texts: ['body'] }],
})

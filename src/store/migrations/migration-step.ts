// What a step of the database's history is.
import type { Kysely } from 'kysely'
import type { Dialect } from '../tables.ts'

/** One step of the schema's history. Steps are never edited once released; a new one is added to the list. */
export interface MigrationStep {
  name: string
  /** Removes or narrows what the version before uses, which then cannot run beside it (docs/upgrading.md). */
  contracts?: true
  up(db: Kysely<unknown>, dialect: Dialect): Promise<void>
}

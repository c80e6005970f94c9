// The few column types for which the dialects have different names.
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../tables.ts'

/** One step of the schema's history. Steps are never edited once released; a new one is added to the list. */
export interface MigrationStep {
  name: string
  /** Removes or narrows what the version before uses, which then cannot run beside it (docs/upgrading.md). */
  contracts?: true
  up(db: Kysely<unknown>, dialect: Dialect): Promise<void>
}

export const bytesColumn = (dialect: Dialect) => (dialect === 'sqlite' ? sql`blob` : sql`bytea`)

/** A counting primary key: SQLite counts by itself in an `integer primary key`. */
export const autoIncrementColumn = (dialect: Dialect) => (dialect === 'sqlite' ? sql`integer` : sql`bigserial`)

// What a capability stores: its tables with their migrations, when rows expire, and how an address or a team is
// forgotten. Rules are plain data, because the sweep runs them in a thread that loads no capability.
import type { Clock } from '../base/clock.ts'
import type { MigrationStep } from './migrations/migration-step.ts'
import type { Sealer } from './sealed-documents.ts'
import type { HeaderSealer } from './sealed-headers.ts'
import type { SearchOutbox } from './search-outbox.ts'
import type { Db, Dialect } from './tables.ts'

export interface StorageContext {
  db: Db
  dialect: Dialect
  clock: Clock
  /** Encrypts texts that callers may read back. */
  sealer: Sealer
  searchOutbox: SearchOutbox
  headers: HeaderSealer
  /** Encrypts a text that is never returned; the label ties it to its row. */
  secrets: { seal(text: string, label: string): string; open(sealed: string, label: string): string }
}

/** Removes rows some time after the time in one of their columns. */
export interface ExpiryRule {
  table: string
  id?: string
  time: string
  afterMs?: number
  only?: { column: string; values: readonly string[] }
  empty?: string
  except?: { column: string; values: readonly string[] }
  /** Rows that are removed first, in batches: a cascade over thousands would block writers. */
  children?: { table: string; column: string }
  batch?: number
}

export interface ForgetRule {
  table: string
  /** Column that identifies a row; default `id`. Null: the table has none, and rows are removed in one statement. */
  id?: string | null
  /** The row belongs to the team of this parent row; default: to the team in its own column `team_id`. */
  parent?: { table: string; column: string }
  /** Columns that hold one URL, text with URLs, a page key, and the name of a host. */
  urls?: readonly string[]
  texts?: readonly string[]
  keys?: readonly string[]
  hosts?: readonly string[]
  /** Deliveries of webhooks name the row in `job_id`; they are removed with it. */
  sendsWebhooks?: boolean
  blob?: string
  /** The blob is JSON text with URLs: search it. */
  readBlob?: boolean
  /** Column that names a second blob, made of the first. */
  madeOfBlob?: string
  scrape?: string
  removesParent?: boolean
}

/** Removes rows earlier for a team that set a shorter retention. */
export interface TeamRetentionRule {
  setting: string
  table: string
  time: string
}

export interface StorageRules {
  expiry: readonly ExpiryRule[]
  forget: readonly ForgetRule[]
  retention: readonly TeamRetentionRule[]
  /** Rows that show work under way: a team with such rows cannot be forgotten. */
  busy: readonly { table: string; column: string; value: string }[]
}

interface StorageDeclaration<Repositories> extends Partial<StorageRules> {
  /** In order of their names, which start with a number that no other step has. */
  migrations?: readonly MigrationStep[]
  open(database: StorageContext): Repositories
}

/** Call it with a store to get the repositories; they are opened once for each store. */
export interface CapabilityStorage<Repositories = unknown> extends StorageDeclaration<Repositories> {
  (store: { database: StorageContext }): Repositories
}

export function defineStorage<Repositories>(
  declaration: StorageDeclaration<Repositories>,
): CapabilityStorage<Repositories> {
  const opened = new WeakMap<StorageContext, { repositories: Repositories }>()
  const of = ({ database }: { database: StorageContext }): Repositories => {
    const known = opened.get(database) ?? { repositories: declaration.open(database) }
    opened.set(database, known)
    return known.repositories
  }
  return Object.assign(of, declaration)
}

export function collectStorageRules(storages: readonly Partial<StorageRules>[]): StorageRules {
  return {
    expiry: storages.flatMap(({ expiry = [] }) => expiry),
    forget: storages.flatMap(({ forget = [] }) => forget),
    retention: storages.flatMap(({ retention = [] }) => retention),
    busy: storages.flatMap(({ busy = [] }) => busy),
  }
}

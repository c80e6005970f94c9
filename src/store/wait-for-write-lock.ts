// Another process may hold SQLite's write lock, and the driver is synchronous: a statement that waited in it would stop
// every request. A statement that finds the database locked is tried again by a timer instead.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type DatabaseConnection,
  type QueryResult,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely'
import { Problem } from '../base/problem.ts'
import { isLocked } from './sqlite-errors.ts'

/** The old limit of the driver was 5 s. With a heartbeat (5 s) it stays below a lease (15 s), so none lapses meanwhile. */
export const WRITE_LOCK_WAIT_MS = 8000
const FIRST_PAUSE_MS = 1
const LONGEST_PAUSE_MS = 25
/** Requests beyond this many are refused at once: each holds its caller's data in memory. */
const MAX_WAITING = 1000
const RETRY_AFTER_SECONDS = 5

/** A dialect whose single connection is free for readers while a writer waits. */
export class WaitingSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig
  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }
  override createDriver(): SqliteDriver {
    return new WaitingSqliteDriver(this.#config)
  }
}

class WaitingSqliteDriver extends SqliteDriver {
  #waiting = 0
  #inTransaction = false
  #connection: DatabaseConnection | undefined

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection()
    this.#connection ??= {
      executeQuery: <Row>(query: Parameters<DatabaseConnection['executeQuery']>[0]): Promise<QueryResult<Row>> => {
        const run = async () => connection.executeQuery<Row>(query)
        return this.#inTransaction ? run() : this.#whenUnlocked(run)
      },
      streamQuery: (query, size) => connection.streamQuery(query, size),
    }
    return this.#connection
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await super.beginTransaction(connection)
    this.#inTransaction = true
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection)
    this.#inTransaction = false
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    this.#inTransaction = false
    await super.rollbackTransaction(connection)
  }

  /** The caller owns the connection; between two tries others have it. */
  async #whenUnlocked<T>(run: () => Promise<T>): Promise<T> {
    const began = performance.now()
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
      try {
        return await run()
      } catch (error) {
        if (!isLocked(error)) throw error
        const waitedMs = performance.now() - began
        if (waitedMs >= WRITE_LOCK_WAIT_MS)
          throw makeLockedProblem(
            `another process held it for ${WRITE_LOCK_WAIT_MS / 1000} s, the longest wait for it`,
            error,
          )
        if (this.#waiting >= MAX_WAITING)
          throw makeLockedProblem(`another process holds it, and ${MAX_WAITING} writes wait for it already`, error)
      }
      this.#waiting += 1
      await this.releaseConnection()
      await sleep(pauseMs)
      await super.acquireConnection()
      this.#waiting -= 1
    }
  }
}

const makeLockedProblem = (because: string, cause: unknown): Problem =>
  new Problem('unavailable', {
    because: `the database cannot be written now: ${because}. Nothing was stored; try again`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  })

// Opens PostgreSQL: one pool that maps errors to problems. One starting process migrates, the others wait.
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type QueryResult,
  sql,
} from 'kysely'
import pg from 'pg'
import type { Log } from '../base/log.ts'
import { isSchemaCurrent, runMigrations } from './migrate.ts'
import { collectMigrationSteps } from './migrations/index.ts'
import type { MigrationStep } from './migrations/migration-step.ts'
import { PIPELINED_MARK } from './pipelined-statements.ts'
import { withPostgresProblems } from './postgres-errors.ts'
import { canLeaveRowsToSweep } from './statement-kinds.ts'
import type { Db, Tables } from './tables.ts'
import { WORK_QUEUE_CHANNEL, type WorkQueueSignals } from './work-message-store.ts'

const POOL_SIZE = 10
/** Advisory lock for migrating: any number, but the same in all processes. */
const MIGRATION_LOCK = 7_026_001

/** int8 and numeric: our times, sizes and sums stay far below 2^53. */
const TYPES_READ_AS_NUMBER = new Set([20, 1700])

/** Statements used this often are prepared on each connection. */
const MIN_USES_TO_PREPARE = 5
const MAX_PREPARED = 100
/** Statements with lists of values produce ever new texts. */
const MAX_COUNTED_STATEMENTS = 1_000

export interface PostgresOptions {
  url: string
  log: Log
  onWrite?(bytes: number): void
  steps?: readonly MigrationStep[]
}

export async function openPostgres({
  url,
  log,
  onWrite,
  steps = collectMigrationSteps([]),
}: PostgresOptions): Promise<Db> {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: 10_000,
    application_name: 'orbweaver',
    // Statements may be sent before the previous result has arrived (pipelined-statements.ts).
    pipeline: true,
    types: {
      getTypeParser: (oid, format) =>
        TYPES_READ_AS_NUMBER.has(oid) && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
    },
  })
  // The pool replaces a connection that breaks while idle; without a listener the event would end the process.
  pool.on('error', (error) => log.warn({ error: error.message }, 'lost an idle connection to PostgreSQL'))
  pool.on('connect', (client) => {
    // A break during a transaction already rejects it; ignore the client's event.
    client.on('error', () => undefined)
    // A third of the CPU of pglz, which servers without lz4 keep.
    client.query(`set default_toast_compression = 'lz4'`).catch(() => undefined)
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: nameStatements(pool, onWrite) }) })
  try {
    // The lock means that an upgrade runs, and other processes report it: it is not taken for a look.
    if (await isSchemaCurrent(db, steps)) return db
    await db.connection().execute(async (holder) => {
      await sql`select pg_advisory_lock(${sql.lit(MIGRATION_LOCK)})`.execute(holder)
      try {
        await runMigrations({ db, dialect: 'postgres', called: withoutPassword(url), steps })
      } finally {
        await sql`select pg_advisory_unlock(${sql.lit(MIGRATION_LOCK)})`.execute(holder)
      }
    })
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Rejects while some process upgrades the database: statements may wait for its locks. */
export async function assertNotMigrating(db: Db): Promise<void> {
  const { rows } = await sql`
    select 1 from pg_locks where locktype = 'advisory' and granted and classid = 0 and objid = ${sql.lit(MIGRATION_LOCK)}
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  if (rows.length > 0) throw new Error('the database is being upgraded')
}

function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  return (text) => {
    // A star's columns may change when a newer version migrates, which breaks a prepared statement.
    if (text.includes('*')) return undefined
    const name = names.get(text)
    if (name !== undefined || names.size >= MAX_PREPARED) return name
    if (counts.size >= MAX_COUNTED_STATEMENTS) counts.clear()
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    if (count < MIN_USES_TO_PREPARE) return undefined
    counts.delete(text)
    names.set(text, `orb${names.size}`)
    return names.get(text)
  }
}

function nameStatements(pool: pg.Pool, onWrite: ((bytes: number) => void) | undefined): PostgresPool {
  const nameOf = statementNames()
  return {
    connect: () => withPostgresProblems(async () => namedClient(await pool.connect(), nameOf, onWrite)),
    end: () => pool.end(),
  }
}

type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

function namedClient(
  client: pg.PoolClient,
  nameOf: (text: string) => string | undefined,
  onWrite: ((bytes: number) => void) | undefined,
): PostgresPoolClient {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  let begins = false

  const ask = ({ sql, parameters }: Statement): Promise<pg.QueryResult> => {
    if (onWrite && canLeaveRowsToSweep(sql)) onWrite(0)
    const name = nameOf(sql)
    return client.query({ text: sql, values: [...parameters], ...(name ? { name } : {}) })
  }
  const askAll = (statements: readonly Statement[]): Promise<pg.QueryResult[]> => {
    stream.cork()
    try {
      const begun = begins ? client.query('begin') : undefined
      begins = false
      const answers = Promise.all(statements.map(ask))
      return begun ? Promise.all([begun, answers]).then(([, all]) => all) : answers
    } finally {
      stream.uncork()
    }
  }
  const answer = async (text: string, values: readonly unknown[]) => {
    if (text === PIPELINED_MARK) return { ...NOTHING, rows: (await askAll(values as Statement[])).map(resultOf) }
    if (text !== 'begin') return (await askAll([{ sql: text, parameters: values }]))[0]
    begins = true
    return NOTHING
  }
  return {
    // Kysely calls this with text and values only; its cursor form is not used here.
    query: (...query: unknown[]): never =>
      withPostgresProblems(() => answer(...(query as [string, readonly unknown[]]))) as unknown as never,
    release: () => client.release(),
  }
}

const NOTHING = { command: 'SELECT', rowCount: 0, rows: [] }
const COUNTED = new Set(['INSERT', 'UPDATE', 'DELETE'])

const resultOf = ({ command, rowCount, rows }: pg.QueryResult): QueryResult<unknown> =>
  COUNTED.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }

function withoutPassword(url: string): string {
  const bare = new URL(url)
  bare.password = ''
  bare.search = ''
  return bare.href
}

const RECONNECT_MS = 1_000

/** Signals between processes that a message was sent. A lost one costs a second, because queues also poll. */
export const openWorkQueueSignals = (url: string, log: Log): WorkQueueSignals => ({
  listen(onSignal) {
    const ended = new AbortController()
    const listening = (async () => {
      while (!ended.signal.aborted) {
        try {
          await listenOnce(url, onSignal, ended.signal)
        } catch (error) {
          log.warn({ error: error instanceof Error ? error.message : String(error) }, 'the queue lost PostgreSQL')
        }
        await sleep(RECONNECT_MS, undefined, { signal: ended.signal }).catch(() => undefined)
      }
    })()
    return async () => {
      ended.abort()
      await listening
    }
  },
})

/** Until the connection breaks or the signal aborts. */
async function listenOnce(url: string, onSignal: (kind: string) => void, signal: AbortSignal): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'orbweaver queue', keepAlive: true })
  client.on('notification', ({ payload }) => onSignal(payload ?? ''))
  try {
    await new Promise<void>((resolve, reject) => {
      client.on('error', reject)
      client.once('end', resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
      client
        .connect()
        .then(() => client.query(`listen ${WORK_QUEUE_CHANNEL}`))
        .catch(reject)
    })
  } finally {
    await client.end().catch(() => undefined)
  }
}

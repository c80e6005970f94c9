// One SQLite connection for Kysely. Works around the native module, which aborts on a boolean, cuts text at a NUL,
// prepares at every call, and spends a third of a read on the names of the columns.

import type { CompiledQuery, QueryResult, SqliteDatabase, SqliteStatement } from 'kysely'
import Database from 'libsql'
import { LRUCache } from 'lru-cache'
import { Problem } from '../base/problem.ts'
import { PIPELINED_MARK } from './pipelined-statements.ts'
import { DAMAGED, isLocked, PASSING, sqliteErrorCode } from './sqlite-errors.ts'
import { canLeaveRowsToSweep, isWrite } from './statement-kinds.ts'

const STATEMENTS_KEPT = 200
/**
 * How long a statement may block its thread while another connection holds a lock: at the start, in commands and in the
 * thread of the sweep, where no request waits. Elsewhere nothing blocks (wait-for-write-lock.ts).
 */
export const BLOCKING_WAIT_MS = 5000
export type LibsqlConnection = ReturnType<typeof connectSqlite>

export interface LibsqlOptions {
  onWrite?(bytes: number): void
  /**
   * Leave one complete file at close. The module finalises statements at garbage collection, too late for SQLite's
   * own checkpoint.
   */
  tidy?: boolean
}

/** Cached properties: reading them costs a native call each time. */
interface Prepared {
  text: Database.Statement
  reader: boolean
  columns: readonly string[]
  writes: boolean
  note: LibsqlOptions['onWrite']
}

export function connectSqlite(path: string, { onWrite, tidy = false }: LibsqlOptions = {}) {
  const raw = new Database(path)
  const { statement, dropStatements } = keepStatements(raw, onWrite)
  let trouble: string | undefined
  let damage: string | undefined
  let wrote = false
  let inTransaction = false

  function translateErrors<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      const code = sqliteErrorCode(error) ?? ''
      const passing = PASSING[code]
      if (DAMAGED.has(code)) damage = `the database file is damaged (${code})`
      else if (passing === undefined) throw error
      else if (code !== 'SQLITE_BUSY') trouble = `the database cannot be written now: ${passing} (${code})`
      const because = damage ?? trouble ?? `the database cannot be written now: ${passing} (${code})`
      throw new Problem('unavailable', { because, cause: error })
    }
  }

  const database: SqliteDatabase = {
    close() {
      if (tidy) leaveOneFile(raw)
      dropStatements()
      raw.close()
    },
    prepare(asked): SqliteStatement {
      if (asked === PIPELINED_MARK) return allOf(execute)
      // A transaction that begins as a reader can be refused at its first write; with the write lock, it waits.
      const sql = asked === 'begin' ? 'begin immediate' : asked
      const prepared = translateErrors(() => statement(sql))
      const { text, reader } = prepared
      return {
        reader,
        all: (parameters) => rowsOf(prepared, parameters),
        run(parameters) {
          const done = asked === 'rollback' ? rollBack(raw, text) : changesOf(prepared, parameters)
          if (asked === 'commit' && wrote) trouble = undefined
          if (asked === 'begin' || asked === 'commit') wrote = false
          if (asked === 'begin') inTransaction = true
          else if (asked === 'commit' || asked === 'rollback') inTransaction = false
          return done
        },
        // An iterator needs its own statement, because rows are read one by one.
        iterate: (parameters) => raw.prepare(sql).iterate(bindParameters(prepared, parameters)),
      }
    },
  }

  // Never by the module's `get`: after `all` of the same statement it answers for the values of that call.
  function rowsOf(prepared: Prepared, parameters: readonly unknown[]): unknown[] {
    const values = bindParameters(prepared, parameters)
    const rows = translateErrors(() => endedIfLocked(raw, () => prepared.text.all(values))) as unknown[][]
    wrote ||= prepared.writes
    return rows.map((values) => namedRow(prepared, values))
  }

  function changesOf(prepared: Prepared, parameters: readonly unknown[]) {
    const values = bindParameters(prepared, parameters)
    const done = translateErrors(() => endedIfLocked(raw, () => prepared.text.run(values)))
    wrote ||= prepared.writes
    return done
  }

  /** Only for statements that neither begin nor end a transaction. */
  function execute({ sql, parameters }: CompiledQuery): QueryResult<unknown> {
    if (sql === PIPELINED_MARK) return { rows: (parameters as readonly CompiledQuery[]).map(execute) }
    const prepared = translateErrors(() => statement(sql))
    if (prepared.reader) return { rows: rowsOf(prepared, parameters) }
    return { rows: [], numAffectedRows: BigInt(changesOf(prepared, parameters).changes) }
  }
  const row = (sql: string) => (translateErrors(() => raw.prepare(sql).all([])[0]) ?? {}) as Record<string, unknown>
  return {
    database,
    execute,
    isInTransaction: () => inTransaction,
    exec: (sql: string) => translateErrors(() => void raw.exec(sql)),
    row,
    value: (sql: string) => Object.values(row(sql))[0],
    trouble: () => damage ?? trouble,
    close: database.close,
  }
}

/**
 * The module leaves a statement that found the database locked half run, and SQLite then refuses every commit of this
 * connection. A second run that may not write ends it.
 */
function endedIfLocked<T>(raw: Database.Database, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!isLocked(error)) throw error
    raw.exec('pragma query_only = on')
    try {
      run()
    } catch {
      // Expected: SQLITE_READONLY.
    } finally {
      raw.exec('pragma query_only = off')
    }
    throw error
  }
}

function keepStatements(raw: Database.Database, onWrite: LibsqlOptions['onWrite']) {
  const kept = new LRUCache<string, Prepared>({ max: STATEMENTS_KEPT })
  function statement(sql: string): Prepared {
    const known = kept.get(sql)
    if (known) return known
    const text = raw.prepare(sql)
    const writes = isWrite(sql)
    const { reader } = text
    const columns = reader
      ? text
          .raw()
          .columns()
          .map(({ name }) => name)
      : []
    const fresh = { text, reader, columns, writes, note: canLeaveRowsToSweep(sql) ? onWrite : undefined }
    kept.set(sql, fresh)
    return fresh
  }
  return { statement, dropStatements: () => kept.clear() }
}

function allOf(execute: LibsqlConnection['execute']): SqliteStatement {
  const all = (statements: readonly unknown[]) => (statements as readonly CompiledQuery[]).map(execute)
  const never = () => {
    throw new TypeError('Statements that are run together answer all at once')
  }
  return { reader: true, all, run: never, iterate: never }
}

function bindParameters({ note }: Prepared, parameters: readonly unknown[]): unknown[] {
  let bytes = 0
  const values = parameters.map((parameter) => {
    bytes += weight(parameter)
    return toBindable(parameter)
  })
  note?.(bytes)
  return values
}

function namedRow({ columns }: Prepared, values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let at = 0; at < columns.length; at++) row[columns[at]!] = values[at]
  return row
}

function leaveOneFile(raw: Database.Database): void {
  try {
    raw.exec('pragma busy_timeout = 0')
    raw.exec('pragma journal_mode = delete')
  } catch {
    // Another connection has the file open; the last one to close, or the next to open, handles the WAL.
  }
}

function toBindable(parameter: unknown): unknown {
  if (typeof parameter === 'boolean') return parameter ? 1 : 0
  if (typeof parameter === 'string' && parameter.includes('\0'))
    throw new TypeError('Text for the database must not contain NUL characters')
  return parameter
}

const weight = (parameter: unknown): number =>
  typeof parameter === 'string' ? parameter.length : parameter instanceof Uint8Array ? parameter.byteLength : 8

/** A full disk rolls back by itself; the missing transaction must not hide the cause. */
function rollBack(
  raw: Database.Database,
  rollback: Database.Statement,
): { changes: number | bigint; lastInsertRowid: number | bigint } {
  try {
    return rollback.run([])
  } catch (error) {
    if (raw.inTransaction) throw error
    return { changes: 0, lastInsertRowid: 0 }
  }
}

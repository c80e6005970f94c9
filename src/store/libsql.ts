// One SQLite connection in the shape Kysely wants, with the sharp edges of the native module covered: it aborts the
// process on a boolean, cuts text at a NUL when reading it back, and prepares anew at every call (20 µs against 8 µs
// for a statement that is kept). It must not know any table.

import type { CompiledQuery, QueryResult, SqliteDatabase, SqliteStatement } from 'kysely'
import Database from 'libsql'
import { LRUCache } from 'lru-cache'
import { Problem } from '../base/problem.ts'
import { TOGETHER } from './together.ts'

const STATEMENTS_KEPT = 200
const WRITES = /^\s*(insert|update|delete)/i
/** What makes a write impossible now and possible later without a restart. */
const PASSING: Readonly<Record<string, string>> = {
  SQLITE_BUSY: 'another process holds it',
  SQLITE_FULL: 'the disk is full',
  SQLITE_READONLY: 'the disk can only be read',
  SQLITE_IOERR: 'the disk fails',
  SQLITE_CANTOPEN: 'its file cannot be opened',
}
/** What no waiting mends. */
const DAMAGED = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB'])

export interface LibsqlConnection {
  /** For Kysely's dialect. */
  database: SqliteDatabase
  /** Runs a statement at once. */
  execute(query: CompiledQuery): QueryResult<unknown>
  /** Whether a transaction is under way. */
  isInTransaction(): boolean
  exec(sql: string): void
  /** The first row, and the first column of it. */
  row(sql: string): Record<string, unknown>
  value(sql: string): unknown
  /** Why the last write failed, or that the file is damaged; undefined when all is well. */
  trouble(): string | undefined
  close(): void
}

export interface LibsqlOptions {
  /** Told how many bytes each write binds. */
  onWrite?(bytes: number): void
  /**
   * Leave one whole file behind when closing. The module finalises statements when they are collected, not when the
   * connection is closed, so SQLite's own tidying at the last close would come too late.
   */
  tidy?: boolean
}

/** A statement with what is asked of it at every call; asking the module costs a call into it each time. */
interface Prepared {
  text: Database.Statement
  reader: boolean
  writes: boolean
  note: LibsqlOptions['onWrite']
}

export function connect(path: string, { onWrite, tidy = false }: LibsqlOptions = {}): LibsqlConnection {
  const raw = new Database(path)
  const kept = new LRUCache<string, Prepared>({ max: STATEMENTS_KEPT })
  let trouble: string | undefined
  let damage: string | undefined
  let wrote = false
  let inTransaction = false

  /** Gives troubles of the disk their name in the error table. */
  function named<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      const code = sqliteCode(error) ?? ''
      const passing = PASSING[code]
      if (DAMAGED.has(code)) damage = `the database file is damaged (${code})`
      else if (passing === undefined) throw error
      else if (code !== 'SQLITE_BUSY') trouble = `the database cannot be written now: ${passing} (${code})`
      const because = damage ?? trouble ?? `the database cannot be written now: ${passing} (${code})`
      throw new Problem('unavailable', { because, cause: error })
    }
  }

  function statement(sql: string): Prepared {
    const known = kept.get(sql)
    if (known) return known
    const text = raw.prepare(sql)
    const writes = WRITES.test(sql)
    const fresh = { text, reader: text.reader, writes, note: writes ? onWrite : undefined }
    kept.set(sql, fresh)
    return fresh
  }

  const database: SqliteDatabase = {
    close() {
      if (tidy) leaveOneFile(raw)
      kept.clear()
      raw.close()
    },
    prepare(asked): SqliteStatement {
      if (asked === TOGETHER) return allOf(execute)
      // A transaction that begins as a reader can be refused at its first write; taking the write lock at once, it
      // waits.
      const sql = asked === 'begin' ? 'begin immediate' : asked
      const { text, reader, writes, note } = named(() => statement(sql))
      const bind = (parameters: readonly unknown[]) => {
        let bytes = 0
        const bound = parameters.map((parameter) => {
          bytes += weight(parameter)
          return bindable(parameter)
        })
        note?.(bytes)
        return bound
      }
      return {
        reader,
        all(parameters) {
          const rows = named(() => text.all(bind(parameters)))
          wrote ||= writes
          return rows
        },
        run(parameters) {
          const done = asked === 'rollback' ? undoing(text) : named(() => text.run(bind(parameters)))
          // What was written is on the disk now.
          if (asked === 'commit' && wrote) trouble = undefined
          wrote = asked !== 'begin' && asked !== 'commit' && (wrote || writes)
          if (asked === 'begin') inTransaction = true
          else if (asked === 'commit' || asked === 'rollback') inTransaction = false
          return done
        },
        // Rows are handed out one by one here, so the statement cannot be shared.
        iterate: (parameters) => raw.prepare(sql).iterate(bind(parameters)),
      }
    },
  }
  function execute({ sql, parameters }: CompiledQuery): QueryResult<unknown> {
    const statement = database.prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters) }
    return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) }
  }
  const row = (sql: string) => (named(() => raw.prepare(sql).all([])[0]) ?? {}) as Record<string, unknown>
  return {
    database,
    execute,
    isInTransaction: () => inTransaction,
    exec: (sql) => named(() => void raw.exec(sql)),
    row,
    value: (sql) => Object.values(row(sql))[0],
    trouble: () => damage ?? trouble,
    close: database.close,
  }
}

/** A statement made of others: each of its rows is the result of one. */
function allOf(execute: LibsqlConnection['execute']): SqliteStatement {
  const all = (statements: readonly unknown[]) => (statements as readonly CompiledQuery[]).map(execute)
  const never = () => {
    throw new TypeError('Statements that are run together answer all at once')
  }
  return { reader: true, all, run: never, iterate: never }
}

function leaveOneFile(raw: Database.Database): void {
  try {
    raw.exec('pragma busy_timeout = 0')
    raw.exec('pragma journal_mode = delete')
  } catch {
    // Somebody else has the file open; the last to leave will do it, or the next to open reads the log.
  }
}

function bindable(parameter: unknown): unknown {
  if (typeof parameter === 'boolean') return parameter ? 1 : 0
  if (typeof parameter === 'string' && parameter.includes('\0'))
    throw new TypeError('Text for the database must not contain NUL characters')
  return parameter
}

const weight = (parameter: unknown): number =>
  typeof parameter === 'string' ? parameter.length : parameter instanceof Uint8Array ? parameter.byteLength : 8

/** A full disk undoes a transaction by itself: that there is none left to undo must not hide why. */
function undoing(rollback: Database.Statement): { changes: number | bigint; lastInsertRowid: number | bigint } {
  try {
    return rollback.run([])
  } catch (error) {
    if (!/no transaction is active/i.test((error as Error).message)) throw error
    return { changes: 0, lastInsertRowid: 0 }
  }
}

/** The primary result code: `SQLITE_IOERR_WRITE` is `SQLITE_IOERR`. */
export function sqliteCode(error: unknown): string | undefined {
  const inner = error instanceof Problem ? error.cause : error
  if (!(inner instanceof Error && 'code' in inner && typeof inner.code === 'string')) return undefined
  return /^SQLITE_[A-Z]+/.exec(inner.code)?.[0]
}

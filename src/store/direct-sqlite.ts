// A synchronous path to SQLite: the query builder's promises cost more than most statements.
import type { CompiledQuery, QueryResult } from 'kysely'
import type { Db, Tx } from './tables.ts'

interface DirectConnection {
  execute(query: CompiledQuery): QueryResult<unknown>
  first(query: CompiledQuery): unknown
  isInTransaction(): boolean
}

const connections = new WeakMap<object, DirectConnection>()

export const registerDirectSqlite = (db: Db, connection: DirectConnection): void =>
  void connections.set(db.getExecutor().adapter, connection)

export async function executeCompiled<Row>(on: Db | Tx, query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  const connection = connectionOf(on)
  return connection ? (connection.execute(query) as QueryResult<Row>) : on.executeQuery(query)
}

/** For a statement that finds at most one row. */
export async function readFirstRow<Row>(on: Db | Tx, query: CompiledQuery<Row>): Promise<Row | undefined> {
  const connection = connectionOf(on)
  return connection ? (connection.first(query) as Row | undefined) : (await on.executeQuery(query)).rows[0]
}

/** Outside a transaction, the builder waits until the open transaction ends. */
function connectionOf(on: Db | Tx): DirectConnection | undefined {
  const connection = connections.get(on.getExecutor().adapter)
  return connection && (on.isTransaction || !connection.isInTransaction()) ? connection : undefined
}

// A synchronous path to SQLite: the query builder's promises cost more than most statements.
import type { CompiledQuery, QueryResult } from 'kysely'
import { isLocked } from './sqlite-errors.ts'
import type { Db, Tx } from './tables.ts'

interface DirectConnection {
  execute(query: CompiledQuery): QueryResult<unknown>
  isInTransaction(): boolean
}

const connections = new WeakMap<object, DirectConnection>()

export const registerDirectSqlite = (db: Db, connection: DirectConnection): void =>
  void connections.set(db.getExecutor().adapter, connection)

export async function executeCompiled<Row>(on: Db | Tx, query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  const connection = connectionOf(on)
  try {
    if (connection) return connection.execute(query) as QueryResult<Row>
  } catch (error) {
    if (on.isTransaction || !isLocked(error)) throw error
  }
  return on.executeQuery(query)
}

/** Outside a transaction, the builder waits until the open transaction ends. */
function connectionOf(on: Db | Tx): DirectConnection | undefined {
  const connection = connections.get(on.getExecutor().adapter)
  return connection && (on.isTransaction || !connection.isInTransaction()) ? connection : undefined
}

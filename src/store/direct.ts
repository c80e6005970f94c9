// The short way to SQLite for statements that are kept: its calls return at once, and the promises that the query builder
// puts around each of them cost more than most statements do.
import type { CompiledQuery, QueryResult } from 'kysely'
import type { Db, Tx } from './tables.ts'

interface DirectConnection {
  execute(query: CompiledQuery): QueryResult<unknown>
  isInTransaction(): boolean
}

/** By the adapter, which a database and its transactions have in common. */
const connections = new WeakMap<object, DirectConnection>()

export const openDirect = (db: Db, connection: DirectConnection): void =>
  void connections.set(db.getExecutor().adapter, connection)

export async function execute<Row>(on: Db | Tx, query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  const connection = connections.get(on.getExecutor().adapter)
  // Outside of a transaction it waits, as the builder does, until the one that is under way has ended.
  if (!connection || (!on.isTransaction && connection.isInTransaction())) return on.executeQuery(query)
  return connection.execute(query) as QueryResult<Row>
}

// Statements compiled once: building a query costs more than SQLite needs to run most of them.
import type { CompiledQuery, QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import { executeCompiled } from './direct-sqlite.ts'
import type { Db, Tx } from './tables.ts'

interface CompiledStatement<Values, Row> {
  (on: Db | Tx, values: Values): Promise<QueryResult<Row>>
  of(values: Values): CompiledQuery<Row>
  /** For a statement that finds at most one row. */
  first(on: Db | Tx, values: Values): Promise<Row | undefined>
}

/** Called once, with placeholders: the statement's text must not depend on the values. */
export function compileStatementOnce<Values extends object, Row>(
  build: (value: Values) => CompiledQuery<Row>,
): CompiledStatement<Values, Row> {
  let built: CompiledQuery<Row> | undefined
  const of = (values: Values): CompiledQuery<Row> => {
    built ??= build(standIns<Values>())
    const parameters = built.parameters.map((parameter) =>
      parameter instanceof StandIn ? values[parameter.name as keyof Values] : parameter,
    )
    return { ...built, parameters }
  }
  const all = (on: Db | Tx, values: Values) => executeCompiled(on, of(values))
  const first = async (on: Db | Tx, values: Values) => (await all(on, values)).rows[0]
  return Object.assign(all, { of, first })
}

const SETS_KEPT = 100

/** Keeps one statement for each set of columns in `values`. */
export function compileStatementPerColumns<Values extends object, Row>(
  build: (value: Values) => CompiledQuery<Row>,
): (on: Db | Tx, values: Values) => Promise<QueryResult<Row>> {
  const sets = new LRUCache<string, CompiledStatement<Values, Row>>({ max: SETS_KEPT })
  return (on, values) => {
    const names = Object.keys(values) as (keyof Values)[]
    const set = names.join()
    const known =
      sets.get(set) ?? compileStatementOnce<Values, Row>((value) => build(pickColumns(value, ...names) as Values))
    sets.set(set, known)
    return known(on, values)
  }
}

class StandIn {
  readonly name: PropertyKey
  constructor(name: PropertyKey) {
    this.name = name
  }
}

const standIns = <Values extends object>(): Values =>
  new Proxy({} as Values, { get: (_, name) => new StandIn(name) as unknown })

export const pickColumns = <Row extends object, Name extends keyof Row>(
  value: Row,
  ...names: Name[]
): Pick<Row, Name> => Object.fromEntries(names.map((name) => [name, value[name]])) as Pick<Row, Name>

// Statements that are built once and then only run. Building and compiling a query costs more than SQLite needs to run
// most of them, so those that run for every page keep their text; the builder still writes it, for either dialect.
import type { CompiledQuery, QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import { execute } from './direct.ts'
import type { Db, Tx } from './tables.ts'

export interface Kept<Values, Row> {
  /** Runs the statement with these values. */
  (on: Db | Tx, values: Values): Promise<QueryResult<Row>>
  /** The statement with these values, to be run with others. */
  of(values: Values): CompiledQuery<Row>
}

/**
 * `build` is called once, with a stand-in for each value it reads. It must not look at them: what a statement says may
 * not depend on what it is run with.
 */
export function kept<Values extends object, Row>(build: (value: Values) => CompiledQuery<Row>): Kept<Values, Row> {
  let built: CompiledQuery<Row> | undefined
  const of = (values: Values): CompiledQuery<Row> => {
    built ??= build(standIns<Values>())
    const parameters = built.parameters.map((parameter) =>
      parameter instanceof StandIn ? values[parameter.name as keyof Values] : parameter,
    )
    return { ...built, parameters }
  }
  return Object.assign((on: Db | Tx, values: Values) => execute(on, of(values)), { of })
}

const SETS_KEPT = 100

/** The same for statements whose columns vary: one is kept for each set of columns that `values` may have. */
export function keptByColumns<Values extends object, Row>(
  build: (value: Values) => CompiledQuery<Row>,
): (on: Db | Tx, values: Values) => Promise<QueryResult<Row>> {
  const sets = new LRUCache<string, Kept<Values, Row>>({ max: SETS_KEPT })
  return (on, values) => {
    const names = Object.keys(values) as (keyof Values)[]
    const set = names.join()
    const known = sets.get(set) ?? kept<Values, Row>((value) => build(rowOf(value, ...names) as Values))
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

/** A row of stand-ins, for a statement that inserts these columns. */
export const rowOf = <Row extends object, Name extends keyof Row>(value: Row, ...names: Name[]): Pick<Row, Name> =>
  Object.fromEntries(names.map((name) => [name, value[name]])) as Pick<Row, Name>

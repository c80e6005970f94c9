// Sends independent statements at once: PostgreSQL gets them in one message, which saves round trips. The first
// error rejects all, and the transaction is lost.
import { CompiledQuery, type QueryResult } from 'kysely'
import { executeCompiled } from './direct-sqlite.ts'
import type { Db, Tx } from './tables.ts'

/** Marks a batch for the drivers; the statements are its parameters. */
export const PIPELINED_MARK = '/* together */'

type Results<Rows extends readonly unknown[]> = { [At in keyof Rows]: QueryResult<Rows[At]> }
type Statements<Rows extends readonly unknown[]> = { [At in keyof Rows]: CompiledQuery<Rows[At]> }

export async function executeInOneRoundTrip<Rows extends readonly unknown[]>(
  on: Db | Tx,
  ...statements: Statements<Rows>
): Promise<Results<Rows>> {
  if (statements.length === 0) return [] as unknown as Results<Rows>
  const { rows } = await executeCompiled(on, CompiledQuery.raw(PIPELINED_MARK, statements as unknown as unknown[]))
  return rows as unknown as Results<Rows>
}

/**
 * A part of a transaction that others may follow before its result is known, so that several modules share one
 * message.
 */
export interface TransactionStep<T> {
  statements: readonly CompiledQuery[]
  read(results: readonly QueryResult<unknown>[], tx: Tx): T | Promise<T>
}

export const makeTransactionStep = <Rows extends readonly unknown[], T>(
  statements: readonly [...Statements<Rows>],
  read: (results: Results<Rows>, tx: Tx) => T | Promise<T>,
): TransactionStep<T> => ({ statements, read: (results, tx) => read(results as unknown as Results<Rows>, tx) })

export async function runStepsInOneRoundTrip<Ts extends readonly unknown[]>(
  tx: Tx,
  ...steps: { [At in keyof Ts]: TransactionStep<Ts[At]> }
): Promise<Ts> {
  const results: readonly QueryResult<unknown>[] = await executeInOneRoundTrip(
    tx,
    ...steps.flatMap(({ statements }) => statements),
  )
  const read: unknown[] = []
  let at = 0
  for (const step of steps) {
    read.push(await step.read(results.slice(at, at + step.statements.length), tx))
    at += step.statements.length
  }
  return read as unknown as Ts
}

// Several statements in one go, for those that need nothing of each other's answers. PostgreSQL gets them in one message,
// so that a page of a crawl waits for fewer answers; SQLite runs them one after the other. The first that fails is the
// error of all, and the transaction they stand in is lost.
import { CompiledQuery, type QueryResult } from 'kysely'
import type { Db, Tx } from './tables.ts'

/** The text by which the drivers know them; the statements are its parameters. */
export const TOGETHER = '/* together */'

type Results<Rows extends readonly unknown[]> = { [At in keyof Rows]: QueryResult<Rows[At]> }
type Statements<Rows extends readonly unknown[]> = { [At in keyof Rows]: CompiledQuery<Rows[At]> }

export async function together<Rows extends readonly unknown[]>(
  on: Db | Tx,
  ...statements: Statements<Rows>
): Promise<Results<Rows>> {
  const { rows } = await on.executeQuery(CompiledQuery.raw(TOGETHER, statements as unknown as unknown[]))
  return rows as unknown as Results<Rows>
}

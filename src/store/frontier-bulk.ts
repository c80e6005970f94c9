// Many pages in one statement. A list is one parameter, so that the statement stays prepared for every length.
import { sql } from 'kysely'
import type { NewJobPage } from './frontier-types.ts'
import type { Db, Dialect, Tx } from './tables.ts'

export const frontierBulkOfDialect = (dialect: Dialect): FrontierBulk =>
  dialect === 'sqlite' ? sqliteLists : postgresLists

interface ListedPage extends Required<NewJobPage> {
  id: string
  n: number
}

interface FrontierBulk {
  known(on: Db | Tx, jobId: string, keys: readonly string[]): Promise<string[]>
  insert(tx: Tx, jobId: string, rows: readonly ListedPage[]): Promise<number>
}

const sqliteLists: FrontierBulk = {
  async known(on, jobId, keys) {
    const { rows } = await sql<{ url_key: string }>`
      select url_key from frontier where job_id = ${jobId}
        and url_key in (select value from json_each(${JSON.stringify(keys)}))`.execute(on)
    return rows.map((row) => row.url_key)
  },
  async insert(tx, jobId, rows) {
    const result = await sql`
      insert into frontier (id, job_id, url_key, url, depth, options_n, n, state)
      select value ->> 'id', ${jobId}, value ->> 'key', value ->> 'url', value ->> 'depth', value ->> 'optionsN',
        value ->> 'n', 'queued' from json_each(${JSON.stringify(rows)}) where true
      on conflict do nothing`.execute(tx)
    return Number(result.numAffectedRows ?? 0)
  },
}

const postgresLists: FrontierBulk = {
  async known(on, jobId, keys) {
    const { rows } = await sql<{ url_key: string }>`
      select url_key from frontier where job_id = ${jobId} and url_key = any(${keys}::text[])`.execute(on)
    return rows.map((row) => row.url_key)
  },
  async insert(tx, jobId, rows) {
    const result = await sql`
      insert into frontier (id, job_id, url_key, url, depth, options_n, n, state)
      select r.id, ${jobId}, r.key, r.url, r.depth, r."optionsN", r.n, 'queued'
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r(id text, key text, url text, depth int, "optionsN" int, n bigint)
      on conflict do nothing`.execute(tx)
    return Number(result.numAffectedRows ?? 0)
  },
}

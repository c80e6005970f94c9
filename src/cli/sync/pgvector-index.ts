// Chunks in a table of PostgreSQL, with a pgvector column when there are embeddings. `?table=` names the table.
import { UsageError } from '../command.ts'
import type { OpenChunkIndex } from './chunk-index.ts'

const NAME = /^[a-z_][a-z0-9_]{0,62}$/

export const openPgvectorChunkIndex: OpenChunkIndex = async (address, dimensions) => {
  const table = address.searchParams.get('table') ?? 'orb_chunks'
  if (!NAME.test(table)) throw new UsageError(`?table= must be a plain name in lower case, not ${table}`)
  const connection = new URL(address)
  connection.searchParams.delete('table')
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: String(connection) })
  await client.connect()
  if (dimensions) await client.query('create extension if not exists vector')
  await client.query(`create table if not exists ${table} (
    id text primary key, url text not null, text text not null, headings jsonb not null, data jsonb not null)`)
  await client.query(`create index if not exists ${table}_url on ${table} (url)`)
  if (dimensions) await client.query(`alter table ${table} add column if not exists embedding vector(${dimensions})`)
  return {
    async known(ids) {
      // A chunk without a vector is not complete once there are embeddings.
      const whole = dimensions ? 'and embedding is not null' : ''
      const { rows } = await client.query(`select id from ${table} where id = any($1) ${whole}`, [ids])
      return new Set(rows.map((row: { id: string }) => row.id))
    },
    async put(chunks, vectors) {
      const rows = chunks.map(({ id, url, text, headings, ...data }, at) => ({
        ...{ id, url, text, headings, data },
        embedding: vectors ? JSON.stringify(vectors[at]) : null,
      }))
      const [column, value, set] = vectors
        ? [', embedding', ', r.embedding::vector', ', embedding = excluded.embedding']
        : ['', '', '']
      await client.query(
        `insert into ${table} (id, url, text, headings, data${column})
        select r.id, r.url, r.text, r.headings, r.data${value} from jsonb_to_recordset($1::jsonb)
          as r(id text, url text, text text, headings jsonb, data jsonb, embedding text)
        on conflict (id) do update set url = excluded.url, text = excluded.text, headings = excluded.headings,
          data = excluded.data${set}`,
        [JSON.stringify(rows)],
      )
    },
    async drop(url, except) {
      await client.query(`delete from ${table} where url = $1 and not (id = any($2))`, [url, except])
    },
    close: () => client.end(),
  }
}

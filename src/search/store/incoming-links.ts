// Link texts by target address, kept until the target is indexed. search/engine/extract-links.ts assigns slots.
import { type RawBuilder, sql } from 'kysely'
import type { Db, Dialect, Tx } from '../../store/tables.ts'

const BATCH = 500

export interface IncomingLink {
  text: string
  source: number
  from: string
  seenAt: number
}

/** A target address within its team, as a number, with the bucket of its links. */
export interface LinkTarget {
  teamId: string
  target: number
  bucket: number
}

export type LinkRow = [teamId: string, bucket: number, slot: number, target: number, source: number, text: string]

export async function findIncomingLinks(
  db: Db,
  dialect: Dialect,
  pages: readonly LinkTarget[],
): Promise<IncomingLink[][]> {
  const found = new Map<string, IncomingLink[]>(pages.map((page) => [nameOf(page), []]))
  const byTeam = new Map<string, number[]>(pages.map(({ teamId }) => [teamId, []]))
  for (const { teamId, bucket } of pages) byTeam.get(teamId)!.push(bucket)
  // One row: transferring thousands of rows costs more than finding them.
  const columns = sql`target, source, search_links.text, url_key, seen_at`
  const all =
    dialect === 'sqlite'
      ? sql`json_group_array(json_array(${columns}))`
      : sql`cast(json_agg(json_build_array(${columns})) as text)`
  for (const [teamId, buckets] of byTeam)
    for (let at = 0; at < buckets.length; at += BATCH) {
      const { rows } = await sql<{ links: string | null }>`select ${all} as links
        from search_links join search_pages on search_pages.number = search_links.source
        where search_links.team_id = ${teamId} and bucket in (${sql.join(buckets.slice(at, at + BATCH))})`.execute(db)
      type Row = [target: number, source: number, text: string, from: string, seenAt: number]
      // Other addresses may share the bucket.
      for (const [target, source, text, from, seenAt] of JSON.parse(rows[0]?.links ?? '[]') as Row[])
        found.get(nameOf({ teamId, target }))?.push({ source, text, from, seenAt })
    }
  return pages.map((page) => found.get(nameOf(page))!)
}

const nameOf = ({ teamId, target }: { teamId: string; target: number }): string => `${teamId} ${target}`

/**
 * `links`: JSON rows, at most one per slot, because a statement of thousands of values costs more to build than to
 * run. `again`: pages that may have had links.
 */
export async function storeLinks(tx: Tx, dialect: Dialect, links: string, again: readonly number[]): Promise<void> {
  for (let at = 0; at < again.length; at += BATCH)
    await tx
      .deleteFrom('search_links')
      .where('source', 'in', again.slice(at, at + BATCH))
      .execute()
  if (links === '[]') return
  const given = dialect === 'sqlite' ? sql`json_each(${links})` : sql`json_array_elements(cast(${links} as json))`
  await sql`insert into search_links (team_id, bucket, slot, target, source, text)
    select value ->> 0, ${castToInteger(1)}, ${castToInteger(2)}, ${castToInteger(3)}, ${castToInteger(4)}, value ->> 5 from ${given} where true
    order by 1, 2, 3
    on conflict (team_id, bucket, slot)
    do update set target = excluded.target, source = excluded.source, text = excluded.text`.execute(tx)
}

const castToInteger = (at: number): RawBuilder<number> => sql`cast(value ->> ${sql.lit(at)} as bigint)`

// What pages call the pages that they lead to: the texts of links, by the address that they lead to, until the page at that
// address is put into the index. Who reads links says which place each has (search/engine/links.ts); there it takes the
// place of an older one.
import { type RawBuilder, sql } from 'kysely'
import type { Db, Dialect, Tx } from './tables.ts'

const BATCH = 500

/** A link to a page, from another that was read. */
export interface LinkTo {
  text: string
  /** The page that has it, by number and by key. */
  source: number
  from: string
  seenAt: number
}

/** An address among those of its team, as a number, and where the links to it stand. */
export interface LinkTarget {
  teamId: string
  target: number
  bucket: number
}

export type LinkRow = [teamId: string, bucket: number, slot: number, target: number, source: number, text: string]

/** Of each of these addresses, what leads to it in its own team. */
export async function linksTo(db: Db, pages: readonly LinkTarget[]): Promise<LinkTo[][]> {
  const found = new Map<string, { source: number; text: string }[]>(pages.map((page) => [nameOf(page), []]))
  const byTeam = new Map<string, number[]>(pages.map(({ teamId }) => [teamId, []]))
  for (const { teamId, bucket } of pages) byTeam.get(teamId)!.push(bucket)
  const sources = new Set<number>()
  for (const [teamId, buckets] of byTeam)
    for (let at = 0; at < buckets.length; at += BATCH) {
      const rows = await db
        .selectFrom('search_links')
        .select(['target', 'source', 'text'])
        .where('team_id', '=', teamId)
        .where('bucket', 'in', buckets.slice(at, at + BATCH))
        .execute()
      for (const row of rows) {
        // Other addresses may have the same places.
        const links = found.get(nameOf({ teamId, target: Number(row.target) }))
        const source = Number(row.source)
        if (links) sources.add(source)
        links?.push({ source, text: row.text })
      }
    }
  const having = await pagesOf(db, [...sources])
  return pages.map((page) =>
    found.get(nameOf(page))!.flatMap(({ source, text }) => {
      const about = having.get(source)
      return about ? [{ source, text, ...about }] : []
    }),
  )
}

/** A site's pages lead to the same pages: each that leads somewhere is looked up once. */
async function pagesOf(db: Db, numbers: readonly number[]): Promise<Map<number, Pick<LinkTo, 'from' | 'seenAt'>>> {
  const found = new Map<number, Pick<LinkTo, 'from' | 'seenAt'>>()
  for (let at = 0; at < numbers.length; at += BATCH) {
    const rows = await db
      .selectFrom('search_pages')
      .select(['number', 'url_key', 'seen_at'])
      .where('number', 'in', numbers.slice(at, at + BATCH))
      .execute()
    for (const { number, url_key: from, seen_at } of rows) found.set(Number(number), { from, seenAt: Number(seen_at) })
  }
  return found
}

const nameOf = ({ teamId, target }: { teamId: string; target: number }): string => `${teamId} ${target}`

/**
 * Puts the links of pages in the place of those that they had. `links`: rows as JSON, no two for one place; a statement of
 * thousands of values costs more to build than to run. `again`: pages that may have had some.
 */
export async function putLinks(tx: Tx, dialect: Dialect, links: string, again: readonly number[]): Promise<void> {
  for (let at = 0; at < again.length; at += BATCH)
    await tx
      .deleteFrom('search_links')
      .where('source', 'in', again.slice(at, at + BATCH))
      .execute()
  if (links === '[]') return
  const given = dialect === 'sqlite' ? sql`json_each(${links})` : sql`json_array_elements(cast(${links} as json))`
  await sql`insert into search_links (team_id, bucket, slot, target, source, text)
    select value ->> 0, ${whole(1)}, ${whole(2)}, ${whole(3)}, ${whole(4)}, value ->> 5 from ${given} where true
    order by 1, 2, 3
    on conflict (team_id, bucket, slot)
    do update set target = excluded.target, source = excluded.source, text = excluded.text`.execute(tx)
}

const whole = (at: number): RawBuilder<number> => sql`cast(value ->> ${sql.lit(at)} as bigint)`

/** Of pages whose links' words have outlived the pages they come from, those words; a batch, and how many. */
export async function endLinks(db: Db, before: number, teamId?: string): Promise<number> {
  const aged = await db
    .selectFrom('search_pages')
    .select('number')
    .where('links_since', '<', before)
    .$if(teamId !== undefined, (query) => query.where('team_id', '=', teamId!))
    .limit(BATCH)
    .execute()
  if (aged.length === 0) return 0
  const numbers = aged.map(({ number }) => number)
  await db.updateTable('search_pages').set({ links: null, links_since: null }).where('number', 'in', numbers).execute()
  return aged.length
}

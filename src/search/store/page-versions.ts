// The history of a page's text.
import { type RawBuilder, sql } from 'kysely'
import { newId } from '../../store/id.ts'
import { COMMON_TEAM_ID } from '../../store/search-tables.ts'
import { type Db, type Tx, toBuffer } from '../../store/tables.ts'

interface PageVersion {
  url: string
  title: string
  since: number
  seenAt: number
}

export interface EarlierPageVersion extends PageVersion {
  teamId: string
  urlKey: string
  text: Uint8Array
}

interface PageVersions {
  /** Newest first. The team's own versions, then the common ones. */
  list(teamId: string, urlKey: string, limit: number): Promise<PageVersion[]>
  /** Undefined when the page was first seen later. */
  at(teamId: string, urlKey: string, time: number): Promise<(PageVersion & { text: Uint8Array }) | undefined>
}

export function openPageVersions(db: Db): PageVersions {
  const selectCurrent = (teamId: string, urlKey: string) =>
    db
      .selectFrom('search_pages')
      .select(['url', 'title', 'seen_at'])
      .select(sql<number>`coalesce(text_since, seen_at)`.as('since'))
      .where('team_id', 'in', [teamId, COMMON_TEAM_ID])
      .where('url_key', '=', urlKey)
      .where('version', '>', 0)
      .where('text', 'is not', null)
  const selectOlder = (teamId: string, urlKey: string) =>
    db
      .selectFrom('page_versions')
      .select(['url', 'title', 'seen_at', 'since'])
      .where('team_id', 'in', [teamId, COMMON_TEAM_ID])
      .where('url_key', '=', urlKey)
  return {
    async list(teamId, urlKey, limit) {
      const rows = [
        ...(await selectCurrent(teamId, urlKey).execute()),
        ...(await selectOlder(teamId, urlKey).orderBy('since', 'desc').limit(limit).execute()),
      ]
      return rows
        .map(versionOf)
        .sort((a, b) => b.since - a.since)
        .slice(0, limit)
    },
    async at(teamId, urlKey, time) {
      const rows = [
        ...(await selectCurrent(teamId, urlKey).select('text').execute()),
        ...(await selectOlder(teamId, urlKey)
          .select('text')
          .where('since', '<=', time)
          .orderBy('since', 'desc')
          .limit(1)
          .execute()),
      ]
      const [found] = rows
        .filter(({ since }) => Number(since) <= time)
        .sort((a, b) => Number(b.since) - Number(a.since))
      return found?.text ? { ...versionOf(found), text: toBuffer(found.text) } : undefined
    },
  }
}

const versionOf = (row: { url: string; title: string; since: number; seen_at: number }): PageVersion => ({
  url: row.url,
  title: row.title,
  since: Number(row.since),
  seenAt: Number(row.seen_at),
})

/** Stores the current text as a version when the new one differs. */
export const archiveReplacedText = (
  tx: Tx,
  { number, version, text }: { number: number; version: number; text: Uint8Array },
  now: number,
): Promise<void> => keepOlder(tx, sql`number = ${number} and version < ${version} and text <> ${text}`, now)

export const archiveRemovedText = (
  tx: Tx,
  { teamId, urlKey, version }: { teamId: string; urlKey: string; version: number },
  now: number,
): Promise<void> => keepOlder(tx, sql`team_id = ${teamId} and url_key = ${urlKey} and version < ${version}`, now)

async function keepOlder(tx: Tx, which: RawBuilder<unknown>, now: number): Promise<void> {
  await sql`insert into page_versions (id, team_id, url_key, url, title, since, seen_at, bytes, text)
    select ${newId(now)}, team_id, url_key, url, title, coalesce(text_since, seen_at), seen_at, length(text), text
    from search_pages where ${which} and version > 0 and text is not null`.execute(tx)
}

/** Skips a text that equals the indexed one. */
export async function addPageVersion(
  tx: Tx,
  { teamId, urlKey, url, title, since, seenAt, text }: EarlierPageVersion,
  now: number,
): Promise<void> {
  const row = [newId(now), teamId, urlKey, url, title, since, seenAt, text.byteLength, text]
  await sql`insert into page_versions (id, team_id, url_key, url, title, since, seen_at, bytes, text)
    select ${sql.join(row)} where not exists
      (select 1 from search_pages where team_id = ${teamId} and url_key = ${urlKey} and text = ${text})`.execute(tx)
}

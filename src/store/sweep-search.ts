// Sweep of the search index: old pages, outdated link texts, unfinished segments, and old searches.
import { dropOldest } from './sweep-batches.ts'
import type { Db } from './tables.ts'

const UNFINISHED_MS = 3_600_000
const SEARCH_LIFE_MS = 86_400_000
const SWEEP_ROWS = 200
const YEAR_MS = 365 * 86_400_000

export async function dropSearchPages(db: Db, now: number, maxAgeMs: number): Promise<number> {
  const dropped = await dropAged(db, now - maxAgeMs)
  if (dropped > 0) return dropped
  const ended = await endLinks(db, now - maxAgeMs)
  if (ended > 0) return ended
  const lost = await dropWithoutDocument(db, now - maxAgeMs)
  if (lost > 0) return lost
  const halves = await db
    .selectFrom('search_segments')
    .select('id')
    .where('live', '=', 0)
    .where('created_at', '<', now - UNFINISHED_MS)
    .limit(SWEEP_ROWS)
    .execute()
  if (halves.length > 0) {
    const ids = halves.map(({ id }) => id)
    await db.deleteFrom('search_segment_parts').where('segment_id', 'in', ids).execute()
    await db.deleteFrom('search_segments').where('id', 'in', ids).execute()
    return ids.length
  }
  const old = await db
    .selectFrom('searches')
    .select('id')
    .where('at', '<', now - SEARCH_LIFE_MS)
    .limit(SWEEP_ROWS)
    .execute()
  const ids = old.map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('searches').where('id', 'in', ids).execute()
  return ids.length
}

async function dropWithoutDocument(db: Db, before: number): Promise<number> {
  const lost = await db
    .selectFrom('search_outbox')
    .leftJoin('documents', 'documents.id', 'search_outbox.document_id')
    .select('search_outbox.id')
    .where('documents.id', 'is', null)
    .where((where) => where.or([where('kind', '!=', 'gone'), where('at', '<', before)]))
    .limit(SWEEP_ROWS)
    .execute()
  const ids = lost.map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('search_outbox').where('id', 'in', ids).execute()
  return ids.length
}

export async function dropAged(db: Db, before: number, teamId?: string): Promise<number> {
  const aged = await db
    .selectFrom('search_pages')
    .select('number')
    .where('seen_at', '<', before)
    .$if(teamId !== undefined, (query) => query.where('team_id', '=', teamId!))
    .limit(SWEEP_ROWS)
    .execute()
  const numbers = aged.map(({ number }) => number)
  if (numbers.length > 0) await db.deleteFrom('search_pages').where('number', 'in', numbers).execute()
  return numbers.length
}

export async function endLinks(db: Db, before: number, teamId?: string): Promise<number> {
  const aged = await db
    .selectFrom('search_pages')
    .select('number')
    .where('links_since', '<', before)
    .$if(teamId !== undefined, (query) => query.where('team_id', '=', teamId!))
    .limit(SWEEP_ROWS)
    .execute()
  if (aged.length === 0) return 0
  const numbers = aged.map(({ number }) => number)
  await db.updateTable('search_pages').set({ links: null, links_since: null }).where('number', 'in', numbers).execute()
  return aged.length
}

export const dropVersions = (db: Db, now: number, maxBytes: number): Promise<number> =>
  dropOldest(db, { table: 'page_versions', time: 'seen_at', before: now - YEAR_MS, maxBytes })

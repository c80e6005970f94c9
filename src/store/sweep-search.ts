// Sweep of the search index: old pages, outdated link texts, and unfinished segments.
import { DAY_MS, HOUR_MS } from '../base/clock.ts'
import { deleteOldestRows } from './sweep-batches.ts'
import type { Db } from './tables.ts'

const UNFINISHED_MS = HOUR_MS
const SWEEP_ROWS = 200
const YEAR_MS = 365 * DAY_MS

export async function deleteExpiredSearchPages(db: Db, now: number, maxAgeMs: number): Promise<number> {
  const dropped = await deleteAgedSearchPages(db, now - maxAgeMs)
  if (dropped > 0) return dropped
  const ended = await deleteOutdatedLinks(db, now - maxAgeMs)
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
  if (halves.length === 0) return 0
  const ids = halves.map(({ id }) => id)
  await db.deleteFrom('search_segment_parts').where('segment_id', 'in', ids).execute()
  await db.deleteFrom('search_segments').where('id', 'in', ids).execute()
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

async function pagesBefore(db: Db, column: 'seen_at' | 'links_since', before: number, teamId?: string) {
  const rows = await db
    .selectFrom('search_pages')
    .select('number')
    .where(column, '<', before)
    .$if(teamId !== undefined, (query) => query.where('team_id', '=', teamId!))
    .limit(SWEEP_ROWS)
    .execute()
  return rows.map(({ number }) => number)
}

export async function deleteAgedSearchPages(db: Db, before: number, teamId?: string): Promise<number> {
  const numbers = await pagesBefore(db, 'seen_at', before, teamId)
  if (numbers.length > 0) await db.deleteFrom('search_pages').where('number', 'in', numbers).execute()
  return numbers.length
}

export async function deleteOutdatedLinks(db: Db, before: number, teamId?: string): Promise<number> {
  const numbers = await pagesBefore(db, 'links_since', before, teamId)
  if (numbers.length === 0) return 0
  await db.updateTable('search_pages').set({ links: null, links_since: null }).where('number', 'in', numbers).execute()
  return numbers.length
}

export const deleteOldPageVersions = (db: Db, now: number, maxBytes: number): Promise<number> =>
  deleteOldestRows(db, { table: 'page_versions', time: 'seen_at', before: now - YEAR_MS, maxBytes })

// Storage of the search index: the outbox that each result fills, page rows, and segments in parts.

import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { HOUR_MS } from '../../base/clock.ts'
import { haveSamePath } from '../../base/url-key.ts'
import type { StorageContext } from '../../store/capability-storage.ts'
import { compileStatementOnce, pickColumns } from '../../store/compiled-statements.ts'
import { newId } from '../../store/id.ts'
import type { RowFields } from '../../store/row-codec.ts'
import type { NewSearchOutboxEntry } from '../../store/search-outbox.ts'
import { type Db, type Dialect, type Tables, type Tx, toBuffer } from '../../store/tables.ts'
import { findIncomingLinks, type LinkTarget, storeLinks } from './incoming-links.ts'
import { addPageVersion, archiveRemovedText, archiveReplacedText, type EarlierPageVersion } from './page-versions.ts'

export interface OutboxPage extends NewSearchOutboxEntry {
  id: number
  body: Uint8Array | undefined
}

export interface IndexedPageRow
  extends Omit<RowFields<Tables['search_pages'], { text: Uint8Array | undefined }>, 'teamId' | 'urlKey' | 'textSince'> {
  /** When it was first seen with this text, within the same batch. */
  since?: number
}

export type PageNumberRow = Pick<IndexedPageRow, 'number' | 'version' | 'seenAt'>

export interface SegmentRow {
  id: string
  teamId: string
  pages: number
  bytes: number
}

interface OutboxQuery {
  teamId?: string | undefined
  /** Only rows after this id, without `gone` rows: the pages they replace may still be queued. */
  after?: number | undefined
  limit: number
  maxBytes: number
}

interface IndexBatch {
  done: readonly Omit<OutboxPage, 'body'>[]
  rows: readonly IndexedPageRow[]
  gone: readonly { teamId: string; urlKey: string; url: string; version: number }[]
  segments: readonly { teamId: string; pages: number; bytes: Uint8Array }[]
  versions: readonly EarlierPageVersion[]
  /** JSON rows for `storeLinks`; they replace the pages' earlier links. */
  links: string
}

export interface CurrentPageVersions {
  versions: Map<number, number>
  linked: Set<number>
}

const PART_BYTES = 1024 * 1024
const SEARCHED_EVERY_MS = HOUR_MS
const BATCH = 500

export type SearchIndexStore = ReturnType<typeof openSearchIndexStore>

export function openSearchIndexStore({ db, dialect, clock, searchOutbox: outbox }: StorageContext) {
  const searchedAt = new LRUCache<string, number>({ max: 10_000 })
  const statements = statementsOn(db)
  let age = outbox.age()
  return {
    /** Marks the team as searching: its pages are indexed from now on. */
    async searched(teamId: string) {
      const now = clock.now()
      // Forgetting a team removes its row.
      if (age !== outbox.age()) searchedAt.clear()
      age = outbox.age()
      if (Math.abs(now - (searchedAt.get(teamId) ?? 0)) < SEARCHED_EVERY_MS) return
      await db
        .insertInto('search_teams')
        .values({ team_id: teamId, searched_at: now })
        .onConflict((conflict) => conflict.column('team_id').doUpdateSet({ searched_at: now }))
        .execute()
      searchedAt.set(teamId, now)
    },
    teamWaiting: (searchedSince: number) => teamWaiting(db, searchedSince),
    async countWaiting(teamId: string) {
      const { count } = await db
        .selectFrom('search_outbox')
        .select(sql<number | string>`count(*)`.as('count'))
        .where('team_id', '=', teamId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    /** The id after which `many` rows of the team are queued; 0 when there are no more than that. */
    async newestAfter(teamId: string, many: number) {
      const row = await db
        .selectFrom('search_outbox')
        .select('id')
        .where('team_id', '=', teamId)
        .orderBy('id', 'desc')
        .offset(many)
        .limit(1)
        .executeTakeFirst()
      return Number(row?.id ?? 0)
    },
    waiting: (query: OutboxQuery) => waiting(db, query),
    numbers: (pages: readonly { teamId: string; urlKey: string; url: string }[]) =>
      db.transaction().execute(async (tx) => {
        const known = await rowsFor(tx, pages)
        const missing = pages.filter((page) => !known.has(nameOf(page)))
        for (const { teamId, urlKey, url } of missing)
          await statements.insertBlank(tx, { team_id: teamId, url_key: urlKey, url, seen_at: clock.now() })
        for (const [name, row] of await rowsFor(tx, missing)) known.set(name, row)
        return pages.map((page) => known.get(nameOf(page))!)
      }),
    linksTo: (pages: readonly LinkTarget[]) => findIncomingLinks(db, dialect, pages),
    /** False, without a change, when another process was first. */
    async commit(batch: IndexBatch) {
      const isDone = await db
        .transaction()
        .execute((tx) => commit(tx, dialect, statements, batch, clock.now()))
        .catch(falseIfStale)
      if (isDone) outbox.indexed(batch.done)
      return isDone
    },
    segments: (teamIds: readonly string[]) => segments(db, teamIds),
    /** Undefined when it was merged into another. */
    segmentBytes: (id: string) => segmentBytes(db, id),
    /** False when one of them is gone. */
    replace: (old: readonly string[], merged: { teamId: string; pages: number; bytes: Uint8Array }) =>
      replace(db, old, merged, clock.now()).catch(falseIfStale),
    pages: (numbers: readonly number[], withText: boolean) => pagesBy(db, numbers, withText),
    current: (numbers: readonly number[]) => current(db, numbers),
    async countPages(teamId: string) {
      const { count } = await db
        .selectFrom('search_pages')
        .select(sql<number | string>`count(*)`.as('count'))
        .where('team_id', '=', teamId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}

async function teamWaiting(db: Db, searchedSince: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('search_teams')
    .select('team_id')
    .where('searched_at', '>=', searchedSince)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('search_outbox')
          .select('search_outbox.id')
          .whereRef('search_outbox.team_id', '=', 'search_teams.team_id'),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return row?.team_id
}

async function waiting(db: Db, { teamId, after = 0, limit, maxBytes }: OutboxQuery): Promise<OutboxPage[]> {
  const heads = await db
    .selectFrom('search_outbox')
    .leftJoin('documents', 'documents.id', 'search_outbox.document_id')
    .select(['search_outbox.id', 'documents.bytes'])
    .$if(teamId !== undefined, (query) => query.where('search_outbox.team_id', '=', teamId!))
    .$if(after > 0, (query) => query.where('search_outbox.id', '>', after).where('search_outbox.kind', '!=', 'gone'))
    .orderBy('search_outbox.id')
    .limit(limit)
    .execute()
  let bytes = 0
  const ids: number[] = []
  for (const head of heads) {
    bytes += Number(head.bytes ?? 0)
    if (ids.length > 0 && bytes > maxBytes) break
    ids.push(Number(head.id))
  }
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('search_outbox')
    .leftJoin('documents', 'documents.id', 'search_outbox.document_id')
    .selectAll('search_outbox')
    .select('documents.body')
    .where('search_outbox.id', 'in', ids)
    .orderBy('search_outbox.id')
    .execute()
  return rows.map((row) => ({
    id: Number(row.id),
    teamId: row.team_id,
    url: row.url,
    documentId: row.document_id,
    at: Number(row.at),
    kind: row.kind,
    body: row.body === null ? undefined : toBuffer(row.body),
  }))
}

async function current(db: Db, numbers: readonly number[]): Promise<CurrentPageVersions> {
  const versions = new Map<number, number>()
  const linked = new Set<number>()
  for (let from = 0; from < numbers.length; from += BATCH) {
    const rows = await db
      .selectFrom('search_pages')
      .select(['number', 'version', 'links_since'])
      .where('number', 'in', numbers.slice(from, from + BATCH))
      .execute()
    for (const { number, version, links_since } of rows) {
      versions.set(Number(number), Number(version))
      if (links_since !== null) linked.add(Number(number))
    }
    await new Promise((resume) => setImmediate(resume))
  }
  return { versions, linked }
}

async function segments(db: Db, teamIds: readonly string[]): Promise<SegmentRow[]> {
  const rows = await db
    .selectFrom('search_segments')
    .select(['id', 'team_id as teamId', 'pages', 'bytes'])
    .where('team_id', 'in', [...teamIds])
    .where('live', '=', 1)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, pages: Number(row.pages), bytes: Number(row.bytes) }))
}

async function segmentBytes(db: Db, id: string): Promise<Uint8Array | undefined> {
  const head = await db.selectFrom('search_segments').select('bytes').where('id', '=', id).executeTakeFirst()
  if (!head) return undefined
  const whole = new Uint8Array(Number(head.bytes))
  let at = 0
  // One part at a time: a large segment must not block other users of the database.
  for (let n = 0; at < whole.length; n++) {
    const part = await db
      .selectFrom('search_segment_parts')
      .select('body')
      .where('segment_id', '=', id)
      .where('n', '=', n)
      .executeTakeFirst()
    if (!part) return undefined
    const bytes = toBuffer(part.body)
    whole.set(bytes, at)
    at += bytes.length
  }
  return whole
}

async function pagesBy(db: Db, numbers: readonly number[], withText: boolean): Promise<IndexedPageRow[]> {
  const rows: IndexedPageRow[] = []
  for (let from = 0; from < numbers.length; from += BATCH) {
    const found = await db
      .selectFrom('search_pages')
      .select(['number', 'version', 'url', 'canonical', 'title', 'description', 'language', 'type', 'dated'])
      .select(['image', 'pictures', 'print', 'seen_at as seenAt', 'links', 'links_since as linksSince'])
      .$if(withText, (query) => query.select('text'))
      .where('number', 'in', numbers.slice(from, from + BATCH))
      .execute()
    for (const row of found)
      rows.push({
        ...row,
        number: Number(row.number),
        version: Number(row.version),
        dated: row.dated === null ? null : Number(row.dated),
        seenAt: Number(row.seenAt),
        linksSince: row.linksSince === null ? null : Number(row.linksSince),
        text: row.text ? toBuffer(row.text) : undefined,
      })
  }
  return rows
}

type PageName = { teamId: string; urlKey: string }
const nameOf = ({ teamId, urlKey }: PageName): string => `${teamId} ${urlKey}`

async function rowsFor(tx: Tx, pages: readonly PageName[]): Promise<Map<string, PageNumberRow>> {
  const byTeam = new Map<string, string[]>()
  for (const { teamId, urlKey } of pages) byTeam.set(teamId, [...(byTeam.get(teamId) ?? []), urlKey])
  const known = new Map<string, PageNumberRow>()
  for (const [teamId, urlKeys] of byTeam) {
    const rows = await tx
      .selectFrom('search_pages')
      .select(['url_key as urlKey', 'number', 'version', 'seen_at'])
      .where('team_id', '=', teamId)
      .where('url_key', 'in', urlKeys)
      .execute()
    for (const { urlKey, number, version, seen_at } of rows)
      known.set(nameOf({ teamId, urlKey }), {
        number: Number(number),
        version: Number(version),
        seenAt: Number(seen_at),
      })
  }
  return known
}

type BlankPage = { team_id: string; url_key: string; url: string; seen_at: number }
const PAGE_FACTS = ['url', 'canonical', 'title', 'description', 'language', 'type', 'dated', 'image'] as const

const statementsOn = (db: Db) => ({
  insertBlank: compileStatementOnce((row: BlankPage) =>
    db
      .insertInto('search_pages')
      .values({
        ...{ version: 0, title: '', description: '', language: '', type: '', pictures: '[]', print: '' },
        ...pickColumns(row, 'team_id', 'url_key', 'url', 'seen_at'),
      })
      .onConflict((conflict) => conflict.columns(['team_id', 'url_key']).doNothing())
      .compile(),
  ),
  updatePage: compileStatementOnce(
    (row: Omit<IndexedPageRow, 'text' | 'since'> & { text: Uint8Array | null; since: number }) =>
      db
        .updateTable('search_pages')
        .set(pickColumns(row, ...PAGE_FACTS, 'pictures', 'print', 'version', 'text', 'links'))
        .set('seen_at', row.seenAt)
        .set('links_since', row.linksSince)
        // Right sides refer to the row before the update.
        .set(
          'text_since',
          sql<number>`case when text = ${row.text} then coalesce(text_since, seen_at) else ${row.since} end`,
        )
        .where('number', '=', row.number)
        .where('version', '<', row.version)
        .compile(),
  ),
})

async function withText(tx: Tx, rows: readonly IndexedPageRow[]): Promise<Set<number>> {
  const found = new Set<number>()
  for (let from = 0; from < rows.length; from += BATCH) {
    const numbers = rows.slice(from, from + BATCH).map(({ number }) => number)
    const known = await tx
      .selectFrom('search_pages')
      .select('number')
      .where('number', 'in', numbers)
      .where('version', '>', 0)
      .execute()
    for (const { number } of known) found.add(Number(number))
  }
  return found
}

class Stale extends Error {}

function falseIfStale(error: unknown): false {
  if (error instanceof Stale) return false
  throw error
}

async function commit(
  tx: Tx,
  dialect: Dialect,
  { updatePage }: ReturnType<typeof statementsOn>,
  { done, rows, gone, segments, versions, links }: IndexBatch,
  now: number,
): Promise<true> {
  for (let from = 0; from < done.length; from += BATCH) {
    const ids = done.slice(from, from + BATCH).map(({ id }) => id)
    const deleted = await tx.deleteFrom('search_outbox').where('id', 'in', ids).executeTakeFirst()
    if (Number(deleted.numDeletedRows) !== ids.length) throw new Stale()
  }
  for (const version of versions) await addPageVersion(tx, version, now)
  const older = await withText(tx, rows)
  for (const { text, ...row } of rows) {
    if (text && older.has(row.number))
      await archiveReplacedText(tx, { number: row.number, version: row.version, text }, now)
    await updatePage(tx, { ...row, text: text ?? null, since: row.since ?? row.seenAt })
  }
  await storeLinks(tx, dialect, links, [...older])
  for (const { teamId, urlKey, url, version } of gone) {
    const row = await tx
      .selectFrom('search_pages')
      .select('url')
      .where('team_id', '=', teamId)
      .where('url_key', '=', urlKey)
      .executeTakeFirst()
    if (!row || !haveSamePath(row.url, url)) continue
    await archiveRemovedText(tx, { teamId, urlKey, version }, now)
    await tx
      .deleteFrom('search_pages')
      .where('team_id', '=', teamId)
      .where('url_key', '=', urlKey)
      .where('version', '<', version)
      .execute()
  }
  for (const segment of segments) {
    const id = newId(now)
    await insertHead(tx, id, segment, 1, now)
    await insertParts(tx, id, segment.bytes)
  }
  return true
}

interface NewSegment {
  teamId: string
  pages: number
  bytes: Uint8Array
}

const insertHead = (on: Db | Tx, id: string, { teamId, pages, bytes }: NewSegment, live: 0 | 1, now: number) =>
  on
    .insertInto('search_segments')
    .values({ id, team_id: teamId, live, pages, bytes: bytes.byteLength, created_at: now })
    .execute()

async function insertParts(on: Db | Tx, id: string, bytes: Uint8Array): Promise<void> {
  for (let n = 0; n * PART_BYTES < bytes.length; n++)
    await on
      .insertInto('search_segment_parts')
      .values({ segment_id: id, n, body: bytes.subarray(n * PART_BYTES, (n + 1) * PART_BYTES) })
      .execute()
}

/** Inserts the parts while they are invisible; one small transaction then swaps the segments. */
async function replace(db: Db, old: readonly string[], merged: NewSegment, now: number): Promise<boolean> {
  const id = newId(now)
  if (merged.pages > 0) {
    await insertHead(db, id, merged, 0, now)
    await insertParts(db, id, merged.bytes)
  }
  const swap = db.transaction().execute(async (tx) => {
    const there = await tx
      .deleteFrom('search_segments')
      .where('id', 'in', [...old])
      .executeTakeFirst()
    if (Number(there.numDeletedRows) !== old.length) throw new Stale()
    await tx
      .deleteFrom('search_segment_parts')
      .where('segment_id', 'in', [...old])
      .execute()
    await tx.updateTable('search_segments').set({ live: 1 }).where('id', '=', id).execute()
    return true
  })
  return swap.catch(async (error: unknown) => {
    await db.deleteFrom('search_segment_parts').where('segment_id', '=', id).execute()
    await db.deleteFrom('search_segments').where('id', '=', id).execute()
    throw error
  })
}

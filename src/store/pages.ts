// What the service has seen and made: captures (the page cache), documents (what was made of one) and scrapes (who
// asked for it). A cache hit stores a reference to the document, never a copy. It must not know what a document
// contains.
import { type Selectable, sql } from 'kysely'
import type { Capture } from '../base/page.ts'
import { Problem } from '../base/problem.ts'
import type { Clock } from '../base/time.ts'
import type { Blobs } from './blobs.ts'
import { newId } from './id.ts'
import { type KnownPage, knownPages } from './known-pages.ts'
import type { NewSnapshot, Snapshots } from './snapshots.ts'
import { bytesOf, type Db, type Dialect, type Tables, type Tx } from './tables.ts'

const HOUR_MS = 3_600_000
export const SCRAPE_LIFE_MS = 24 * HOUR_MS
/** Larger bodies are files: a row of this size still takes SQLite only about 2 ms to write. */
const INLINE_BODY_BYTES = 1024 * 1024
/** A document that no capture leads to any more stays this long for scrapes that found it a moment ago. */
export const LOOSE_GRACE_MS = 10 * 60_000

/** Where a capture's body is kept: made by `keepBody` before the transaction, since it may write a file. */
export type KeptBody = { inline: Uint8Array } | { blobId: string; bytes: number }

export interface NewScrape {
  id: string
  teamId: string
  keyId: string | null
  url: string
  options: unknown
  /** The metadata that is this scrape's own: its id, its credits, its cache state, … */
  overlay: unknown
  explain: unknown
  credits: number
  /** How long it can be asked for; a day unless said otherwise. */
  lifeMs?: number
}

export interface NewRecord {
  scrape: NewScrape
  /** A document that was found, or the JSON bytes of a new one, without the scrape's own metadata. */
  document: { id: string } | { digestKey: string; body: Uint8Array }
  /** A capture that was found, a new one, or none when the page must not be cached. */
  capture: { id: string } | { cacheKey: string; capture: Capture; body: KeptBody } | undefined
  /** How a tracked page looks now; kept together with the scrape that saw it, so that neither is known without the other. */
  snapshot?: NewSnapshot | undefined
}

export interface StoredScrape {
  id: string
  url: string
  documentBody: Uint8Array
  overlay: unknown
  explain: unknown
  options: unknown
  credits: number
  createdAt: number
  expiresAt: number
}

export interface CaptureHead {
  id: string
  url: string
  fetchedAt: number
}

export interface Answer {
  captureId: string
  fetchedAt: number
  documentId: string
  body: Uint8Array
}

export interface Pages {
  /** Where and when, without the body: enough to decide whether a capture is fresh. */
  findHead(cacheKey: string): Promise<CaptureHead | undefined>
  /** The capture with its body; `cacheId` is set. */
  findCapture(cacheKey: string): Promise<Capture | undefined>
  /** The capture that a scrape's document was made of, if the cache still has it. */
  captureOf(scrapeId: string): Promise<Capture | undefined>
  /** A finished document for this page and these options, without touching the page's own bytes. */
  findAnswer(cacheKey: string, digestKey: string): Promise<Answer | undefined>
  keepBody(body: Uint8Array): Promise<KeptBody>
  /** Returns the ids of what the scrape refers to; `captureId` is undefined when the page is not cached. */
  record(tx: Tx, record: NewRecord): Promise<{ documentId: string; captureId: string | undefined }>
  /** Undefined when unknown, another team's or expired. */
  getScrape(teamId: string, id: string): Promise<StoredScrape | undefined>
  /** When a page of the team was last scraped, as far as results are kept. */
  lastScrapeAt(teamId: string): Promise<number | undefined>
  /** Cached pages of these origins (`https://example.com`), without a query, at most `limit`. */
  knownPages(origins: readonly string[], limit: number): Promise<KnownPage[]>
}

export function openPages(db: Db, dialect: Dialect, clock: Clock, blobs: Blobs, snapshots: Snapshots): Pages {
  return {
    async findHead(cacheKey) {
      const row = await db
        .selectFrom('captures')
        .select(['id', 'url', 'fetched_at', 'last_used_at'])
        .where('cache_key', '=', cacheKey)
        .executeTakeFirst()
      if (!row) return undefined
      await touch(db, row, clock.now())
      return { id: row.id, url: row.url, fetchedAt: row.fetched_at }
    },
    async findCapture(cacheKey) {
      const row = await db.selectFrom('captures').selectAll().where('cache_key', '=', cacheKey).executeTakeFirst()
      const capture = row && (await captureIn(row, blobs))
      if (capture) await touch(db, row, clock.now())
      return capture
    },
    async captureOf(scrapeId) {
      const row = await db
        .selectFrom('scrapes')
        .innerJoin('documents', 'documents.id', 'scrapes.document_id')
        .innerJoin('captures', 'captures.id', 'documents.capture_id')
        .selectAll('captures')
        .where('scrapes.id', '=', scrapeId)
        .executeTakeFirst()
      return row && captureIn(row, blobs)
    },
    async lastScrapeAt(teamId) {
      const row = await db
        .selectFrom('scrapes')
        .select('created_at')
        .where('team_id', '=', teamId)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.created_at
    },
    async findAnswer(cacheKey, digestKey) {
      const row = await db
        .selectFrom('captures')
        .innerJoin('documents', 'documents.capture_id', 'captures.id')
        .select(['captures.id', 'captures.fetched_at', 'captures.last_used_at'])
        .select(['documents.id as documentId', 'documents.body'])
        .where('captures.cache_key', '=', cacheKey)
        .where('documents.digest_key', '=', digestKey)
        .executeTakeFirst()
      if (!row) return undefined
      await touch(db, row, clock.now())
      return { captureId: row.id, fetchedAt: row.fetched_at, documentId: row.documentId, body: bytesOf(row.body) }
    },
    async keepBody(body) {
      if (body.byteLength <= INLINE_BODY_BYTES) return { inline: body }
      // Until a capture claims it, the file is nobody's and expires.
      const expiresAt = clock.now() + HOUR_MS
      const { id, bytes } = await blobs.put(body, { contentType: 'application/octet-stream', expiresAt })
      return { blobId: id, bytes }
    },
    async record(tx, record) {
      if (record.snapshot) await snapshots.keep(tx, record.snapshot)
      return recordIn(tx, dialect, record, clock.now())
    },
    knownPages: (origins, limit) => knownPages(db, dialect, origins, limit),
    async getScrape(teamId, id) {
      const row = await db
        .selectFrom('scrapes')
        .innerJoin('documents', 'documents.id', 'scrapes.document_id')
        .selectAll('scrapes')
        .select('documents.body as documentBody')
        .where('scrapes.id', '=', id)
        .where('scrapes.team_id', '=', teamId)
        .where('scrapes.expires_at', '>', clock.now())
        .executeTakeFirst()
      if (!row) return undefined
      return {
        id: row.id,
        url: row.url,
        documentBody: bytesOf(row.documentBody),
        overlay: JSON.parse(row.overlay),
        explain: JSON.parse(row.explain),
        options: JSON.parse(row.options),
        credits: row.credits,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
      }
    },
  }
}

/** Undefined when its body is gone. */
async function captureIn(row: Selectable<Tables['captures']>, blobs: Blobs): Promise<Capture | undefined> {
  const body = row.body_blob_id ? await blobs.read(row.body_blob_id) : row.body && bytesOf(row.body)
  const head = JSON.parse(row.head) as Omit<Capture, 'body' | 'cacheId'>
  return body ? { ...head, body, cacheId: row.id } : undefined
}

async function recordIn(
  tx: Tx,
  dialect: Dialect,
  { scrape, document, capture }: NewRecord,
  now: number,
): Promise<{ documentId: string; captureId: string | undefined }> {
  const expiresAt = now + (scrape.lifeMs ?? SCRAPE_LIFE_MS)
  const captureId =
    capture && ('id' in capture ? await stillThere(tx, dialect, capture.id) : await addCapture(tx, capture, now))
  const documentId =
    'id' in document
      ? await keepDocument(tx, document.id, expiresAt)
      : await addDocument(tx, document, captureId, now, expiresAt)
  await tx
    .insertInto('scrapes')
    .values({
      id: scrape.id,
      team_id: scrape.teamId,
      key_id: scrape.keyId,
      url: scrape.url,
      document_id: documentId,
      credits: scrape.credits,
      created_at: now,
      expires_at: expiresAt,
      options: json(scrape.options),
      overlay: json(scrape.overlay),
      explain: json(scrape.explain),
    })
    .execute()
  return { documentId, captureId }
}

/** At most one write an hour and row, however often it is read. */
async function touch(db: Db, row: { id: string; last_used_at: number }, now: number): Promise<void> {
  if (now - row.last_used_at < HOUR_MS) return
  await db.updateTable('captures').set({ last_used_at: now }).where('id', '=', row.id).execute()
}

/** SQLite's writers take turns; in PostgreSQL the row must be held, or another process may drop it before we commit. */
async function stillThere(tx: Tx, dialect: Dialect, captureId: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('captures')
    .select('id')
    .where('id', '=', captureId)
    .$if(dialect === 'postgres', (query) => query.forKeyShare())
    .executeTakeFirst()
  return row?.id
}

/**
 * A newer capture of the same page takes the place of the older one under a new id: documents of the old bytes must
 * not be found for the new ones.
 */
async function addCapture(
  tx: Tx,
  { cacheKey, capture, body }: { cacheKey: string; capture: Capture; body: KeptBody },
  now: number,
): Promise<string | undefined> {
  const old = await tx.selectFrom('captures').select('id').where('cache_key', '=', cacheKey).execute()
  await dropCaptures(
    tx,
    old.map((row) => row.id),
    now,
  )
  const { body: _body, cacheId: _cacheId, ...head } = capture
  const id = newId(now)
  const blobId = 'blobId' in body ? body.blobId : null
  if (blobId !== null) {
    const claimed = await tx.updateTable('blobs').set({ expires_at: null }).where('id', '=', blobId).executeTakeFirst()
    if (claimed.numUpdatedRows !== 1n) return undefined
  }
  const added = await tx
    .insertInto('captures')
    .values({
      id,
      cache_key: cacheKey,
      url: capture.url,
      head: json(head),
      fetched_at: capture.fetchedAt,
      last_used_at: now,
      bytes: 'inline' in body ? body.inline.byteLength : body.bytes,
      body_blob_id: blobId,
      body: 'inline' in body ? body.inline : null,
    })
    // Another process may add the same page at the same moment; its capture is as good as this one.
    .onConflict((conflict) => conflict.column('cache_key').doNothing())
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows === 1n) return id
  if (blobId !== null) await tx.updateTable('blobs').set({ expires_at: now }).where('id', '=', blobId).execute()
  return undefined
}

/** Takes captures out of the cache; their files and their unneeded documents are left to the sweep. */
export async function dropCaptures(tx: Tx, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('documents')
    .set({
      capture_id: null,
      keep_until: sql`case when keep_until > ${now + LOOSE_GRACE_MS} then keep_until else ${now + LOOSE_GRACE_MS} end`,
    })
    .where('capture_id', 'in', ids)
    .execute()
  await tx
    .updateTable('blobs')
    .set({ expires_at: now })
    .where('id', 'in', (from) =>
      from
        .selectFrom('captures')
        .select('body_blob_id')
        .where('id', 'in', ids)
        .where('body_blob_id', 'is not', null)
        .$castTo<{ body_blob_id: string }>(),
    )
    .execute()
  await tx.deleteFrom('captures').where('id', 'in', ids).execute()
}

async function addDocument(
  tx: Tx,
  { digestKey, body }: { digestKey: string; body: Uint8Array },
  captureId: string | undefined,
  now: number,
  expiresAt: number,
): Promise<string> {
  const added = await tx
    .insertInto('documents')
    .values({
      id: newId(now),
      capture_id: captureId ?? null,
      digest_key: digestKey,
      created_at: now,
      keep_until: expiresAt + HOUR_MS,
      bytes: body.byteLength,
      body,
    })
    // Two scrapes of one capture may finish at once: the later one's document is the same, so it takes the place.
    .onConflict((conflict) =>
      conflict
        .columns(['capture_id', 'digest_key'])
        .doUpdateSet({ body, bytes: body.byteLength, keep_until: expiresAt + HOUR_MS }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return added.id
}

/** Extends a document's life at most once an hour, since it was given an hour to spare. */
async function keepDocument(tx: Tx, id: string, expiresAt: number): Promise<string> {
  const row = await tx.selectFrom('documents').select(['id', 'keep_until']).where('id', '=', id).executeTakeFirst()
  if (!row) throw new Problem('internal', { because: 'the stored document is gone' })
  if (row.keep_until < expiresAt)
    await tx
      .updateTable('documents')
      .set({ keep_until: expiresAt + HOUR_MS })
      .where('id', '=', id)
      .execute()
  return id
}

const json = (value: unknown): string => JSON.stringify(value ?? null)

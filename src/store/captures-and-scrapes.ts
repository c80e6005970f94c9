// Captures (the page cache), documents and scrapes. A cache hit stores a reference to the document, never a copy.
import type { Selectable } from 'kysely'
import { type Clock, HOUR_MS } from '../base/clock.ts'
import { isDocumentJson } from '../base/document-json.ts'
import type { Capture } from '../base/visit-and-capture-types.ts'
import type { Blobs } from './blobs.ts'
import { compileStatementOnce } from './compiled-statements.ts'
import type { DocumentBodyCache } from './document-body-cache.ts'
import { findCachedPages } from './find-cached-pages.ts'
import type { KeptBody, NewScrapeRecord } from './new-scrape-record.ts'
import { makeCaptureAdder, makeMainTextWriter, makeScrapeRecorder } from './record-scrape.ts'
import type { SearchOutbox } from './search-outbox.ts'
import { type Db, type Dialect, type Tables, type Tx, toBuffer } from './tables.ts'
import type { TrackedPageSnapshots } from './tracked-page-snapshots.ts'

/** Larger bodies are files: a row of this size still takes SQLite only about 2 ms to write. */
const INLINE_BODY_BYTES = 1024 * 1024

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

export type PageStore = ReturnType<typeof openPageStore>

interface PagesParts {
  dialect: Dialect
  clock: Clock
  blobs: Blobs
  snapshots: TrackedPageSnapshots
  searchOutbox: Pick<SearchOutbox, 'note'>
  bodies: DocumentBodyCache
}

export function openPageStore(db: Db, parts: PagesParts) {
  const { dialect, clock, blobs, snapshots, searchOutbox, bodies } = parts
  const write = makeScrapeRecorder(db, dialect)
  const mainTextDocument = makeMainTextWriter(db)
  const findAnswer = answerFinder(db)
  const readBody = bodyReader(db)
  const addCapture = makeCaptureAdder(db)
  const keepBody = async (body: Uint8Array): Promise<KeptBody> => {
    if (body.byteLength <= INLINE_BODY_BYTES) return { inline: body }
    // Expires unless a capture claims the file.
    const expiresAt = clock.now() + HOUR_MS
    const { id, bytes } = await blobs.put(body, { contentType: 'application/octet-stream', expiresAt })
    return { blobId: id, bytes }
  }
  return {
    async findHead(cacheKey: string) {
      const row = await db
        .selectFrom('captures')
        .select(['id', 'url', 'fetched_at', 'last_used_at'])
        .where('cache_key', '=', cacheKey)
        .executeTakeFirst()
      if (!row) return undefined
      await touch(db, row, clock.now())
      return { id: row.id, url: row.url, fetchedAt: row.fetched_at }
    },
    async findCapture(cacheKey: string) {
      const row = await db.selectFrom('captures').selectAll().where('cache_key', '=', cacheKey).executeTakeFirst()
      const capture = row && (await captureIn(row, blobs))
      if (capture) await touch(db, row, clock.now())
      return capture
    },
    async captureOf(scrapeId: string) {
      const row = await db
        .selectFrom('scrapes')
        .innerJoin('documents', 'documents.id', 'scrapes.document_id')
        .innerJoin('captures', 'captures.id', 'documents.capture_id')
        .selectAll('captures')
        .where('scrapes.id', '=', scrapeId)
        .executeTakeFirst()
      return row && captureIn(row, blobs)
    },
    firstExplain: (scrapeId: string) => firstExplain(db, scrapeId),
    lastScrapeAt: (teamId: string) => lastScrapeAt(db, teamId),
    async findAnswer(cacheKey: string, digestKey: string) {
      const row = await findAnswer.first(db, { cacheKey, digestKey })
      const body = row && (await bodies.read(row, () => readBody.first(db, { id: row.documentId })))
      // One that cannot be read is made again, which overwrites it.
      if (!body || !isDocumentJson(body)) return undefined
      await touch(db, row, clock.now())
      return { ...row, captureId: row.id, fetchedAt: row.fetched_at, body }
    },
    keepBody,
    /** Never listed among the pages of a site. */
    async keepFile(key: string, capture: Capture) {
      const body = await keepBody(capture.body)
      const options = { cacheKey: key, capture, body, listedAs: key }
      await db.transaction().execute((tx) => addCapture(tx, options, clock.now()))
    },
    /** `captureId` is undefined when the page is not cached, or no longer. */
    async record(tx: Tx, record: NewScrapeRecord) {
      if (record.snapshot) await snapshots.keep(tx, record.snapshot)
      const written = await write(tx, record, clock.now())
      if (!record.findable) return written
      const { by, ...page } = record.findable
      const documentId = by ? await mainTextDocument(tx, by, written.captureId, clock.now()) : written.documentId
      if (documentId) await searchOutbox.note(tx, { ...page, teamId: record.scrape.teamId, documentId })
      return written
    },
    /** Cached pages of these origins (`https://example.com`), without a query. */
    knownPages: (origins: readonly string[], limit: number) => findCachedPages(db, dialect, origins, limit),
    getScrape: (teamId: string, id: string) => findScrape(db, teamId, id, clock.now()),
  }
}

async function findScrape(db: Db, teamId: string, id: string, now: number): Promise<StoredScrape | undefined> {
  const row = await db
    .selectFrom('scrapes')
    .innerJoin('documents', 'documents.id', 'scrapes.document_id')
    .selectAll('scrapes')
    .select('documents.body as documentBody')
    .where('scrapes.id', '=', id)
    .where('scrapes.team_id', '=', teamId)
    .where('scrapes.expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    id: row.id,
    url: row.url,
    documentBody: toBuffer(row.documentBody),
    overlay: JSON.parse(row.overlay),
    explain: JSON.parse(row.explain),
    options: JSON.parse(row.options),
    credits: row.credits,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

async function lastScrapeAt(db: Db, teamId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('scrapes')
    .select('created_at')
    .where('team_id', '=', teamId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

async function firstExplain(db: Db, scrapeId: string): Promise<unknown> {
  const row = await db
    .selectFrom('scrapes')
    .innerJoin('scrapes as first', 'first.document_id', 'scrapes.document_id')
    .select('first.explain')
    .where('scrapes.id', '=', scrapeId)
    .orderBy('first.created_at')
    .limit(1)
    .executeTakeFirst()
  return row && JSON.parse(row.explain)
}

const answerFinder = (db: Db) =>
  compileStatementOnce(({ cacheKey, digestKey }: { cacheKey: string; digestKey: string }) =>
    db
      .selectFrom('captures')
      .innerJoin('documents', 'documents.capture_id', 'captures.id')
      .select(['captures.id', 'captures.fetched_at', 'captures.last_used_at'])
      .select(['documents.id as documentId', 'documents.keep_until as keepUntil', 'documents.bytes'])
      .where('captures.cache_key', '=', cacheKey)
      .where('documents.digest_key', '=', digestKey)
      .compile(),
  )

const bodyReader = (db: Db) =>
  compileStatementOnce(({ id }: { id: string }) =>
    db.selectFrom('documents').select('body').where('id', '=', id).compile(),
  )

async function captureIn(row: Selectable<Tables['captures']>, blobs: Blobs): Promise<Capture | undefined> {
  const body = row.body_blob_id ? await blobs.read(row.body_blob_id) : row.body && toBuffer(row.body)
  try {
    const head = JSON.parse(row.head) as Omit<Capture, 'body' | 'cacheId'>
    return body ? { ...head, body, cacheId: row.id } : undefined
  } catch {
    // A damaged row: the page is visited again, which replaces it.
    return undefined
  }
}

/** At most one write per hour and row. */
async function touch(db: Db, row: { id: string; last_used_at: number }, now: number): Promise<void> {
  if (now - row.last_used_at < HOUR_MS) return
  await db.updateTable('captures').set({ last_used_at: now }).where('id', '=', row.id).execute()
}

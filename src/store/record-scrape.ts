// Records a scrape with its capture and document.

import { type Insertable, sql } from 'kysely'
import { HOUR_MS } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import { compileStatementOnce, pickColumns } from './compiled-statements.ts'
import { newId } from './id.ts'
import type { KeptBody, MainTextDocument, NewScrapeRecord } from './new-scrape-record.ts'
import { executeInOneRoundTrip } from './pipelined-statements.ts'
import type { Db, Dialect, Tables, Tx } from './tables.ts'

const SCRAPE_LIFE_MS = 24 * HOUR_MS
/** A document without a capture stays this long for scrapes that found it a moment ago. */
const UNREFERENCED_DOCUMENT_LIFE_MS = 10 * 60_000

type NewCapture = Extract<NewScrapeRecord['capture'], { cacheKey: string }> & { listedAs?: string }
type NewDocument = Extract<NewScrapeRecord['document'], { digestKey: string }>

type WriteRecord = (
  tx: Tx,
  record: NewScrapeRecord,
  now: number,
) => Promise<{ documentId: string; captureId: string | undefined }>

export function makeScrapeRecorder(db: Db, dialect: Dialect): WriteRecord {
  const addCapture = makeCaptureAdder(db)
  const insertDocument = documentInsert(db)
  const stillThere = captureCheck(db, dialect)
  const findDocument = documentFinder(db)
  const insertScrape = compileStatementOnce((row: Insertable<Tables['scrapes']>) => {
    const who = pickColumns(row, 'id', 'team_id', 'key_id', 'url', 'document_id', 'credits', 'created_at', 'expires_at')
    return db
      .insertInto('scrapes')
      .values({ ...who, ...pickColumns(row, 'options', 'overlay', 'explain') })
      .compile()
  })
  return async (tx, { scrape, document, capture }, now) => {
    const expiresAt = now + (scrape.lifeMs ?? SCRAPE_LIFE_MS)
    const scrapeOf = (documentId: string) => ({
      id: scrape.id,
      team_id: scrape.teamId,
      key_id: scrape.keyId,
      url: scrape.url,
      document_id: documentId,
      credits: scrape.credits,
      created_at: now,
      expires_at: expiresAt,
      options: optionsText(scrape.options),
      overlay: scrape.overlay,
      explain: scrape.explain ?? 'null',
    })
    const isKnown = capture !== undefined && 'id' in capture
    if ('id' in document) {
      const { id, keepUntil = 0 } = document
      // A document that is gone after all fails the reference.
      if (keepUntil >= expiresAt) {
        await insertScrape(tx, scrapeOf(id))
        return { documentId: id, captureId: isKnown ? capture.id : undefined }
      }
      const [found] = await executeInOneRoundTrip(tx, findDocument.of({ id }), insertScrape.of(scrapeOf(id)))
      const { capture_id: captureId } = await keepDocument(tx, found.rows[0], expiresAt)
      // Null when another capture has replaced it.
      return { documentId: id, captureId: captureId ?? undefined }
    }
    const captureId = capture && (isKnown ? await stillThere(tx, capture.id) : await addCapture(tx, capture, now))
    const row = documentRow(document, captureId, now, expiresAt)
    if (isKnown) {
      const added = await insertDocument(tx, row)
      const documentId = added.rows[0]!.id
      await insertScrape(tx, scrapeOf(documentId))
      return { documentId, captureId }
    }
    // A new capture has no document yet, so this one keeps its id.
    await executeInOneRoundTrip(tx, insertDocument.of(row), insertScrape.of(scrapeOf(row.id)))
    return { documentId: row.id, captureId }
  }
}

export function makeMainTextWriter(db: Db) {
  const insertDocument = documentInsert(db)
  return async (tx: Tx, { digestKey, body }: MainTextDocument, captureId: string | undefined, now: number) => {
    if (captureId === undefined) return undefined
    if (body === undefined)
      return tx
        .selectFrom('documents')
        .select('id')
        .where('capture_id', '=', captureId)
        .where('digest_key', '=', digestKey)
        .executeTakeFirst()
        .then((row) => row?.id)
    const row = documentRow({ digestKey, body }, captureId, now, now + SCRAPE_LIFE_MS)
    return (await insertDocument(tx, row)).rows[0]!.id
  }
}

/** In PostgreSQL the row must be locked, or another process may drop it before the commit. */
function captureCheck(db: Db, dialect: Dialect): (tx: Tx, captureId: string) => Promise<string | undefined> {
  const find = compileStatementOnce(({ captureId }: { captureId: string }) =>
    db
      .selectFrom('captures')
      .select('id')
      .where('id', '=', captureId)
      .$if(dialect === 'postgres', (query) => query.forKeyShare())
      .compile(),
  )
  return async (tx, captureId) => (await find(tx, { captureId })).rows[0]?.id
}

/**
 * A newer capture gets a new id, so that documents of the old bytes are not found for it. Undefined when another
 * process stored its capture first.
 */
export function makeCaptureAdder(db: Db): (tx: Tx, options: NewCapture, now: number) => Promise<string | undefined> {
  const findOld = compileStatementOnce(({ key }: { key: string }) =>
    db.selectFrom('captures').select('id').where('cache_key', '=', key).compile(),
  )
  const insert = compileStatementOnce((row: Insertable<Tables['captures']>) => {
    const head = pickColumns(row, 'id', 'cache_key', 'url', 'head', 'fetched_at', 'last_used_at')
    return (
      db
        .insertInto('captures')
        .values({ ...head, ...pickColumns(row, 'bytes', 'body_blob_id', 'body') })
        // Another process may add the same page; its capture is equivalent.
        .onConflict((conflict) => conflict.column('cache_key').doNothing())
        .compile()
    )
  })
  return async (tx, { cacheKey, capture, body, listedAs = capture.url }, now) => {
    const id = newId(now)
    const blobId = 'blobId' in body ? body.blobId : null
    if (blobId !== null && !(await setExpiry(tx, blobId, null))) return undefined
    const { body: _body, cacheId: _cacheId, ...head } = capture
    const row = {
      id,
      cache_key: cacheKey,
      url: listedAs,
      head: json(head),
      fetched_at: capture.fetchedAt,
      last_used_at: now,
      bytes: sizeOf(body),
      body_blob_id: blobId,
      body: 'inline' in body ? body.inline : null,
    }
    if ((await insert(tx, row)).numAffectedRows === 1n) return id
    // Most pages of a crawl are new and need no second query.
    const old = await findOld(tx, { key: cacheKey })
    await replaceCaptures(
      tx,
      old.rows.map((row) => row.id),
      now,
    )
    if ((await insert(tx, row)).numAffectedRows === 1n) return id
    if (blobId !== null) await setExpiry(tx, blobId, now)
    return undefined
  }
}

const sizeOf = (body: KeptBody): number => ('inline' in body ? body.inline.byteLength : body.bytes)

async function setExpiry(tx: Tx, blobId: string, expiresAt: number | null): Promise<boolean> {
  const set = await tx.updateTable('blobs').set({ expires_at: expiresAt }).where('id', '=', blobId).executeTakeFirst()
  return set.numUpdatedRows === 1n
}

/** A capture behind a result of a job stays in the cache, for its WARC, under a key that no lookup finds. */
async function replaceCaptures(tx: Tx, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return
  // Only results of jobs are kept longer than a scrape.
  const ofJobs = await tx
    .selectFrom('documents')
    .select('capture_id as id')
    .distinct()
    .where('capture_id', 'in', ids)
    .where('keep_until', '>', now + SCRAPE_LIFE_MS + HOUR_MS)
    .execute()
  const held = ofJobs.flatMap(({ id }) => (id === null ? [] : [id]))
  if (held.length > 0)
    await tx.updateTable('captures').set({ cache_key: sql`'replaced ' || id` }).where('id', 'in', held).execute()
  await deleteCaptures(
    tx,
    ids.filter((id) => !held.includes(id)),
    now,
  )
}

/** The sweep removes their files and unneeded documents. */
export async function deleteCaptures(tx: Tx, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('documents')
    .set({
      capture_id: null,
      keep_until: sql`case when keep_until > ${now + UNREFERENCED_DOCUMENT_LIFE_MS} then keep_until else ${now + UNREFERENCED_DOCUMENT_LIFE_MS} end`,
    })
    .where('capture_id', 'in', ids)
    .execute()
  const gone = await tx.deleteFrom('captures').where('id', 'in', ids).returning('body_blob_id').execute()
  const files = gone.map((row) => row.body_blob_id).filter((id) => id !== null)
  if (files.length > 0) await tx.updateTable('blobs').set({ expires_at: now }).where('id', 'in', files).execute()
}

const documentInsert = (db: Db) =>
  compileStatementOnce((row: Insertable<Tables['documents']>) =>
    db
      .insertInto('documents')
      .values(pickColumns(row, 'id', 'capture_id', 'digest_key', 'created_at', 'keep_until', 'bytes', 'body'))
      // Two scrapes of one capture make the same document, so the later one overwrites.
      .onConflict((conflict) =>
        conflict.columns(['capture_id', 'digest_key']).doUpdateSet(pickColumns(row, 'body', 'bytes', 'keep_until')),
      )
      .returning('id')
      .compile(),
  )

const documentRow = (
  { digestKey, body }: NewDocument,
  captureId: string | undefined,
  now: number,
  expiresAt: number,
) => ({
  id: newId(now),
  capture_id: captureId ?? null,
  digest_key: digestKey,
  created_at: now,
  keep_until: expiresAt + HOUR_MS,
  bytes: body.byteLength,
  body,
})

/** Extends a document's life at most once an hour; each extension includes a spare hour. */
async function keepDocument(tx: Tx, row: StoredDocument | undefined, expiresAt: number): Promise<StoredDocument> {
  if (!row) throw new Problem('internal', { because: 'the stored document is gone' })
  if (row.keep_until < expiresAt)
    await tx
      .updateTable('documents')
      .set({ keep_until: expiresAt + HOUR_MS })
      .where('id', '=', row.id)
      .execute()
  return row
}

type StoredDocument = Pick<Tables['documents'], 'id' | 'capture_id' | 'keep_until'>

const documentFinder = (db: Db) =>
  compileStatementOnce(({ id }: { id: string }) =>
    db.selectFrom('documents').select(['id', 'capture_id', 'keep_until']).where('id', '=', id).compile(),
  )

const optionsTexts = new WeakMap<object, string>()

/** Repeated requests share their options. */
function optionsText(options: object | null): string {
  if (options === null) return 'null'
  const known = optionsTexts.get(options)
  if (known !== undefined) return known
  const text = JSON.stringify(options)
  optionsTexts.set(options, text)
  return text
}

const json = (value: unknown): string => JSON.stringify(value ?? null)

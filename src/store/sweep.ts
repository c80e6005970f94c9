// Removes expired rows and files, in batches small enough that other writers do not wait long.

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { HOUR_MS } from '../base/clock.ts'
import { isUuid } from '../base/uuid-format.ts'
import { expireByTeamRetention, hasAnyTeamRetention } from './apply-team-retention.ts'
import type { BlobStorage, ListedBlob } from './blob-storage.ts'
import { type BlobStorageOptions, openBlobStorage } from './blobs.ts'
import type { StorageRules } from './capability-storage.ts'
import { expireByRule } from './expire-rows.ts'
import { deleteOldestHostsSeen } from './first-seen-hosts.ts'
import { makeReservationCloser } from './ledger.ts'
import { deleteCaptures } from './record-scrape.ts'
import { BATCH_BYTES, BATCH_ROWS, takeUpToBytes } from './sweep-batches.ts'
import { expireIdempotency, expireJobs } from './sweep-jobs.ts'
import { expireActivity, LEDGER_ROLL_UP_AFTER_MS, rollUpLedger } from './sweep-ledger-and-logs.ts'
import { deleteExpiredSearchPages, deleteOldPageVersions } from './sweep-search.ts'
import type { Db } from './tables.ts'
import { deleteOldTrackedSnapshots } from './tracked-page-snapshots.ts'

/** Older reservations belong to a process that died: no request lives that long. */
const STALE_RESERVATION_MS = HOUR_MS
const ORPHAN_FILE_MS = HOUR_MS
const RETENTION_LOOK_MS = 300_000

/**
 * Clears deleted data from free space. `whole` rewrites every table and blocks writers; `freed` may leave some in large
 * tables of PostgreSQL.
 */
export type RewriteExtent = 'whole' | 'freed'

export interface SweepTask {
  now: number
  cacheMaxBytes: number
  cacheMaxAgeMs: number
  auditMaxAgeMs: number
  snapshotsMaxBytes: number
  sightingsMax: number
  blobPlace: BlobStorageOptions
  rules: Pick<StorageRules, 'expiry' | 'retention'>
  scanFiles: boolean
  rewrite: RewriteExtent | undefined
}

export interface SweepReport {
  scrapes: number
  documents: number
  captures: number
  blobs: number
  orphans: number
  reservations: number
  rolledUp: number
  /** A requested rewrite left nothing in free space. */
  rewritten: boolean
  nextDueAt: number | null
}

export async function sweepRows(db: Db, order: SweepTask, signal: AbortSignal): Promise<SweepReport> {
  const { now } = order
  const batches = (batch: () => Promise<number>) => inBatches(batch, signal)
  const files = openBlobStorage(order.blobPlace, db)
  await batches(() => expireJobs(db, now))
  await batches(() => expireIdempotency(db, now))
  for (const rule of order.rules.expiry) await batches(() => expireByRule(db, rule, now))
  const shortened = await batches(() => expireByTeamRetention(db, order.rules.retention, now))
  const scrapes = await batches(() => expireByRule(db, { table: 'scrapes', time: 'expires_at' }, now))
  const aged = await batches(() => dropAgedCaptures(db, now, now - order.cacheMaxAgeMs))
  const crowded = await batches(() => dropCrowdedCaptures(db, now, order.cacheMaxBytes))
  const documents = await batches(() => dropLooseDocuments(db, now))
  await batches(() => deleteOldTrackedSnapshots(db, now, order.snapshotsMaxBytes))
  await batches(() => deleteOldPageVersions(db, now, order.snapshotsMaxBytes))
  await batches(() => deleteExpiredSearchPages(db, now, order.cacheMaxAgeMs))
  const reservations = await batches(() => releaseStale(db, now))
  const rolledUp = await batches(() => rollUpLedger(db, now))
  await batches(() => expireActivity(db, now))
  for (const table of ['audit_log', 'feedback'])
    await batches(() => expireByRule(db, { table, time: 'at', afterMs: order.auditMaxAgeMs }, now))
  await batches(() => deleteOldestHostsSeen(db, order.sightingsMax))
  const blobs = await batches(() => expireBlobs(db, files, now))
  // Shorter team retention is not in the rows' own expiry, so check again soon.
  const soon = shortened > 0 || (await hasAnyTeamRetention(db)) ? now + RETENTION_LOOK_MS : Number.POSITIVE_INFINITY
  const due = signal.aborted ? now : Math.min((await nextDue(db, order)) ?? Number.POSITIVE_INFINITY, soon)
  const nextDueAt = Number.isFinite(due) ? due : null
  return {
    scrapes,
    documents,
    captures: aged + crowded,
    blobs,
    orphans: 0,
    reservations,
    rolledUp,
    rewritten: false,
    nextDueAt,
  }
}

async function inBatches(batch: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let total = 0
  while (!signal.aborted) {
    const done = await yieldToWriters(batch)
    total += done
    if (done === 0) break
  }
  return total
}

/**
 * Pauses for as long as `work` took: without gaps a writer waited over a second for SQLite's lock, with them tens of
 * milliseconds.
 */
export async function yieldToWriters<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await work()
  await sleep(Math.min(50, performance.now() - began))
  return result
}

// Each batch reads first: a sweep that finds nothing writes nothing and does not trigger another.

async function dropAgedCaptures(db: Db, now: number, fetchedBefore: number): Promise<number> {
  const old = await db
    .selectFrom('captures')
    .select(['id', 'bytes'])
    .where('fetched_at', '<', fetchedBefore)
    .orderBy('fetched_at')
    .limit(BATCH_ROWS)
    .execute()
  return dropBatch(db, takeUpToBytes(old, BATCH_BYTES), now)
}

/** Cache size is captures plus their documents; the least recently used go first. */
async function dropCrowdedCaptures(db: Db, now: number, maxBytes: number): Promise<number> {
  const weigh = sql<number>`coalesce(sum(bytes), 0)`.as('bytes')
  const captures = await db.selectFrom('captures').select(weigh).executeTakeFirstOrThrow()
  const documents = await db
    .selectFrom('documents')
    .select(weigh)
    .where('capture_id', 'is not', null)
    .executeTakeFirstOrThrow()
  const excess = captures.bytes + documents.bytes - maxBytes
  if (excess <= 0) return 0
  const oldest = await db
    .selectFrom('captures')
    .select([
      'id',
      sql<number>`bytes + (select coalesce(sum(d.bytes), 0) from documents d where d.capture_id = captures.id)`.as(
        'bytes',
      ),
    ])
    .orderBy('last_used_at')
    .limit(BATCH_ROWS)
    .execute()
  return dropBatch(db, takeUpToBytes(oldest, Math.min(excess, BATCH_BYTES)), now)
}

async function dropBatch(db: Db, ids: readonly string[], now: number): Promise<number> {
  if (ids.length > 0) await db.transaction().execute((tx) => deleteCaptures(tx, ids, now))
  return ids.length
}

async function dropLooseDocuments(db: Db, now: number): Promise<number> {
  const loose = await db
    .selectFrom('documents')
    .select(['id', 'bytes'])
    .where('capture_id', 'is', null)
    .where('keep_until', '<=', now)
    .where((where) =>
      where.not(
        where.exists(where.selectFrom('scrapes').select('scrapes.id').whereRef('document_id', '=', 'documents.id')),
      ),
    )
    .orderBy('keep_until')
    .limit(BATCH_ROWS)
    .execute()
  const ids = takeUpToBytes(loose, BATCH_BYTES)
  if (ids.length > 0) await db.deleteFrom('documents').where('id', 'in', ids).execute()
  return ids.length
}

async function releaseStale(db: Db, now: number): Promise<number> {
  const stale = await db
    .selectFrom('reservations')
    .select('job_id')
    .where('at', '<', now - STALE_RESERVATION_MS)
    .orderBy('at')
    .limit(BATCH_ROWS)
    .execute()
  if (stale.length === 0) return 0
  await db.transaction().execute(async (tx) => {
    const end = makeReservationCloser(tx)
    for (const { job_id: jobId } of stale) await end(tx, jobId, 'release', 0, now)
  })
  return stale.length
}

/** The row goes first: the scan finds a file without a row, but a row without a file would be a broken link. */
async function expireBlobs(db: Db, files: BlobStorage, now: number): Promise<number> {
  const expired = await db
    .selectFrom('blobs')
    .select('id')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(BATCH_ROWS)
    .execute()
  if (expired.length === 0) return 0
  const ids = expired.map((row) => row.id)
  await db.deleteFrom('blobs').where('id', 'in', ids).execute()
  for (const id of ids) await files.remove(id)
  return ids.length
}

export async function sweepOrphanFiles(db: Db, { blobPlace, now }: SweepTask, signal: AbortSignal): Promise<number> {
  let orphans = 0
  let batch: ListedBlob[] = []
  const drop = async () => {
    const ids = batch.map(({ name }) => name).filter(isUuid)
    const rows = ids.length > 0 ? await db.selectFrom('blobs').select('id').where('id', 'in', ids).execute() : []
    const known = new Set(rows.map(({ id }) => id))
    for (const file of batch) {
      if (known.has(file.name) || now - (await file.modifiedAt()) < ORPHAN_FILE_MS) continue
      await file.remove()
      orphans += 1
    }
    batch = []
  }
  for await (const file of openBlobStorage(blobPlace, db).list(signal)) {
    batch.push(file)
    if (batch.length >= BATCH_ROWS) await drop()
  }
  await drop()
  return orphans
}

async function nextDue(db: Db, { cacheMaxAgeMs }: SweepTask): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    select min(expires_at) as at from scrapes
    union all select min(expires_at) from jobs
    union all select min(expires_at) from deliveries
    union all select min(keep_until) from documents where capture_id is null
    union all select min(fetched_at) + ${sql.lit(cacheMaxAgeMs)} from captures
    union all select min(expires_at) from blobs
    union all select min(at) + ${sql.lit(LEDGER_ROLL_UP_AFTER_MS)} from ledger where kind <> 'grant'
    union all select min(at) + ${sql.lit(STALE_RESERVATION_MS)} from reservations`.execute(db)
  const dates = rows.flatMap(({ at }) => (at === null ? [] : [at]))
  return dates.length > 0 ? Math.min(...dates) : null
}

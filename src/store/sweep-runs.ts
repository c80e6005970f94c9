// Runs a sweep per dialect. SQLite also needs checkpoints and free pages returned, off the request thread; with
// PostgreSQL one process sweeps for all.
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import type { LibsqlConnection } from './libsql.ts'
import { rewritePostgres } from './rewrite-postgres.ts'
import { type SweepOrder, type SweepReport, sweepFiles, sweepRows, takingTurns } from './sweep.ts'
import type { Db } from './tables.ts'

/** Pages per step: 2 MB. */
const VACUUM_PAGES = 500
/** Up to this share, free pages stay for the next writes. */
const FREE_SHARE = 1 / 8

const CUT_TRIES = 100
const CUT_PAUSE_MS = 100

const PASSIVE_ROUNDS = 6
/** Pages in the WAL: 512 MB. */
const MAX_FRAMES = 131_072
/** Advisory lock: any number, but the same in all processes. */
const SWEEP_LOCK = 7_026_002

export type ThreadOrder = SweepOrder & { path: string }
export type ThreadAnswer = { report: SweepReport } | { failed: string }

export function sweepInThread(script: URL, order: ThreadOrder, signal: AbortSignal): Promise<SweepReport> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(script, { workerData: order, resourceLimits: { maxOldGenerationSizeMb: 64 } })
    const stop = () => thread.postMessage('stop')
    let answer: ThreadAnswer | undefined
    signal.addEventListener('abort', stop, { once: true })
    thread.on('message', (message: ThreadAnswer) => {
      answer = message
    })
    thread.on('error', reject)
    thread.on('exit', () => {
      signal.removeEventListener('abort', stop)
      if (answer && 'report' in answer) resolve(answer.report)
      else reject(new Error(`The sweep did not finish: ${answer?.failed ?? 'its thread ended early'}`))
    })
  })
}

export async function sweepSqlite(
  { db, connection }: { db: Db; connection: LibsqlConnection },
  order: SweepOrder,
  signal: AbortSignal,
): Promise<SweepReport> {
  const report = await sweepRows(db, order, signal)
  const orphans = order.scanFiles ? await sweepFiles(db, order, signal) : 0
  if (order.rewrite) await writeAnew(db, connection)
  else await shrink(db, connection, signal)
  return { ...report, orphans }
}

/** Active readers prevent truncation of the WAL, so it retries for a while. */
async function writeAnew(db: Db, connection: LibsqlConnection): Promise<void> {
  const alone = <T>(work: () => T): Promise<T> => db.connection().execute(async () => work())
  await alone(() => connection.exec('pragma busy_timeout = 60000'))
  await alone(() => connection.exec('vacuum'))
  for (let tries = 0; tries < CUT_TRIES; tries++) {
    const { busy } = await alone(() => connection.row('pragma wal_checkpoint(truncate)'))
    if (Number(busy) === 0) return
    await sleep(CUT_PAUSE_MS)
  }
  throw new Error('the log of the database could not be cut: somebody reads it all the time')
}

async function shrink(db: Db, connection: LibsqlConnection, signal: AbortSignal): Promise<void> {
  /** Waits until no transaction is open on this connection. */
  const alone = <T>(work: () => T): Promise<T> => db.connection().execute(async () => work())
  const count = (name: string) => Number(connection.value(`pragma ${name}`))
  for (let free = Number.POSITIVE_INFINITY; !signal.aborted; ) {
    const left = await alone(() => count('freelist_count'))
    if (left >= free || left <= (await alone(() => count('page_count'))) * FREE_SHARE) break
    await takingTurns(() => alone(() => connection.exec(`pragma incremental_vacuum(${VACUUM_PAGES})`)))
    free = left
  }
  // Passive rounds do not block. Truncating the WAL blocks writers (0.3 s to 0.9 s under load, measured), so it
  // waits for a quiet moment unless the WAL is too long.
  let frames = -1
  let quiet = false
  for (let round = 0; round < PASSIVE_ROUNDS && !quiet && !signal.aborted; round += 1) {
    const { log, checkpointed } = await alone(() => connection.row('pragma wal_checkpoint(passive)'))
    quiet = log === frames && checkpointed === log
    frames = Number(log)
  }
  if (quiet || frames > MAX_FRAMES) await alone(() => connection.exec('pragma wal_checkpoint(truncate)'))
}

export async function sweepPostgres(db: Db, order: SweepOrder, signal: AbortSignal): Promise<SweepReport> {
  const report = await db.connection().execute(async (holder) => {
    const lock = await sql<{ mine: boolean }>`select pg_try_advisory_lock(${sql.lit(SWEEP_LOCK)}) as mine`.execute(
      holder,
    )
    if (!lock.rows[0]?.mine) return undefined
    try {
      return await sweepRows(holder, order, signal)
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(SWEEP_LOCK)})`.execute(holder)
    }
  })
  if (order.rewrite) await rewritePostgres(db)
  // Files are local to each machine, so every process scans its own folder.
  const orphans = order.scanFiles ? await sweepFiles(db, order, signal) : 0
  const idle = {
    scrapes: 0,
    documents: 0,
    captures: 0,
    blobs: 0,
    reservations: 0,
    rolledUp: 0,
    nextDueAt: order.now + 60_000,
  }
  return { ...(report ?? idle), orphans }
}

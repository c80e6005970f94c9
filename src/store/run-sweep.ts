// Runs a sweep or a forget request per dialect.
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { Problem, type SerialisedProblem } from '../base/problem.ts'
import type { ForgetReport, ForgetTask } from './forget-rows.ts'
import { rewritePostgresTables } from './rewrite-postgres-tables.ts'
import type { LibsqlConnection } from './sqlite-connection.ts'
import { type SweepReport, type SweepTask, sweepOrphanFiles, sweepRows, yieldToWriters } from './sweep.ts'
import type { Db } from './tables.ts'

const VACUUM_PAGES = 500
/** Up to this share, free pages stay for the next writes. */
const MAX_FREE_PAGE_SHARE = 1 / 8

/** An operator asked for the rewrite, and it begins in a gap between the writers. */
const REWRITE_WAIT_MS = 60_000
const CUT_TRIES = 100
const CUT_PAUSE_MS = 100
const CUT_WAIT_MS = 50

const PASSIVE_ROUNDS = 6
const MAX_FRAMES = 131_072
/** Advisory lock: any number, but the same in all processes. */
const SWEEP_LOCK = 7_026_002

export type SweepThreadRequest = { path: string } & ({ sweep: SweepTask } | { forget: ForgetTask })
export type SweepThreadReply =
  | { done: SweepReport | ForgetReport }
  | { problem: SerialisedProblem }
  | { failed: string }

export const sweepInThread = (script: URL, path: string, sweep: SweepTask, signal: AbortSignal) =>
  inThread(script, { path, sweep }, signal) as Promise<SweepReport>

export const forgetInThread = (script: URL, path: string, forget: ForgetTask) =>
  inThread(script, { path, forget }, new AbortController().signal) as Promise<ForgetReport>

function inThread(script: URL, order: SweepThreadRequest, signal: AbortSignal): Promise<SweepReport | ForgetReport> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(script, { workerData: order, resourceLimits: { maxOldGenerationSizeMb: 64 } })
    const stop = () => thread.postMessage('stop')
    let answer: SweepThreadReply | undefined
    signal.addEventListener('abort', stop, { once: true })
    thread.on('message', (message: SweepThreadReply) => {
      answer = message
    })
    thread.on('error', reject)
    thread.on('exit', () => {
      signal.removeEventListener('abort', stop)
      if (answer && 'done' in answer) resolve(answer.done)
      else if (answer && 'problem' in answer) reject(Problem.revive(answer.problem))
      else reject(new Error(`The cleanup did not finish: ${answer?.failed ?? 'its thread ended early'}`))
    })
  })
}

export async function sweepSqlite(
  { db, connection }: { db: Db; connection: LibsqlConnection },
  order: SweepTask,
  signal: AbortSignal,
): Promise<SweepReport> {
  const report = await sweepRows(db, order, signal)
  const orphans = order.scanFiles ? await sweepOrphanFiles(db, order, signal) : 0
  if (order.rewrite === 'whole') await writeAnew(db, connection)
  // `secure_delete` clears the pages (sqlite.ts); older images of them are in the WAL until it is cut.
  else if (order.rewrite === 'freed') await cutLog(db, connection)
  else await shrink(db, connection, signal)
  return { ...report, orphans, rewritten: order.rewrite !== undefined }
}

async function writeAnew(db: Db, connection: LibsqlConnection): Promise<void> {
  const runAlone = <T>(work: () => T): Promise<T> => db.connection().execute(async () => work())
  const timeout = Number(await runAlone(() => connection.value('pragma busy_timeout')))
  await runAlone(() => {
    connection.exec(`pragma busy_timeout = ${REWRITE_WAIT_MS}`)
    try {
      connection.exec('vacuum')
    } finally {
      connection.exec(`pragma busy_timeout = ${timeout}`)
    }
  })
  await cutLog(db, connection)
}

/** Active readers prevent truncation of the WAL, so it retries; the passive checkpoint copies most without blocking. */
async function cutLog(db: Db, connection: LibsqlConnection): Promise<void> {
  const runAlone = <T>(work: () => T): Promise<T> => db.connection().execute(async () => work())
  const timeout = Number(await runAlone(() => connection.value('pragma busy_timeout')))
  try {
    for (let tries = 0; tries < CUT_TRIES; tries++) {
      await runAlone(() => connection.row('pragma wal_checkpoint(passive)'))
      const busy = await runAlone(() => {
        connection.exec(`pragma busy_timeout = ${CUT_WAIT_MS}`)
        return connection.row('pragma wal_checkpoint(truncate)').busy
      })
      if (Number(busy) === 0) return
      await sleep(CUT_PAUSE_MS)
    }
  } finally {
    await runAlone(() => connection.exec(`pragma busy_timeout = ${timeout}`))
  }
  throw new Problem('unavailable', { because: 'the write-ahead log could not be truncated: readers hold it' })
}

async function shrink(db: Db, connection: LibsqlConnection, signal: AbortSignal): Promise<void> {
  const runAlone = <T>(work: () => T): Promise<T> => db.connection().execute(async () => work())
  const count = (name: string) => Number(connection.value(`pragma ${name}`))
  for (let free = Number.POSITIVE_INFINITY; !signal.aborted; ) {
    const left = await runAlone(() => count('freelist_count'))
    if (left >= free || left <= (await runAlone(() => count('page_count'))) * MAX_FREE_PAGE_SHARE) break
    await yieldToWriters(() => runAlone(() => connection.exec(`pragma incremental_vacuum(${VACUUM_PAGES})`)))
    free = left
  }
  // Truncating the WAL blocks writers for 0.3 s to 0.9 s under load, so it waits for a quiet moment unless the WAL is
  // too long.
  let frames = -1
  let quiet = false
  for (let round = 0; round < PASSIVE_ROUNDS && !quiet && !signal.aborted; round += 1) {
    const { log, checkpointed } = await runAlone(() => connection.row('pragma wal_checkpoint(passive)'))
    quiet = log === frames && checkpointed === log
    frames = Number(log)
  }
  if (quiet || frames > MAX_FRAMES) await runAlone(() => connection.exec('pragma wal_checkpoint(truncate)'))
}

export async function sweepPostgres(db: Db, order: SweepTask, signal: AbortSignal): Promise<SweepReport> {
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
  const rewritten = order.rewrite !== undefined && (await rewritePostgresTables(db, order.rewrite))
  // Files are local to each machine, so every process scans its own folder.
  const orphans = order.scanFiles ? await sweepOrphanFiles(db, order, signal) : 0
  const idle = {
    scrapes: 0,
    documents: 0,
    captures: 0,
    blobs: 0,
    reservations: 0,
    rolledUp: 0,
    nextDueAt: order.now + 60_000,
  }
  return { ...(report ?? idle), orphans, rewritten }
}

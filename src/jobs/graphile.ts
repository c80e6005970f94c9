// The queue of many processes: Graphile Worker on PostgreSQL. Messages are added inside our transaction, and
// LISTEN/NOTIFY delivers them in milliseconds; the reaper resends those of dead workers.

import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, run, runMigrations } from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'
import type { Log } from '../base/log.ts'
import { Problem } from '../base/problem.ts'
import type { Clock } from '../base/time.ts'
import { abortProblem } from '../base/time.ts'
import { tolerateRejections } from '../base/unhandled-rejections.ts'
import type { Queue, WakeUpHandler, Worker, WorkOptions } from './queue.ts'

/** Advisory lock: any number, but the same in all processes. */
const MIGRATION_LOCK = 7_026_003
const POLL_MS = 1_000
const RESTART_MS = 1_000
/** Each kind listens on its own connection, about ten in all; all kinds share the rest. */
const CONNECTIONS = 16
const MAX_ATTEMPTS = 1_000

export interface GraphileOptions {
  url: string
  clock: Clock
  log: Log
}

export async function openGraphileQueue({ url, clock, log }: GraphileOptions): Promise<Queue> {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS, application_name: 'orbweaver queue' })
  pool.on('error', (error) => log.warn({ error: error.message }, 'the queue lost an idle connection to PostgreSQL'))
  pool.on('connect', (client) => client.on('error', () => undefined))
  await migrate(pool)
  const stopping = new AbortController()
  // One listener for each page in flight.
  setMaxListeners(0, stopping.signal)
  const workers: Worker[] = []
  let closed: Promise<void> | undefined
  // graphile-worker leaks a rejected promise when it loses PostgreSQL; tolerate it, or Node exits. The message is
  // sent again.
  const stopListening = tolerateRejections(
    ({ stack }) => stack?.includes('graphile-worker') ?? false,
    ({ message }) => log.warn({ error: message }, 'the queue lost PostgreSQL while it noted what was done'),
  )
  const close = async () => {
    stopping.abort(new Problem('unavailable', { because: 'it is stopping' }))
    await Promise.all(workers.map((worker) => worker.stop()))
    await pool.end()
    stopListening()
  }
  return {
    async ring(tx, kind, ids, { runAt = 0, priority = 0 } = {}) {
      if (ids.length === 0) return
      // The job key merges duplicates, and the earlier time wins. Due now is always the earliest, so the lookup is
      // skipped.
      const key = sql`${kind}::text || ':' || target.id`
      const at =
        runAt <= clock.now()
          ? sql`now()`
          : sql`least(to_timestamp(${runAt / 1000}::float8), (
              select j.run_at from graphile_worker.jobs j where j.key = ${key} and j.locked_at is null))`
      await sql`
        select graphile_worker.add_job(${kind}, json_build_object('id', target.id), run_at => ${at}, job_key => ${key},
          priority => ${priority}::int, max_attempts => ${MAX_ATTEMPTS}::int)
        from unnest(${ids}::text[]) as target(id)`.execute(tx)
    },
    work(kind, options, answer) {
      const worker = supervise(kind, options, answer, { pool, url, log, stopping: stopping.signal })
      workers.push(worker)
      return worker
    },
    close() {
      closed ??= close()
      return closed
    },
  }
}

/** For `orb migrate`; a queue that is opened does it by itself. */
export async function migrateQueue(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, application_name: 'orbweaver queue' })
  try {
    await migrate(pool)
  } finally {
    await pool.end()
  }
}

/** One starting process migrates, the others wait. */
async function migrate(pool: pg.Pool): Promise<void> {
  const holder = await pool.connect()
  try {
    await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    try {
      await runMigrations({ pgPool: pool })
    } finally {
      await holder.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
    }
  } finally {
    holder.release()
  }
}

interface GraphileContext {
  pool: pg.Pool
  url: string
  log: Log
  stopping: AbortSignal
}

/** Restarts the runner, which gives up when PostgreSQL goes away. */
function supervise(
  kind: string,
  { concurrency }: WorkOptions,
  answer: WakeUpHandler,
  context: GraphileContext,
): Worker {
  const { pool, log, stopping } = context
  const ended = new AbortController()
  let stop: (() => Promise<void>) | undefined
  const task = async (payload: unknown) => {
    if (stopping.aborted) throw abortProblem(stopping)
    await answer((payload as { id: string }).id, stopping)
  }
  const loop = (async () => {
    while (!ended.signal.aborted) {
      try {
        const runner = await run({
          pgPool: pool,
          concurrency,
          pollInterval: POLL_MS,
          noHandleSignals: true,
          taskList: { [kind]: task },
          logger: quietLogger(log),
        })
        stop = () => runner.stop()
        if (ended.signal.aborted) await runner.stop()
        await runner.promise
      } catch (error) {
        if (ended.signal.aborted) return
        log.warn({ kind, error: error instanceof Error ? error.message : String(error) }, 'the queue lost PostgreSQL')
      }
      stop = undefined
      await sleep(RESTART_MS, undefined, { signal: ended.signal }).catch(() => undefined)
    }
  })()
  return {
    async stop() {
      ended.abort()
      await stop?.().catch(() => undefined)
      await loop
    },
  }
}

const quietLogger = (log: Log): Logger =>
  new Logger(() => (level, message) => {
    if (level === 'error') log.warn({ from: 'graphile-worker' }, message)
    else log.debug({ from: 'graphile-worker' }, message)
  })

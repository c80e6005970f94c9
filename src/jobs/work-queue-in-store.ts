// The queue in the store. A message wakes the workers of its kind at once, in other processes by a signal of
// PostgreSQL.
import { setMaxListeners } from 'node:events'
import { batchConcurrentCalls } from '../base/batch-concurrent-calls.ts'
import type { Clock } from '../base/clock.ts'
import { withinTime } from '../base/deadline.ts'
import type { Log } from '../base/log.ts'
import { Problem } from '../base/problem.ts'
import type { WorkMessage, WorkMessageStore, WorkQueueSignals } from '../store/work-message-store.ts'
import {
  backoffMsAfter,
  type QueueWorker,
  type QueueWorkerOptions,
  type WorkMessageHandler,
  type WorkQueue,
} from './work-queue.ts'

/** As long as the lease of a page: both lapse when a process dies. */
const LEASE_MS = 15_000
/** For each kind, a poll sets a timer for the next message only, and the next poll comes at its time. */
const POLL_MS = 5_000
const MIN_POLL_MS = 1_000
/** Finds messages of other processes whose signal was lost. */
const SIGNALLED_POLL_MS = 1_000
/** A timer can end a millisecond before the clock says so. */
const TIMER_ERROR_MS = 1
/** A poll that hangs, as on a connection that is half open, must not keep all kinds from the next one. */
const POLL_LIMIT_MS = 10_000

interface QueueOptions {
  wakeUps: WorkMessageStore
  /** Undefined when no other process uses the database. */
  signals?: WorkQueueSignals | undefined
  clock: Clock
  log: Log
  leaseMs?: number
  pollMs?: number
  pollLimitMs?: number
}

export function openWorkQueueInStore(options: QueueOptions): WorkQueue {
  const { wakeUps, signals, clock, log, pollLimitMs = POLL_LIMIT_MS } = options
  const pollMs = options.pollMs ?? (signals ? SIGNALLED_POLL_MS : POLL_MS)
  const lines = new Map<string, Line[]>()
  const stopping = new AbortController()
  // One listener for each page in flight.
  setMaxListeners(0, stopping.signal)
  const wake = (kind: string, inMs: number) => {
    for (const line of lines.get(kind) ?? []) line.wake(inMs)
  }
  // One statement for all kinds: an idle service would otherwise spend most of its time on claims that find nothing.
  let polling: Promise<void> | undefined
  const poll = async () => {
    let inMs = pollMs
    try {
      const due = await withinTime(pollLimitMs, wakeUps.due([...lines.keys()], pollMs), tooLate)
      for (const { kind, isDue, nextInMs } of due) {
        if (isDue) wake(kind, 0)
        if (nextInMs === undefined) continue
        wake(kind, nextInMs)
        inMs = Math.min(inMs, nextInMs)
      }
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'could not poll for work')
    }
    if (!stopping.signal.aborted) pollIn(Math.max(inMs + TIMER_ERROR_MS, Math.min(MIN_POLL_MS, pollMs)))
  }
  let timer: NodeJS.Timeout | undefined
  const pollIn = (inMs: number) => {
    timer = setTimeout(() => {
      polling = poll()
    }, inMs).unref()
  }
  let stopListening: (() => Promise<void>) | undefined
  return {
    async enqueue(tx, kind, ids, { runAt = 0, priority = 0 } = {}) {
      const inMs = Math.max(0, runAt - clock.now())
      await wakeUps.enqueue(tx, kind, ids, { inMs, priority })
      // SQLite has one connection, so a claim now waits for the end of this transaction; PostgreSQL signals its end.
      if (!signals || inMs > 0) wake(kind, inMs)
    },
    work(kind, request, answer): QueueWorker {
      stopListening ??= signals?.listen((signalled) => wake(signalled, 0))
      if (!timer) pollIn(pollMs)
      const line = openLine(kind, request, answer, { ...options, pollMs }, stopping.signal)
      lines.set(kind, [...(lines.get(kind) ?? []), line])
      return line
    },
    async close() {
      stopping.abort(new Problem('unavailable', { because: 'it is stopping' }))
      clearTimeout(timer)
      // Lines stop at once, so that an answer of the poll wakes none.
      const stopped = [...lines.values()].flat().map((line) => line.stop())
      await polling
      await Promise.all(stopped)
      await stopListening?.()
    },
  }
}

interface Line extends QueueWorker {
  wake(inMs: number): void
}

function openLine(
  kind: string,
  { concurrency }: QueueWorkerOptions,
  answer: WorkMessageHandler,
  { wakeUps, log, leaseMs = LEASE_MS, pollMs }: QueueOptions & { pollMs: number },
  stopping: AbortSignal,
): Line {
  const answering = new Map<string, Promise<void>>()
  const done = batchConcurrentCalls(async (ids: readonly string[]) => {
    const pending = await wakeUps.done(kind, ids)
    return (id: string) => pending.has(id)
  })
  let stopped = false
  let claiming = false
  let woken = false
  let claimed: Promise<void> = Promise.resolve()
  /** Nothing is due until a work message or the timer. */
  let isDrained = false

  async function claim(): Promise<void> {
    claiming = true
    try {
      do {
        woken = false
        const free = concurrency - answering.size
        if (stopped || free <= 0) break
        const found = await wakeUps.claim(kind, free, leaseMs)
        if (stopped) {
          for (const { id } of found) if (!answering.has(id)) await wakeUps.later(kind, id, 0)
          break
        }
        // A lease that could not be extended in time is claimed again, by the process that still works on it.
        for (const wakeUp of found) if (!answering.has(wakeUp.id)) answering.set(wakeUp.id, attend(wakeUp))
        isDrained = found.length < free
        if (!isDrained) woken = true
      } while (woken)
    } catch (error) {
      log.warn({ kind, error: messageOf(error) }, 'could not poll for work')
    } finally {
      claiming = false
    }
  }

  async function attend({ id, attempts }: WorkMessage): Promise<void> {
    let isAgain = false
    try {
      await answer(id, stopping)
      isAgain = await done(kind, id)
    } catch (error) {
      log.warn({ kind, id, attempts, error: messageOf(error) }, 'a work message failed and is sent again')
      const inMs = backoffMsAfter(attempts)
      // If this fails too, the lease lapses.
      await wakeUps.later(kind, id, inMs).catch(() => undefined)
      wakeIn(inMs)
    } finally {
      answering.delete(id)
      if (isAgain || !isDrained) wake()
    }
  }

  function wake(): void {
    if (stopped) return
    woken = true
    if (!claiming) claimed = claim()
  }

  function wakeIn(inMs: number): void {
    if (inMs <= 0) wake()
    // The poll finds what is due later.
    else if (inMs <= pollMs) setTimeout(wake, inMs + TIMER_ERROR_MS).unref()
  }

  const heartbeat = setInterval(() => {
    if (answering.size === 0) return
    wakeUps
      .extend(kind, [...answering.keys()], leaseMs)
      .catch((error) => log.warn({ kind, error: messageOf(error) }, 'could not extend leases'))
  }, leaseMs / 3)
  heartbeat.unref()
  wake()
  return {
    wake: wakeIn,
    async stop() {
      stopped = true
      await claimed
      await Promise.all(answering.values())
      clearInterval(heartbeat)
    },
  }
}

const tooLate = (): never => {
  throw new Error(`the database did not answer in ${POLL_LIMIT_MS} ms`)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

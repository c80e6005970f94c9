// The queue of a single process, in SQLite. `ring` wakes the local workers at once; a timer finds later messages
// and those of a dead process.
import { setMaxListeners } from 'node:events'
import type { Log } from '../base/log.ts'
import type { Clock } from '../base/time.ts'
import type { WakeUp, WakeUps } from '../store/wake-ups.ts'
import { backoffMs, type Queue, type WakeUpHandler, type Worker, type WorkOptions } from './queue.ts'

const LEASE_MS = 30_000
const HEARTBEAT_MS = 10_000
/** Poll interval when idle. */
const POLL_MS = 1_000

interface EmbeddedOptions {
  wakeUps: WakeUps
  clock: Clock
  log: Log
  leaseMs?: number
  pollMs?: number
}

export function openEmbeddedQueue(options: EmbeddedOptions): Queue {
  const lines = new Map<string, Line[]>()
  const stopping = new AbortController()
  // One listener for each page in flight.
  setMaxListeners(0, stopping.signal)
  return {
    async ring(tx, kind, ids, { runAt = options.clock.now(), priority = 0 } = {}) {
      await options.wakeUps.ring(tx, kind, ids, { runAt, priority })
      // There is one connection, so a claim now waits for the end of this transaction.
      for (const line of lines.get(kind) ?? []) line.wake(runAt - options.clock.now())
    },
    work(kind, request, answer): Worker {
      const line = openLine(kind, request, answer, options, stopping.signal)
      lines.set(kind, [...(lines.get(kind) ?? []), line])
      return line
    },
    async close() {
      stopping.abort()
      for (const line of [...lines.values()].flat()) await line.stop()
    },
  }
}

interface Line extends Worker {
  wake(inMs: number): void
}

function openLine(
  kind: string,
  { concurrency }: WorkOptions,
  answer: WakeUpHandler,
  { wakeUps, clock, log, leaseMs = LEASE_MS, pollMs = POLL_MS }: EmbeddedOptions,
  stopping: AbortSignal,
): Line {
  const answering = new Map<string, Promise<void>>()
  let stopped = false
  let claiming = false
  let woken = false
  /** Nothing is due until a ring or the timer. */
  let isDrained = false
  let nextPoll = 0

  async function claim(): Promise<void> {
    claiming = true
    try {
      do {
        woken = false
        const free = concurrency - answering.size
        if (stopped || free <= 0) break
        const found = await wakeUps.claim(kind, free, clock.now() + leaseMs)
        for (const wakeUp of found) answering.set(wakeUp.id, attend(wakeUp))
        isDrained = found.length < free
        if (!isDrained) woken = true
      } while (woken)
    } catch (error) {
      log.warn({ kind, error: messageOf(error) }, 'could not poll for work')
    } finally {
      claiming = false
    }
  }

  async function attend({ id, attempts }: WakeUp): Promise<void> {
    let isAgain = false
    try {
      await answer(id, stopping)
      isAgain = await wakeUps.done(kind, id)
    } catch (error) {
      log.warn({ kind, id, attempts, error: messageOf(error) }, 'a wake-up message failed and is sent again')
      // If this fails too, the lease lapses.
      await wakeUps.later(kind, id, clock.now() + backoffMs(attempts)).catch(() => undefined)
    } finally {
      answering.delete(id)
      if (isAgain || !isDrained) wake()
    }
  }

  function wake(): void {
    if (stopped) return
    woken = true
    if (!claiming) void claim()
  }

  const poll = setInterval(() => {
    if (clock.now() < nextPoll && answering.size > 0) return
    nextPoll = clock.now() + pollMs
    wake()
  }, pollMs)
  const heartbeat = setInterval(
    () => {
      if (answering.size === 0) return
      wakeUps
        .extend(kind, [...answering.keys()], clock.now() + leaseMs)
        .catch((error) => log.warn({ kind, error: messageOf(error) }, 'could not extend leases'))
    },
    Math.min(HEARTBEAT_MS, leaseMs / 3),
  )
  poll.unref()
  heartbeat.unref()
  wake()
  return {
    wake(inMs) {
      if (inMs <= 0) wake()
      else if (inMs < pollMs) setTimeout(wake, inMs).unref()
    },
    async stop() {
      stopped = true
      clearInterval(poll)
      await Promise.all(answering.values())
      clearInterval(heartbeat)
    },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

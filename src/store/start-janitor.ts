// Sweeps once soon after the start, then at most every minute and only when something is due.

import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Store } from './index.ts'

const POLL_EVERY_MS = 1_000
const SWEEP_EVERY_MS = 60_000
/** Keeps the sweep away from the first requests after a start. */
const FIRST_SWEEP_MS = 20_000
/** Above this, sweep without waiting for the minute; a sweep costs some 0.3 s of CPU. */
const URGENT_SWEEP_BYTES = 160 * 1024 * 1024

interface JanitorOptions {
  clock: Clock
  log: Log
  firstAfterMs?: number
  pollEveryMs?: number
  pressingBytes?: number
}

export function startJanitor(store: Store, options: JanitorOptions): { stop(): void } {
  const {
    clock,
    log,
    firstAfterMs = FIRST_SWEEP_MS,
    pollEveryMs = POLL_EVERY_MS,
    pressingBytes = URGENT_SWEEP_BYTES,
  } = options
  let sweptAt = clock.now()
  let busy = false

  async function sweep(): Promise<void> {
    busy = true
    sweptAt = clock.now()
    try {
      const report = await store.sweep()
      log.debug({ ...report }, 'swept the store')
    } catch (error) {
      log.warn({ error: error instanceof Error ? error.message : String(error) }, 'could not sweep the store')
    } finally {
      busy = false
    }
  }

  const timer = setInterval(() => {
    const now = clock.now()
    const { writes, bytes, dueAt } = store.backlog()
    const due = writes > 0 || dueAt <= now
    // A clock that was set back must not delay the next sweep.
    const rested = now < sweptAt || now - sweptAt >= SWEEP_EVERY_MS
    if (!busy && (bytes > pressingBytes || (due && rested))) void sweep()
  }, pollEveryMs)
  timer.unref()
  const first = setTimeout(() => {
    if (!busy) void sweep()
  }, firstAfterMs).unref()
  return {
    stop() {
      clearTimeout(first)
      clearInterval(timer)
    },
  }
}

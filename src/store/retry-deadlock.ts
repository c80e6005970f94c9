// Retries after a PostgreSQL deadlock, for work that touches many tables in its own order.
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeadlock } from './postgres-errors.ts'

const TRIES = 5
const PAUSE_MS = 50

/** `work` must be atomic: one statement, or one transaction. */
export async function retryAfterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn++) {
    try {
      return await work()
    } catch (error) {
      if (!isDeadlock(error) || turn === TRIES) throw error
      await sleep(turn * PAUSE_MS)
    }
  }
}

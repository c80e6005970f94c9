// Wake-up messages. A message means that there may be work and arrives at least once, so its handler must be
// idempotent. It is sent inside the transaction that creates the work.
import type { Tx } from '../store/tables.ts'

interface WakeUpOptions {
  runAt?: number
  priority?: number
}

/** Throwing makes the message arrive again later. */
export type WakeUpHandler = (id: string, signal: AbortSignal) => Promise<void>

export interface WorkOptions {
  concurrency: number
}

export interface Worker {
  stop(): Promise<void>
}

export interface WakeUpQueue {
  /** Duplicates before delivery are merged, at the earlier time. */
  wake(tx: Tx, kind: string, ids: readonly string[], options?: WakeUpOptions): Promise<void>
  work(kind: string, options: WorkOptions, answer: WakeUpHandler): Worker
  close(): Promise<void>
}

export const backoffMs = (attempts: number): number => Math.min(300_000, 1_000 * 2 ** Math.min(20, attempts - 1))

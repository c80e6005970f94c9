// The durable work queue. A message means that there may be work and arrives at least once, so its handler must be
// idempotent. It is sent inside the transaction that creates the work.
import type { Tx } from '../store/tables.ts'

type WakeUpOptions = { runAt?: number; priority?: number }

/** Throwing makes the message arrive again later. */
export type WorkMessageHandler = (id: string, signal: AbortSignal) => Promise<void>

export type QueueWorkerOptions = { concurrency: number }

export type QueueWorker = { stop(): Promise<void> }

export interface WorkQueue {
  /** Duplicates before delivery are merged, at the earlier time. */
  enqueue(tx: Tx, kind: string, ids: readonly string[], options?: WakeUpOptions): Promise<void>
  work(kind: string, options: QueueWorkerOptions, answer: WorkMessageHandler): QueueWorker
  close(): Promise<void>
}

export const backoffMsAfter = (attempts: number): number => Math.min(300_000, 1_000 * 2 ** Math.min(20, attempts - 1))

// The doorbell. The store is the truth: a bell only says that there may be something to do, at least once, and who
// answers looks at the store and does nothing that is done already. Wake-ups are sent inside the transaction that makes
// them true; one that is not committed never sounds.
import type { Tx } from '../store/tables.ts'

export interface WakeUpOptions {
  /** Not before; now unless told. */
  runAt?: number
  /** Lower goes first; 0 unless told. */
  priority?: number
}

/** Resolves when all is done; throwing makes the bell sound again later. */
export type WakeUpHandler = (id: string, signal: AbortSignal) => Promise<void>

export interface WorkOptions {
  /** Wake-ups of this kind handled at once. */
  concurrency: number
}

export interface Worker {
  /** Takes no more bells and waits for those being answered. */
  stop(): Promise<void>
}

export interface Queue {
  /** The same bell rung twice before it is answered sounds once, at the earlier time. */
  ring(tx: Tx, kind: string, ids: readonly string[], wish?: WakeUpOptions): Promise<void>
  work(kind: string, options: WorkOptions, answer: WakeUpHandler): Worker
  close(): Promise<void>
}

/** Wait before the n-th try: doubling from a second, five minutes at most. */
export const backoffMs = (attempts: number): number => Math.min(300_000, 1_000 * 2 ** Math.min(20, attempts - 1))

// Writes leases down while they last, without keeping anybody waiting: a visit does not fail because its row could not be
// written. Rows that a dead process left behind are ended from time to time.
import { randomUUID } from 'node:crypto'
import type { Log } from '../../base/log.ts'

/** Where the rows are; other processes read them to know who holds what. */
export interface LeaseRows {
  take(lease: { id: string; process: string; owner: string; ttlMs: number }): Promise<void>
  end(id: string): Promise<void>
  endOf(process: string): Promise<void>
  /** Ends the leases whose time is up, and tells which they were. */
  endExpired(): Promise<readonly { id: string; process: string; owner: string }[]>
}

export interface LeaseBook {
  /** Writes a lease down; what it returns strikes it out. */
  write(owner: string, ttlMs: number): () => void
  close(): Promise<void>
}

const LOOK_MS = 60_000
/** A holder ends its lease itself when the time is up; the row lives a little longer. */
const GRACE_MS = 10_000

/** `process` names this one among all that share the rows. */
export function openLeaseBook(rows: LeaseRows, process: string, log: Log): LeaseBook {
  const note = (error: unknown) => log.warn({ because: (error as Error).message }, 'a lease could not be noted')
  const look = async () => {
    for (const lease of await rows.endExpired()) log.warn(lease, 'ended the lease of a process that is gone')
  }
  void look().catch(note)
  const timer = setInterval(() => void look().catch(note), LOOK_MS).unref()
  return {
    write(owner, ttlMs) {
      const id = randomUUID()
      const written = rows.take({ id, process, owner, ttlMs: ttlMs + GRACE_MS }).catch(note)
      return () => void written.then(() => rows.end(id)).catch(note)
    },
    async close() {
      clearInterval(timer)
      await rows.endOf(process).catch(note)
    },
  }
}

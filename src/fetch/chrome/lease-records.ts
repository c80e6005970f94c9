// Records leases without delaying visits: a failed write does not fail the visit. Periodically ends rows of dead
// processes.
import { randomUUID } from 'node:crypto'
import type { Log } from '../../base/log.ts'

export interface LeaseTable {
  take(lease: { id: string; process: string; owner: string; ttlMs: number }): Promise<void>
  end(id: string): Promise<void>
  endOf(process: string): Promise<void>
  endExpired(): Promise<readonly { id: string; process: string; owner: string }[]>
}

export interface LeaseRecorder {
  write(owner: string, ttlMs: number): () => void
  close(): Promise<void>
}

const LOOK_MS = 60_000
const GRACE_MS = 10_000

export function openLeaseRecorder(rows: LeaseTable, process: string, log: Log): LeaseRecorder {
  const note = (error: unknown) => log.warn({ because: (error as Error).message }, 'a lease could not be noted')
  const poll = async () => {
    for (const lease of await rows.endExpired()) log.warn(lease, 'ended the lease of a process that is gone')
  }
  void poll().catch(note)
  const timer = setInterval(() => void poll().catch(note), LOOK_MS).unref()
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

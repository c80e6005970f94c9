// The worker processes and their total concurrency, which teams without a slot limit share.
import type { Clock } from '../base/clock.ts'
import type { Db } from './tables.ts'

/** A worker without a heartbeat for this long is gone. */
const DEAD_WORKER_MS = 30_000

export type WorkerProcesses = ReturnType<typeof openWorkerProcesses>

export function openWorkerProcesses(db: Db, clock: Clock) {
  return {
    async seen(id: string, concurrency: number) {
      const now = clock.now()
      await db
        .insertInto('workers')
        .values({ id, concurrency, seen_at: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ concurrency, seen_at: now }))
        .execute()
      await db
        .deleteFrom('workers')
        .where('seen_at', '<', now - DEAD_WORKER_MS)
        .execute()
    },
    async leave(id: string) {
      await db.deleteFrom('workers').where('id', '=', id).execute()
    },
    async capacity() {
      const row = await db
        .selectFrom('workers')
        .select((from) => from.fn.sum<number | null>('concurrency').as('capacity'))
        .where('seen_at', '>=', clock.now() - DEAD_WORKER_MS)
        .executeTakeFirst()
      return Number(row?.capacity ?? 0)
    },
    async count() {
      const row = await db
        .selectFrom('workers')
        .select((from) => from.fn.countAll<number | string>().as('workers'))
        .where('seen_at', '>=', clock.now() - DEAD_WORKER_MS)
        .executeTakeFirst()
      return Number(row?.workers ?? 0)
    },
  }
}

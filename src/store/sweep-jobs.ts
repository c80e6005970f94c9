// Sweep of expired jobs and idempotency keys.
import { DAY_MS } from '../base/clock.ts'
import type { Db } from './tables.ts'

const BATCH_ROWS = 500
const IDEMPOTENCY_MS = DAY_MS

/** Results expire with their job, not by their own time. */
export async function expireJobs(db: Db, now: number): Promise<number> {
  const job = await db
    .selectFrom('jobs')
    .select('id')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(1)
    .executeTakeFirst()
  if (!job) return 0
  const pages = await db
    .selectFrom('frontier')
    .select(['id', 'scrape_id'])
    .where('job_id', '=', job.id)
    .limit(BATCH_ROWS)
    .execute()
  if (pages.length === 0) {
    await db.deleteFrom('jobs').where('id', '=', job.id).execute()
    return 1
  }
  const scrapes = pages.flatMap((page) => (page.scrape_id === null ? [] : [page.scrape_id]))
  const ids = pages.map((page) => page.id)
  await db.transaction().execute(async (tx) => {
    if (scrapes.length > 0) {
      // Zero data retention may have limited this job's documents to an hour.
      await tx
        .updateTable('documents')
        .set({ keep_until: 0 })
        .where('capture_id', 'is', null)
        .where('id', 'in', (from) => from.selectFrom('scrapes').select('document_id').where('id', 'in', scrapes))
        .execute()
      await tx.deleteFrom('scrapes').where('id', 'in', scrapes).execute()
    }
    await tx.deleteFrom('frontier').where('id', 'in', ids).execute()
  })
  return pages.length
}

export async function expireIdempotency(db: Db, now: number): Promise<number> {
  const old = await db
    .selectFrom('idempotency')
    .select(['team_id', 'key'])
    .where('at', '<=', now - IDEMPOTENCY_MS)
    .orderBy('at')
    .limit(BATCH_ROWS)
    .execute()
  if (old.length === 0) return 0
  await db
    .deleteFrom('idempotency')
    .where('at', '<=', now - IDEMPOTENCY_MS)
    .where(
      'key',
      'in',
      old.map((row) => row.key),
    )
    .execute()
  return old.length
}

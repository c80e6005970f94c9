// How an active page ends. Each end happens once: the second writer finds the page no longer active.
import { type QueryResult, sql } from 'kysely'
import type { Clock } from '../base/clock.ts'
import { compileStatementOnce } from './compiled-statements.ts'
import type { Frontier, JobPage } from './frontier-types.ts'
import { type Db, type PageState, stateIs, type Tables, type Tx } from './tables.ts'

type Ends = Pick<
  Frontier,
  'completion' | 'fail' | 'leaveOut' | 'putBack' | 'dropQueued' | 'putAllBack' | 'requeueFailed' | 'forgetDropped'
>

export function makeFrontierPageEnds(db: Db, clock: Clock): Ends {
  async function end(
    tx: Tx,
    page: JobPage,
    change: { state: PageState; reason?: string; alias_of?: string | null; error?: string },
  ) {
    const ended = await tx
      .updateTable('frontier')
      .set({ lease_until: null, at: clock.now(), ...change })
      .where('id', '=', page.id)
      .where('state', '=', 'active')
      .executeTakeFirst()
    return ended.numUpdatedRows === 1n
  }

  return {
    ...makeRequeueMethods(),
    completion: makeCompletion(db, clock),
    async fail(tx, page, problem, credits = 0) {
      if (!(await end(tx, page, { state: 'failed', error: JSON.stringify(problem) }))) return false
      await tx
        .updateTable('jobs')
        .set({ failed: sql`failed + 1`, active: sql`active - 1`, credits: sql`credits + ${credits}` })
        .where('id', '=', page.jobId)
        .execute()
      return true
    },
    async leaveOut(tx, page, reason, aliasOf) {
      if (!(await end(tx, page, { state: 'dropped', reason, alias_of: aliasOf ?? null }))) return false
      await tx
        .updateTable('jobs')
        .set({ total: sql`total - 1`, active: sql`active - 1` })
        .where('id', '=', page.jobId)
        .execute()
      return true
    },
    async putBack(tx, page, runAt, countsAsAttempt) {
      const back = await tx
        .updateTable('frontier')
        .set({
          state: 'queued',
          lease_until: null,
          run_at: runAt,
          attempts: countsAsAttempt ? page.attempts : page.attempts - 1,
        })
        .where('id', '=', page.id)
        .where('state', '=', 'active')
        .executeTakeFirst()
      if (back.numUpdatedRows !== 1n) return false
      await tx
        .updateTable('jobs')
        .set({ queued: sql`queued + 1`, active: sql`active - 1` })
        .where('id', '=', page.jobId)
        .execute()
      return true
    },
    async dropQueued(tx, jobId, reason) {
      const dropped = await tx
        .updateTable('frontier')
        .set({ state: 'dropped', reason, at: clock.now() })
        .where('job_id', '=', jobId)
        .where(stateIs('queued'))
        .executeTakeFirst()
      const count = Number(dropped.numUpdatedRows)
      await tx
        .updateTable('jobs')
        .set({ total: sql`total - ${count}`, queued: 0 })
        .where('id', '=', jobId)
        .execute()
      return count
    },
  }
}

function makeRequeueMethods(): Pick<Frontier, 'putAllBack' | 'requeueFailed' | 'forgetDropped'> {
  return {
    async putAllBack(tx, jobId) {
      await tx
        .updateTable('frontier')
        .set({
          state: 'queued',
          lease_until: null,
          // A visit that is broken off does not count as an attempt.
          attempts: sql`case when attempts > 0 then attempts - 1 else 0 end`,
        })
        .where('job_id', '=', jobId)
        .where(stateIs('active'))
        .execute()
      await tx.updateTable('jobs').set({ queued: sql`queued + active`, active: 0 }).where('id', '=', jobId).execute()
    },
    async requeueFailed(tx, jobId, reason) {
      const requeue = () =>
        tx
          .updateTable('frontier')
          .set({ state: 'queued', attempts: 0, run_at: 0, reason: null, error: null, at: null })
          .where('job_id', '=', jobId)
      const failed = Number((await requeue().where(stateIs('failed')).executeTakeFirst()).numUpdatedRows)
      const dropped = Number(
        (await requeue().where(stateIs('dropped')).where('reason', '=', reason).executeTakeFirst()).numUpdatedRows,
      )
      await tx
        .updateTable('jobs')
        .set({
          failed: sql`failed - ${failed}`,
          total: sql`total + ${dropped}`,
          queued: sql`queued + ${failed + dropped}`,
        })
        .where('id', '=', jobId)
        .execute()
      return { failed, dropped }
    },
    async forgetDropped(tx, jobId, reason) {
      const forgotten = await tx
        .deleteFrom('frontier')
        .where('job_id', '=', jobId)
        .where(stateIs('dropped'))
        .where('reason', '=', reason)
        .executeTakeFirst()
      const count = Number(forgotten.numDeletedRows)
      await tx
        .updateTable('jobs')
        .set({ dropped: sql`dropped - ${count}` })
        .where('id', '=', jobId)
        .execute()
      return count
    },
  }
}

function makeCompletion(db: Db, clock: Clock): Ends['completion'] {
  const countDone = compileStatementOnce(
    ({ jobId, count, credits }: { jobId: string; count: number; credits: number }) =>
      db
        .updateTable('jobs')
        .set({
          completed: sql`completed + ${count}`,
          active: sql`active - ${count}`,
          credits: sql`credits + ${credits}`,
        })
        .where('id', '=', jobId)
        .where('state', '=', 'scraping')
        .returning(['total', 'page_limit', 'queued', 'active', 'discovering'])
        .compile(),
  )
  const setDone = compileStatementOnce((page: { id: string; at: number; scrapeId: string | null; after: number }) =>
    db
      .updateTable('frontier')
      .set((from) => ({
        state: 'done',
        lease_until: null,
        at: page.at,
        scrape_id: page.scrapeId,
        seq: from
          .selectFrom('jobs')
          .select(sql<number>`completed - ${page.after}`.as('seq'))
          .whereRef('jobs.id', '=', 'frontier.job_id'),
      }))
      .where('id', '=', page.id)
      .where('state', '=', 'active')
      .compile(),
  )
  return (jobId, pages, credits) => ({
    statements: [
      // The job's row first: its lock orders completions, and its count is the last sequence number.
      countDone.of({ jobId, count: pages.length, credits }),
      ...pages.map(({ id, scrapeId }, at) =>
        setDone.of({ id, at: clock.now(), scrapeId, after: pages.length - 1 - at }),
      ),
    ],
    read([counted, ...ended]) {
      const job = (counted as QueryResult<Counted>).rows[0]
      if (!job || ended.some(({ numAffectedRows }) => numAffectedRows !== 1n)) return undefined
      const { total, page_limit: pageLimit, queued, active } = job
      return { total, pageLimit, queued, active, discovering: job.discovering === 1 }
    },
  })
}

type Counted = Pick<Tables['jobs'], 'total' | 'page_limit' | 'queued' | 'active' | 'discovering'>

// Whose turn it is: of a team's waiting pages, those that may be worked on now. As many as the team has slots free, its
// jobs one after the other, none before its time.
import { sql } from 'kysely'
import type { Clock } from '../base/time.ts'
import type { Dialect, Tx } from './tables.ts'

export interface Taken {
  /** Pages that are to be worked on now. */
  pages: { id: string; jobId: string }[]
  /** When a page that could not be taken now may be; undefined when nothing waits for time alone. */
  nextAt: number | undefined
}

export type Take = (tx: Tx, teamId: string, capacity: number, leaseUntil: number) => Promise<Taken>

export function openTurns(dialect: Dialect, clock: Clock): Take {
  // Turns of the same millisecond still come one after the other.
  let turnsTaken = 0
  return async (tx, teamId, capacity, leaseUntil) => {
    const now = clock.now()
    // SQLite's writers take turns by themselves.
    if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(hashtextextended(${teamId}, 7026))`.execute(tx)
    const running = await tx
      .selectFrom('jobs')
      .select(['id', 'queued', 'active', 'slots', 'max_active', 'delay_ms', 'next_at'])
      .where('team_id', '=', teamId)
      .where('state', '=', 'scraping')
      .orderBy('turn')
      .execute()
    const slots = running[0]?.slots ?? capacity
    let free = slots - running.reduce((sum, job) => sum + job.active, 0)
    const waits = running.filter((job) => job.queued > 0 && job.next_at > now).map((job) => job.next_at)
    const may = running.map((job) => ({
      ...job,
      most: job.next_at > now ? 0 : Math.min(job.queued, (job.max_active ?? Number.POSITIVE_INFINITY) - job.active),
      given: 0,
    }))
    for (let gave = true; gave && free > 0; ) {
      gave = false
      for (const job of may) {
        if (free <= 0 || job.given >= job.most) continue
        job.given += 1
        free -= 1
        gave = true
      }
    }
    const pages: Taken['pages'] = []
    for (const job of may) {
      if (job.given === 0) continue
      const rows = await tx
        .updateTable('frontier')
        .set({ state: 'active', lease_until: leaseUntil })
        .where('id', 'in', (from) =>
          from
            .selectFrom('frontier')
            .select('id')
            .where('job_id', '=', job.id)
            .where('state', '=', 'queued')
            .where('run_at', '<=', now)
            .orderBy('run_at')
            .orderBy('n')
            .limit(job.given),
        )
        .returning('id')
        .execute()
      if (rows.length < job.given) waits.push(await nextRun(tx, job.id))
      if (rows.length === 0) continue
      turnsTaken = (turnsTaken + 1) % 1000
      await tx
        .updateTable('jobs')
        .set({
          queued: sql`queued - ${rows.length}`,
          active: sql`active + ${rows.length}`,
          turn: now * 1000 + turnsTaken,
          ...(job.delay_ms > 0 ? { next_at: now + job.delay_ms } : {}),
        })
        .where('id', '=', job.id)
        .execute()
      for (const { id } of rows) pages.push({ id, jobId: job.id })
    }
    const soonest = Math.min(...waits)
    return { pages, nextAt: Number.isFinite(soonest) ? soonest : undefined }
  }
}

async function nextRun(tx: Tx, jobId: string): Promise<number> {
  const row = await tx
    .selectFrom('frontier')
    .select((from) => from.fn.min('run_at').as('at'))
    .where('job_id', '=', jobId)
    .where('state', '=', 'queued')
    .executeTakeFirst()
  return row?.at ?? Number.POSITIVE_INFINITY
}

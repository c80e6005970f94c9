// Chooses which waiting pages of a team become active: as many as it has free slots, its jobs in turn, none before
// its time.
import { sql } from 'kysely'
import type { Clock } from '../base/clock.ts'
import { compileStatementOnce } from './compiled-statements.ts'
import { executeInOneRoundTrip } from './pipelined-statements.ts'
import { type Db, stateIs, type Tx } from './tables.ts'

export interface ActivatedPages {
  pages: { id: string; jobId: string }[]
  nextAt: number | undefined
}

type ActivatePages = (tx: Tx, teamId: string, capacity: number, leaseUntil: number) => Promise<ActivatedPages>

interface Candidate {
  id: string
  delayMs: number
  nextAt: number
  most: number
  given: number
}

export function makePageActivator(db: Db, clock: Clock): ActivatePages {
  const jobsOf = compileStatementOnce(({ teamId }: { teamId: string }) =>
    db
      .selectFrom('jobs')
      .select(['id', 'queued', 'active', 'slots', 'max_active', 'delay_ms', 'next_at'])
      .where('team_id', '=', teamId)
      .where(stateIs('scraping'))
      .where('paused_at', 'is', null)
      .orderBy('turn')
      .compile(),
  )
  const activate = activator(db)
  // Orders turns within the same millisecond.
  let turnsTaken = 0
  return async (tx, teamId, capacity, leaseUntil) => {
    const now = clock.now()
    const { rows: running } = await jobsOf(tx, { teamId })
    const slots = running[0]?.slots ?? capacity
    let free = slots - running.reduce((sum, job) => sum + job.active, 0)
    const waits = running.filter((job) => job.queued > 0 && job.next_at > now).map((job) => job.next_at)
    let candidates: Candidate[] = running
      .filter((job) => job.queued > 0 && job.next_at <= now)
      .map((job) => ({
        id: job.id,
        delayMs: job.delay_ms,
        nextAt: job.next_at,
        most: Math.min(job.queued, (job.max_active ?? Number.POSITIVE_INFINITY) - job.active),
        given: 0,
      }))
    const pages: ActivatedPages['pages'] = []
    while (free > 0 && candidates.length > 0) {
      free -= share(free, candidates)
      for (const job of candidates) {
        if (job.given <= 0) continue
        turnsTaken = (turnsTaken + 1) % 1000
        const ids = await activate(tx, job, { now, leaseUntil, turn: now * 1000 + turnsTaken })
        for (const id of ids) pages.push({ id, jobId: job.id })
        if (ids.length === job.given) continue
        // Slots that this job could not use go to the others.
        free += job.given - ids.length
        waits.push(await nextRun(tx, job.id))
        job.most = ids.length
      }
      candidates = candidates
        .map((job) => ({ ...job, most: job.most - job.given, given: 0 }))
        .filter((job) => job.most > 0)
    }
    const soonest = Math.min(...waits)
    return { pages, nextAt: Number.isFinite(soonest) ? soonest : undefined }
  }
}

function share(free: number, candidates: Candidate[]): number {
  let left = free
  for (let gave = true; gave && left > 0; ) {
    gave = false
    for (const job of candidates) {
      if (left <= 0 || job.given >= job.most) continue
      job.given += 1
      left -= 1
      gave = true
    }
  }
  return free - left
}

interface Turn {
  now: number
  leaseUntil: number
  turn: number
}

function activator(db: Db): (tx: Tx, job: Candidate, turn: Turn) => Promise<string[]> {
  const takePages = compileStatementOnce((value: { jobId: string; most: number; now: number; leaseUntil: number }) =>
    db
      .updateTable('frontier')
      .set({ state: 'active', lease_until: value.leaseUntil })
      .where('id', 'in', (from) =>
        from
          .selectFrom('frontier')
          .select('id')
          .where('job_id', '=', value.jobId)
          .where(stateIs('queued'))
          .where('run_at', '<=', value.now)
          .orderBy('run_at')
          .orderBy('n')
          .limit(value.most),
      )
      .returning('id')
      .compile(),
  )
  const countTaken = compileStatementOnce((value: { jobId: string; taken: number; turn: number; nextAt: number }) =>
    db
      .updateTable('jobs')
      .set({
        queued: sql`queued - ${value.taken}`,
        active: sql`active + ${value.taken}`,
        turn: value.turn,
        next_at: value.nextAt,
      })
      .where('id', '=', value.jobId)
      .compile(),
  )
  return async (tx, job, { now, leaseUntil, turn }) => {
    const next = { jobId: job.id, turn, nextAt: job.delayMs > 0 ? now + job.delayMs : job.nextAt }
    // Assumes that all can be taken; corrected below when some are not due.
    const [{ rows }] = await executeInOneRoundTrip(
      tx,
      takePages.of({ jobId: job.id, most: job.given, now, leaseUntil }),
      countTaken.of({ ...next, taken: job.given }),
    )
    if (rows.length < job.given) {
      const nextAt = rows.length > 0 ? next.nextAt : job.nextAt
      await countTaken(tx, { ...next, nextAt, taken: rows.length - job.given })
    }
    return rows.map((row) => row.id)
  }
}

async function nextRun(tx: Tx, jobId: string): Promise<number> {
  const row = await tx
    .selectFrom('frontier')
    .select((from) => from.fn.min('run_at').as('at'))
    .where('job_id', '=', jobId)
    .where(stateIs('queued'))
    .executeTakeFirst()
  return row?.at ?? Number.POSITIVE_INFINITY
}

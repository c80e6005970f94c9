// Pauses and resumes jobs, and retries their failed pages, each in one transaction.
import { DEAD_START_REASON, UNPAID_REASON } from '../store/frontier-types.ts'
import type { Store } from '../store/index.ts'
import type { Job } from '../store/jobs.ts'
import type { Tx } from '../store/tables.ts'
import type { JobKinds } from './job-kinds.ts'
import type { WorkQueue } from './work-queue.ts'

type JobRef = Pick<Job, 'id' | 'teamId'>

export type JobControls = ReturnType<typeof makeJobControls>

interface ControlParts {
  store: Store
  queue: WorkQueue
  kinds: JobKinds
  giveTurns(tx: Tx, teamId: string): Promise<void>
  move(tx: Tx, job: Pick<Job, 'id' | 'teamId' | 'kind'>): Promise<void>
  breakOff(jobId: string): void
}

export function makeJobControls({ store, queue, kinds, giveTurns, move, breakOff }: ControlParts) {
  /** Runs `work` on a job while no page of its team can end or begin. */
  const withHeldJob = <T>({ id, teamId }: JobRef, work: (tx: Tx, job: Job) => Promise<T>): Promise<T | undefined> =>
    store.transaction(async (tx) => {
      await store.frontier.lockTeam(tx, teamId)
      const job = await store.jobs.hold(tx, id)
      return job && work(tx, job)
    })

  async function retryFailed(tx: Tx, job: Job): Promise<number | undefined> {
    const { id, kind, state } = job
    if (state === 'cancelled') return undefined
    const { failed, dropped } = await store.frontier.requeueFailed(tx, id, UNPAID_REASON)
    const count = failed + dropped
    const { needsPages = false } = kinds.get(kind) ?? {}
    // Its discovery was cut short: all that it finds again is known.
    const discovering = needsPages && (dropped > 0 || state === 'failed')
    const isCut = state === 'failed' && (discovering || job.queued + job.active > 0)
    if (count === 0 && !isCut) return undefined
    if (discovering) {
      await store.frontier.forgetDropped(tx, id, DEAD_START_REASON)
      await queue.enqueue(tx, 'discover', [id])
    }
    if (state === 'scraping') await store.jobs.change(tx, id, { discovering: job.discovering || discovering })
    else {
      await store.frontier.putAllBack(tx, id)
      await store.jobs.reopen(tx, id, discovering)
    }
    if (dropped > 0) await store.jobs.change(tx, id, { warning: null })
    await move(tx, job)
    return count
  }

  return {
    /** False when the job has ended. Pages in flight are broken off and wait again. */
    async pause(job: JobRef) {
      const isPaused = await withHeldJob(job, async (tx, held) => {
        if (held.state !== 'scraping') return false
        if (held.pausedAt !== null) return true
        await store.frontier.putAllBack(tx, job.id)
        await store.jobs.pause(tx, held)
        await giveTurns(tx, job.teamId)
        return true
      })
      breakOff(job.id)
      return isPaused ?? false
    },
    async resume(job: JobRef) {
      const isResumed = await withHeldJob(job, async (tx, held) => {
        if (held.state !== 'scraping') return false
        if (held.pausedAt === null) return true
        await store.jobs.resume(tx, held)
        if (held.discovering) await queue.enqueue(tx, 'discover', [job.id])
        await move(tx, held)
        return true
      })
      return isResumed ?? false
    },
    /** Queues failed and unpaid pages again, and runs an ended job again. Returns their number; undefined: nothing to do. */
    retry: (job: JobRef) => withHeldJob(job, retryFailed),
  }
}

// Runs the discovery of a job's pages under a lease, so that another process resumes it when this one dies.

import { asProblem, type Problem } from '../base/problem.ts'
import { DEAD_START_REASON, type NewJobPage } from '../store/frontier-types.ts'
import type { PageEndDependencies } from './end-page.ts'
import type { JobFacts } from './job-facts.ts'
import { PAGE_LEASE_MS } from './job-service.ts'
import type { WorkMessageHandler } from './work-queue.ts'

interface DiscoveryParts extends PageEndDependencies {
  as<T>(keyId: string | null, work: () => Promise<T>): Promise<T>
  under<T>(teamId: string, options: { keeps: boolean }, work: () => Promise<T>): Promise<T>
}

/** Returns pages to visit only when nothing else is left. */
export type DiscoverPages = (job: JobFacts, signal: AbortSignal) => Promise<readonly NewJobPage[] | undefined>

/** The start address cannot be visited: the job fails with this problem. */
export class StartPageFailed extends Error {
  readonly url: string
  readonly problem: Problem
  constructor(url: string, problem: Problem) {
    super(problem.message)
    this.url = url
    this.problem = problem
  }
}

export function makeDiscoveryHandler(
  parts: DiscoveryParts,
  discoveries: ReadonlyMap<string, DiscoverPages>,
): WorkMessageHandler {
  const { store, jobService, clock, log } = parts
  return async (jobId, stopping) => {
    const job = await jobService.facts(jobId)
    const discover = job && discoveries.get(job.kind)
    if (!discover || !(await store.jobs.leaseDiscovery(jobId, clock.now() + PAGE_LEASE_MS, false))) return
    const entry = jobService.hold({ id: `discovery of ${jobId}`, jobId }, stopping)
    const beat = setInterval(() => {
      store.jobs.leaseDiscovery(jobId, clock.now() + PAGE_LEASE_MS, true).catch(() => undefined)
    }, PAGE_LEASE_MS / 3)
    let last: readonly NewJobPage[] | undefined
    try {
      last = await parts.as(job.keyId, () =>
        parts.under(job.teamId, { keeps: !job.zeroDataRetention }, () => discover(job, entry.signal)),
      )
    } catch (error) {
      // Free the lease, so that discovery resumes at the next start.
      if (entry.signal.aborted) {
        await store.jobs.leaseDiscovery(jobId, 0, true).catch(() => undefined)
        return
      }
      if (error instanceof StartPageFailed) return await fail(parts, job, error)
      const problem = asProblem(error)
      if (problem.kind === 'unavailable') throw problem
      log.warn({ job: jobId, error: problem.message }, 'a discovery broke off')
      await end(parts, job, `Not all of the site could be read. ${problem.message}`)
      return
    } finally {
      clearInterval(beat)
      entry.release()
    }
    await end(parts, job, undefined, last)
  }
}

async function fail({ store, jobService }: DiscoveryParts, job: JobFacts, { url, problem }: StartPageFailed) {
  await store.transaction(async (tx) => {
    await store.frontier.lockTeam(tx, job.teamId)
    await store.frontier.drop(tx, job.id, [{ key: url, url, reason: DEAD_START_REASON, problem: problem.toJSON() }])
    await store.jobs.change(tx, job.id, { discovering: false })
    await jobService.finish(tx, job.id, 'failed', { error: problem.message })
  })
  jobService.news(job.id)
}

async function end(
  { store, jobService }: DiscoveryParts,
  job: JobFacts,
  warning?: string,
  last: readonly NewJobPage[] = [],
): Promise<void> {
  await store.transaction(async (tx) => {
    await store.frontier.lockTeam(tx, job.teamId)
    await store.jobs.change(tx, job.id, { discovering: false, ...(warning ? { warning } : {}) })
    const row = await store.jobs.hold(tx, job.id)
    // Pages that ended during discovery could not see that they were the last.
    if (row && row.queued + row.active === 0) await jobService.add(tx, job.id, last)
    await jobService.move(tx, job)
  })
  jobService.news(job.id)
}

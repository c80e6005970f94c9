// Processes the pages of a job; crawl and batch only supply how a page is visited.

import { asProblem, Problem } from '../base/problem.ts'
import type { Spans } from '../base/spans.ts'
import { hostOf } from '../base/values.ts'
import type { JobPage } from '../store/frontier-types.ts'
import { LeaseLostError, makePageEndHandlers, type PageEndDependencies, type VisitedPage } from './end-page.ts'
import type { HostPoliteness } from './host-politeness.ts'
import type { JobFacts } from './job-facts.ts'

/** After this many tries, a 429 or 503 response is taken as the result. */
export const MAX_BUSY_TRIES = 4
/**
 * A page started this often without an end probably crashes the process. Restarts of a service that is killed
 * repeatedly stay far below.
 */
const MAX_STARTS_OF_PAGE = 100

export type VisitPage = (page: JobPage, job: JobFacts, signal: AbortSignal) => Promise<VisitedPage>

interface PagesParts extends PageEndDependencies {
  hosts: HostPoliteness
  visits: ReadonlyMap<string, VisitPage>
  as<T>(keyId: string | null, work: () => Promise<T>): Promise<T>
  spans: Spans
}

export function makePageHandler(parts: PagesParts): (id: string, stopping: AbortSignal) => Promise<void> {
  const { store, hosts, jobService, clock, log, visits, as, spans } = parts
  const { done, later, failed, broke, aborted } = makePageEndHandlers(parts)

  async function work(page: JobPage, job: JobFacts, signal: AbortSignal): Promise<void> {
    const host = hostOf(page.url) ?? page.url
    let visited: VisitedPage
    let entered = false
    try {
      const restMs = await hosts.enter(host, job.delayMs, signal)
      if (restMs > 0) return await later(page, job, clock.now() + restMs, false)
      entered = true
      if (page.attempts > MAX_STARTS_OF_PAGE)
        throw new Problem('unprocessable', { because: 'every try to read it broke off' })
      const visit = visits.get(job.kind)
      if (!visit) throw new Problem('unprocessable', { because: `this build has no jobs of the kind ${job.kind}` })
      visited = await as(job.keyId, () => visit(page, job, signal))
    } catch (error) {
      if (signal.aborted) return aborted(page, job)
      return failed(page, job, asProblem(error))
    } finally {
      if (entered) hosts.left(host)
    }
    if (signal.aborted) return aborted(page, job)
    if (!visited.busy) await hosts.fine(host)
    else if (page.attempts < MAX_BUSY_TRIES) {
      const waitMs = await hosts.busy(host, visited.busy.askedSeconds)
      return later(page, job, clock.now() + waitMs, true)
    }
    try {
      await done(page, job, visited)
    } catch (error) {
      if (error instanceof LeaseLostError) return log.debug({ page: page.id }, 'another worker has ended this page')
      const problem = asProblem(error)
      if (problem.kind !== 'no_credit') throw error
      await broke(page, job, problem)
    }
  }

  return async (id, stopping) => {
    const page = await store.frontier.begin(id, jobService.leaseUntil())
    if (!page) return
    const job = await jobService.facts(page.jobId)
    if (!job) return
    const entry = jobService.hold(page, stopping)
    try {
      const { traceparent } = job.settings as { traceparent?: string }
      const facts = { 'orb.job.id': job.id, 'orb.job.kind': job.kind, 'orb.page.attempt': page.attempts }
      await spans.root(`${job.kind} page`, facts, traceparent, () => work(page, job, entry.signal))
    } finally {
      entry.release()
    }
  }
}

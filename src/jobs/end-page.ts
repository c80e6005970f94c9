// The ends of a page, each in one transaction: result, links, credits, sequence number, webhook, and the next message.
// A crash changes nothing.

import { batchConcurrentCalls } from '../base/batch-concurrent-calls.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { prices } from '../base/prices.ts'
import type { Problem } from '../base/problem.ts'
import {
  DUPLICATE_REASON,
  type JobPage,
  type JobTotals,
  type NewJobPage,
  UNPAID_REASON,
} from '../store/frontier-types.ts'
import type { Store } from '../store/index.ts'
import { runStepsInOneRoundTrip } from '../store/pipelined-statements.ts'
import type { Tx } from '../store/tables.ts'
import type { JobFacts } from './job-facts.ts'
import type { JobService } from './job-service.ts'

const MAX_TRIES = 3
const WAITS_MS = [1_000, 5_000]

/** Nothing of it is stored yet. */
export interface VisitedPage {
  scrapeId: string
  credits: number
  /** Runs in the transaction that ends the page. */
  store(tx: Tx): Promise<void>
  text(): string
  found: readonly NewJobPage[]
  refused: readonly { key: string; url: string; reason: string }[]
  /** Pages to visit when nothing else is left. */
  last?: readonly NewJobPage[]
  /** Set when the page turned out to be another one. */
  also?: { key: string; url: string }
  /** Set when it led out of the job's scope. */
  outside?: string
  /** Runs instead of `store` when the page is left out. */
  leftOut?(tx: Tx): Promise<void>
  /** No webhook event is sent for this page. */
  quiet?: boolean
  /** Set after a 429 or 503, with its Retry-After. */
  busy?: { askedSeconds: number | undefined }
}

export type PageEndDependencies = { store: Store; jobService: JobService; clock: Clock; log: Log }

/** The page is no longer leased to this process. */
export class LeaseLostError extends Error {}

type Ended = { page: JobPage; job: JobFacts; visited: VisitedPage }

interface PageEnds {
  done(page: JobPage, job: JobFacts, visited: VisitedPage): Promise<void>
  later(page: JobPage, job: JobFacts, runAt: number, countsAsAttempt: boolean): Promise<void>
  failed(page: JobPage, job: JobFacts, problem: Problem): Promise<void>
  /** The team cannot pay for the next page either: the job ends with what it has. */
  broke(page: JobPage, job: JobFacts, problem: Problem): Promise<void>
  /** The job is over or the service stops: puts the page back at once instead of letting its lease lapse. */
  aborted(page: JobPage, job: JobFacts): Promise<void>
}

export function makePageEndHandlers(parts: PageEndDependencies): PageEnds {
  const { store, jobService, clock, log } = parts
  const done = pageDone(parts)

  async function later(page: JobPage, job: JobFacts, runAt: number, countsAsAttempt: boolean): Promise<void> {
    await store.transaction(async (tx) => {
      await store.frontier.lockTeam(tx, job.teamId)
      if (await store.frontier.putBack(tx, page, runAt, countsAsAttempt)) await jobService.move(tx, job)
    })
  }

  async function failed(page: JobPage, job: JobFacts, problem: Problem): Promise<void> {
    if (problem.kind === 'too_busy' || problem.kind === 'queue_timeout')
      return later(page, job, clock.now() + (problem.retryAfterSeconds ?? 1) * 1000, false)
    // The store is unavailable: the message is delivered again, and the page loses no try.
    if (problem.kind === 'unavailable') throw problem
    if (problem.kind === 'internal') log.error({ err: problem.cause ?? problem, url: page.url }, 'a page failed')
    if (problem.row.retry && page.attempts < MAX_TRIES) {
      const waitMs =
        problem.retryAfterSeconds === undefined ? WAITS_MS[page.attempts - 1] : problem.retryAfterSeconds * 1000
      return later(page, job, clock.now() + (waitMs ?? 1_000), true)
    }
    await store.transaction(async (tx) => {
      await store.frontier.lockTeam(tx, job.teamId)
      // Failed work is free, except a lockdown miss, which has its own price.
      const credits = problem.kind === 'lockdown_miss' ? prices.lockdown.miss : 0
      if (!(await store.frontier.fail(tx, page, problem.toJSON(), credits))) return
      if (credits > 0) await store.ledger.charge(chargeOf(job, credits), tx)
      const metadata = {
        sourceURL: page.url,
        error: problem.message,
        ...(problem.row.code ? { code: problem.row.code } : {}),
      }
      const dataText = JSON.stringify({ metadata })
      if (!isChangesOnly(job))
        await jobService.publish(tx, job, { name: 'page', success: false, dataText, error: problem.message })
      await jobService.move(tx, job)
    })
    jobService.news(job.id)
  }

  async function broke(page: JobPage, job: JobFacts, problem: Problem): Promise<void> {
    await store.transaction(async (tx) => {
      await store.frontier.lockTeam(tx, job.teamId)
      if (!(await store.frontier.fail(tx, page, problem.toJSON()))) return
      await store.frontier.dropQueued(tx, job.id, UNPAID_REASON)
      await store.jobs.change(tx, job.id, { discovering: false, warning: `The job stopped early. ${problem.message}` })
      await jobService.move(tx, job)
    })
    jobService.news(job.id)
  }

  async function aborted(page: JobPage, job: JobFacts): Promise<void> {
    await store.transaction((tx) => store.frontier.putBack(tx, page, 0, false)).catch(() => undefined)
    log.debug({ page: page.id, job: job.id }, 'a page was broken off')
  }

  return { done, later, failed, broke, aborted }
}

function pageDone({ store, jobService }: PageEndDependencies): PageEnds['done'] {
  const together = batchConcurrentCalls(endAll)

  /** Pages of one job whose ends wait for the same lock. */
  async function endAll(ends: readonly [Ended, ...Ended[]]): Promise<() => void> {
    // In one order everywhere, so that two transactions with the same captures do not wait for each other.
    const ordered = [...ends].sort((a, b) => (a.page.url < b.page.url ? -1 : 1))
    await store.transaction(async (tx) => {
      // Large writes come before the lock, to keep it short for the team's other pages.
      for (const { visited } of ordered) await visited.store(tx)
      await complete(tx, ends[0].job, ends)
    })
    return () => undefined
  }

  /** A page that turned out to be another one, which the job may have already. */
  async function endElsewhere(ended: Ended): Promise<void> {
    const { page, job, visited } = ended
    await store.transaction(async (tx) => {
      await store.frontier.lockTeam(tx, job.teamId)
      const twin = visited.also && (await store.frontier.alias(tx, job.id, visited.also, page.key))
      const left = twin ? DUPLICATE_REASON : visited.outside
      if (left) {
        if (!(await store.frontier.leaveOut(tx, page, left, twin))) throw new LeaseLostError()
        await visited.leftOut?.(tx)
        return jobService.move(tx, job)
      }
      await visited.store(tx)
      await complete(tx, job, [ended])
    })
  }

  async function complete(tx: Tx, job: JobFacts, ends: readonly Ended[]): Promise<void> {
    const credits = ends.reduce((sum, { visited }) => sum + visited.credits, 0)
    const pages = ends.map(({ page, visited }) => ({ id: page.id, scrapeId: visited.scrapeId }))
    const [, sums] = await runStepsInOneRoundTrip(
      tx,
      store.frontier.teamLock(job.teamId),
      store.frontier.completion(job.id, pages, credits),
      store.ledger.payment(chargeOf(job, credits)),
    )
    if (!sums) throw new LeaseLostError()
    const visits = ends.map(({ visited }) => visited)
    const found = visits.flatMap((visited) => visited.found)
    const added = await store.frontier.add(tx, { jobId: job.id, ...sums }, found)
    await store.frontier.drop(
      tx,
      job.id,
      visits.flatMap(({ refused }) => refused),
    )
    if (job.webhook !== null)
      for (const visited of visits)
        if (!visited.quiet) await jobService.publish(tx, job, { name: 'page', success: true, dataText: visited.text() })
    const isOver = sums.queued + sums.active + added === 0 && !sums.discovering
    const limits = { jobId: job.id, ...sums, total: sums.total + added }
    const late = isOver ? await store.frontier.add(tx, limits, visits[0]?.last ?? []) : 0
    await jobService.move(tx, job, { ...sums, queued: sums.queued + added + late } satisfies JobTotals)
  }

  return async (page, job, visited) => {
    const ended = { page, job, visited }
    if (visited.also === undefined && visited.outside === undefined) await together(job.id, ended)
    else await endElsewhere(ended)
    jobService.news(job.id)
  }
}

/** With `changesOnly`, a failed page does not count as a change. */
const isChangesOnly = ({ settings }: JobFacts): boolean => (settings as { changesOnly?: boolean }).changesOnly === true

const chargeOf = ({ id, teamId, keyId, endpoint }: JobFacts, credits: number) => ({
  jobId: id,
  teamId,
  keyId,
  credits,
  endpoint,
})

// Starts, advances and ends jobs, and queues webhooks. All durable state is in the store; the state held here can
// be lost.
import type { Clock } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import type { JobPage, JobTotals, NewJobPage } from '../store/frontier-types.ts'
import type { Store } from '../store/index.ts'
import type { Job, NewJob } from '../store/jobs.ts'
import type { Tx } from '../store/tables.ts'
import { type JobControls, makeJobControls } from './control-jobs.ts'
import type { JobChangeNotifier } from './job-change-notifier.ts'
import { type JobFacts, openJobFactsCache } from './job-facts.ts'
import type { JobKinds } from './job-kinds.ts'
import { queueWebhook, type WebhookEvent, type WebhookSource } from './webhook-events.ts'
import type { WorkQueue } from './work-queue.ts'

/** The pages in flight in this process, and how to abort them. */
function openInFlightPages() {
  const inFlight = new Map<string, { jobId: string; controller: AbortController }>()
  return {
    hold({ id, jobId }: Pick<JobPage, 'id' | 'jobId'>, stopping: AbortSignal) {
      const controller = new AbortController()
      const stop = () => controller.abort(stopping.reason)
      if (stopping.aborted) stop()
      else stopping.addEventListener('abort', stop, { once: true })
      const entry = { jobId, controller }
      inFlight.set(id, entry)
      return {
        signal: controller.signal,
        release() {
          stopping.removeEventListener('abort', stop)
          if (inFlight.get(id) === entry) inFlight.delete(id)
        },
      }
    },
    running: () => ({
      pages: [...inFlight.keys()],
      jobs: [...new Set([...inFlight.values()].map(({ jobId }) => jobId))],
    }),
    drop(jobId: string): void {
      for (const entry of inFlight.values())
        if (entry.jobId === jobId)
          entry.controller.abort(new Problem('cancelled', { instead: 'The job was cancelled' }))
    },
  }
}

export const PAGE_LEASE_MS = 15_000

export interface JobService extends Pick<ReturnType<typeof openInFlightPages>, 'hold' | 'running'>, JobControls {
  start(tx: Tx, job: NewJob, pages: readonly NewJobPage[]): Promise<void>
  cancel(jobId: string): Promise<boolean>
  add(tx: Tx, jobId: string, pages: readonly NewJobPage[]): Promise<boolean>
  forget(jobId: string): void
  /** Ends a job without pages left, or assigns its team's free slots. */
  move(tx: Tx, job: Pick<JobFacts, 'id' | 'teamId' | 'kind'>, sums?: JobTotals): Promise<void>
  turn(teamId: string): Promise<void>
  finish(
    tx: Tx,
    jobId: string,
    state: 'completed' | 'failed',
    said?: Pick<WebhookEvent, 'error' | 'dataText'>,
  ): Promise<void>
  publish(tx: Tx, job: WebhookSource, event: WebhookEvent): Promise<void>
  facts(jobId: string): Promise<JobFacts | undefined>
  news(jobId: string): void
  leaseUntil(): number
  breakOff(jobId: string): void
  setCapacity(pages: number): void
}

interface JobServiceParts {
  store: Store
  queue: WorkQueue
  news: JobChangeNotifier
  clock: Clock
  kinds: JobKinds
}

export function openJobService({ store, queue, news, clock, kinds }: JobServiceParts): JobService {
  const facts = openJobFactsCache(store, clock, kinds)
  const inFlight = openInFlightPages()
  let capacity = 0

  const leaseUntil = () => clock.now() + PAGE_LEASE_MS

  async function giveTurns(tx: Tx, teamId: string): Promise<void> {
    const { pages, nextAt } = await store.frontier.take(tx, teamId, capacity, leaseUntil())
    if (pages.length > 0) await queue.enqueue(tx, 'page', idsOf(pages))
    if (nextAt !== undefined) await queue.enqueue(tx, 'turn', [teamId], { runAt: nextAt })
  }

  const publish: JobService['publish'] = async (tx, job, event) => {
    const kind = kinds.get(job.kind)
    if (kind) await queueWebhook({ store, queue, clock }, tx, job, kind.events, event)
  }

  const finish: JobService['finish'] = async (tx, jobId, state, said = {}) => {
    const job = await store.jobs.hold(tx, jobId)
    if (!job || !(await store.jobs.finish(tx, jobId, state, said.error))) return
    if (state === 'completed') await kinds.get(job.kind)?.onCompleted?.(store, tx, job)
    await publish(tx, job, { name: state, success: state === 'completed', ...said })
    await giveTurns(tx, job.teamId)
  }

  const move: JobService['move'] = async (tx, { id, teamId, kind }, given) => {
    const held = given ? undefined : await store.jobs.hold(tx, id)
    const sums = given ?? held
    if (sums && sums.queued === 0 && sums.active === 0 && !sums.discovering) {
      const { completes, needsPages } = kinds.get(kind) ?? {}
      // The capability first makes the result from the pages.
      if (completes) return queue.enqueue(tx, 'settle', [id])
      const error = needsPages && held ? await whyNothing(store, tx, held) : undefined
      return error === undefined ? finish(tx, id, 'completed') : finish(tx, id, 'failed', { error })
    }
    await giveTurns(tx, teamId)
  }

  function breakOff(jobId: string): void {
    facts.forget(jobId)
    inFlight.drop(jobId)
    news.publish(jobId)
  }

  return {
    async start(tx, job, pages) {
      await store.frontier.lockTeam(tx, job.teamId)
      await store.jobs.add(tx, job)
      await store.frontier.add(tx, { jobId: job.id, total: 0, pageLimit: job.pageLimit }, pages)
      const webhook = job.webhook === null ? null : JSON.stringify(job.webhook)
      await publish(tx, { ...job, webhook }, { name: 'started', success: true })
      if (job.discovering) await queue.enqueue(tx, 'discover', [job.id])
      await move(tx, job)
    },
    async cancel(jobId) {
      const cancelled = await store.transaction(async (tx) => {
        const found = await store.jobs.hold(tx, jobId)
        if (!found || !(await store.jobs.finish(tx, jobId, 'cancelled'))) return false
        await publish(tx, found, { name: 'cancelled', success: false, error: 'The job was cancelled' })
        await queue.enqueue(tx, 'turn', [found.teamId])
        return true
      })
      breakOff(jobId)
      return cancelled
    },
    async add(tx, jobId, pages) {
      const job = await store.jobs.hold(tx, jobId)
      if (job?.state !== 'scraping') return false
      const added = await store.frontier.add(tx, { jobId, total: job.total, pageLimit: job.pageLimit }, pages)
      if (added > 0) await giveTurns(tx, job.teamId)
      return job.pageLimit === null || job.total + added < job.pageLimit
    },
    ...makeJobControls({ store, queue, kinds, giveTurns, move, breakOff }),
    forget: facts.forget,
    move,
    turn: (teamId) => store.transaction((tx) => store.frontier.lockTeam(tx, teamId).then(() => giveTurns(tx, teamId))),
    finish,
    publish,
    facts: facts.of,
    news: (jobId) => news.publish(jobId),
    ...inFlight,
    leaseUntil,
    breakOff,
    setCapacity(pages) {
      capacity = pages
    },
  }
}

const idsOf = (pages: readonly { id: string }[]): string[] => pages.map(({ id }) => id)

/** For a crawl whose start could not be read and that has no other page. */
async function whyNothing(store: Store, tx: Tx, { id, completed, failed }: Job): Promise<string | undefined> {
  if (completed > 0 || failed === 0) return undefined
  const troubles = await store.frontier.troubles(id, 100, tx)
  return troubles.find(({ problem }) => problem)?.problem?.message ?? 'The start of the crawl could not be read'
}

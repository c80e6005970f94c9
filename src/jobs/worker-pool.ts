// The worker pool of one process: handles messages, renews leases, and recovers abandoned work.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Store } from '../store/index.ts'
import type { JobService } from './job-service.ts'
import { webhookDeliveryStore } from './store/index.ts'
import type { WorkMessageHandler, WorkQueue } from './work-queue.ts'

const HEARTBEAT_MS = 4_000
/** Longest delay until a cancellation or pause by another process is noticed. */
const CANCELLATION_POLL_MS = 1_000
const REAP_MS = 5_000
const BATCH = 200
/** A discovery or webhook not begun after this long has lost its message. */
const LOST_MESSAGE_MS = 15_000
const DEADLINE_TEXT = 'The job was not finished within 48 hours'
const PAUSE_TEXT = 'The job was paused for more than 7 days'

interface WorkerPoolParts {
  store: Store
  queue: WorkQueue
  jobService: JobService
  clock: Clock
  log: Log
  concurrency: number
  answers: {
    page: WorkMessageHandler
    discover: WorkMessageHandler
    settle: WorkMessageHandler
    webhook: WorkMessageHandler
  }
  wakeUps: ReadonlyMap<string, { concurrency: number; answer: WorkMessageHandler }>
  polls: readonly (() => Promise<void>)[]
  onBeat(): Promise<void>
}

/** Discovery and webhooks mostly wait for I/O; a few at once are enough. */
const SIDE_CONCURRENCY = 8

export async function startWorkerPool(parts: WorkerPoolParts) {
  const { store, queue, jobService, log, concurrency, answers, wakeUps, polls, onBeat } = parts
  const id = randomUUID()
  const beat = async () => {
    await store.workers.seen(id, concurrency)
    await store.frontier.extend(jobService.running().pages, jobService.leaseUntil())
    jobService.setCapacity(await store.workers.capacity())
    await onBeat()
  }
  await beat()
  queue.work('page', { concurrency }, answers.page)
  queue.work('turn', { concurrency: 1 }, (teamId) => jobService.turn(teamId))
  queue.work('discover', { concurrency: SIDE_CONCURRENCY }, answers.discover)
  queue.work('settle', { concurrency: SIDE_CONCURRENCY }, answers.settle)
  queue.work('webhook', { concurrency: SIDE_CONCURRENCY }, answers.webhook)
  for (const [kind, { concurrency, answer }] of wakeUps) queue.work(kind, { concurrency }, answer)
  await reap(parts)
  const timers = [
    every(HEARTBEAT_MS, log, beat),
    every(CANCELLATION_POLL_MS, log, async () => {
      for (const jobId of await store.jobs.stoppedOf(jobService.running().jobs)) jobService.breakOff(jobId)
    }),
    every(REAP_MS, log, () => reap(parts)),
    ...polls.map((poll) => every(REAP_MS, log, poll)),
  ]
  return {
    async stop() {
      for (const stop of timers) await stop()
      await store.workers.leave(id).catch(() => undefined)
    },
  }
}

async function reap({
  store,
  queue,
  jobService,
  clock,
  log,
}: Omit<WorkerPoolParts, 'answers' | 'concurrency' | 'wakeUps' | 'polls'>): Promise<void> {
  const lapsed = await store.frontier.lapsed(BATCH)
  const mine = new Set(jobService.running().pages)
  const orphans = lapsed.filter((page) => !mine.has(page))
  const undiscovered = await store.jobs.undiscovered(clock.now() - LOST_MESSAGE_MS, BATCH)
  const unsent = await webhookDeliveryStore(store).overdue(clock.now() - LOST_MESSAGE_MS, BATCH)
  if (orphans.length + undiscovered.length + unsent.length > 0) {
    log.info(
      { pages: orphans.length, discoveries: undiscovered.length, webhooks: unsent.length },
      'taking up lost work',
    )
    await store.transaction(async (tx) => {
      await queue.enqueue(tx, 'page', orphans)
      await queue.enqueue(tx, 'discover', undiscovered)
      await queue.enqueue(tx, 'webhook', unsent)
    })
  }
  for (const job of await store.jobs.overdue(BATCH)) {
    await end(store, jobService, job.id, 'failed', job.pausedAt === null ? DEADLINE_TEXT : PAUSE_TEXT)
    jobService.breakOff(job.id)
  }
  for (const jobId of await store.jobs.idle(BATCH)) await end(store, jobService, jobId, 'completed')
  for (const teamId of await store.frontier.waitingTeams()) await jobService.turn(teamId)
}

async function end(store: Store, jobService: JobService, jobId: string, state: 'completed' | 'failed', error?: string) {
  const facts = await jobService.facts(jobId)
  if (!facts) return
  await store.transaction(async (tx) => {
    await store.frontier.lockTeam(tx, facts.teamId)
    const job = await store.jobs.hold(tx, jobId)
    const idle = job && job.queued === 0 && job.active === 0 && !job.discovering
    if (job?.state !== 'scraping') return
    if (state === 'failed') await jobService.finish(tx, jobId, state, error === undefined ? {} : { error })
    else if (idle) await jobService.move(tx, facts)
  })
  jobService.news(jobId)
}

/** Never overlaps; the returned function waits for the last run. */
function every(ms: number, log: Log, work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) =>
        log.warn({ error: error instanceof Error ? error.message : String(error) }, 'polling for jobs failed'),
      )
      .finally(() => {
        running = undefined
      })
  }, ms)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

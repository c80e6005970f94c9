// Streams a job. Pull-based, so that a slow reader slows only its own stream.
import type { Clock } from '../base/clock.ts'
import type { Store } from '../store/index.ts'
import type { Job } from '../store/jobs.ts'
import type { JobChangeNotifier } from './job-change-notifier.ts'
import { readDocumentsAfter, serialiseStatusWithData, statusFieldsOfJob } from './job-status.ts'

const LOOK_MS = 1_000
const CHUNK = 100

export type JobStreamDependencies = { store: Store; news: JobChangeNotifier; clock: Clock }

/** Texts are JSON. `snapshot` ends a cancelled job. */
export type JobStreamEvent =
  | { type: 'catchup'; text: string; terminal: boolean }
  | { type: 'document'; text: string; seq: number }
  | { type: 'done' | 'snapshot'; text: string }

export async function* streamJob(
  { store, news, clock }: JobStreamDependencies,
  jobId: string,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<JobStreamEvent, void, void> {
  let job = await store.jobs.get(jobId)
  if (!job) return
  let seen = from
  const first = await readDocumentsAfter(store, jobId, seen, Math.max(1, job.completed - seen))
  seen += first.count
  // A finished job that does not fit into one frame is reported as still running.
  const terminal = job.state !== 'scraping' && seen >= job.completed
  const shown: Job = terminal || job.state === 'scraping' ? job : { ...job, state: 'scraping' }
  yield { type: 'catchup', text: serialiseStatusWithData(statusFieldsOfJob(shown, clock.now()), first.texts), terminal }
  if (terminal) return
  while (!signal.aborted) {
    const { count, texts } = await readDocumentsAfter(store, jobId, seen, CHUNK)
    for (const [at, text] of texts.entries()) {
      if (signal.aborted) return
      yield { type: 'document', text, seq: seen + at + 1 }
    }
    seen += count
    job = await store.jobs.get(jobId)
    if (!job) return
    if (seen < job.completed) continue
    if (job.state !== 'scraping') {
      yield {
        type: job.state === 'cancelled' ? 'snapshot' : 'done',
        text: serialiseStatusWithData(statusFieldsOfJob(job, clock.now()), []),
      }
      return
    }
    await news.wait(jobId, LOOK_MS, signal)
  }
}

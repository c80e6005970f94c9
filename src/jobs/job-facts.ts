// Caches facts about a job that rarely change.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import type { Store } from '../store/index.ts'
import type { Job } from '../store/jobs.ts'
import type { JobKind, JobKinds } from './job-kinds.ts'
import type { WebhookSource } from './webhook-events.ts'

const KEPT = 500
/** Delay until a change by another process is seen here. */
const FRESH_MS = 10_000

export type JobFacts = WebhookSource &
  Pick<Job, 'url' | 'delayMs' | 'zeroDataRetention'> & { endpoint: string; settings: unknown }

export function openJobFactsCache(store: Store, clock: Clock, kinds: JobKinds) {
  const known = new LRUCache<string, { facts: JobFacts; at: number }>({ max: KEPT })
  return {
    async of(jobId: string) {
      const found = known.get(jobId)
      if (found && clock.now() - found.at < FRESH_MS) return found.facts
      const job = await store.jobs.get(jobId)
      if (!job) return undefined
      const facts = factsOf(job, kinds.get(job.kind))
      known.set(jobId, { facts, at: clock.now() })
      return facts
    },
    forget: (jobId: string) => void known.delete(jobId),
  }
}

const factsOf = (job: Job, kind: JobKind | undefined): JobFacts => {
  const { id, teamId, keyId, url, delayMs, webhook, zeroDataRetention } = job
  const endpoint = kind?.endpoint ?? job.kind
  const settings = JSON.parse(job.settings)
  return { id, teamId, keyId, kind: job.kind, endpoint, url, delayMs, settings, webhook, zeroDataRetention }
}

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

export interface JobFacts extends WebhookSource {
  id: string
  teamId: string
  keyId: string | null
  kind: string
  endpoint: string
  url: string | null
  delayMs: number
  settings: unknown
  webhook: string | null
  zeroDataRetention: boolean
}

interface JobFactsCache {
  of(jobId: string): Promise<JobFacts | undefined>
  forget(jobId: string): void
}

export function openJobFactsCache(store: Store, clock: Clock, kinds: JobKinds): JobFactsCache {
  const known = new LRUCache<string, { facts: JobFacts; at: number }>({ max: KEPT })
  return {
    async of(jobId) {
      const found = known.get(jobId)
      if (found && clock.now() - found.at < FRESH_MS) return found.facts
      const job = await store.jobs.get(jobId)
      if (!job) return undefined
      const facts = factsOf(job, kinds.get(job.kind))
      known.set(jobId, { facts, at: clock.now() })
      return facts
    },
    forget: (jobId) => void known.delete(jobId),
  }
}

const factsOf = (job: Job, kind: JobKind | undefined): JobFacts => ({
  id: job.id,
  teamId: job.teamId,
  keyId: job.keyId,
  kind: job.kind,
  endpoint: kind?.endpoint ?? job.kind,
  url: job.url,
  delayMs: job.delayMs,
  settings: JSON.parse(job.settings),
  webhook: job.webhook,
  zeroDataRetention: job.zeroDataRetention,
})

// The kinds of jobs, declared by capabilities. The job engine contains no kind by name.
import type { Store } from '../store/index.ts'
import type { Job } from '../store/jobs.ts'
import type { Tx } from '../store/tables.ts'

export const JOB_EVENT_NAMES = ['started', 'page', 'completed', 'failed', 'cancelled'] as const
export type JobEventName = (typeof JOB_EVENT_NAMES)[number]

export interface JobKind {
  name: string
  endpoint: string
  /** Webhook events are `<namespace>.<name>`. */
  events: { namespace: string; names: readonly JobEventName[] }
  completes: boolean
  /** It finds its pages itself, and fails without any; otherwise an empty result is valid. */
  needsPages: boolean
  /** Runs in the transaction that completes a job. */
  onCompleted?(store: Store, tx: Tx, job: Job): Promise<void>
}

export type JobKinds = ReadonlyMap<string, JobKind>

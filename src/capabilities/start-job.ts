// The common start of every job: checks queue limit, credits and zero data retention, then writes the job and its first
// pages in one transaction.

import { Problem } from '../base/problem.ts'
import { currentTraceparent } from '../base/spans.ts'
import { isUuid } from '../base/uuid-format.ts'
import { NO_CLEAN_WITH_ZERO_RETENTION } from '../scrape/scrape-options.ts'
import type { NewJobPage } from '../store/frontier-types.ts'
import { newId } from '../store/id.ts'
import type { NewJob } from '../store/jobs.ts'
import type { Tx } from '../store/tables.ts'
import { planByName } from '../teams/plans.ts'
import type { RouteCall, Services } from './route.ts'

type JobRequest = Omit<NewJob, 'id' | 'teamId' | 'keyId' | 'slots'>

/** Writes a job and its first pages and sends the work messages. Returns its id. */
export async function startJob(
  services: Pick<Services, 'store' | 'clock' | 'jobService'>,
  call: Pick<RouteCall, 'caller' | 'idempotencyKey'> & Partial<Pick<RouteCall, 'baseUrl'>>,
  request: JobRequest,
  pages: readonly NewJobPage[],
  requestedId?: string,
) {
  const { store, clock, jobService } = services
  const { teamId, keyId, plan } = call.caller
  const id = requestedId ?? newId(clock.now())
  await store.transaction(async (tx) => {
    await claimIdempotencyKey(services, tx, request.kind, call)
    // The pages of the job belong to the trace of its request.
    const traceparent = currentTraceparent()
    // Workers on other machines do not know under which address callers reach the service.
    const settings = {
      ...(request.settings as object),
      ...(call.baseUrl ? { baseUrl: call.baseUrl } : {}),
      ...(traceparent ? { traceparent } : {}),
    }
    await jobService.start(tx, { ...request, settings, id, teamId, keyId, slots: slotsOf(plan) }, pages)
  })
  return id
}

/** Refuses a repeated start. It runs in the start's transaction, so a failed start frees the key. */
export async function claimIdempotencyKey(
  { store }: Pick<Services, 'store'>,
  tx: Tx,
  endpoint: string,
  call: Pick<RouteCall, 'caller' | 'idempotencyKey'>,
): Promise<void> {
  const key = call.idempotencyKey
  if (key === undefined) return
  const isNew = isUuid(key) && (await store.jobs.claimKey(tx, call.caller.teamId, endpoint, key.toLowerCase()))
  if (!isNew) throw new Problem('conflict', { instead: 'Idempotency key already used' })
}

/** Credits that the team has left for new work; null: no limit. Throws when its queue is full. */
export async function checkQueueAndCredits(
  { store }: Pick<Services, 'store'>,
  { caller }: Pick<RouteCall, 'caller'>,
): Promise<number | null> {
  const { maxQueuedJobs } = planByName(caller.plan)
  if (maxQueuedJobs !== null && (await store.jobs.waiting(caller.teamId)) >= maxQueuedJobs)
    throw new Problem('too_busy', { because: `${maxQueuedJobs} pages are waiting already`, retryAfterSeconds: 60 })
  const { left } = await store.ledger.balance(caller.teamId)
  if (left !== null && left <= 0) throw new Problem('no_credit', { because: 'none are left' })
  return left
}

export function resolveZeroRetention(
  asked: boolean,
  policy: 'off' | 'allowed' | 'forced',
  options: { onlyCleanContent?: boolean } | null | undefined,
): boolean {
  if (policy === 'off' && asked) throw new Problem('zdr_not_enabled')
  const zero = asked || policy === 'forced'
  // The body schema checks only what the caller wrote, not what the team's policy adds.
  if (zero && options?.onlyCleanContent) throw new Problem('bad_request', { instead: NO_CLEAN_WITH_ZERO_RETENTION })
  return zero
}

/** Pages that a team may process at once; null: limited only by the workers. */
const slotsOf = (plan: string): number | null => planByName(plan).concurrency

// The kinds of jobs, declared by capabilities. The job engine contains no kind by name.

export const EVENT_NAMES = ['started', 'page', 'completed', 'failed', 'cancelled'] as const
export type EventName = (typeof EVENT_NAMES)[number]

export interface JobKind {
  name: string
  /** Name in the ledger, usage and activity log. */
  endpoint: string
  /** Webhook events are `<namespace>.<name>`. */
  events: { namespace: string; names: readonly EventName[] }
  /** The result is made from its pages when all have ended. */
  completes: boolean
  /** It fails without any page; otherwise an empty result is valid. */
  needsPages: boolean
}

export type JobKinds = ReadonlyMap<string, JobKind>

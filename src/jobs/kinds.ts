// The kinds of jobs, as capabilities declare them: what each is called in the books and what it tells its owner. The
// engine of jobs knows no kind by name.

/** What can happen to a set of pages. */
export const EVENT_NAMES = ['started', 'page', 'completed', 'failed', 'cancelled'] as const
export type EventName = (typeof EVENT_NAMES)[number]

export interface JobKind {
  name: string
  /** Its name in the ledger, in usage and in the log of activity. */
  endpoint: string
  /** What webhooks are told: `<namespace>.<name>`. */
  events: { namespace: string; names: readonly EventName[] }
  /** Its pages are not its result: when all have ended, the result is made of them. */
  settles: boolean
  /** Without a single page it failed; otherwise an empty result is a result. */
  needsPages: boolean
}

export type JobKinds = ReadonlyMap<string, JobKind>

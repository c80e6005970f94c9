// The end of jobs whose pages are not their result: the capability that declared the kind makes it of them.
import type { Desk } from './desk.ts'
import type { BellAnswer } from './queue.ts'

export function settleAnswer({ desk }: { desk: Desk }, settles: ReadonlyMap<string, BellAnswer>): BellAnswer {
  return async (jobId, signal) => {
    const job = await desk.facts(jobId)
    if (job) await settles.get(job.kind)?.(jobId, signal)
  }
}

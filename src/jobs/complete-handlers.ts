// Ends jobs whose result the capability makes from their pages.
import type { JobService } from './job-service.ts'
import type { WakeUpHandler } from './wake-up-queue.ts'

export function completeHandler(
  { jobService }: { jobService: JobService },
  handlers: ReadonlyMap<string, WakeUpHandler>,
): WakeUpHandler {
  return async (jobId, signal) => {
    const job = await jobService.facts(jobId)
    if (job) await handlers.get(job.kind)?.(jobId, signal)
  }
}

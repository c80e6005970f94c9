// Ends jobs whose result the capability makes from their pages.
import type { JobService } from './job-service.ts'
import type { WorkMessageHandler } from './work-queue.ts'

export function makeJobCompletionHandler(
  { jobService }: { jobService: JobService },
  handlers: ReadonlyMap<string, WorkMessageHandler>,
): WorkMessageHandler {
  return async (jobId, signal) => {
    const job = await jobService.facts(jobId)
    if (job) await handlers.get(job.kind)?.(jobId, signal)
  }
}

// The pages in flight in this process, and how to abort them.
import { Problem } from '../base/problem.ts'
import type { JobPage } from '../store/frontier-types.ts'

export interface InFlightPages {
  hold(page: Pick<JobPage, 'id' | 'jobId'>, stopping: AbortSignal): { signal: AbortSignal; release(): void }
  running(): { pages: string[]; jobs: string[] }
  drop(jobId: string): void
}

export function openInFlightPages(): InFlightPages {
  const inFlight = new Map<string, { jobId: string; controller: AbortController }>()
  return {
    hold({ id, jobId }, stopping) {
      const controller = new AbortController()
      const stop = () => controller.abort(stopping.reason)
      if (stopping.aborted) stop()
      else stopping.addEventListener('abort', stop, { once: true })
      const entry = { jobId, controller }
      inFlight.set(id, entry)
      return {
        signal: controller.signal,
        release() {
          stopping.removeEventListener('abort', stop)
          if (inFlight.get(id) === entry) inFlight.delete(id)
        },
      }
    },
    running: () => ({
      pages: [...inFlight.keys()],
      jobs: [...new Set([...inFlight.values()].map(({ jobId }) => jobId))],
    }),
    drop(jobId) {
      for (const entry of inFlight.values())
        if (entry.jobId === jobId)
          entry.controller.abort(new Problem('cancelled', { instead: 'The job was cancelled' }))
    },
  }
}

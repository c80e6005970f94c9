// The pages in flight in this process, and how to abort them.
import { Problem } from '../base/problem.ts'
import type { JobPage } from '../store/frontier-types.ts'

export interface InFlightPages {
  /** The signal aborts when the job ends or the service stops. */
  hold(page: Pick<JobPage, 'id' | 'jobId'>, stopping: AbortSignal): { signal: AbortSignal; release(): void }
  inHand(): { pages: string[]; jobs: string[] }
  drop(jobId: string): void
}

export function openInFlightPages(): InFlightPages {
  const hands = new Map<string, { jobId: string; controller: AbortController }>()
  return {
    hold({ id, jobId }, stopping) {
      const controller = new AbortController()
      const stop = () => controller.abort(stopping.reason)
      if (stopping.aborted) stop()
      else stopping.addEventListener('abort', stop, { once: true })
      const hand = { jobId, controller }
      hands.set(id, hand)
      return {
        signal: controller.signal,
        release() {
          stopping.removeEventListener('abort', stop)
          if (hands.get(id) === hand) hands.delete(id)
        },
      }
    },
    inHand: () => ({ pages: [...hands.keys()], jobs: [...new Set([...hands.values()].map(({ jobId }) => jobId))] }),
    drop(jobId) {
      for (const hand of hands.values())
        if (hand.jobId === jobId) hand.controller.abort(new Problem('cancelled', { instead: 'The job was cancelled' }))
    },
  }
}

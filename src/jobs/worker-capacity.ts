// In a process that only serves requests, polls the capacity of the workers elsewhere.
import type { Store } from '../store/index.ts'
import type { JobService } from './job-service.ts'

const EVERY_MS = 2_000

export function pollWorkerCapacity(store: Store, jobService: JobService): () => void {
  const poll = () => void store.workers.capacity().then(jobService.setCapacity, () => undefined)
  poll()
  const timer = setInterval(poll, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

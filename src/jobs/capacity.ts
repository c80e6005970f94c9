// A process that only serves gives out as many pages as the workers elsewhere can take.
import type { Store } from '../store/index.ts'
import type { JobService } from './job-service.ts'

const EVERY_MS = 2_000

/** Looks every few seconds; the returned function ends that. */
export function keepCapacity(store: Store, desk: JobService): () => void {
  const look = () => void store.workers.capacity().then(desk.setCapacity, () => undefined)
  look()
  const timer = setInterval(look, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

// The part of monitors that works: takes ticks, and answers the bells of checks. One for each process that works.
import type { Services } from '../route.ts'
import { CHECK_BELL } from './parts.ts'
import { checkAnswer } from './run-check.ts'
import { startScheduler } from './scheduler.ts'

/** Checks that are run at once in a process; their pages wait for slots like all others. */
const AT_ONCE = 16

export function startMonitoring(services: Services): { stop(): Promise<void> } {
  services.queue.work(CHECK_BELL, { concurrency: AT_ONCE }, checkAnswer(services))
  const scheduler = startScheduler(services)
  return { stop: () => scheduler.stop() }
}

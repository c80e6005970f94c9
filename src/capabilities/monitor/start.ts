// The part of monitors that works: takes ticks, and answers the bells of checks. One for each process that works.
import type { OtherWork } from '../capability.ts'
import { CHECK_BELL, type MonitorParts } from './parts.ts'
import { checkAnswer } from './run-check.ts'
import { startScheduler } from './scheduler.ts'

/** Checks that are run at once in a process; their pages wait for slots like all others. */
const AT_ONCE = 16

export function startMonitoring(parts: MonitorParts): OtherWork {
  const scheduler = startScheduler(parts)
  return {
    bells: { [CHECK_BELL]: { concurrency: AT_ONCE, answer: checkAnswer(parts) } },
    close: () => scheduler.stop(),
  }
}

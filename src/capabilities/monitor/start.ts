// The monitors' worker: takes ticks and runs checks, once per worker process.

import type { OtherWork } from '../capability.ts'
import { CHECK_WAKE_UP, NOTICE_WAKE_UP } from './monitor-services.ts'
import type { MonitorParts } from './needs.ts'
import { checkAnswer } from './run-check.ts'
import { startScheduler } from './scheduler.ts'
import { noticeAnswer } from './send-notices.ts'
import { monitorStore } from './store/index.ts'

/** Checks run in parallel per process; their pages wait for slots like all others. */
const AT_ONCE = 16
const FEW = 4
/** A notification unsent for this long has lost its wake-up message. */
const LOST_MS = 30_000

export function startMonitoring(parts: MonitorParts): OtherWork {
  const scheduler = startScheduler(parts)
  return {
    wakeUps: {
      [CHECK_WAKE_UP]: { concurrency: AT_ONCE, answer: checkAnswer(parts) },
      [NOTICE_WAKE_UP]: { concurrency: FEW, answer: noticeAnswer(parts) },
    },
    async poll() {
      const lost = await monitorStore(parts.store).notices.overdue(parts.clock.now() - LOST_MS, 100)
      if (lost.length > 0) await parts.store.transaction((tx) => parts.queue.wake(tx, NOTICE_WAKE_UP, lost))
    },
    close: () => scheduler.stop(),
  }
}

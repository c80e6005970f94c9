// The monitors' worker: takes ticks and runs checks, once per worker process.

import type { BackgroundWork } from '../capability.ts'
import { CHECK_QUEUE_NAME, NOTICE_QUEUE_NAME } from './monitor-service-types.ts'
import type { HandlerServices } from './own-services.ts'
import { makeCheckHandler } from './run-check.ts'
import { startScheduler } from './scheduler.ts'
import { makeNoticeHandler } from './send-notices.ts'
import { monitorStore } from './store/index.ts'

/** Checks run in parallel per process; their pages wait for slots like all others. */
const MAX_PARALLEL_CHECKS = 16
const FEW = 4
/** A notification unsent for this long has lost its work message. */
const LOST_MESSAGE_MS = 30_000

export function startMonitorWorker(parts: HandlerServices): BackgroundWork {
  const scheduler = startScheduler(parts)
  return {
    wakeUps: {
      [CHECK_QUEUE_NAME]: { concurrency: MAX_PARALLEL_CHECKS, answer: makeCheckHandler(parts) },
      [NOTICE_QUEUE_NAME]: { concurrency: FEW, answer: makeNoticeHandler(parts) },
    },
    async poll() {
      const lost = await monitorStore(parts.store).notices.overdue(parts.clock.now() - LOST_MESSAGE_MS, 100)
      if (lost.length > 0) await parts.store.transaction((tx) => parts.queue.enqueue(tx, NOTICE_QUEUE_NAME, lost))
    },
    close: () => scheduler.stop(),
  }
}

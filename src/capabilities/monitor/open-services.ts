// Opens the monitors' own services and starts their worker, which takes ticks and runs checks, once per process.
import { openMailer } from '../../fetch/smtp-mail.ts'
import type { BackgroundWork } from '../capability.ts'
import type { CapabilityContext, OpenedCapability } from '../capability-context.ts'
import { CHECK_QUEUE_NAME, type HandlerServices, type MonitorServices, NOTICE_QUEUE_NAME } from './own-services.ts'
import { makeCheckHandler } from './run-check.ts'
import { startScheduler, startStallWatch } from './scheduler.ts'
import { makeNoticeHandler } from './send-notices.ts'
import { monitorStore } from './store/index.ts'

export function openMonitorServices({
  config,
  store,
  log,
  comparePages,
  post,
  closing,
}: CapabilityContext): OpenedCapability<MonitorServices> {
  const { smtpUrl: url, mailFrom: from, monitorMinMinutes, monitorConfirmMs: confirmMs } = config
  const stall = startStallWatch({ store, log })
  closing.add(() => stall.stop())
  const mailer = url ? openMailer({ url, from }) : undefined
  closing.add(() => mailer?.close())
  const monitoring = { comparePages, post, mail: mailer?.send, smallestMs: monitorMinMinutes * 60_000, confirmMs }
  return { own: { monitoring }, part: { name: 'monitor schedule', trouble: stall.stalled } }
}

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

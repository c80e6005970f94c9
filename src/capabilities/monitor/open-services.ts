// Opens the monitors' own services: mail, and the stall watch of the scheduler.
import { openMailer } from '../../fetch/smtp-mail.ts'
import type { CapabilityContext, OpenedCapability } from '../capability-context.ts'
import type { MonitorServices } from './own-services.ts'
import { startStallWatch } from './scheduler.ts'

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

// Who is told when a check ends, decided in the transaction that ends it. What is to be sent stands in the outbox.
import type { Check } from '../../store/monitor-checks.ts'
import type { Monitor } from '../../store/monitors.ts'
import type { Tx } from '../../store/tables.ts'
import type { MonitorParts } from './parts.ts'

/** What of it is told in the check's `notificationStatus`. */
export async function notify(_parts: MonitorParts, _tx: Tx, _monitor: Monitor, _check: Check): Promise<object> {
  return {}
}

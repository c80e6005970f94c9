// What monitors store: their repositories, migrations, and when rows expire or are forgotten.
import { DAY_MS, HOUR_MS } from '../../../base/clock.ts'
import { defineStorage } from '../../../store/capability-storage.ts'
import { openMonitorChecks } from './checks.ts'
import { openMonitors, wrapMonitorsWithHeaderSealer } from './monitors.ts'
import { openRecipientsAndNotices } from './recipients-and-notices.ts'

/** A deleted monitor's last check may still run. */
const DELETED_MONITOR_GRACE_MS = HOUR_MS

/** After a day an address may be asked again; a refusal stays. */
const CONSENT_REQUEST_INTERVAL_MS = DAY_MS

const parent = { table: 'monitors', column: 'monitor_id' }

export const monitorStore = defineStorage({
  open: ({ db, dialect, clock, headers }) => ({
    monitors: wrapMonitorsWithHeaderSealer(openMonitors(db, dialect, clock), headers),
    checks: openMonitorChecks(db, dialect, clock),
    notices: openRecipientsAndNotices(db, clock),
  }),
  expiry: [
    // The state of watched pages stays: the next check is compared with it.
    {
      table: 'monitor_checks',
      time: 'expires_at',
      except: { column: 'status', values: ['queued', 'running'] },
      children: { table: 'monitor_check_pages', column: 'check_id' },
      batch: 20,
    },
    { table: 'monitor_notices', time: 'expires_at' },
    {
      table: 'asked_addresses',
      id: 'print',
      time: 'asked_at',
      afterMs: CONSENT_REQUEST_INTERVAL_MS,
      empty: 'declined_at',
    },
    {
      table: 'monitors',
      time: 'updated_at',
      afterMs: DELETED_MONITOR_GRACE_MS,
      only: { column: 'status', values: ['deleted'] },
      children: { table: 'monitor_check_pages', column: 'monitor_id' },
      batch: 1,
    },
  ],
  forget: [
    { table: 'monitors', texts: ['targets', 'webhook', 'notification'] },
    { table: 'monitor_check_pages', urls: ['url'], parent },
    { table: 'monitor_pages', id: null, urls: ['url'], parent },
    { table: 'monitor_notices', texts: ['message'] },
  ],
  retention: [{ setting: 'monitors', table: 'monitor_checks', time: 'finished_at' }],
})

// What teams store besides keys and credits: the logs of calls and of administration, usage, sign-ins, shared limits.
import { defineStorage } from '../../store/capability-storage.ts'
import { openActivityLog } from './activity-log.ts'
import { openAuditLog } from './audit-log.ts'
import { openCliLoginsAndIdentities } from './cli-logins-and-identities.ts'
import { openSharedLimits } from './shared-limits.ts'
import { openUsageCountStore } from './usage-count-store.ts'

export const teamStore = defineStorage({
  open: ({ db, dialect, clock }) => ({
    activities: openActivityLog(db, dialect),
    audit: openAuditLog(db, clock),
    limits: openSharedLimits(db, dialect, clock),
    onboarding: openCliLoginsAndIdentities(db, clock),
    usage: openUsageCountStore(db, dialect),
  }),
  expiry: [
    { table: 'slots', time: 'lease_until' },
    { table: 'cli_logins', id: 'session_hash', time: 'expires_at' },
    { table: 'used_assertions', id: 'hash', time: 'expires_at' },
  ],
  forget: [{ table: 'activity' }],
})

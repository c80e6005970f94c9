// What teams store besides keys and credits: the logs of calls and of administration, usage, sign-ins, shared limits.
import { defineStorage } from '../../store/storage.ts'
import { sharedLimits } from './0310-shared-limits.ts'
import { onboarding } from './0320-onboarding.ts'
import { openActivities } from './activity.ts'
import { openAudit } from './audit.ts'
import { openLimits } from './limits.ts'
import { openOnboarding } from './onboarding.ts'
import { openUsage } from './usage.ts'

export const teamStore = defineStorage({
  migrations: [sharedLimits, onboarding],
  open: ({ db, dialect, clock }) => ({
    activities: openActivities(db, dialect),
    audit: openAudit(db, clock),
    limits: openLimits(db, dialect, clock),
    onboarding: openOnboarding(db, clock),
    usage: openUsage(db),
  }),
  expiry: [
    { table: 'slots', time: 'lease_until' },
    { table: 'cli_logins', id: 'session_hash', time: 'expires_at' },
    { table: 'used_assertions', id: 'hash', time: 'expires_at' },
  ],
  forget: [{ table: 'activity' }],
})

// What teams store besides keys and credits: the logs of calls and of administration, sign-ins, and shared limits.
import { defineStorage } from '../../store/storage.ts'
import { openActivities } from './activity.ts'
import { openAudit } from './audit.ts'
import { openLimits } from './limits.ts'
import { openOnboarding } from './onboarding.ts'

export const teamStore = defineStorage({
  migrations: [],
  open: ({ db, dialect, clock }) => ({
    activities: openActivities(db, dialect),
    audit: openAudit(db, clock),
    limits: openLimits(db, dialect, clock),
    onboarding: openOnboarding(db, clock),
  }),
})

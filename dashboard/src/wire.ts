// The shapes of answers, taken from the service's own schemas: types only, nothing of the service is bundled.
import type { z } from 'zod'
import type {
  activityReply,
  auditReply,
  callerReply,
  healthReply,
  hostUsageReply,
  limitsReply,
  modelReply,
  modelTestReply,
  newKeyReply,
  newTeamReply,
  secretReply,
  shownKeySchema,
  shownTeamSchema,
  usageReply,
} from '../../src/capabilities/admin/schema.ts'
import type { newFeedReply, shownFeedSchema } from '../../src/capabilities/feeds/schema.ts'
import type { recordedStepsReply, runFlowReply } from '../../src/capabilities/flow/schema.ts'
import type {
  executeCodeReply,
  listSessionsReply,
  profilesReply,
  sessionReply,
} from '../../src/capabilities/interact/schema.ts'
import type { ShownJob as JobShown, ShownPage as PageShown } from '../../src/capabilities/jobs/schema.ts'

export type { JobShown, PageShown }
export type Key = z.output<typeof shownKeySchema>
export type NewKey = z.output<typeof newKeyReply>
export type Team = z.output<typeof shownTeamSchema>
export type NewTeam = z.output<typeof newTeamReply>
export type Me = z.output<typeof callerReply>
export type Limits = z.output<typeof limitsReply>
export type Usage = z.output<typeof usageReply>
export type HostUsage = z.output<typeof hostUsageReply>
export type Activity = z.output<typeof activityReply>
export type Audit = z.output<typeof auditReply>
export type Secret = z.output<typeof secretReply>
export type LiveSession = z.output<typeof sessionReply>
export type LiveSessionLine = z.output<typeof listSessionsReply>['sessions'][number]
export type Feed = z.output<typeof shownFeedSchema>
export type FeedItem = z.output<typeof newFeedReply>['data']['items'][number]
export type FlowSteps = z.output<typeof recordedStepsReply>
export type FlowResult = z.output<typeof runFlowReply>
export type Ran = z.output<typeof executeCodeReply>
export type Profile = z.output<typeof profilesReply>['profiles'][number]
export type ModelState = z.output<typeof modelReply>
export type ModelTest = z.output<typeof modelTestReply>
export type Health = z.output<typeof healthReply>

export type WholeDelivery = Delivery & {
  headers: Record<string, string>
  body: string | null
  bodyBytes: number
  tries: { at: string; ms: number; status: number | null; error: string | null; signature: string | null }[]
}

export interface Delivery {
  id: string
  jobId: string
  event: string
  url: string
  state: 'pending' | 'delivered' | 'dead'
  attempts: number
  status: number | null
  error: string | null
  createdAt: string
  nextAttemptAt: string | null
  endedAt: string | null
}

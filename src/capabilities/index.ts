// The list of capabilities in this build.
import { recrawledPageStore, webhookDeliveryStore } from '../jobs/store/index.ts'
import { browserProfileStore } from '../scrape/store/index.ts'
import { searchStore } from '../search/store/index.ts'
import { teamStore } from '../teams/store/index.ts'
import { notOfferedCapability } from './absent/not-offered-routes.ts'
import { accountCapability } from './account/routes.ts'
import { adminCapability } from './admin/routes.ts'
import { agentCapability } from './agent/routes.ts'
import { batchCapability } from './batch/routes.ts'
import { type Capability, collectGroupsAndActivities } from './capability.ts'
import { crawlPlanCapability } from './crawl/plan-routes.ts'
import { crawlCapability } from './crawl/routes.ts'
import { doCapability } from './do/routes.ts'
import { extractCapability } from './extract/routes.ts'
import { extractorsCapability } from './extractors/routes.ts'
import { feedbackCapability } from './feedback/routes.ts'
import { feedsCapability } from './feeds/routes.ts'
import { flowCapability } from './flow/routes.ts'
import { interactCapability } from './interact/routes.ts'
import { jobsCapability } from './jobs/routes.ts'
import { mapCapability } from './map/routes.ts'
import { mediaCapability } from './media/routes.ts'
import { monitorCapability } from './monitor/routes.ts'
import { onboardingCapability } from './onboarding/routes.ts'
import { parseCapability } from './parse/routes.ts'
import { scrapeCapability } from './scrape/routes.ts'
import { searchCapability } from './search/routes.ts'
import { siteOwnersCapability } from './site-owners/routes.ts'
import { threatsCapability } from './threats/routes.ts'
import { webhooksCapability } from './webhooks/routes.ts'

export const capabilities: readonly Capability[] = [
  scrapeCapability,
  parseCapability,
  batchCapability,
  crawlCapability,
  mapCapability,
  searchCapability,
  crawlPlanCapability,
  extractCapability,
  extractorsCapability,
  interactCapability,
  flowCapability,
  agentCapability,
  monitorCapability,
  feedsCapability,
  doCapability,
  jobsCapability,
  mediaCapability,
  webhooksCapability,
  accountCapability,
  threatsCapability,
  siteOwnersCapability,
  feedbackCapability,
  notOfferedCapability,
  onboardingCapability,
  adminCapability,
]

export const storages = [
  teamStore,
  webhookDeliveryStore,
  recrawledPageStore,
  browserProfileStore,
  searchStore,
  ...capabilities.flatMap(({ storage }) => storage ?? []),
]

export const declaredGroupsAndActivities = () => collectGroupsAndActivities(capabilities)

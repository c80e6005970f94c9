// The list of capabilities in this build.
import { deliveryStore } from '../jobs/store/index.ts'
import { profileStore } from '../scrape/store/index.ts'
import { searchStore } from '../search/store/index.ts'
import { teamStore } from '../teams/store/index.ts'
import { absent } from './absent/routes.ts'
import { account } from './account/routes.ts'
import { admin } from './admin/routes.ts'
import { agent } from './agent/routes.ts'
import { batch } from './batch/routes.ts'
import { type Capability, declaredBy } from './capability.ts'
import { crawlPlan } from './crawl/dry-routes.ts'
import { crawl } from './crawl/routes.ts'
import { extract } from './extract/routes.ts'
import { feedback } from './feedback/routes.ts'
import { feeds } from './feeds/routes.ts'
import { flow } from './flow/routes.ts'
import { interact } from './interact/routes.ts'
import { jobs } from './jobs/routes.ts'
import { map } from './map/routes.ts'
import { media } from './media/routes.ts'
import { monitor } from './monitor/routes.ts'
import { onboarding } from './onboarding/routes.ts'
import { parse } from './parse/routes.ts'
import { scrape } from './scrape/routes.ts'
import { search } from './search/routes.ts'
import { threats } from './threats/routes.ts'
import { webhooks } from './webhooks/routes.ts'

export const capabilities: readonly Capability[] = [
  scrape,
  parse,
  batch,
  crawl,
  map,
  search,
  crawlPlan,
  extract,
  interact,
  flow,
  agent,
  monitor,
  feeds,
  jobs,
  media,
  webhooks,
  account,
  threats,
  feedback,
  absent,
  onboarding,
  admin,
]

export const storages = [
  teamStore,
  deliveryStore,
  profileStore,
  searchStore,
  ...capabilities.flatMap(({ storage }) => storage ?? []),
]

export const declared = () => declaredBy(capabilities)

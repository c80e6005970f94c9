// The limits of each plan.

export type RateBucket =
  | 'scrape'
  | 'map'
  | 'crawl'
  | 'search'
  | 'agent'
  | 'crawlStatus'
  | 'agentStatus'
  | 'interactCreate'
  | 'interactExecute'
  | 'account'

interface TeamPlan {
  /** Requests a minute; null: no limit. */
  rates: Readonly<Record<RateBucket, number>> | null
  /** Concurrent pages; null: the limit of the service. */
  concurrency: number | null
  maxQueuedJobs: number | null
}

/** In the order of the wire contract's table; `account` is the same for all. */
const rates = (
  ...[scrape, map, crawl, search, agent, crawlStatus, agentStatus, interactCreate, interactExecute]: readonly [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
): Readonly<Record<RateBucket, number>> => ({
  scrape,
  map,
  crawl,
  search,
  agent,
  crawlStatus,
  agentStatus,
  interactCreate,
  interactExecute,
  account: 500,
})

export const plans = {
  unlimited: { rates: null, concurrency: null, maxQueuedJobs: null },
  free: { rates: rates(10, 10, 2, 10, 2, 500, 500, 2, 10), concurrency: 2, maxQueuedJobs: 50_000 },
  hobby: { rates: rates(100, 100, 20, 100, 20, 5_000, 5_000, 20, 100), concurrency: 5, maxQueuedJobs: 50_000 },
  standard: {
    rates: rates(500, 500, 100, 500, 100, 25_000, 25_000, 100, 500),
    concurrency: 50,
    maxQueuedJobs: 100_000,
  },
  growth: {
    rates: rates(5_000, 5_000, 1_000, 5_000, 1_000, 250_000, 250_000, 1_000, 5_000),
    concurrency: 100,
    maxQueuedJobs: 200_000,
  },
  scale: {
    rates: rates(10_000, 10_000, 2_000, 10_000, 2_000, 500_000, 500_000, 1_500, 7_500),
    concurrency: 150,
    maxQueuedJobs: 300_000,
  },
} as const satisfies Record<string, TeamPlan>

type PlanName = keyof typeof plans
export const planNames = Object.keys(plans) as [PlanName, ...PlanName[]]

/** An unknown plan gets the smallest limits, not the largest. */
export function planOf(name: string): TeamPlan {
  return Object.hasOwn(plans, name) ? plans[name as PlanName] : plans.free
}

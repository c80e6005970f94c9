// The limits of each plan.

export type RateBucket =
  | 'scrape'
  | 'map'
  | 'crawl'
  | 'search'
  | 'task'
  | 'jobStatus'
  | 'taskStatus'
  | 'sessionCreate'
  | 'sessionRun'
  | 'account'

interface TeamPlan {
  /** Requests per minute; null: no limit. */
  rates: Readonly<Record<RateBucket, number>> | null
  concurrency: number | null
  maxQueuedJobs: number | null
}

const ACCOUNT_RATE = 500

export const plans = {
  unlimited: { rates: null, concurrency: null, maxQueuedJobs: null },
  free: {
    rates: {
      scrape: 10,
      map: 10,
      crawl: 2,
      search: 10,
      task: 2,
      jobStatus: 500,
      taskStatus: 500,
      sessionCreate: 2,
      sessionRun: 10,
      account: ACCOUNT_RATE,
    },
    concurrency: 2,
    maxQueuedJobs: 50_000,
  },
  hobby: {
    rates: {
      scrape: 100,
      map: 100,
      crawl: 20,
      search: 100,
      task: 20,
      jobStatus: 5_000,
      taskStatus: 5_000,
      sessionCreate: 20,
      sessionRun: 100,
      account: ACCOUNT_RATE,
    },
    concurrency: 5,
    maxQueuedJobs: 50_000,
  },
  standard: {
    rates: {
      scrape: 500,
      map: 500,
      crawl: 100,
      search: 500,
      task: 100,
      jobStatus: 25_000,
      taskStatus: 25_000,
      sessionCreate: 100,
      sessionRun: 500,
      account: ACCOUNT_RATE,
    },
    concurrency: 50,
    maxQueuedJobs: 100_000,
  },
  growth: {
    rates: {
      scrape: 5_000,
      map: 5_000,
      crawl: 1_000,
      search: 5_000,
      task: 1_000,
      jobStatus: 250_000,
      taskStatus: 250_000,
      sessionCreate: 1_000,
      sessionRun: 5_000,
      account: ACCOUNT_RATE,
    },
    concurrency: 100,
    maxQueuedJobs: 200_000,
  },
  scale: {
    rates: {
      scrape: 10_000,
      map: 10_000,
      crawl: 2_000,
      search: 10_000,
      task: 2_000,
      jobStatus: 500_000,
      taskStatus: 500_000,
      sessionCreate: 1_500,
      sessionRun: 7_500,
      account: ACCOUNT_RATE,
    },
    concurrency: 150,
    maxQueuedJobs: 300_000,
  },
} as const satisfies Record<string, TeamPlan>

type PlanName = keyof typeof plans
export const planNames = Object.keys(plans) as [PlanName, ...PlanName[]]

/** An unknown plan gets the smallest limits, not the largest. */
export function planByName(name: string): TeamPlan {
  return Object.hasOwn(plans, name) ? plans[name as PlanName] : plans.free
}

// A team's own account for the released clients: credits, tokens, queue, recent activity. Free and open to every key.

import { z } from 'zod'
import { DAY_MS } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import type { CreditBalance } from '../../store/ledger.ts'
import { isAdmin } from '../../teams/key-rights.ts'
import type { Caller } from '../../teams/keys.ts'
import { planByName } from '../../teams/plans.ts'
import { teamStore } from '../../teams/store/index.ts'
import { defineCapability } from '../capability.ts'
import { defineRoute, type Route, type Services } from '../route.ts'
import { clientSetupRoute } from './client-setup-route.ts'
import {
  activityQuery,
  activityReply,
  concurrencyReply,
  creditHistoryReply,
  creditReply,
  historyQuery,
  queueReply,
  tokenHistoryReply,
  tokenReply,
  whoamiReply,
} from './schema.ts'
import { listPeriodsUpTo, type PeriodUsage, sumUsageByPeriod, type UsagePeriod } from './usage-history.ts'

/** Clients format it as a number, so "no limit" must be one. */
const UNLIMITED_CREDITS = 999_999_999
const TOKENS_PER_CREDIT = 15

const shownCredits = ({ granted, left }: CreditBalance) => ({
  remaining: left === null ? UNLIMITED_CREDITS : Math.max(0, left),
  plan: granted ?? UNLIMITED_CREDITS,
})
/** Credits are granted, not renewed: there is no billing period. */
const NO_BILLING_PERIOD = { billingPeriodStart: null, billingPeriodEnd: null }

const credits = defineRoute({
  method: 'GET',
  path: '/v2/team/credit-usage',
  summary: 'Remaining credits',
  reply: creditReply,
  async handle({ store }, _input, { caller }) {
    const { remaining, plan } = shownCredits(await store.ledger.balance(caller.teamId))
    return { success: true, data: { remainingCredits: remaining, planCredits: plan, ...NO_BILLING_PERIOD } }
  },
})

const tokens = defineRoute({
  method: 'GET',
  path: '/v2/team/token-usage',
  summary: `The same in tokens: ${TOKENS_PER_CREDIT} per credit`,
  reply: tokenReply,
  async handle({ store }, _input, { caller }) {
    const { remaining, plan } = shownCredits(await store.ledger.balance(caller.teamId))
    const data = {
      remainingTokens: remaining * TOKENS_PER_CREDIT,
      planTokens: plan * TOKENS_PER_CREDIT,
      ...NO_BILLING_PERIOD,
    }
    return { success: true, data }
  },
})

type History = { byApiKey: boolean; timeRange: UsagePeriod }

type Period = { startDate: string; endDate: string; apiKey: string | null }

async function history<T>(
  { store, clock }: Services,
  { teamId }: Caller,
  { byApiKey, timeRange }: History,
  shown: (credits: number) => T,
): Promise<{ success: true; periods: (Period & T)[] }> {
  const spans = listPeriodsUpTo(clock.now(), timeRange)
  const [first, last] = [spans[0]!, spans.at(-1)!]
  const by = byApiKey ? (['day', 'key'] as const) : (['day'] as const)
  const days = await teamStore(store).usage.sums({ teamId, fromMs: first.from, toMs: last.to, by })
  const names = byApiKey ? new Map((await store.keys.list(teamId)).map(({ id, name }) => [id, name])) : undefined
  const period = ({ from, to, keyId, credits }: PeriodUsage) => ({
    startDate: new Date(from).toISOString(),
    endDate: new Date(to).toISOString(),
    apiKey: keyId === null ? null : (names?.get(keyId) ?? keyId),
    ...shown(credits),
  })
  return { success: true, periods: sumUsageByPeriod(spans, days, byApiKey).map(period) }
}

const creditHistory = defineRoute({
  method: 'GET',
  path: '/v2/team/credit-usage/historical',
  summary: 'Credits used by day, week or month, and by key',
  query: historyQuery,
  reply: creditHistoryReply,
  handle: (services, { query }, { caller }) =>
    history(services, caller, query, (used) => ({ creditsUsed: used, totalCredits: used })),
})

const tokenHistory = defineRoute({
  method: 'GET',
  path: '/v2/team/token-usage/historical',
  summary: 'The same in tokens',
  query: historyQuery,
  reply: tokenHistoryReply,
  handle: (services, { query }, { caller }) =>
    history(services, caller, query, (used) => {
      const inTokens = used * TOKENS_PER_CREDIT
      return { tokensUsed: inTokens, totalTokens: inTokens }
    }),
})

const queue = defineRoute({
  method: 'GET',
  path: '/v2/team/queue-status',
  summary: 'Active and waiting pages',
  reply: queueReply,
  async handle({ store, admission, clock }, _input, { caller }) {
    const { running, waiting, slots } = await admission.standing(caller)
    const { active, queued } = await store.jobs.load(caller.teamId)
    const lastAt = await store.pages.lastScrapeAt(caller.teamId)
    // Pages of jobs hold slots too; which count is larger depends on the process that works on them.
    const activeJobsInQueue = Math.max(running, active)
    const waitingJobsInQueue = queued + waiting
    return {
      success: true,
      jobsInQueue: activeJobsInQueue + waitingJobsInQueue,
      activeJobsInQueue,
      waitingJobsInQueue,
      maxConcurrency: slots,
      mostRecentSuccess: lastAt && lastAt > clock.now() - DAY_MS ? new Date(lastAt).toISOString() : null,
    }
  },
})

const concurrency = defineRoute({
  method: 'GET',
  path: '/v2/concurrency-check',
  summary: 'Active pages and their limit',
  bucket: 'jobStatus',
  reply: concurrencyReply,
  async handle({ admission }, _input, { caller }) {
    const { running, slots } = await admission.standing(caller)
    return { success: true, concurrency: running, maxConcurrency: slots }
  },
})

const whoami = defineRoute({
  method: 'GET',
  path: '/v2/whoami',
  summary: 'The key of this request, its rights, and the capabilities of this service',
  command: 'whoami',
  reply: whoamiReply,
  async handle({ store, admission, version, declared, modelBudget }, _input, { caller, baseUrl }) {
    const { slots } = await admission.standing(caller)
    const { left } = await store.ledger.balance(caller.teamId)
    const { rates, maxQueuedJobs } = planByName(caller.plan)
    const { keyId, keyName, rights, endpoints, formats } = caller
    return {
      success: true,
      data: {
        team: { id: caller.teamId, name: caller.teamName, plan: caller.plan },
        key: { id: keyId, name: keyName, rights: [...rights], endpoints: [...endpoints], formats: [...formats] },
        limits: { creditsLeft: left, concurrency: slots, queuedPages: maxQueuedJobs, requestsPerMinute: rates },
        model: await modelBudget.useOf(caller),
        version,
        capabilities: [...declared.groups].sort(),
        apiUrl: baseUrl,
      },
    }
  },
})

/** Activity names that released clients may filter by although this build has no such route. */
const ACTIVITY_NAMES_OF_CLIENTS = ['llmstxt', 'deep_research']

function assertActivity(endpoint: string | undefined, declared: ReadonlySet<string>): void {
  const known = [...new Set([...declared, ...ACTIVITY_NAMES_OF_CLIENTS])]
  if (endpoint !== undefined && !known.includes(endpoint))
    throw new Problem('bad_request', { because: `endpoint must be one of ${known.join(', ')}` })
}

const activity = defineRoute({
  method: 'GET',
  path: '/v2/team/activity',
  summary: 'Calls of the last 24 hours, newest first; without the right `admin`: those of this key',
  query: activityQuery,
  reply: activityReply,
  async handle({ store, meter, clock, declared }, { query }, { caller }) {
    assertActivity(query.endpoint, declared.activities)
    await meter.flush()
    const { endpoint, limit, cursor: before } = query
    // Only team admins see the URLs that other keys requested.
    const keyId = isAdmin(caller) ? undefined : caller.keyId
    const options = { teamId: caller.teamId, keyId, endpoint, before, since: clock.now() - DAY_MS, limit: limit + 1 }
    const rows = await teamStore(store).activities.list(options)
    const shown = rows.slice(0, limit)
    const more = rows.length > limit
    const ids = shown.flatMap(({ jobId }) => jobId ?? [])
    const spent = await store.ledger.spentBy(caller.teamId, ids, options.since)
    return {
      success: true,
      data: shown.map((row) => ({
        id: row.jobId ?? row.id,
        endpoint: row.endpoint,
        api_version: row.apiVersion,
        created_at: new Date(row.at).toISOString(),
        target: row.target,
        credits: spent.get(row.jobId ?? '') ?? 0,
      })),
      cursor: more ? (shown.at(-1)?.id ?? null) : null,
      has_more: more,
    }
  },
})

/** Features of the hosted service only, refused by name. */
const notHere = (method: Route['method'], path: string, what: string): Route<Services> =>
  defineRoute({
    method,
    path,
    summary: `${what}: not part of this service`,
    command: null,
    reply: z.never(),
    async handle() {
      throw new Problem('forbidden', { because: `${what} is not part of this service` })
    },
  })

export const accountCapability = defineCapability({
  name: 'account',
  tag: 'Account',
  right: 'use',
  bucket: 'account',
  cliGroup: 'Keys and teams',
  group: 'open',
  routes: [
    credits,
    creditHistory,
    tokens,
    tokenHistory,
    queue,
    concurrency,
    whoami,
    clientSetupRoute,
    activity,
    notHere('GET', '/v2/team/siem', 'The export of audit events'),
    notHere('PUT', '/v2/team/siem', 'The export of audit events'),
    notHere('POST', '/v2/team/siem/test', 'The export of audit events'),
  ],
})

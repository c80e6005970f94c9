// What the activity log stores of a call: which routes count as work, their target and outcome.
import type { Route } from '../capabilities/route.ts'
import type { Caller } from '../teams/keys.ts'
import type { ActivityRow } from '../teams/store/activity-log.ts'

export function loggedEndpointOfRoute({ activity, path }: Pick<Route, 'activity' | 'path'>) {
  return activity === undefined ? undefined : { endpoint: activity, apiVersion: /^\/(v\d)\//.exec(path)?.[1] ?? 'v2' }
}

/** With all its fields from the start: adding them later costs more than the rest of the row. */
export const newActivityRow = ({
  endpoint,
  apiVersion,
}: Pick<ActivityRow, 'endpoint' | 'apiVersion'>): ActivityRow => ({
  jobId: null,
  teamId: '',
  keyId: null,
  endpoint,
  apiVersion,
  at: 0,
  target: null,
  username: null,
  status: 0,
  ms: 0,
  engine: null,
  error: null,
})

const MAX_TARGET = 2048

interface Asked {
  url?: unknown
  urls?: unknown
  query?: unknown
  prompt?: unknown
  zeroDataRetention?: unknown
  lockdown?: unknown
  enterprise?: unknown
  auditMetadata?: { username?: unknown } | null
  scrapeOptions?: Asked | null
}

export function hasZeroDataRetention(body: unknown, caller: Pick<Caller, 'zeroDataRetention'>): boolean {
  if (caller.zeroDataRetention === 'forced') return true
  const { zeroDataRetention, lockdown, enterprise, scrapeOptions } = (body ?? {}) as Asked
  const said = [zeroDataRetention, lockdown, scrapeOptions?.zeroDataRetention, scrapeOptions?.lockdown]
  return said.includes(true) || (Array.isArray(enterprise) && enterprise.includes('zdr'))
}

export function readTargetAndUsername(body: unknown, caller: Pick<Caller, 'zeroDataRetention'>) {
  if (!body || typeof body !== 'object') return { target: null, username: null }
  const asked = body as Asked
  const options = asked.scrapeOptions ?? {}
  const [first] = Array.isArray(asked.urls) ? asked.urls : []
  const target = [asked.url, first, asked.query, asked.prompt].find((value) => typeof value === 'string')
  const username = asked.auditMetadata?.username ?? options.auditMetadata?.username
  return {
    target: typeof target === 'string' && !hasZeroDataRetention(body, caller) ? target.slice(0, MAX_TARGET) : null,
    username: typeof username === 'string' ? username : null,
  }
}

// What a caller wants to be kept from: the team's policy, what a request changes of it, and the operator's floor below both.
import { AsyncLocalStorage } from 'node:async_hooks'
import { Problem } from '../../base/problem.ts'

export const THREAT_MODES = ['off', 'normal', 'manual-only', 'zscaler'] as const
export type ThreatMode = (typeof THREAT_MODES)[number]

export interface ThreatPolicy {
  mode: ThreatMode
  /** From this risk on an address is refused, 0 to 100. */
  riskScoreThreshold: number
  blacklist: readonly string[]
  whitelist: readonly string[]
  blockedTlds: readonly string[]
  /** What happens while the operator's lists cannot be read. */
  failurePolicy: 'open' | 'closed'
  /** Hosts that this installation first met fewer days ago are new; 0: none is. */
  newHostDays: number
  /** What a new host is: refused, or told of. */
  newHostAction: 'block' | 'warn'
  /** The same as the operator wants it: below these days a host is refused, whatever the policy does with new ones. */
  newHostFloor?: number
  /** It holds because the operator wants it to, so it costs the team nothing. */
  isFree?: boolean
}

export interface TeamThreatPolicy extends ThreatPolicy {
  allowRequestOverrides: boolean
}

export const DEFAULT_THREAT_POLICY: TeamThreatPolicy = {
  mode: 'off',
  riskScoreThreshold: 75,
  blacklist: [],
  whitelist: [],
  blockedTlds: [],
  failurePolicy: 'closed',
  newHostDays: 0,
  newHostAction: 'block',
  allowRequestOverrides: true,
}

/** Whether teams may have a policy at all, and whether one holds for everybody. */
export type ThreatFloor = 'off' | 'available' | 'enforced'

/** What holds for the work that is under way: set by whoever takes a request or a job up, read at the door. */
export const threatRun = new AsyncLocalStorage<ThreatPolicy | undefined>()

/** The team's policy, field by field overruled by the request. */
export function policyFor(
  team: TeamThreatPolicy | undefined,
  asked: Partial<ThreatPolicy> | undefined,
  floor: ThreatFloor,
  newHostFloor = 0,
): ThreatPolicy | undefined {
  const refuse = (because: string) => new Problem('forbidden', { because })
  if (asked) {
    if (floor === 'off') throw refuse('threat protection is switched off on this service')
    if (team && !team.allowRequestOverrides) throw refuse('the team does not let requests change its threat protection')
    if (asked.mode === 'off' && floor === 'enforced') throw refuse('threat protection is enforced on this service')
    if (asked.mode === 'zscaler') throw refuse('no zscaler connection is configured')
  }
  if (floor === 'off') return undefined
  const own = team ?? DEFAULT_THREAT_POLICY
  const given = Object.fromEntries(Object.entries(asked ?? {}).filter(([, value]) => value !== undefined))
  const policy = { ...own, ...given, ...(newHostFloor > 0 ? { newHostFloor } : {}) } as ThreatPolicy
  if (policy.mode === 'off') return floor === 'enforced' ? { ...policy, mode: 'normal', isFree: true } : undefined
  return policy
}

// Threat policies: the team's, a request's overrides, and the operator's minimum.
import { AsyncContextValue } from '../../base/async-context-value.ts'
import { Problem } from '../../base/problem.ts'

export const THREAT_MODES = ['off', 'normal', 'manual-only', 'zscaler'] as const
type ThreatMode = (typeof THREAT_MODES)[number]

export interface ThreatPolicy {
  mode: ThreatMode
  /** Addresses at or above this risk are refused, 0 to 100. */
  riskScoreThreshold: number
  blacklist: readonly string[]
  whitelist: readonly string[]
  blockedTlds: readonly string[]
  /** Applies while the operator's lists cannot be read. */
  failurePolicy: 'open' | 'closed'
  newHostDays: number
  newHostAction: 'block' | 'warn'
  /** The operator's minimum: newer hosts are refused regardless of the policy. */
  newHostFloor?: number
  /** Imposed by the operator, so not charged to the team. */
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

export type OperatorThreatMinimum = 'off' | 'available' | 'enforced'

interface ThreatContext {
  policy: ThreatPolicy | undefined
  /** Its data may be stored, and so may the hosts it visits. */
  keeps: boolean
}

/** Of the current work; set when a request or job starts, and read by egress. */
export const currentThreatContext = new AsyncContextValue<ThreatContext>()

export function resolveThreatPolicy(
  team: TeamThreatPolicy | undefined,
  asked: Partial<ThreatPolicy> | undefined,
  floor: OperatorThreatMinimum,
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

// Threat protection around one scrape: the policy that holds for it, the verdict on its address, and what that costs.
import { prices } from '../base/prices.ts'
import type { ThreatGuard } from '../fetch/threats/guard.ts'
import type { ThreatPolicy } from '../fetch/threats/policy.ts'

export interface ThreatService {
  guard: ThreatGuard
  /** Runs the work under what holds for a team and a request of it; a Problem when the request may not ask for that. */
  under<T>(
    teamId: string,
    wish: { asked?: Partial<ThreatPolicy> | undefined; keeps: boolean },
    work: (policy: ThreatPolicy | undefined) => Promise<T>,
  ): Promise<T>
}

export interface ThreatScan {
  /** For the explain record; undefined when nothing was looked at. */
  said: Record<string, unknown> | undefined
  /** What the caller is told of where this address led: hosts that are new here, when the policy wants to be told. */
  warning(led: readonly string[]): string | undefined
  /** Credits for this address and those it led through. */
  creditsFor(led: readonly string[]): number
  /** Links that the policy lets pass. */
  allowed(links: readonly string[]): string[]
}

/** Where nothing is visited. */
export const NO_SCAN: ThreatScan = {
  said: undefined,
  warning: () => undefined,
  creditsFor: () => 0,
  allowed: (links) => [...links],
}

interface ThreatCall {
  teamId: string
  body: { url: string; threatProtection?: Partial<ThreatPolicy> | undefined }
  /** `keep`: something of it may be kept. */
  plan: { keep: boolean }
}

/** Runs the work under the policy; an address that it refuses ends it before anything is fetched or recalled. */
export function underPolicy<T>(
  { guard, under }: ThreatService,
  { teamId, body, plan }: ThreatCall,
  work: (scan: ThreatScan) => Promise<T>,
): Promise<T> {
  return under(teamId, { asked: body.threatProtection, keeps: plan.keep }, async (policy) => {
    if (URL.canParse(body.url)) guard.assert(new URL(body.url))
    return work(scanOf(guard, policy, body.url))
  })
}

function scanOf(guard: ThreatGuard, policy: ThreatPolicy | undefined, url: string): ThreatScan {
  if (!policy) return NO_SCAN
  const judge = (address: string) => (URL.canParse(address) ? guard.judge(new URL(address), policy) : undefined)
  const { rule, score, reasons } = judge(url) ?? {}
  return {
    said: { mode: policy.mode, rule, riskScore: score, ...(reasons && reasons.length > 0 ? { reasons } : {}) },
    warning(led) {
      const all = [url, ...led].flatMap((address) => {
        const { newHost } = judge(address) ?? {}
        return newHost ? `${new URL(address).hostname}: ${newHost}` : []
      })
      return all.length > 0 ? [...new Set(all)].join('; ') : undefined
    },
    creditsFor(led) {
      if (policy.isFree) return 0
      return [...new Set([url, ...led])].filter((address) => judge(address)?.consulted).length * prices.threatScan
    },
    allowed: (links) => links.filter((link) => !URL.canParse(link) || guard.isAllowed(link, policy)),
  }
}

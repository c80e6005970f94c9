// Threat protection for one scrape: policy, verdict and cost.
import { prices } from '../base/prices.ts'
import type { ThreatGuard } from '../fetch/threats/threat-guard.ts'
import type { ThreatPolicy } from '../fetch/threats/threat-policy.ts'

export interface ThreatService {
  guard: ThreatGuard
  /** Runs the work under the effective policy; throws a Problem when the request may not override it. */
  under<T>(
    teamId: string,
    options: { asked?: Partial<ThreatPolicy> | undefined; keeps: boolean },
    work: (policy: ThreatPolicy | undefined) => Promise<T>,
  ): Promise<T>
}

export interface ThreatScan {
  said: Record<string, unknown> | undefined
  /** A warning about new hosts on the redirect chain, if the policy wants one. */
  warning(led: readonly string[]): string | undefined
  creditsFor(led: readonly string[]): number
  allowed(links: readonly string[]): string[]
}

export const NO_THREAT_SCAN: ThreatScan = {
  said: undefined,
  warning: () => undefined,
  creditsFor: () => 0,
  allowed: (links) => [...links],
}

interface ThreatCall {
  teamId: string
  body: { url: string; threatProtection?: Partial<ThreatPolicy> | undefined }
  plan: { keep: boolean }
}

/** A refused address ends the work before anything is fetched or read from the cache. */
export function scrapeUnderThreatPolicy<T>(
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
  if (!policy) return NO_THREAT_SCAN
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

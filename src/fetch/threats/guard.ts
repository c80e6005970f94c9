// Decides, before any connection and again at each hop, whether an address is one that the caller wants to be kept from.

import { LRUCache } from 'lru-cache'
import type { Log } from '../../base/log.ts'
import { Problem } from '../../base/problem.ts'
import type { ReputationLists } from './lists.ts'
import { type ThreatPolicy, threatRun } from './policy.ts'
import { type Risk, riskOf } from './score.ts'

export interface Verdict {
  blocked: boolean
  /** The rule that decided, for people. */
  rule: string
  score: number
  reasons: string[]
  /** More than the caller's own lists had to be asked. */
  consulted: boolean
}

export interface Guard {
  /** Throws `unsafe_domain` for an address that what holds now refuses. */
  assert(url: URL): void
  judge(url: URL, policy: ThreatPolicy): Verdict
  /** Whether a caller may be shown an address: not one that the policy refuses, nor what is no address. */
  isAllowed(url: string, policy: ThreatPolicy | undefined): boolean
  /** Decisions since the start, by what decided. */
  counts(): Readonly<Record<string, number>>
  close(): Promise<void>
}

export interface GuardOptions {
  lists: ReputationLists
  /** Domains that nobody may visit, whatever their policy says. */
  refused: readonly string[]
  /** Holds where no team's policy does. */
  everyone: ThreatPolicy | undefined
  /** Nothing is refused; what would have been is logged and counted. */
  dryRun: boolean
  log: Log
}

const REMEMBERED = 5000

export function openGuard({ lists, refused, everyone, dryRun, log }: GuardOptions): Guard {
  const counts: Record<string, number> = { allowed: 0, blocked: 0, 'dry run': 0 }
  const risks = new LRUCache<string, Risk>({ max: REMEMBERED })
  const risk = (url: URL): Risk => {
    const known = risks.get(url.href)
    if (known) return known
    const found = riskOf(url.href)
    risks.set(url.href, found)
    return found
  }
  const judge = (url: URL, policy: ThreatPolicy): Verdict => {
    const host = url.hostname.toLowerCase().replace(/\.$/, '')
    const by = (rule: string, score = 100, reasons: string[] = [rule]): Verdict => ({
      blocked: true,
      rule,
      score,
      reasons,
      consulted: false,
    })
    const own = refused.find((pattern) => covers(pattern, host))
    if (own) return by(`the operator refuses ${own}`)
    const free = (rule: string): Verdict => ({ blocked: false, rule, score: 0, reasons: [], consulted: false })
    if (policy.mode === 'off') return free('off')
    const allowed = policy.whitelist.find((pattern) => covers(pattern, host))
    if (allowed) return free(`the whitelist has ${allowed}`)
    const listed = policy.blacklist.find((pattern) => covers(pattern, host))
    if (listed) return by(`the blacklist has ${listed}`)
    const ending = policy.blockedTlds.find((tld) => host.endsWith(`.${tld}`))
    if (ending) return by(`names that end in .${ending} are blocked`)
    if (policy.mode !== 'normal') return free('no list has it')
    const known = lists.match(url)
    if (known) return by(`a reputation list has ${known}`)
    if (!lists.ready() && policy.failurePolicy === 'closed')
      return by('the reputation lists cannot be read, and the policy is closed')
    const { score, reasons } = risk(url)
    if (score >= policy.riskScoreThreshold)
      return by(`its risk of ${score} is not below ${policy.riskScoreThreshold}`, score, reasons)
    return { blocked: false, rule: 'nothing speaks against it', score, reasons, consulted: true }
  }
  return {
    judge,
    isAllowed: (url, policy) => URL.canParse(url) && !(policy && judge(new URL(url), policy).blocked),
    counts: () => counts,
    close: () => lists.close(),
    assert(url) {
      const policy = threatRun.getStore() ?? everyone
      if (!policy && refused.length === 0) return
      const verdict = judge(url, policy ?? NO_POLICY)
      if (!verdict.blocked) {
        counts.allowed! += 1
        return
      }
      if (dryRun) {
        counts['dry run']! += 1
        return log.info({ host: url.host, rule: verdict.rule }, 'threat protection would refuse this address')
      }
      counts.blocked! += 1
      const { rule, score, reasons } = verdict
      throw new Problem('unsafe_domain', {
        because: `${url.href} (${[rule, ...reasons.filter((reason) => reason !== rule)].join('; ')})`,
        details: { url: url.href, rule, riskScore: score, reasons },
      })
    },
  }
}

const NO_POLICY: ThreatPolicy = {
  mode: 'off',
  riskScoreThreshold: 100,
  blacklist: [],
  whitelist: [],
  blockedTlds: [],
  failurePolicy: 'open',
}

/** `example.com` is that domain and all below it; `*.example.com` only what is below. */
export function covers(pattern: string, host: string): boolean {
  const name = pattern.toLowerCase()
  if (name.startsWith('*.')) return host.endsWith(name.slice(1))
  return host === name || host.endsWith(`.${name}`)
}

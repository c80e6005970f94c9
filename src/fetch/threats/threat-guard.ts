// Decides, before any connection and at each hop, whether the caller's threat policy refuses an address.

import { LRUCache } from 'lru-cache'
import { isAddressInCidrBlock, isCidrBlock } from '../../base/cidr-block.ts'
import { type Clock, DAY_MS } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { Problem } from '../../base/problem.ts'
import { registrableDomainOrHost } from '../../base/registrable-domain.ts'
import type { FirstSeenHosts } from './first-seen-hosts.ts'
import type { ReputationLists } from './reputation-lists.ts'
import { scoreUrlRisk, type UrlRisk } from './score-url.ts'
import { currentThreatContext, DEFAULT_THREAT_POLICY, type ThreatPolicy } from './threat-policy.ts'
import { WELL_KNOWN_DOMAINS } from './threat-words.ts'

interface ThreatVerdict {
  blocked: boolean
  rule: string
  score: number
  reasons: string[]
  /** More than the caller's own lists was consulted. */
  consulted: boolean
  newHost?: string | undefined
}

export interface ThreatGuard {
  assert(url: URL): void
  assertAddresses(url: URL, resolve: () => Promise<readonly string[]>): Promise<void> | undefined
  judge(url: URL, policy: ThreatPolicy): ThreatVerdict
  /** The age of a host applies at egress only, since a listed host has not been visited. */
  isAllowed(url: string, policy: ThreatPolicy | undefined): boolean
  counts(): Readonly<Record<string, number>>
  close(): Promise<void>
}

interface GuardOptions {
  lists: ReputationLists
  sightings: FirstSeenHosts
  clock: Clock
  refused: readonly string[]
  /** Hosts that the operator opened to visits; guesses about strangers' hosts do not apply to them. */
  isOpened?(url: URL): boolean
  /** Hosts whose owners want no visits. */
  leftAlone?: readonly string[]
  everyone: ThreatPolicy | undefined
  dryRun: boolean
  log: Log
}

const hostOf = (url: URL): string => url.hostname.toLowerCase().replace(/\.$/, '')
const by = (rule: string, score = 100, reasons: string[] = [rule]): ThreatVerdict => ({
  blocked: true,
  rule,
  score,
  reasons,
  consulted: false,
})

const free = (rule: string): ThreatVerdict => ({ blocked: false, rule, score: 0, reasons: [], consulted: false })

const REMEMBERED = 5000

const isWellKnown = (host: string): boolean => WELL_KNOWN_DOMAINS.has(registrableDomainOrHost(host))

export function openThreatGuard(options: GuardOptions): ThreatGuard {
  const { lists, sightings, clock, refused, leftAlone = [], isOpened, everyone, dryRun, log } = options
  const counts: Record<string, number> = { allowed: 0, blocked: 0, 'dry run': 0 }
  const risks = new LRUCache<string, UrlRisk>({ max: REMEMBERED, memoMethod: (href) => scoreUrlRisk(href) })
  const newness = (host: string, days: number): string | undefined =>
    days === 0 || isWellKnown(host) ? undefined : describeNewHost(sightings.firstSeen(host), clock.now(), days)
  const judge = (url: URL, policy: ThreatPolicy): ThreatVerdict => {
    const host = hostOf(url)
    const own = refused.find((pattern) => patternCoversHost(pattern, host))
    if (own) return by(`the operator refuses ${own}`)
    if (policy.mode === 'off') return free('off')
    const allowed = policy.whitelist.find((pattern) => patternCoversHost(pattern, host))
    if (allowed) return free(`the whitelist has ${allowed}`)
    const listed = policy.blacklist.find((pattern) => patternCoversHost(pattern, host))
    if (listed) return by(`the blacklist has ${listed}`)
    const ending = policy.blockedTlds.find((tld) => host.endsWith(`.${tld}`))
    if (ending) return by(`names that end in .${ending} are blocked`)
    if (policy.mode !== 'normal') return free('no list has it')
    const known = lists.match(url)
    if (known) return by(`a reputation list contains ${known}`)
    if (isOpened?.(url)) return free('the operator allows its address')
    if (!lists.ready() && policy.failurePolicy === 'closed')
      return by('the reputation lists cannot be read, and the policy then refuses')
    const { score, reasons } = risks.memo(url.href)
    const isTooNew = newness(host, policy.newHostFloor ?? 0)
    const newHost = isTooNew ?? newness(host, policy.newHostDays)
    const all = newHost ? [...reasons, newHost] : reasons
    if (score >= policy.riskScoreThreshold)
      return { ...by(`its risk of ${score} is not below ${policy.riskScoreThreshold}`, score, all), newHost }
    if (newHost && (isTooNew || policy.newHostAction === 'block')) return { ...by(newHost, score, all), newHost }
    return { blocked: false, rule: 'nothing speaks against it', score, reasons: all, consulted: true, newHost }
  }
  const refuse = (url: URL, { rule, score, reasons }: ThreatVerdict): void => {
    if (dryRun) {
      counts['dry run']! += 1
      log.info({ host: url.host, rule }, 'threat protection would refuse this address')
      return
    }
    counts.blocked! += 1
    throw new Problem('unsafe_domain', {
      because: `${url.href} (${[rule, ...reasons.filter((reason) => reason !== rule)].join('; ')})`,
      details: { url: url.href, rule, riskScore: score, reasons },
    })
  }
  return {
    judge,
    assertAddresses(url, resolve) {
      const policy = currentThreatContext.getStore()?.policy ?? everyone ?? NO_POLICY
      const host = hostOf(url)
      const isFree = policy.mode === 'off' || policy.whitelist.some((pattern) => patternCoversHost(pattern, host))
      const blocks = [...refused, ...(isFree ? [] : policy.blacklist)].filter(isCidrBlock)
      if (blocks.length === 0 || isCidrBlock(host.replace(/^\[|\]$/g, ''))) return undefined
      return resolve().then((addresses) => {
        for (const address of addresses) {
          const block = blocks.find((one) => isAddressInCidrBlock(one, address))
          const rule = block && `${refused.includes(block) ? 'the operator refuses' : 'the blacklist has'} ${block}`
          if (rule) refuse(url, by(rule, 100, [`it resolves to ${address}`]))
        }
      })
    },
    isAllowed: (url, policy) =>
      URL.canParse(url) && !(policy && judge(new URL(url), { ...policy, newHostDays: 0, newHostFloor: 0 }).blocked),
    counts: () => counts,
    async close() {
      await Promise.all([lists.close(), sightings.close()])
    },
    assert(url) {
      assertNotLeftAlone(url, leftAlone)
      const policy = currentThreatContext.getStore()?.policy ?? everyone
      const verdict = policy || refused.length > 0 ? judge(url, policy ?? NO_POLICY) : undefined
      // Judge before recording, so the visit itself does not change the age. Hosts refused for other reasons are not
      // recorded.
      const isNoted = (!verdict?.blocked || verdict.newHost) && currentThreatContext.getStore()?.keeps
      if (isNoted && !isWellKnown(url.hostname)) sightings.note(url.hostname)
      if (!verdict) return
      if (verdict.blocked) refuse(url, verdict)
      else counts.allowed! += 1
    },
  }
}

function describeNewHost(firstSeen: number | undefined, now: number, days: number): string | undefined {
  const first = firstSeen ?? now
  if (now - first >= days * DAY_MS) return undefined
  const since = new Date(first).toISOString().slice(0, 10)
  return `its host is new: first visited on ${since}, and the policy requires ${days} ${days === 1 ? 'day' : 'days'}`
}

function assertNotLeftAlone(url: URL, leftAlone: readonly string[]): void {
  const host = hostOf(url)
  if (leftAlone.some((pattern) => patternCoversHost(pattern, host))) throw new Problem('left_alone', { because: host })
}

const NO_POLICY: ThreatPolicy = { ...DEFAULT_THREAT_POLICY, riskScoreThreshold: 100, failurePolicy: 'open' }

/** `example.com` matches the domain and its subdomains; `*.example.com` only the subdomains; `192.0.2.0/24` addresses. */
export function patternCoversHost(pattern: string, host: string): boolean {
  const name = pattern.toLowerCase()
  if (isCidrBlock(name)) return isAddressInCidrBlock(name, host.replace(/^\[|\]$/g, ''))
  if (name.startsWith('*.')) return host.endsWith(name.slice(1))
  return host === name || host.endsWith(`.${name}`)
}

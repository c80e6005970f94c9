// The threat policy of each team: stored, cached briefly, and merged with the request's options.
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { makeAddressPolicy } from '../fetch/address-policy.ts'
import { DISABLED_FIRST_SEEN_HOSTS, openFirstSeenHosts } from '../fetch/threats/first-seen-hosts.ts'
import { openReputationLists } from '../fetch/threats/reputation-lists.ts'
import { openThreatGuard } from '../fetch/threats/threat-guard.ts'
import {
  currentThreatContext,
  DEFAULT_THREAT_POLICY,
  type OperatorThreatMinimum,
  resolveThreatPolicy,
  type TeamThreatPolicy,
  type ThreatPolicy,
} from '../fetch/threats/threat-policy.ts'
import type { Store } from '../store/index.ts'
import { openTeamSetting, type TeamSetting } from './team-setting.ts'

export type TeamThreatPolicies = Awaited<ReturnType<typeof openTeamThreatPolicies>>

type KeptThreatPolicy = Awaited<ReturnType<TeamSetting<TeamThreatPolicy>['read']>>

interface ThreatOptions {
  config: {
    threatProtection: OperatorThreatMinimum
    threatLists: readonly string[]
    threatRefreshMinutes: number
    threatRefused: readonly string[]
    allowPrivate: readonly string[]
    threatDryRun: 'on' | 'off'
    threatNewHostDays: number
    leaveAlone: readonly string[]
    dnsServers: readonly string[]
  }
  store: Pick<Store, 'settings' | 'sightings' | 'dialect'>
  dataDir: string
  clock: Clock
  log: Log
}

export async function openTeamThreatPolicies({ config, store, dataDir, clock, log }: ThreatOptions) {
  const { settings, sightings, dialect } = store
  const { threatProtection: floor, threatNewHostDays: newHostFloor } = config
  const lists = openReputationLists({
    sources: floor === 'off' ? [] : config.threatLists,
    dir: join(dataDir, 'threat-lists'),
    refreshMs: config.threatRefreshMinutes * 60_000,
    dnsServers: config.dnsServers,
    log,
    script: new URL('../fetch/threats/reputation-list-worker.js', import.meta.url),
  })
  const opened = makeAddressPolicy(config.allowPrivate)
  const guard = openThreatGuard({
    lists,
    sightings:
      floor === 'off'
        ? DISABLED_FIRST_SEEN_HOSTS
        : await openFirstSeenHosts({ store: sightings, isShared: dialect === 'postgres', clock, log }),
    clock,
    refused: config.threatRefused,
    isOpened: ({ hostname, port, protocol }) =>
      opened.isListed(hostname, Number(port) || (protocol === 'https:' ? 443 : 80)),
    leftAlone: config.leaveAlone,
    everyone: resolveThreatPolicy(undefined, undefined, floor, newHostFloor),
    dryRun: config.threatDryRun === 'on',
    log,
  })
  const { read, write } = openTeamSetting(settings, 'threat-policy', DEFAULT_THREAT_POLICY, clock)
  const ofTeams = new WeakMap<KeptThreatPolicy, ThreatPolicy | undefined>()
  const policyOf = async (
    teamId: string,
    asked: Partial<ThreatPolicy> | undefined,
  ): Promise<ThreatPolicy | undefined> => {
    if (floor === 'off' && !asked) return undefined
    const kept = await read(teamId)
    if (asked) return resolvePolicy(kept, asked)
    if (!ofTeams.has(kept)) ofTeams.set(kept, resolvePolicy(kept, undefined))
    return ofTeams.get(kept)
  }
  function resolvePolicy(
    { configured, updatedAt: _when, ...team }: KeptThreatPolicy,
    asked: Partial<ThreatPolicy> | undefined,
  ): ThreatPolicy | undefined {
    const { allowRequestOverrides: _may, ...policy } =
      (resolveThreatPolicy(configured ? team : undefined, asked, floor, newHostFloor) as
        | TeamThreatPolicy
        | undefined) ?? {}
    return 'mode' in policy ? (policy as ThreatPolicy) : undefined
  }
  return {
    guard,
    floor,
    read,
    policyFor: policyOf,
    /** `keeps`: data may be stored, so the hosts that are visited are recorded. */
    async under<T>(
      teamId: string,
      { asked, keeps }: { asked?: Partial<ThreatPolicy> | undefined; keeps: boolean },
      work: (policy: ThreatPolicy | undefined) => Promise<T>,
    ) {
      const policy = await policyOf(teamId, asked)
      return currentThreatContext.run({ policy, keeps }, () => work(policy))
    },
    write,
  }
}

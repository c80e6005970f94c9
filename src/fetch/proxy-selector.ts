// Selects a proxy of the team, else a common one: the same one for all visits to a site, until it fails or the site refuses it.

import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { Problem } from '../base/problem.ts'
import { isSocksProxy } from './socks5.ts'

export interface ProxyLists {
  basic: readonly string[]
  enhanced: readonly string[]
}

export interface ProxyCriteria {
  tier: 'basic' | 'enhanced'
  site: string
  country?: string | undefined
  team?: string | undefined
}

export interface ProxyChoice {
  url: URL
  tier: 'basic' | 'enhanced'
}

export interface ProxySelector {
  candidates(route: ProxyCriteria): readonly ProxyChoice[]
  pauseProxy(choice: ProxyChoice): void
  markWorking(choice: ProxyChoice): void
  switchToNextProxy(route: ProxyCriteria): void
}

interface Known {
  url: URL
  country: string | undefined
  team: string | undefined
  failures: number
  pausedUntil: number
}

const PAUSE_MS = 60_000
const MAX_PAUSE_MS = 15 * 60_000
const MAX_TRIES = 3
const MAX_SITES = 5000

export function openProxySelector(lists: ProxyLists, now: () => number): ProxySelector {
  const tiers = { basic: lists.basic.map(read), enhanced: lists.enhanced.map(read) }
  const moves = new LRUCache<string, number>({ max: MAX_SITES })
  const ofTeam = (tier: ProxyCriteria['tier'], team: string | undefined) => {
    const own = team === undefined ? [] : tiers[tier].filter((proxy) => proxy.team === team)
    return own.length > 0 ? own : tiers[tier].filter((proxy) => proxy.team === undefined)
  }
  const tierOf = ({ tier, team }: ProxyCriteria) =>
    tier === 'enhanced' && ofTeam(tier, team).length === 0 ? 'basic' : tier
  const keyOf = (route: ProxyCriteria) =>
    `${tierOf(route)} ${ofTeam(tierOf(route), route.team)[0]?.team ?? ''} ${route.site}`
  const find = (choice: ProxyChoice) => tiers[choice.tier].filter(({ url }) => url.href === choice.url.href)

  return {
    candidates(route) {
      const tier = tierOf(route)
      const all = preferNear(ofTeam(tier, route.team), route.country)
      if (all.length === 0) return []
      const order = all
        .map((proxy) => ({ proxy, rank: rankOf(route.site, proxy.url) }))
        .sort((a, b) => (a.rank < b.rank ? -1 : 1))
        .map(({ proxy }) => proxy)
      const start = (moves.get(keyOf(route)) ?? 0) % order.length
      const inTurn = [...order.slice(start), ...order.slice(0, start)]
      const awake = inTurn.filter(({ pausedUntil }) => pausedUntil <= now())
      if (awake.length === 0) throw new Problem('proxy_failed', { because: 'all of them failed a short while ago' })
      return awake.slice(0, MAX_TRIES).map(({ url }) => ({ url, tier }))
    },
    pauseProxy(choice) {
      for (const proxy of find(choice)) {
        proxy.pausedUntil = now() + Math.min(PAUSE_MS * 2 ** proxy.failures, MAX_PAUSE_MS)
        proxy.failures += 1
      }
    },
    markWorking(choice) {
      for (const proxy of find(choice)) proxy.failures = 0
    },
    switchToNextProxy(route) {
      const key = keyOf(route)
      const moved = (moves.get(key) ?? 0) + 1
      moves.set(key, moved)
    },
  }
}

/** Proxies of the country, else those without a country, else all: an operator with proxies wants no direct visits. */
function preferNear(all: readonly Known[], country: string | undefined): readonly Known[] {
  const there = all.filter((proxy) => proxy.country !== undefined && proxy.country === country)
  if (there.length > 0) return there
  const anywhere = all.filter((proxy) => proxy.country === undefined)
  return anywhere.length > 0 ? anywhere : all
}

/** A hash order per site, identical in every process, so no state is needed. */
const rankOf = (site: string, { href }: URL): string => createHash('sha1').update(`${site} ${href}`).digest('hex')

const PROXY = /^(?:team:([\w-]+)=)?(?:([A-Za-z]{2})=)?(.*)$/

/** The teams that have proxies of their own. */
export const teamsOfProxies = (entries: readonly string[]): string[] =>
  entries.flatMap((text) => PROXY.exec(text)?.[1] ?? [])

/** Whether one of them is for all teams or for this one. */
export const hasProxyFor = (team: string | undefined, entries: readonly string[]): boolean =>
  entries.some((text) => [undefined, team].includes(PROXY.exec(text)?.[1]))

function read(text: string): Known {
  const [, team, country, address] = PROXY.exec(text) ?? []
  try {
    const url = new URL(address ?? '')
    if (url.hostname !== '' && (/^https?:$/.test(url.protocol) || isSocksProxy(url)))
      return { url, country: country?.toUpperCase(), team, failures: 0, pausedUntil: 0 }
  } catch {}
  throw new Problem('internal', {
    instead:
      'ORB_PROXIES_BASIC, ORB_PROXIES_ENHANCED: each proxy is written as http://user:password@host:port (https or socks5 too), with its country as DE=http://…, or for one team as team:ID=http://…',
  })
}

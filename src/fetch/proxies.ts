// Which proxy to use next: in turn, leaving out those that failed in the last minute. Opens nothing itself.
import { Problem } from '../base/problem.ts'

export interface ProxyLists {
  basic: readonly string[]
  enhanced: readonly string[]
}

export interface ProxyChoice {
  url: URL
  tier: 'basic' | 'enhanced'
}

export interface Proxies {
  /** Proxies to try, best first. Empty when none are configured: go directly. Throws when all are resting. */
  candidates(tier: 'basic' | 'enhanced'): readonly ProxyChoice[]
  rest(choice: ProxyChoice): void
}

const REST_MS = 60_000
// A page is not worth trying through a whole list of hundreds.
const MAX_TRIES = 3

export function openProxies(lists: ProxyLists, now: () => number): Proxies {
  const tiers = { basic: lists.basic.map((text) => read(text)), enhanced: lists.enhanced.map((text) => read(text)) }
  const restingUntil = new Map<string, number>()
  let turn = 0

  function candidates(wished: 'basic' | 'enhanced'): readonly ProxyChoice[] {
    const tier = wished === 'enhanced' && tiers.enhanced.length === 0 ? 'basic' : wished
    const all = tiers[tier]
    if (all.length === 0) return []
    const start = turn++ % all.length
    const inTurn = [...all.slice(start), ...all.slice(0, start)]
    const awake = inTurn.filter((url) => (restingUntil.get(url.href) ?? 0) <= now())
    if (awake.length === 0) throw new Problem('proxy_failed', { because: 'all of them failed within the last minute' })
    return awake.slice(0, MAX_TRIES).map((url) => ({ url, tier }))
  }

  return {
    candidates,
    rest: ({ url }) => {
      restingUntil.set(url.href, now() + REST_MS)
    },
  }
}

function read(text: string): URL {
  try {
    const url = new URL(text)
    if (url.protocol === 'http:' || url.protocol === 'https:') return url
  } catch {
    // Said below; the text may hold a password, so it is not repeated.
  }
  throw new Problem('internal', {
    instead: 'ORB_PROXIES_BASIC, ORB_PROXIES_ENHANCED: each proxy is written as http://user:password@host:port',
  })
}

// Hosts blocked by `blockAds`: advertisers, trackers and cookie-wall providers.
import { createRequire } from 'node:module'
import { once } from '../../base/values.ts'

interface Entity {
  categories: readonly string[]
  domains: readonly string[]
}

const BLOCKED = new Set(['ad', 'analytics', 'consent-provider', 'marketing'])

export type IsAdHost = (hostname: string) => boolean

/** Reads the list on first use, so that a service without rendering never loads it. */
export function makeAdHostCheck(): IsAdHost {
  const hosts = once(readHosts)
  return (hostname) => {
    for (let host = hostname.toLowerCase(); host.includes('.'); host = host.slice(host.indexOf('.') + 1))
      if (hosts().has(host)) return true
    return false
  }
}

export const makeAdCheckForSite =
  (isAd: IsAdHost, siteHost: string): IsAdHost =>
  (hostname) =>
    isAd(hostname) && !isAd(siteHost)

function readHosts(): Set<string> {
  const { entities } = createRequire(import.meta.url)('third-party-web/nostats-subset.js') as {
    entities: readonly Entity[]
  }
  const hosts = new Set<string>()
  for (const { categories, domains } of entities) {
    if (!categories.every((category) => BLOCKED.has(category))) continue
    for (const domain of domains) hosts.add(domain.replace(/^\*\./, '').toLowerCase())
  }
  return hosts
}

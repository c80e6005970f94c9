// Which URLs a run may visit, decided by the caller's input and by code that reads no page text. A page can only
// suggest links.
import { valueOr } from '../../base/attempt.ts'
import { type Goal, siteOf } from './derive-goal.ts'

export interface VisitCandidate {
  url: string
  /** The page that contains the link; undefined: named by the caller or a search. */
  from?: string | undefined
}

/** Longer than sites' own URLs need, too short to exfiltrate a text. */
const MAX_QUERY_CHARS = 256

/** Why a URL may not be visited; undefined when it may. `read` lists found values with their pages. */
export function reasonToRefuseVisit(
  goal: Pick<Goal, 'strict' | 'urls' | 'sites'>,
  { url, from }: VisitCandidate,
  read: readonly { value: string; url: string }[],
): string | undefined {
  const target = parseUrl(url)
  if (!target) return 'it is no web address'
  if (target.username || target.password) return 'it carries a password'
  if (goal.strict && !goal.urls.some((allowed) => isBelow(target, allowed)))
    return 'strictConstrainToURLs restricts the run to the given URLs'
  if (goal.sites.length > 0 && !goal.sites.includes(siteOf(url))) return 'the request names other sites'
  if (from === undefined) return undefined
  const leaves = siteOf(url) !== siteOf(from)
  if (leaves && target.search.length > MAX_QUERY_CHARS) return 'a link to another site carries a long query'
  if (leaves && carries(target, from, read)) return 'a link to another site carries what was read elsewhere'
  return undefined
}

function parseUrl(url: string): URL | undefined {
  try {
    const target = new URL(url)
    return /^https?:$/.test(target.protocol) ? target : undefined
  } catch {
    return undefined
  }
}

/** Same site, at or below the same path. */
function isBelow(target: URL, allowed: string): boolean {
  const base = parseUrl(allowed)
  if (!base || siteOf(allowed) !== siteOf(target.href) || base.port !== target.port) return false
  const path = base.pathname.replace(/\/$/, '')
  return target.pathname === path || target.pathname.startsWith(`${path}/`)
}

const MIN_VALUE = 6

/** A site may send its own values anywhere, but not values read from other sites. */
function carries(target: URL, from: string, read: readonly { value: string; url: string }[]): boolean {
  const text = decodeQueryText(target.search + target.pathname).toLowerCase()
  const own = new Set([siteOf(target.href), siteOf(from)])
  return read.some(
    ({ value, url }) => value.length >= MIN_VALUE && !own.has(siteOf(url)) && text.includes(value.toLowerCase()),
  )
}

const decodeQueryText = (text: string): string => valueOr(text, () => decodeURIComponent(text.replace(/\+/g, ' ')))

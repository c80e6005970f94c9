// What a run may do, decided by the caller's words and by code that reads no page text: which addresses it may visit. A
// page can suggest a link and nothing else. The door out checks every address again (fetch/egress.ts).
import { type Goal, siteOf } from './goal.ts'

export interface Visitable {
  url: string
  /** The page that the link stood on; undefined: the caller or a search named it. */
  from?: string | undefined
}

/** Longer than any address a site makes for its own pages needs to be, shorter than what could carry a text away. */
const MAX_QUERY = 256

/** Why an address may not be visited; undefined when it may. `read` are values found so far, with the page of each. */
export function refusal(
  goal: Pick<Goal, 'strict' | 'urls' | 'sites'>,
  { url, from }: Visitable,
  read: readonly { value: string; url: string }[],
): string | undefined {
  const target = parsed(url)
  if (!target) return 'it is no web address'
  if (target.username || target.password) return 'it carries a password'
  if (goal.strict && !goal.urls.some((allowed) => isBelow(target, allowed)))
    return 'strictConstrainToURLs keeps the run to the addresses that were given'
  if (goal.sites.length > 0 && !goal.sites.includes(siteOf(url))) return 'the request names other sites'
  if (from === undefined) return undefined
  const leaves = siteOf(url) !== siteOf(from)
  if (leaves && target.search.length > MAX_QUERY) return 'a link to another site carries a long query'
  if (leaves && carries(target, from, read)) return 'a link to another site carries what was read elsewhere'
  return undefined
}

function parsed(url: string): URL | undefined {
  try {
    const target = new URL(url)
    return /^https?:$/.test(target.protocol) ? target : undefined
  } catch {
    return undefined
  }
}

/** The same site, and at or below the same path. */
function isBelow(target: URL, allowed: string): boolean {
  const base = parsed(allowed)
  if (!base || siteOf(allowed) !== siteOf(target.href) || base.port !== target.port) return false
  const path = base.pathname.replace(/\/$/, '')
  return target.pathname === path || target.pathname.startsWith(`${path}/`)
}

const MIN_VALUE = 6

/** What a site says itself it may send wherever it likes; what others said is not its to send. */
function carries(target: URL, from: string, read: readonly { value: string; url: string }[]): boolean {
  const text = decoded(target.search + target.pathname).toLowerCase()
  const own = new Set([siteOf(target.href), siteOf(from)])
  return read.some(
    ({ value, url }) => value.length >= MIN_VALUE && !own.has(siteOf(url)) && text.includes(value.toLowerCase()),
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '))
  } catch {
    return text
  }
}

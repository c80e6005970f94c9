// What is remembered of a call: which of the routes are work, what they were asked for, and how it went.
import type { Caller } from '../teams/keys.ts'

/** Routes whose calls are kept as activity, and under which name. Looking at results is not work. */
const WORK: readonly (readonly [RegExp, string])[] = [
  [/^POST \/v\d\/scrape$/, 'scrape'],
  [/^GET \/r\//, 'scrape'],
  [/^POST \/v\d\/batch\/scrape$/, 'batch_scrape'],
  [/^POST \/v\d\/crawl$/, 'crawl'],
  [/^POST \/v\d\/map$/, 'map'],
  [/^POST \/v\d\/search$/, 'search'],
  [/^POST \/v\d\/extract$/, 'extract'],
  [/^POST \/v\d\/agent$/, 'agent'],
  [/^POST \/v\d\/parse$/, 'parse'],
  [/^POST \/v\d\/(browser|interact)$/, 'browser'],
  [/^POST \/v\d\/scrape\/[^/]+\/interact$/, 'interact'],
  [/^POST \/v\d\/monitor$/, 'monitor'],
  [/^POST \/v\d\/llmstxt$/, 'llmstxt'],
  [/^POST \/v\d\/deep-research$/, 'deep_research'],
]

/** Undefined for a route that is not work. */
export function workOf(method: string, path: string): { endpoint: string; apiVersion: string } | undefined {
  const endpoint = WORK.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1]
  return endpoint === undefined ? undefined : { endpoint, apiVersion: /^\/(v\d)\//.exec(path)?.[1] ?? 'v2' }
}

const MAX_TARGET = 2048

interface Asked {
  url?: unknown
  urls?: unknown
  query?: unknown
  prompt?: unknown
  zeroDataRetention?: unknown
  lockdown?: unknown
  auditMetadata?: { username?: unknown } | null
  scrapeOptions?: Asked | null
}

/** What a checked body is about, and who the caller says is behind it. */
export function askedFor(body: unknown, caller: Pick<Caller, 'zeroDataRetention'>) {
  if (!body || typeof body !== 'object') return { target: null, username: null }
  const asked = body as Asked
  const options = asked.scrapeOptions ?? {}
  const [first] = Array.isArray(asked.urls) ? asked.urls : []
  const target = [asked.url, first, asked.query, asked.prompt].find((value) => typeof value === 'string')
  const username = asked.auditMetadata?.username ?? options.auditMetadata?.username
  const keepNothing =
    caller.zeroDataRetention === 'forced' ||
    [asked.zeroDataRetention, asked.lockdown, options.zeroDataRetention].includes(true)
  return {
    target: typeof target === 'string' && !keepNothing ? target.slice(0, MAX_TARGET) : null,
    username: typeof username === 'string' ? username : null,
  }
}

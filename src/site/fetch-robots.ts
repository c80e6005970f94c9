// Fetches and caches robots.txt, with RFC 9309's handling of failures. content/parse-robots.ts parses the rules.

import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { abortAfter } from '../base/abort-after.ts'
import { type Clock, DAY_MS } from '../base/clock.ts'
import type { PageUse } from '../base/page-uses.ts'
import { asProblem, Problem } from '../base/problem.ts'
import { looksLikeMarkup, MAX_ROBOTS_BYTES, parseRobots } from '../content/parse-robots.ts'
import { botIdentity } from '../fetch/bot-identity.ts'
import type { SiteFetch, SiteResponse } from './site-fetch-types.ts'

/** The name that is sent, or that of the program. */
export const robotsAgent = (): string => botIdentity()?.name ?? 'orbweaver'
/** A longer delay is cut to this, and a note reports it. */
const MAX_CRAWL_DELAY_SECONDS = 60

/** `none`: a 4xx or a page in its place, so all is allowed; `unreachable`: nothing is, until a retry succeeds. */
type RobotsState = 'rules' | 'none' | 'unreachable' | 'ignored'

export interface SiteRobots {
  state: RobotsState
  allows(url: string): boolean
  /** Uses that `Content-Signal` refuses, whether or not the rules for visits are ignored. */
  reserves(url: string): PageUse[]
  delaySeconds: number | undefined
  sitemaps: readonly string[]
  notes: readonly string[]
  /** Of the file: the parsed rules keep its text. */
  bytes: number
  problem?: Problem
}

export interface RobotsCache {
  /** Throws only when the signal aborts. `agent` overrides the product token. */
  robotsOf(url: string, options: RobotsOptions, signal: AbortSignal): Promise<SiteRobots>
}

export interface RobotsOptions {
  agent?: string | undefined
  ignore?: boolean
  fresh?: boolean
  /** Other processes may read the file; not for work that must leave nothing behind. */
  share?: boolean
  headers?: Readonly<Record<string, string>>
}

const KEPT_MS = DAY_MS
/** Shorter, because a failure may pass. */
const FAILURE_CACHE_MS = 60_000
const MAX_ORIGINS = 1000
/** 32 files of the largest size that is read. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024
const TIMEOUT_MS = 10_000
const TRIES = 2
const RETRY_AFTER_MS = 500

const ignoredRobots: SiteRobots = {
  state: 'ignored',
  allows: () => true,
  reserves: () => [],
  delaySeconds: undefined,
  sitemaps: [],
  notes: [],
  bytes: 0,
}

/** Fetches from a shared cache when `share` is set; `fresh`: it may only be written. */
export function openRobotsCache(fetchFor: (share: boolean, fresh: boolean) => SiteFetch, clock: Clock): RobotsCache {
  const known = new LRUCache<string, { until: number; robots: Promise<SiteRobots> }>({
    max: MAX_ORIGINS,
    maxSize: MAX_CACHED_BYTES,
  })

  function remember(key: string, robots: Promise<SiteRobots>): Promise<SiteRobots> {
    const entry = { until: clock.now() + KEPT_MS, robots }
    known.set(key, entry, { size: 1 })
    robots.then(
      ({ state, bytes }) => {
        if (known.peek(key) !== entry) return
        const until = state === 'unreachable' ? clock.now() + FAILURE_CACHE_MS : entry.until
        known.set(key, { until, robots }, { size: 1 + bytes })
      },
      () => known.delete(key),
    )
    return robots
  }

  return {
    async robotsOf(url, { agent = robotsAgent(), ignore = false, fresh = false, share = false, headers = {} }, signal) {
      const { origin } = new URL(url)
      const key = `${origin} ${agent.toLowerCase()} ${ignore} ${JSON.stringify(headers)}`
      const kept = fresh ? undefined : known.get(key)
      // A shared request may have been aborted by its caller.
      const shared = kept && kept.until > clock.now() ? await kept.robots.catch(() => undefined) : undefined
      signal.throwIfAborted()
      return shared ?? remember(key, ask(fetchFor(share, fresh), origin, agent, ignore, headers, signal))
    },
  }
}

async function ask(
  fetch: SiteFetch,
  origin: string,
  agent: string,
  ignore: boolean,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<SiteRobots> {
  const robots = await read(fetch, origin, agent, headers, signal)
  const { sitemaps, reserves, bytes } = robots
  return ignore ? { ...ignoredRobots, sitemaps, reserves, bytes } : robots
}

async function read(
  fetch: SiteFetch,
  origin: string,
  agent: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<SiteRobots> {
  let problem = new Problem('site_failed')
  for (let tried = 1; tried <= TRIES; tried++) {
    const within = AbortSignal.any([signal, abortAfter(TIMEOUT_MS)])
    try {
      const answer = await fetch({ url: `${origin}/robots.txt`, headers, maxBytes: MAX_ROBOTS_BYTES }, within)
      if (answer.status < 500) return fromAnswer(answer, agent)
      problem = new Problem('site_failed', { because: `it returned status ${answer.status} for its robots.txt` })
    } catch (error) {
      signal.throwIfAborted()
      problem = within.aborted
        ? new Problem('site_failed', { because: `it did not respond within ${TIMEOUT_MS / 1000} s` })
        : asProblem(error)
      // A retry cannot make a name resolve or an address public.
      if (problem.kind === 'refused_address') break
    }
    if (tried < TRIES) await sleep(RETRY_AFTER_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
  return {
    state: 'unreachable',
    allows: () => false,
    reserves: () => [],
    delaySeconds: undefined,
    sitemaps: [],
    bytes: 0,
    problem,
    notes: [
      `robots.txt of ${origin} could not be read (${problem.message}), so nothing of that site may be visited (RFC 9309)`,
    ],
  }
}

function fromAnswer({ status, body, truncated }: SiteResponse, agent: string): SiteRobots {
  const text = status >= 200 && status < 300 ? decodeBody(body, truncated) : ''
  if (text === '' || looksLikeMarkup(text)) return { ...ignoredRobots, state: 'none' }
  const { allows, reserves, crawlDelay, sitemaps, warnings } = parseRobots(text, agent)
  const capped = crawlDelay !== undefined && crawlDelay > MAX_CRAWL_DELAY_SECONDS
  const notes = [
    ...warnings,
    ...(truncated ? [`robots.txt is larger than ${MAX_ROBOTS_BYTES / 1024} kB; only that much of it was read`] : []),
    ...(capped
      ? [`robots.txt requests ${crawlDelay} s between visits; the limit of ${MAX_CRAWL_DELAY_SECONDS} s is used`]
      : []),
  ]
  const delaySeconds = crawlDelay === undefined ? undefined : Math.min(crawlDelay, MAX_CRAWL_DELAY_SECONDS)
  return { state: 'rules', allows, reserves, delaySeconds, sitemaps, notes, bytes: body.byteLength }
}

/** By its byte order mark, or by the zero bytes of its letters. */
function utf16Of([first, second]: Uint8Array): string | undefined {
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || (first === 0 && second) ? 'utf-16be' : undefined
}

/** Drops the last, cut line: it could mean the opposite. */
function decodeBody(body: Uint8Array, truncated: boolean): string {
  const text = new TextDecoder(utf16Of(body) ?? 'utf-8').decode(body)
  return truncated ? text.slice(0, Math.max(text.lastIndexOf('\n'), 0)) : text
}

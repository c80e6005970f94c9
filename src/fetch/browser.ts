// The browser engine: a page as a person would see it, after its scripts have run. The pool lends the browser, the proxy
// watches over its connections; what to make of the capture is decided elsewhere.
import { AsyncResource } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Capture, Visit } from '../base/page.ts'
import { Problem } from '../base/problem.ts'
import { abortProblem, systemClock } from '../base/time.ts'
import type { BrowserProxy, Pass } from './browser-proxy.ts'
import { type AdCheck, foreignAds } from './chrome/ads.ts'
import type { RefuseByRules } from './chrome/consent.ts'
import type { BrowserKind } from './chrome/launch.ts'
import { readPage } from './chrome/page-visit.ts'
import { CrashedPage, type Lease, LostBrowser, type Pool, Unadmitted } from './chrome/pool.ts'
import { contextOptions } from './chrome/profile.ts'
import type { Egress } from './egress.ts'
import type { Engine } from './engine.ts'

export interface BrowserParts {
  pool: Pool
  /** Opened with the first visit. */
  proxy(): Promise<BrowserProxy>
  egress: Egress
  isAd: AdCheck
  refuseByRules: RefuseByRules
  hasEastAsianFonts(): Promise<boolean>
}

/** A lease ends by itself some time after the longest timeout a caller can set. */
const LEASE_MS = 330_000
/** Further tries, each on another browser. A page that crashes is most likely the cause itself. */
const LOSS_RETRIES = 2
const CRASH_RETRIES = 1

export function browserEngine(parts: BrowserParts): Engine {
  // A name that no page can guess, for what the service keeps inside pages.
  const watchName = `_${randomBytes(8).toString('hex')}`
  return {
    name: 'browser',
    gives: ['bytes', 'rendered', 'screenshot', 'look', 'actions', 'mobile', 'memory'],
    cost: 10,
    async fetch(visit, signal) {
      let kind = kindFor(visit)
      const losses: string[] = []
      for (;;) {
        try {
          return await visitOnce(parts, visit, { watchName, kind }, signal)
        } catch (error) {
          if (!(error instanceof LostBrowser)) throw error
          losses.push(error.message)
          const crashed = error instanceof CrashedPage
          if (losses.length > (crashed ? CRASH_RETRIES : LOSS_RETRIES))
            throw new Problem(crashed ? 'site_failed' : 'browser_failed', { because: told(losses), cause: error })
          // Another library asks another way, and its browser is told the login by us alone.
          if (error instanceof Unadmitted) kind = 'drawn'
        }
      }
    },
  }
}

/** What happened, try by try. */
const told = (losses: readonly string[]): string =>
  new Set(losses).size === 1 ? `${losses[0]}, ${losses.length} times in a row` : losses.join('; then ')

async function visitOnce(
  parts: BrowserParts,
  visit: Visit,
  { watchName, kind }: { watchName: string; kind: BrowserKind },
  signal: AbortSignal,
): Promise<Capture> {
  const started = performance.now()
  const fetchedAt = systemClock.now()
  const proxy = await parts.proxy()
  const enhanced = visit.proxy === 'enhanced'
  const { hostname } = new URL(visit.url)
  parts.egress.check(visit.url)
  const pass = proxy.admit({
    // Connections come without the context of the visit, so it is tied on here.
    assert: AsyncResource.bind((address: string) => parts.egress.check(address)),
    route: { tier: enhanced ? 'enhanced' : 'basic', site: hostname, country: visit.country },
    blocks: visit.blockAds ? foreignAds(parts.isAd, hostname) : () => false,
  })
  let lease: Lease | undefined
  try {
    const wish = {
      owner: hostname,
      team: visit.team,
      kind,
      // What is done in a page can reach the clipboard; reading a page cannot.
      ownBrowser: visit.actions.length > 0,
      profile: contextOptions(visit, proxy.server),
      ttlMs: LEASE_MS,
    }
    lease = await parts.pool.lease(wish, signal)
    const read = await whileHeld(lease, signal, readPage({ ...parts, lease, visit, pass, watchName, signal }))
    return {
      engine: 'browser',
      fetchedAt,
      ...read,
      proxyUsed: enhanced || pass.enhanced() ? 'stealth' : 'basic',
      timings: { ...read.timings, totalMs: Math.round((performance.now() - started) * 100) / 100 },
      warnings: [...read.warnings, ...refusals(pass)],
    }
  } catch (error) {
    if (signal.aborted) throw abortProblem(signal)
    if (lease?.lost.aborted) throw lease.lost.reason
    // Whoever ate one browser empty is not given another.
    if (error instanceof LostBrowser && lease?.overgrown())
      throw new Problem('site_failed', { because: 'the page took more memory than a page may have', cause: error })
    if (error instanceof LostBrowser) lease?.distrust()
    throw error instanceof Problem || error instanceof LostBrowser ? error : unexpected(error)
  } finally {
    // Nobody waits for the tidying up; the slot is free when it is done.
    void lease?.release().finally(() => pass.close())
    if (!lease) pass.close()
  }
}

/** Nobody looks at a page that is only read; what a browser remembers is the library's to give and take. */
function kindFor({ proxy, screenshot, look, actions, remembered }: Visit): BrowserKind {
  if (proxy === 'enhanced') return 'enhanced'
  return screenshot || look || actions.length > 0 || remembered !== undefined ? 'drawn' : 'still'
}

/** The work, or the reason why nobody waits for it any longer. */
function whileHeld<T>(lease: Lease, signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(abortProblem(signal))
    const lost = () => reject(lease.lost.reason)
    const done = () => {
      signal.removeEventListener('abort', late)
      lease.lost.removeEventListener('abort', lost)
    }
    signal.addEventListener('abort', late, { once: true })
    lease.lost.addEventListener('abort', lost, { once: true })
    if (signal.aborted) late()
    work.then(resolve, reject).finally(done)
  })
}

function refusals(pass: Pass): string[] {
  const count = pass.refused()
  if (count === 0) return []
  return [
    `The page asked for ${count} address${count === 1 ? '' : 'es'} that are not on the public web; they were not visited.`,
  ]
}

/** How browsers and libraries say that the page they were asked about is no more. */
const GONE =
  /Target (page, context|closed|crashed)|has been closed|Page crashed|Protocol error.*closed|given id not found|active page/i

function unexpected(error: unknown): Problem | LostBrowser {
  const message = (error as Error).message || String(error)
  if (GONE.test(message)) return new LostBrowser('the page was closed under the visit')
  return new Problem('site_failed', { because: message.split('\n', 1)[0]?.slice(0, 300) ?? '', cause: error })
}

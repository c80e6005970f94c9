// The browser engine: captures a page after its scripts have run.
import { AsyncResource } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { systemClock } from '../base/clock.ts'
import { problemOfAbort, rejectWhenAborted } from '../base/deadline.ts'
import { Problem } from '../base/problem.ts'
import type { Capture, Visit } from '../base/visit-and-capture-types.ts'
import { botIdentity } from './bot-identity.ts'
import type { BrowserProxy, ProxyLogin } from './browser-proxy.ts'
import { type IsAdHost, makeAdCheckForSite } from './chrome/ad-hosts.ts'
import {
  type BrowserLease,
  type BrowserPool,
  CrashedPageError,
  LostBrowserError,
  ProxyLoginError,
} from './chrome/browser-pool.ts'
import { makeContextOptions } from './chrome/context-options.ts'
import type { MakeCookieOptOutScript } from './chrome/cookie-opt-out-script.ts'
import type { BrowserKind } from './chrome/launch-browser.ts'
import { isTargetGone } from './chrome/playwright-errors.ts'
import type { RunFlow } from './chrome/run-actions.ts'
import { visitAndReadPage } from './chrome/visit-page.ts'
import type { Egress } from './egress.ts'
import type { FetchEngine } from './fetch-engine.ts'

interface BrowserParts {
  pool: BrowserPool
  proxy(): Promise<BrowserProxy>
  egress: Egress
  isAd: IsAdHost
  refuseByRules: MakeCookieOptOutScript
  hasEastAsianFonts(): Promise<boolean>
  runFlow: RunFlow
}

/** Longer than the longest timeout a caller can set. */
const LEASE_MS = 330_000
/** Retries, each on another browser. After a crash the page itself is the most likely cause, so it gets fewer. */
const LOST_BROWSER_RETRIES = 2
const CRASH_RETRIES = 1

export function makeBrowserEngine(parts: BrowserParts): FetchEngine {
  const watchName = `_${randomBytes(8).toString('hex')}`
  return {
    name: 'browser',
    gives: ['bytes', 'rendered', 'screenshot', 'computedStyle', 'actions', 'mobile', 'memory'],
    cost: 10,
    async fetch(visit, signal) {
      let kind = kindFor(visit)
      const losses: string[] = []
      for (;;) {
        try {
          return await visitOnce(parts, visit, { watchName, kind }, signal)
        } catch (error) {
          if (!(error instanceof LostBrowserError)) throw error
          losses.push(error.message)
          const crashed = error instanceof CrashedPageError
          // What a flow has ordered or sent must not be done twice.
          const isOnce = visit.actions.some(({ type }) => type === 'flow')
          if (isOnce || losses.length > (crashed ? CRASH_RETRIES : LOST_BROWSER_RETRIES))
            throw new Problem(crashed ? 'site_failed' : 'browser_failed', { because: lossesText(losses), cause: error })
          // The other library authenticates differently: we supply the login to its browser ourselves.
          if (error instanceof ProxyLoginError) kind = 'drawn'
        }
      }
    },
  }
}

const lossesText = (losses: readonly string[]): string =>
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
    // Proxy connections arrive outside the visit's async context, so bind it here.
    assert: AsyncResource.bind((address: string) => parts.egress.checkResolved(address)),
    route: { tier: enhanced ? 'enhanced' : 'basic', site: hostname, country: visit.country, team: visit.team },
    blocks: visit.blockAds ? makeAdCheckForSite(parts.isAd, hostname) : () => false,
  })
  let lease: BrowserLease | undefined
  try {
    const options = {
      owner: hostname,
      team: visit.team,
      kind,
      // Actions can reach the clipboard, which a browser shares between its contexts.
      ownBrowser: visit.actions.length > 0,
      profile: makeContextOptions(visit, proxy.server),
      ttlMs: LEASE_MS,
    }
    lease = await parts.pool.lease(options, signal)
    const read = await whileHeld(lease, signal, visitAndReadPage({ ...parts, lease, visit, pass, watchName, signal }))
    return {
      engine: 'browser',
      fetchedAt,
      ...read,
      proxyUsed: enhanced || pass.enhanced() ? 'stealth' : 'basic',
      timings: { ...read.timings, totalMs: Math.round((performance.now() - started) * 100) / 100 },
      warnings: [...read.warnings, ...refusals(pass)],
    }
  } catch (error) {
    if (signal.aborted) throw problemOfAbort(signal)
    if (lease?.lost.aborted) throw lease.lost.reason
    // A page that exhausted one browser's memory is not retried on another.
    if (error instanceof LostBrowserError && lease?.exceededMemory())
      throw new Problem('site_failed', { because: 'the page took more memory than a page may have', cause: error })
    if (error instanceof LostBrowserError) lease?.retireBrowser()
    throw error instanceof Problem || error instanceof LostBrowserError ? error : toVisitError(error)
  } finally {
    // Not awaited: the slot is freed once cleanup is done.
    void lease?.release().finally(() => pass.close())
    if (!lease) pass.close()
  }
}

/** Screenshots, styles, actions and stored browser state need the browser that draws. */
function kindFor({ proxy, screenshot, computedStyle, actions, remembered }: Visit): BrowserKind {
  if (proxy === 'enhanced' && !botIdentity()) return 'enhanced'
  return screenshot || computedStyle || actions.length > 0 || remembered !== undefined ? 'drawn' : 'still'
}

const whileHeld = <T>({ lost }: BrowserLease, signal: AbortSignal, work: Promise<T>): Promise<T> =>
  rejectWhenAborted(
    signal,
    rejectWhenAborted(lost, work, ({ reason }) => reason),
  )

function refusals(pass: ProxyLogin): string[] {
  const count = pass.refused()
  if (count === 0) return []
  return [
    `The page asked for ${count} address${count === 1 ? '' : 'es'} that are not on the public web; they were not visited.`,
  ]
}

function toVisitError(error: unknown): Problem | LostBrowserError {
  const message = (error as Error).message || String(error)
  if (isTargetGone(error)) return new LostBrowserError('the page was closed under the visit')
  return new Problem('site_failed', { because: message.split('\n', 1)[0]?.slice(0, 300) ?? '', cause: error })
}

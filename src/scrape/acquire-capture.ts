// The only step that fetches: tries engines in order of cost and judges each capture. The browser is used on evidence
// only.
import { createHash } from 'node:crypto'
import { remainingOf, startDeadline } from '../base/deadline.ts'
import type { ScrapeTrace } from '../base/log.ts'
import { asProblem, Problem } from '../base/problem.ts'
import { inSpan } from '../base/spans.ts'
import type { Capture, EngineAbility, Visit } from '../base/visit-and-capture-types.ts'
import type { FetchEngine } from '../fetch/fetch-engine.ts'
import type { HostVisitHistory } from './host-visit-history.ts'
import { judgeCapture } from './judge-capture.ts'
import type { ScrapePlan } from './scrape-plan.ts'

export interface AcquiredCapture {
  capture: Capture
  /** Set when the page may be incomplete and no engine can do better. */
  warning?: string
}

interface AcquireParts {
  engines: readonly FetchEngine[]
  hosts: HostVisitHistory
  /** For the caller, the enhanced tier has proxies of its own, so it visits from another address. */
  hasEnhancedProxies(): boolean
}

/** One page: how it is to be visited, and what the visits so far have shown. */
interface Acquisition {
  readonly plan: ScrapePlan
  readonly parts: AcquireParts
  readonly trace: ScrapeTrace
  readonly signal: AbortSignal
  best?: AcquiredCapture
  blocked: Problem | undefined
  want?: EngineAbility
  auto: boolean
  /** Any refusal escalates, not only a block page: the enhanced tier visits from another address. */
  hasOtherAddress: boolean
  /** Why the basic tier failed in a way that another address could mend. */
  refused?: string
  lost?: Problem
}

export async function acquireCapture(
  plan: ScrapePlan,
  parts: AcquireParts,
  trace: ScrapeTrace,
  signal: AbortSignal,
): Promise<AcquiredCapture> {
  const { visit, impossible } = plan
  if (impossible) throw new Problem(plan.lockdown ? 'lockdown_impossible' : 'no_cached_data', { because: impossible })
  const able = enginesFor(plan, parts.engines)
  if (plan.wants.length > 0 && !visit.cache.only)
    trace.add('choose', { wants: plan.wants, because: 'the options ask for it' })
  const auto = visit.proxy === 'auto'
  const hasOtherAddress = auto && parts.hasEnhancedProxies()
  const page: Acquisition = { plan, parts, trace, signal, blocked: undefined, auto, hasOtherAddress }
  const guarded = auto && !visit.cache.only ? parts.hosts.reasonToUseEnhancedTier(visit.url) : undefined
  const asPlanned = await acquireAsPlanned(page, able, guarded !== undefined)
  if (asPlanned) return asPlanned
  if (page.lost) return await withoutScripts(page, page.lost)
  const reason = guarded ?? page.refused ?? (page.blocked && auto ? 'the basic tier was blocked' : undefined)
  const enhanced = reason && (await acquireByEnhancedTier(page, able, reason))
  if (enhanced) return enhanced
  if (page.blocked) throw page.blocked
  if (page.best) return page.best
  if (visit.cache.only) throw new Problem(plan.lockdown ? 'lockdown_miss' : 'no_cached_data')
  throw new Problem('all_engines_failed')
}

function enginesFor({ visit, wants, mayRender }: ScrapePlan, engines: readonly FetchEngine[]): FetchEngine[] {
  // A cached page has no picture; the format reports it as missing.
  const needed = visit.cache.only ? wants.filter((give) => give !== 'screenshot' && give !== 'computedStyle') : wants
  return engines
    .filter((engine) => isCached(engine) || !visit.cache.only)
    .filter((engine) => needed.every((give) => engine.gives.includes(give)))
    .filter((engine) => mayRender || !renders(engine))
    .sort((a, b) => a.cost - b.cost)
}

async function acquireAsPlanned(
  page: Acquisition,
  engines: readonly FetchEngine[],
  isGuarded: boolean,
): Promise<AcquiredCapture | undefined> {
  for (const engine of engines) {
    if (isGuarded && !isCached(engine)) break
    if (page.want && !engine.gives.includes(page.want)) continue
    if (isPlain(engine) && skips(page, engines)) continue
    const done = await attempt(page, engine, page.plan.visit)
    if (done || page.refused) return done
  }
  return undefined
}

async function acquireByEnhancedTier(
  page: Acquisition,
  engines: readonly FetchEngine[],
  because: string,
): Promise<AcquiredCapture | undefined> {
  page.hasOtherAddress = false
  page.trace.add('choose', { proxy: 'enhanced', because })
  // Plain HTTP with a browser fingerprint first: it costs a hundredth of a browser, and works without one.
  for (const engine of engines.filter((one) => !isCached(one))) {
    const done = await attempt(page, engine, { ...page.plan.visit, proxy: 'enhanced' })
    if (done) return done
  }
  if (page.lost) throw page.lost
  return undefined
}

/** The site confirmed the validators that were sent, or sent the same bytes. */
export const isNotModified = ({ marks }: Visit, { engine, status, body }: Capture): boolean =>
  marks !== undefined &&
  (status === 304 || (engine === 'http' && status === 200 && marks.body !== undefined && marks.body === hashBody(body)))

export const hashBody = (body: Uint8Array): string => createHash('sha256').update(body).digest('base64url')

const isCached = (engine: FetchEngine): boolean => engine.gives.includes('cached')
const renders = (engine: FetchEngine): boolean => engine.gives.includes('rendered') && !isCached(engine)
const isPlain = (engine: FetchEngine): boolean => !engine.gives.includes('rendered')

function skips({ plan, parts, trace }: Acquisition, engines: readonly FetchEngine[]): boolean {
  if (!engines.some(renders)) return false
  const because = parts.hosts.reasonToSkipPlainVisit(plan.visit.url)
  if (because) trace.add('choose', { engine: 'browser', because })
  return because !== undefined
}

/**
 * The page without scripts, when the browser itself failed and nothing else requires one: a partial page is better than
 * an error of ours.
 */
async function withoutScripts(page: Acquisition, lost: Problem): Promise<AcquiredCapture> {
  const { plan, parts, trace, signal } = page
  const plain = parts.engines.find((engine) => isPlain(engine) && !isCached(engine))
  if (!plain || plan.wants.some((give) => give !== 'rendered')) throw lost
  trace.add('choose', { engine: plain.name, because: 'the browser failed' })
  const again: Acquisition = { plan, parts, trace, signal, blocked: undefined, auto: false, hasOtherAddress: false }
  const done = await attempt(again, plain, plan.visit).catch(() => undefined)
  if (!done) throw lost
  return { ...done, warning: `The page is returned as received, without its scripts: ${lost.message}` }
}

async function attempt(page: Acquisition, engine: FetchEngine, visit: Visit): Promise<AcquiredCapture | undefined> {
  const { trace } = page
  const startedAt = trace.elapsedMs()
  const since = () => Math.round((trace.elapsedMs() - startedAt) * 100) / 100
  let capture: Capture | undefined
  try {
    capture = await inSpan(`fetch ${engine.name}`, {}, () => fetchInTime(page, engine, visit))
  } catch (error) {
    const problem = asProblem(error)
    trace.add(engine.name, { failed: problem.message, ms: since() })
    return recordFailure(page, problem)
  }
  if (!capture) {
    trace.add(engine.name, { found: false, ms: since() })
    return undefined
  }
  const { status, body, hops, timings, asSent } = capture
  trace.add(engine.name, {
    status,
    bytes: body.byteLength,
    hops,
    ...(visit.proxy === 'enhanced' ? { proxy: visit.proxy } : {}),
    ...timings,
    ...(asSent ? { asSent } : {}),
    ms: since(),
  })
  if (capture.cacheId || isNotModified(visit, capture)) return { capture }
  return await judge(page, engine, visit, capture)
}

async function judge(
  page: Acquisition,
  engine: FetchEngine,
  visit: Visit,
  capture: Capture,
): Promise<AcquiredCapture | undefined> {
  const { status } = capture
  const verdict = await judgeCapture(capture)
  if (verdict.ok && page.hasOtherAddress && isRefusal(status)) {
    page.best = { capture }
    page.refused = `the basic tier received status ${status}`
    return undefined
  }
  const plain = isPlain(engine)
  const raised = visit.proxy === 'enhanced'
  // Only an escalated visit shows that the basic tier is blocked.
  const note = (outcome: Parameters<HostVisitHistory['note']>[1]) => {
    if (plain && (!raised || page.auto)) page.parts.hosts.note(visit.url, outcome)
  }
  if (verdict.ok || (!plain && verdict.because === 'shell')) {
    note(raised ? 'disguised' : 'page')
    return { capture }
  }
  const { because, evidence, want } = verdict
  note(raised && because === 'blocked' ? 'unmasked' : because)
  page.trace.add('judge', { because, evidence, want })
  if (because === 'blocked') page.blocked = new Problem('blocked', { because: evidence })
  else {
    page.best = { capture, warning: `${evidence}, and it was not rendered` }
    page.blocked = undefined
  }
  if (want) page.want = want
  return undefined
}

/** Left for the answer from the page as it was sent, when rendering it runs out of time; at most a fifth of what remains. */
const STATIC_ANSWER_MS = 3000
const STATIC_ANSWER_SHARE = 0.2

/** With a page in hand, rendering ends early enough to return that one. */
async function fetchInTime(
  { best, signal }: Acquisition,
  engine: FetchEngine,
  visit: Visit,
): Promise<Capture | undefined> {
  const remaining = remainingOf(signal)
  if (!best || !renders(engine) || remaining === Number.POSITIVE_INFINITY) return engine.fetch(visit, signal)
  const limitMs = remaining - Math.min(STATIC_ANSWER_MS, remaining * STATIC_ANSWER_SHARE)
  const because = `rendering took longer than the ${Math.round(limitMs)} ms left for it; raise \`timeout\``
  const limit = startDeadline(limitMs, signal, because)
  try {
    return await limit.during(() => engine.fetch({ ...visit, endsAt: performance.now() + limitMs }, limit.signal))
  } finally {
    limit.clear()
  }
}

const isRefusal = (status: number): boolean => [401, 403, 407, 429].includes(status) || status >= 500

const MENDABLE = new Set<string>(['site_failed', 'tls_failed', 'proxy_failed', 'proxy_timeout'])

const FINAL = new Set<string>(['redirect_loop', 'refused_address', 'unsafe_domain'])

/** If plain bytes are available, a browser failure costs only the scripts, not the page. */
function recordFailure(page: Acquisition, problem: Problem): undefined {
  const { best, blocked, signal } = page
  if (page.hasOtherAddress && MENDABLE.has(problem.kind) && !signal.aborted) {
    page.refused = problem.message
    return undefined
  }
  if (problem.kind === 'browser_failed' && !signal.aborted && !best && !blocked) {
    page.lost = problem
    return undefined
  }
  if (signal.aborted || FINAL.has(problem.kind) || (!best && !blocked)) throw problem
  if (best) best.warning = [best.warning, problem.message].filter(Boolean).join(': ')
  return undefined
}

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

interface State {
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
  const { visit } = plan
  const { impossible } = plan
  if (impossible) throw new Problem(plan.lockdown ? 'lockdown_impossible' : 'no_cached_data', { because: impossible })
  // A cached page has no picture; the format reports it as missing.
  const wants = visit.cache.only
    ? plan.wants.filter((give) => give !== 'screenshot' && give !== 'computedStyle')
    : plan.wants
  const able = parts.engines
    .filter((engine) => engine.gives.includes('cached') || !visit.cache.only)
    .filter((engine) => wants.every((give) => engine.gives.includes(give)))
    .filter((engine) => plan.mayRender || !renders(engine))
    .sort((a, b) => a.cost - b.cost)
  if (plan.wants.length > 0 && !visit.cache.only)
    trace.add('choose', { wants: plan.wants, because: 'the options ask for it' })
  const auto = visit.proxy === 'auto'
  const state: State = { blocked: undefined, auto, hasOtherAddress: auto && parts.hasEnhancedProxies() }
  const guarded = auto && !visit.cache.only ? parts.hosts.reasonToUseEnhancedTier(visit.url) : undefined
  for (const engine of able) {
    if (guarded && !engine.gives.includes('cached')) break
    if (state.want && !engine.gives.includes(state.want)) continue
    if (isPlain(engine) && skips(plan, able, parts.hosts, trace)) continue
    const done = await attempt(engine, visit, state, parts, trace, signal)
    if (done) return done
    if (state.refused) break
  }
  if (state.lost) return await withoutScripts(plan, state.lost, parts, trace, signal)
  const refused = state.refused ?? (state.blocked && auto ? 'the basic tier was blocked' : undefined)
  if (guarded || refused) {
    state.hasOtherAddress = false
    trace.add('choose', { proxy: 'enhanced', because: guarded ?? refused })
    // Plain HTTP with a browser fingerprint first: it costs a hundredth of a browser, and works without one.
    for (const engine of able.filter(({ gives }) => !gives.includes('cached'))) {
      const done = await attempt(engine, { ...visit, proxy: 'enhanced' }, state, parts, trace, signal)
      if (done) return done
    }
    if (state.lost) throw state.lost
  }
  if (state.blocked) throw state.blocked
  if (state.best) return state.best
  if (visit.cache.only) throw new Problem(plan.lockdown ? 'lockdown_miss' : 'no_cached_data')
  throw new Problem('all_engines_failed')
}

/** The site confirmed the validators that were sent, or sent the same bytes. */
export const isNotModified = ({ marks }: Visit, { engine, status, body }: Capture): boolean =>
  marks !== undefined &&
  (status === 304 || (engine === 'http' && status === 200 && marks.body !== undefined && marks.body === hashBody(body)))

export const hashBody = (body: Uint8Array): string => createHash('sha256').update(body).digest('base64url')

const renders = (engine: FetchEngine): boolean => engine.gives.includes('rendered') && !engine.gives.includes('cached')
const isPlain = (engine: FetchEngine): boolean => !engine.gives.includes('rendered')

function skips(plan: ScrapePlan, able: readonly FetchEngine[], hosts: HostVisitHistory, trace: ScrapeTrace): boolean {
  if (!able.some(renders)) return false
  const because = hosts.reasonToSkipPlainVisit(plan.visit.url)
  if (because) trace.add('choose', { engine: 'browser', because })
  return because !== undefined
}

/**
 * The page without scripts, when the browser itself failed and nothing else requires one: a partial page is better than
 * an error of ours.
 */
async function withoutScripts(
  plan: ScrapePlan,
  lost: Problem,
  parts: AcquireParts,
  trace: ScrapeTrace,
  signal: AbortSignal,
): Promise<AcquiredCapture> {
  const plain = parts.engines.find((engine) => isPlain(engine) && !engine.gives.includes('cached'))
  if (!plain || plan.wants.some((give) => give !== 'rendered')) throw lost
  trace.add('choose', { engine: plain.name, because: 'the browser failed' })
  const state: State = { blocked: undefined, auto: false, hasOtherAddress: false }
  const done = await attempt(plain, plan.visit, state, parts, trace, signal).catch(() => undefined)
  if (!done) throw lost
  return { ...done, warning: `The page is returned as received, without its scripts: ${lost.message}` }
}

async function attempt(
  engine: FetchEngine,
  visit: Visit,
  state: State,
  { hosts }: AcquireParts,
  trace: ScrapeTrace,
  signal: AbortSignal,
): Promise<AcquiredCapture | undefined> {
  const startedAt = trace.elapsedMs()
  const since = () => Math.round((trace.elapsedMs() - startedAt) * 100) / 100
  let capture: Capture | undefined
  try {
    capture = await inSpan(`fetch ${engine.name}`, {}, () => fetchInTime(engine, visit, state, signal))
  } catch (error) {
    const problem = asProblem(error)
    trace.add(engine.name, { failed: problem.message, ms: since() })
    return failed(problem, state, signal)
  }
  if (!capture) {
    trace.add(engine.name, { found: false, ms: since() })
    return undefined
  }
  const { status, body, hops, timings, asSent } = capture
  const raised = visit.proxy === 'enhanced'
  const tier = raised ? { proxy: visit.proxy } : {}
  trace.add(engine.name, {
    status,
    bytes: body.byteLength,
    hops,
    ...tier,
    ...timings,
    ...(asSent ? { asSent } : {}),
    ms: since(),
  })
  if (capture.cacheId || isNotModified(visit, capture)) return { capture }
  const verdict = await judgeCapture(capture)
  if (verdict.ok && state.hasOtherAddress && isRefusal(status)) {
    state.best = { capture }
    state.refused = `the basic tier received status ${status}`
    return undefined
  }
  const plain = isPlain(engine)
  // Only an escalated visit shows that the basic tier is blocked.
  const climbed = !raised || state.auto
  if (verdict.ok || (!plain && verdict.because === 'shell')) {
    if (plain && climbed) hosts.note(visit.url, raised ? 'disguised' : 'page')
    return { capture }
  }
  if (plain && climbed) hosts.note(visit.url, raised && verdict.because === 'blocked' ? 'unmasked' : verdict.because)
  trace.add('judge', { because: verdict.because, evidence: verdict.evidence, want: verdict.want })
  if (verdict.because === 'blocked') state.blocked = new Problem('blocked', { because: verdict.evidence })
  else {
    state.best = { capture, warning: `${verdict.evidence}, and it was not rendered` }
    state.blocked = undefined
  }
  if (verdict.want) state.want = verdict.want
  return undefined
}

/** Left for the answer from the page as it was sent, when rendering it runs out of time; at most a fifth of what remains. */
const STATIC_ANSWER_MS = 3000
const STATIC_ANSWER_SHARE = 0.2

/** With a page in hand, rendering ends early enough to return that one. */
async function fetchInTime(
  engine: FetchEngine,
  visit: Visit,
  { best }: State,
  signal: AbortSignal,
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
function failed(problem: Problem, state: State, signal: AbortSignal): AcquiredCapture | undefined {
  const { best, blocked } = state
  if (state.hasOtherAddress && MENDABLE.has(problem.kind) && !signal.aborted) {
    state.refused = problem.message
    return undefined
  }
  if (problem.kind === 'browser_failed' && !signal.aborted && !best && !blocked) {
    state.lost = problem
    return undefined
  }
  if (signal.aborted || FINAL.has(problem.kind) || (!best && !blocked)) throw problem
  if (best) best.warning = [best.warning, problem.message].filter(Boolean).join(': ')
  return undefined
}

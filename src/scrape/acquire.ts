// The only step that touches the web: engines in order of cost, a verdict on what each brings, and the next one when
// the verdict wants more.
import type { Trace } from '../base/log.ts'
import type { Capture, Give } from '../base/page.ts'
import { Problem } from '../base/problem.ts'
import type { Engine } from '../fetch/engine.ts'
import { judge } from './judge.ts'
import type { Plan } from './plan.ts'

export interface Acquired {
  capture: Capture
  /** Set when the page is not all it could be and no engine here can do better. */
  warning?: string
}

export async function acquire(
  plan: Plan,
  engines: readonly Engine[],
  trace: Trace,
  signal: AbortSignal,
): Promise<Acquired> {
  const candidates = engines
    .filter((engine) => engine.gives.includes('cached') || !plan.visit.cache.only)
    .filter((engine) => plan.wants.every((give) => engine.gives.includes(give)))
    .sort((a, b) => a.cost - b.cost)
  let best: Acquired | undefined
  let want: Give | undefined
  for (const engine of candidates) {
    if (want && !engine.gives.includes(want)) continue
    const startedAt = trace.elapsedMs()
    const capture = await engine.fetch(plan.visit, signal)
    const ms = Math.round((trace.elapsedMs() - startedAt) * 100) / 100
    if (!capture) {
      trace.add(engine.name, { found: false, ms })
      continue
    }
    const verdict = capture.cacheId ? { ok: true as const } : judge(capture)
    trace.add(engine.name, {
      status: capture.status,
      bytes: capture.body.byteLength,
      hops: capture.hops,
      ...capture.timings,
      ms,
    })
    if (verdict.ok) return { capture }
    trace.add('judge', { because: verdict.because, evidence: verdict.evidence, want: verdict.want })
    if (verdict.because === 'blocked') throw new Problem('blocked', { because: verdict.evidence })
    best = { capture, warning: `${verdict.evidence}, and no engine of this build can do better` }
    want = verdict.want
  }
  if (best) return best
  if (plan.visit.cache.only) throw new Problem(plan.lockdown ? 'lockdown_miss' : 'no_cached_data')
  throw new Problem('all_engines_failed')
}

// Judges whether a change matches the goal: by a model, or else by rules (understanding/changes/goal).
import type { Llm } from '../../llm/llm.ts'
import type { ComparedValues } from '../../understanding/changes/compare-json.ts'
import type { ReportedChange } from '../../understanding/changes/evaluate-monitor-check.ts'
import { type ChangeJudgment, judgeChangeByRules } from '../../understanding/changes/judge-change-by-rules.ts'

interface JudgeAsk {
  goal: string
  changes: readonly ReportedChange[]
  met: readonly string[]
  json: ComparedValues | undefined
  diff: string
  isHit?: boolean
}

const SCHEMA = {
  type: 'object',
  required: ['reason', 'meaningful', 'confidence'],
  properties: {
    reason: { type: 'string', description: 'One plain sentence.' },
    meaningful: { type: 'boolean', description: 'True when the change is what the goal asks for.' },
    confidence: { type: 'string', enum: ['high', 'medium', 'low'] },
  },
} as const

const MAX_DIFF = 12_000

export async function judgeChange(llm: Llm, ask: JudgeAsk, signal: AbortSignal): Promise<ChangeJudgment> {
  const changes = [...ask.changes, ...jsonChanges(ask.json)]
  const as = { isHit: ask.isHit ?? false, adjectives: await adjectivesIn(ask.goal) }
  const byRule = judgeChangeByRules(ask.goal, changes, ask.met, as)
  if (llm.by === 'extractive') return { ...byRule, judgeDegraded: true }
  const answer = await llm.extract(
    {
      text: () =>
        `What changed on a watched page, as a diff:\n\n${ask.diff.slice(0, MAX_DIFF) || JSON.stringify(ask.json ?? {}).slice(0, MAX_DIFF)}`,
      found: byRule,
      schema: SCHEMA,
      job: 'judge',
      prompt: `The owner wants to know: ${ask.goal}\nIs the change in the diff that? Changes of layout and counters are not; dates and times only when the goal is about them.`,
    },
    signal,
  )
  if (answer.by === 'extractive')
    return {
      ...byRule,
      judgeDegraded: true,
      degradedReason: answer.warnings[0] ?? 'The language model returned no response.',
    }
  const { meaningful, confidence, reason } = answer.value as Partial<ChangeJudgment>
  if (typeof meaningful !== 'boolean')
    return { ...byRule, judgeDegraded: true, degradedReason: 'The language model did not state whether it matters.' }
  return {
    meaningful,
    confidence: confidence === 'high' || confidence === 'low' ? confidence : 'medium',
    reason: typeof reason === 'string' ? reason : byRule.reason,
    meaningfulChanges: meaningful
      ? byRule.meaningfulChanges.length > 0
        ? byRule.meaningfulChanges
        : changes.slice(0, 10).map(toPlainChange)
      : [],
  }
}

/** English only; loaded on first use, since the lexicon takes megabytes. */
async function adjectivesIn(goal: string): Promise<ReadonlySet<string>> {
  const { default: nlp } = await import('compromise')
  return new Set(nlp(goal.toLowerCase()).match('#Adjective').terms().out('array') as string[])
}

const toPlainChange = ({ type, before, after, kind }: ReportedChange) => ({
  type,
  before,
  after,
  reason: `the ${kind} changed`,
})

const jsonChanges = (json: ComparedValues | undefined): ReportedChange[] =>
  Object.entries(json ?? {}).map(([path, { previous, current }]) => ({
    type: previous === null ? 'added' : current === null ? 'removed' : 'changed',
    before: previous === null ? null : `${path}: ${String(previous)}`,
    after: current === null ? null : `${path}: ${String(current)}`,
    section: '',
    kind: 'text',
  }))

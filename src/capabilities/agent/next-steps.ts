// What to do next: the rules plan, a model may choose otherwise, and the policy has the last word on every address.
import type { TokenCounts } from '../../llm/tokens.ts'
import type { AgentRun } from '../../store/agents.ts'
import type { Goal } from './goal.ts'
import type { Earlier } from './history.ts'
import type { Progress } from './learning.ts'
import { chosenByModel } from './model-planner.ts'
import type { Has } from './needs.ts'
import { keyOf, type Notebook, valueAt } from './notebook.ts'
import { deedOf, type Effort, type PlannedStep } from './planner.ts'
import { refusal } from './policy.ts'
import { tell } from './report.ts'
import { rulePlanner } from './rule-planner.ts'
import { toolOf, toolsIn } from './tools/tool.ts'

/** Steps beyond which a model no longer chooses, for each page that the effort allows. */
const STEPS_PER_PAGE = 2

/** Where a run stands. */
export interface Standing {
  run: AgentRun
  goal: Goal
  effort: Effort
  notebook: Notebook
  taken: Progress
  tokens: TokenCounts
  /** What was said before in the same conversation. */
  earlier: readonly Earlier[]
}

/** No steps: it is done. `n`: how many were taken. */
export async function nextSteps(has: Has, at: Standing, n: number, signal: AbortSignal) {
  const { run, goal, effort, notebook, taken } = at
  const choosing = { ...at, llm: has.llm, tools: toolsIn(has.agentTools) }
  // A model that wants what it may not have, or goes round in circles, is not asked for ever.
  for (let isAsked = n < effort.pages * STEPS_PER_PAGE; ; isAsked = false) {
    const plan = rulePlanner.next(goal, notebook, taken, effort)
    const chosen: readonly PlannedStep[] = isAsked ? await chosenByModel(choosing, plan.steps, signal) : plan.steps
    const allowed: PlannedStep[] = []
    const values = valuesOf(notebook)
    for (const step of chosen) {
      const no = refused(has, goal, step, values)
      if (no.length === 0) allowed.push(step)
      for (const { url, because } of no) {
        if (!notebook.visited.get(keyOf(url))) notebook.visited.set(keyOf(url), undefined)
        await tell(has, run, { type: 'reasoning.summary', text: `${url} is left out: ${because}.` })
      }
      // What may not be done is not planned again.
      if (no.length > 0 && step.tool === 'interact') taken.deeds.add(deedOf(step.input))
      if (no.length > 0 && step.tool === 'map') taken.mapped.add(step.input.url)
    }
    if (chosen.length === 0 || allowed.length > 0) return { steps: allowed, because: plan.because }
  }
}

/** The addresses of a step that the policy refuses. */
function refused({ agentTools }: Has, goal: Goal, { tool, input }: PlannedStep, values: Parameters<typeof refusal>[2]) {
  return toolOf(agentTools, tool)
    .visits(input as never)
    .flatMap((where) => {
      const because = refusal(goal, where, values)
      return because === undefined ? [] : [{ url: where.url, because }]
    })
}

/** Texts that were found, with the page of each: they must not travel in an address. */
export function valuesOf(notebook: Notebook): { value: string; url: string }[] {
  const { data, sources } = notebook.answer()
  const pages = [...new Set(notebook.visited.values())].flatMap((page) => page ?? [])
  const seen = pages.flatMap(({ url, tokens = [] }) => tokens.map((value) => ({ value, url })))
  const found = Object.entries(sources).flatMap(([path, { quote, url }]) => {
    const value = valueAt(data, path)
    const texts = [typeof value === 'object' ? undefined : String(value), quote?.slice(0, 80)]
    return texts.flatMap((text) => (text ? [{ value: text, url }] : []))
  })
  return [...seen, ...found]
}

// One loop, two choosers. The loop (run.ts) reads → ranks → notes → asks a chooser → … → answers. Without a model the chooser is
// breadth-first.ts; with one it is model-chooser.ts.
//
// How a chooser plugs in:
// - It implements `Chooser` below, and `chooserFor` in run.ts picks it. It gets the whole `RunState` and returns steps, best
//   first; no steps end the run. It may call another chooser's `next` for a default.
// - It only picks. The loop checks every address of a step against the policy (policy.ts) and leaves refused steps out, opens
//   each step with its price under the cap, runs it, stores its result, and notes it (notebook.ts). Values are checked where
//   pages are read (quotes.ts), whoever chooses.
// - State is rebuilt from the stored steps after a crash and for a replay, so a chooser keeps nothing between two calls.
// - `compose` may write the final answer once, from the notes. Without it, or when it returns undefined, the notebook's own
//   answer is used: quotes for a question, the best-supported values for a schema.
import type { TokenCounts } from '../../llm/tokens.ts'
import type { AgentRun } from '../../store/agents.ts'
import type { Goal } from './goal.ts'
import type { Earlier } from './history.ts'
import type { AgentAnswer, Notebook } from './notebook.ts'
import type { Progress } from './progress.ts'
import type { Effort, PlannedStep } from './steps.ts'

export interface Chooser {
  next(state: RunState, signal: AbortSignal): AgentPlan | Promise<AgentPlan>
  compose?(state: RunState, signal: AbortSignal): Promise<AgentAnswer | undefined>
}

/** All that a chooser may know of a run. */
export interface RunState {
  run: AgentRun
  goal: Goal
  effort: Effort
  notebook: Notebook
  progress: Progress
  tokens: TokenCounts
  /** Earlier turns of the same conversation. */
  earlier: readonly Earlier[]
}

export interface AgentPlan {
  /** None: the run is done. */
  steps: PlannedStep[]
  /** In a sentence, for the trace. */
  because: string
}

// The chooser interface. The loop (run.ts) reads, ranks, notes and asks the chooser for the next steps:
// breadth-first-chooser.ts without a model, model-chooser.ts with one.
//
// - `chooserFor` in run.ts picks the implementation. It gets the whole `RunState` and returns steps, best first; no
//   steps end the run. It may call another chooser's `next` for a default.
// - The loop checks every URL of a step against policy.ts, drops refused steps, reserves the price under the cap, runs
//   the step and stores its result. Values are checked where pages are read (quotes.ts).
// - State is rebuilt from the stored steps after a crash and for a replay, so a chooser keeps nothing between two
//   calls.
// - The answer is the notebook's: quotes for a question, the best-supported values for a schema, or what the step
//   `compose` wrote from the notes.
import type { TokenCounts } from '../../llm/tokens.ts'
import type { Goal } from './goal.ts'
import type { EarlierTurn } from './history.ts'
import type { Notebook } from './notebook.ts'
import type { Progress } from './progress.ts'
import type { Effort, PlannedStep } from './steps.ts'
import type { AgentRun } from './store/agents.ts'

export interface Chooser {
  next(state: RunState, signal: AbortSignal): AgentPlan | Promise<AgentPlan>
  /** The plan that ends a run which took too many steps; absent: the rules go on. */
  last?(state: RunState): AgentPlan
}

export interface RunState {
  run: AgentRun
  goal: Goal
  effort: Effort
  notebook: Notebook
  progress: Progress
  tokens: TokenCounts
  earlier: readonly EarlierTurn[]
}

export interface AgentPlan {
  /** Empty: the run is done. */
  steps: PlannedStep[]
  because: string
}

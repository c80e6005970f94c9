// The chooser of a run's next steps: breadth-first-chooser.ts without a model, model-chooser.ts with one. It returns
// steps, best first; none ends the run. It keeps nothing between two calls, because state is rebuilt from the stored
// steps after a crash. The loop (run-loop.ts) checks every URL and reserves the price.
import type { TokenBudget } from '../../llm/token-budget.ts'
import type { ConversationTurn } from './conversation-digest.ts'
import type { Goal } from './derive-goal.ts'
import type { Notebook } from './notebook.ts'
import type { RunProgress } from './run-progress.ts'
import type { EffortLimits, PlannedStep } from './steps.ts'
import type { AgentRun } from './store/agent-runs.ts'

export interface StepChooser {
  next(state: StepChooserInput, signal: AbortSignal): NextSteps | Promise<NextSteps>
  /** The plan that ends a run which took too many steps; absent: the rules go on. */
  last?(state: StepChooserInput): NextSteps
}

export interface StepChooserInput {
  run: AgentRun
  goal: Goal
  effort: EffortLimits
  notebook: Notebook
  progress: RunProgress
  tokens: TokenBudget
  earlier: readonly ConversationTurn[]
}

export interface NextSteps {
  /** Empty: the run is done. */
  steps: PlannedStep[]
  because: string
}

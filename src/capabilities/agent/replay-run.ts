// Replays a finished run from its stored steps, without network or model calls. The result must equal the original
// answer byte for byte.

import { type JsonValue, Notebook } from './notebook.ts'
import { applyStepResult, newRunProgress, parseStoredResult, parseStoredStep } from './run-progress.ts'
import { goalOfRun, type StoredRunRequest } from './start-run.ts'
import type { AgentRun, AgentStep } from './store/agent-runs.ts'

export function replayRun(run: AgentRun, steps: readonly AgentStep[]) {
  const notebook = new Notebook(goalOfRun(JSON.parse(run.body) as StoredRunRequest))
  const progress = newRunProgress()
  const taken: { n: number; tool: string; input: unknown; open: string[]; items: number }[] = []
  for (const step of steps) {
    if (step.state === 'open') continue
    applyStepResult(notebook, progress, parseStoredStep(step), parseStoredResult(step))
    const { tool, input } = parseStoredStep(step)
    taken.push({ n: step.n, tool, input, open: notebook.open, items: notebook.items })
  }
  const { data, sources } = notebook.answer()
  const { data: given } = JSON.parse(run.result ?? '{}') as { data?: JsonValue }
  return { data, sources, isSame: JSON.stringify(data) === JSON.stringify(given), steps: taken }
}

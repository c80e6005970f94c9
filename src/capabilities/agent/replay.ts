// Replays a finished run from its stored steps, without network or model calls. The result must equal the original
// answer byte for byte. Pure.

import { type JsonValue, Notebook, type ValueSource } from './notebook.ts'
import { newProgress, noteStep, resultOf, stepOf } from './progress.ts'
import { goalOfRun, type StoredRun } from './start.ts'
import type { AgentRun, AgentStep } from './store/agents.ts'

interface Replayed {
  data: JsonValue
  sources: Record<string, ValueSource>
  isSame: boolean
  steps: { n: number; tool: string; input: unknown; open: string[]; items: number }[]
}

export function replayOf(run: AgentRun, steps: readonly AgentStep[]): Replayed {
  const notebook = new Notebook(goalOfRun(JSON.parse(run.body) as StoredRun))
  const progress = newProgress()
  const taken: Replayed['steps'] = []
  for (const step of steps) {
    if (step.state === 'open') continue
    noteStep(notebook, progress, stepOf(step), resultOf(step))
    const { tool, input } = stepOf(step)
    taken.push({ n: step.n, tool, input, open: notebook.open, items: notebook.items })
  }
  const { data, sources } = notebook.answer()
  const { data: given } = JSON.parse(run.result ?? '{}') as { data?: JsonValue }
  return { data, sources, isSame: JSON.stringify(data) === JSON.stringify(given), steps: taken }
}

// What finished steps teach: the same whether a step was just taken, is read from the store by whoever goes on with a run,
// or is replayed. Pure.
import type { AgentStep } from '../../store/agents.ts'
import type { Notebook } from './notebook.ts'
import type { PlannedStep, Taken } from './planner.ts'
import type { StepResult } from './tools/tool.ts'

export interface Progress extends Taken {
  searched: boolean
  mapped: Set<string>
  pages: number
  /** What went wrong last. */
  trouble: string
}

export const newProgress = (): Progress => ({ searched: false, mapped: new Set(), pages: 0, trouble: '' })

export const stepOf = ({ tool, input }: Pick<AgentStep, 'tool' | 'input'>): PlannedStep =>
  ({ tool, input: JSON.parse(input) }) as PlannedStep

export const resultOf = ({ tool, result }: AgentStep): StepResult =>
  result === null ? { tool, error: 'it left nothing' } : (JSON.parse(result) as StepResult)

export function learn(notebook: Notebook, taken: Progress, step: PlannedStep, result: StepResult): void {
  if (step.tool === 'search') taken.searched = true
  if ('error' in result) taken.trouble = result.error
  if (step.tool === 'map') taken.mapped.add(step.input.url)
  if (step.tool === 'scrape') {
    taken.pages++
    notebook.read(step.input.url, 'page' in result ? result.page : undefined, step.input.record)
  } else if ('links' in result)
    notebook.suggest(result.links, step.tool === 'search' ? 'search' : (step.input as { url: string }).url)
}

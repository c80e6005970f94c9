// What finished steps teach: the same whether a step was just taken, is read from the store by whoever goes on with a run,
// or is replayed. Pure.
import type { AgentStep } from '../../store/agents.ts'
import type { Notebook } from './notebook.ts'
import { deedOf, type PlannedStep, type StepsTaken } from './planner.ts'
import type { StepResult } from './tools/tool.ts'

export interface Progress extends StepsTaken {
  searched: boolean
  mapped: Set<string>
  deeds: Set<string>
  pages: number
  /** What went wrong last. */
  trouble: string
}

export const newProgress = (): Progress => ({
  searched: false,
  mapped: new Set(),
  deeds: new Set(),
  pages: 0,
  trouble: '',
})

export const stepOf = ({ tool, input }: Pick<AgentStep, 'tool' | 'input'>): PlannedStep =>
  ({ tool, input: JSON.parse(input) }) as PlannedStep

export const resultOf = ({ tool, result }: AgentStep): StepResult =>
  result === null ? { tool, error: 'it left nothing' } : (JSON.parse(result) as StepResult)

export function learn(notebook: Notebook, taken: Progress, step: PlannedStep, result: StepResult): void {
  if (step.tool === 'search') taken.searched = true
  if ('error' in result) taken.trouble = result.error
  if (step.tool === 'map') taken.mapped.add(step.input.url)
  if (step.tool === 'interact') taken.deeds.add(deedOf(step.input))
  if ('facts' in result) notebook.recall(result.facts)
  else if ('links' in result)
    notebook.suggest(result.links, step.tool === 'search' ? 'search' : ((step.input as { url?: string }).url ?? ''))
  else if ('pages' in result)
    for (const { asked, page } of result.pages) {
      taken.pages++
      notebook.read(asked, page)
    }
  else if ('page' in result) {
    taken.pages++
    const { url = result.page.url, record } = step.input as { url?: string; record?: string }
    notebook.read(url, result.page, record)
  } else failed(notebook, taken, step)
}

/** A page that cannot be read is not tried again. */
function failed(notebook: Notebook, taken: Progress, { tool, input }: PlannedStep): void {
  // The page of a deed was read before, and what it said stands.
  if (tool === 'interact') taken.pages++
  if (tool === 'scrape' || tool === 'parse' || tool === 'crawl' || tool === 'extract')
    for (const url of 'urls' in input ? input.urls : [input.url]) {
      taken.pages++
      notebook.read(url, undefined)
    }
}

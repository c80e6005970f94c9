// Applies finished steps to a run's state, identically for live steps, recovery after a crash, and replay. Pure.

import type { Notebook } from './notebook.ts'
import { interactionKey, type PlannedStep } from './steps.ts'
import type { AgentStep } from './store/agents.ts'
import type { StepResult } from './tools/tool.ts'

export interface Progress {
  isSearched: boolean
  mapped: Set<string>
  interactions: Set<string>
  pages: number
  /** The answer was composed, or could not be. */
  isComposed: boolean
  error: string
}

export const newProgress = (): Progress => ({
  isSearched: false,
  mapped: new Set(),
  interactions: new Set(),
  pages: 0,
  isComposed: false,
  error: '',
})

export const stepOf = ({ tool, input }: Pick<AgentStep, 'tool' | 'input'>): PlannedStep =>
  ({ tool, input: JSON.parse(input) }) as PlannedStep

export const resultOf = ({ tool, result }: AgentStep): StepResult =>
  result === null ? { tool, error: 'no result was stored' } : (JSON.parse(result) as StepResult)

export function noteStep(notebook: Notebook, progress: Progress, step: PlannedStep, result: StepResult): void {
  if (step.tool === 'search') progress.isSearched = true
  if ('error' in result) progress.error = result.error
  if (step.tool === 'map') progress.mapped.add(step.input.url)
  if (step.tool === 'interact') progress.interactions.add(interactionKey(step.input))
  if (step.tool === 'compose') progress.isComposed = true
  if (step.tool === 'reject') notebook.reject(step.input)
  if ('answer' in result) notebook.compose(result.answer)
  else if ('facts' in result) notebook.recall(result.facts)
  else if ('links' in result)
    notebook.addLinks(result.links, step.tool === 'search' ? 'search' : ((step.input as { url?: string }).url ?? ''))
  else if ('pages' in result)
    for (const { asked, page } of result.pages) {
      progress.pages++
      notebook.addPage(asked, page)
    }
  else if ('page' in result) {
    progress.pages++
    const { url = result.page.url, record } = step.input as { url?: string; record?: string }
    notebook.addPage(url, result.page, record)
  } else noteFailure(notebook, progress, step)
}

/** A page that cannot be read is not retried. */
function noteFailure(notebook: Notebook, progress: Progress, { tool, input }: PlannedStep): void {
  // The page of a failed interaction was read before, and its content stays.
  if (tool === 'interact') progress.pages++
  if (tool === 'scrape' || tool === 'parse' || tool === 'crawl' || tool === 'extract')
    for (const url of 'urls' in input ? input.urls : [input.url]) {
      progress.pages++
      notebook.addPage(url, undefined)
    }
}

// Applies finished steps to a run's state, identically for live steps, recovery after a crash, and replay.

import type { Notebook } from './notebook.ts'
import { interactionKey, type PlannedStep } from './steps.ts'
import type { AgentStep } from './store/agent-runs.ts'
import type { StepResult } from './tools/agent-tool.ts'

export interface RunProgress {
  isSearched: boolean
  mapped: Set<string>
  interactions: Set<string>
  pages: number
  /** The answer was composed, or could not be. */
  isComposed: boolean
  error: string
}

export const newRunProgress = (): RunProgress => ({
  isSearched: false,
  mapped: new Set(),
  interactions: new Set(),
  pages: 0,
  isComposed: false,
  error: '',
})

export const parseStoredStep = ({ tool, input }: Pick<AgentStep, 'tool' | 'input'>): PlannedStep =>
  ({ tool, input: JSON.parse(input) }) as PlannedStep

export const parseStoredResult = ({ tool, result }: AgentStep): StepResult =>
  result === null ? { tool, error: 'no result was stored' } : (JSON.parse(result) as StepResult)

export function applyStepResult(
  notebook: Notebook,
  progress: RunProgress,
  step: PlannedStep,
  result: StepResult,
): void {
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
function noteFailure(notebook: Notebook, progress: RunProgress, { tool, input }: PlannedStep): void {
  // An earlier step has read this page: count the attempt, but keep the content.
  if (tool === 'interact') progress.pages++
  if (tool === 'scrape' || tool === 'parse' || tool === 'crawl' || tool === 'extract')
    for (const url of 'urls' in input ? input.urls : [input.url]) {
      progress.pages++
      notebook.addPage(url, undefined)
    }
}

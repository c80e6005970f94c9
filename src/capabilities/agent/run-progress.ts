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
  /** Finished steps in order, and what they brought. */
  done: DoneStep[]
  /** The answer was composed, or could not be. */
  isComposed: boolean
  error: string
}

interface DoneStep {
  tool: PlannedStep['tool']
  /** Tool and input as JSON, to recognise the same step. */
  key: string
  /** For a model: what was done, and its result. */
  text: string
  /** It brought no page, link or value. */
  isIdle: boolean
}

export const stepKeyOf = ({ tool, input }: PlannedStep): string => `${tool} ${JSON.stringify(input)}`

export const newRunProgress = (): RunProgress => ({
  isSearched: false,
  mapped: new Set(),
  interactions: new Set(),
  pages: 0,
  done: [],
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
  const before = { links: notebook.candidates.size, values: notebook.facts.length, pages: progress.pages }
  apply(notebook, progress, step, result)
  const [links, values] = [notebook.candidates.size - before.links, notebook.facts.length - before.values]
  const found = 'error' in result ? result.error.slice(0, 120) : `${links} new links, ${values} new values`
  const isIdle = 'error' in result || (links <= 0 && values <= 0)
  progress.done.push({ tool: step.tool, key: stepKeyOf(step), text: `${describeStep(step)} → ${found}`, isIdle })
}

const MAX_DESCRIBED = 100

function describeStep({ tool, input }: PlannedStep): string {
  const { query, url, urls = [], name, do: action } = input as Record<string, string | undefined> & { urls?: string[] }
  const what = query ?? (urls.length > 0 ? `${urls.length} links` : [url, action, name].filter(Boolean).join(' '))
  return `${tool} ${what}`.trim().slice(0, MAX_DESCRIBED)
}

function apply(notebook: Notebook, progress: RunProgress, step: PlannedStep, result: StepResult): void {
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
  } else noteFailure(notebook, progress, step, 'isLate' in result)
}

/** A page that cannot be read is not retried, and a silent site not asked for its other pages. */
function noteFailure(notebook: Notebook, progress: RunProgress, { tool, input }: PlannedStep, isLate: boolean): void {
  // An earlier step has read this page: count the attempt, but keep the content.
  if (tool === 'interact') progress.pages++
  if (tool === 'scrape' || tool === 'parse' || tool === 'crawl' || tool === 'extract')
    for (const url of 'urls' in input ? input.urls : [input.url]) {
      progress.pages++
      notebook.addPage(url, undefined)
      if (isLate) progress.mapped.add(url)
    }
}

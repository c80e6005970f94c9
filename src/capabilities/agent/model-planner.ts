// The planner with a model: it may choose other steps than the rules did, from the same links, and write the query of a
// search. It fills typed slots: an address that is not among the candidates is no choice. When it fails, the rules' plan
// stands; the run is no worse off than without a model.
import type { Llm } from '../../llm/llm.ts'
import type { Goal } from './goal.ts'
import { keyOf, type Notebook } from './notebook.ts'
import type { PlannedStep } from './planner.ts'

const MAX_CANDIDATES = 60

const CHOICE = {
  type: 'object',
  properties: {
    visit: { type: 'array', items: { type: 'integer' }, description: 'Numbers of the links to read next, best first.' },
    query: { type: 'string', description: 'What to search for, when a search is planned.' },
  },
}

export async function chosenByModel(
  llm: Llm,
  goal: Goal,
  notebook: Notebook,
  planned: readonly PlannedStep[],
  signal: AbortSignal,
): Promise<readonly PlannedStep[]> {
  if (llm.by !== 'model' || planned.length === 0) return planned
  const searches = planned.some(({ tool }) => tool === 'search')
  const isNamed = planned.every((step) => step.tool === 'scrape' && step.input.from === undefined)
  if (isNamed && goal.urls.length > 0) return planned
  const links = [...notebook.candidates.values()].filter(({ url }) => !notebook.visited.has(keyOf(url)))
  const offered = links.slice(0, MAX_CANDIDATES)
  // Words of a search leave the house: whoever chooses them has seen the caller's words and none of a page.
  const text = searches
    ? 'A search of the web is planned.'
    : [
        'Links that could be read next:',
        ...offered.map(({ url, text }, at) => `${at + 1}. ${text.slice(0, 120)} <${url}>`),
      ].join('\n')
  const { value } = await llm.extract(
    {
      text: () => text,
      schema: CHOICE,
      prompt:
        `Choose what to do next for this task: ${goal.prompt.slice(0, 4000)}\n` +
        `Still missing: ${notebook.open.join(', ') || 'more of the same'}. Choose at most ${planned.length} links.`,
      found: null,
    },
    signal,
  )
  const { visit, query } = (value ?? {}) as { visit?: unknown; query?: unknown }
  if (searches) {
    const asked = typeof query === 'string' && query.trim() !== '' ? query.trim().slice(0, 300) : undefined
    return planned.map((step) => (step.tool === 'search' && asked ? { tool: 'search', input: { query: asked } } : step))
  }
  const chosen = (Array.isArray(visit) ? visit : []).flatMap((number) => {
    const link = offered[Number(number) - 1]
    return link
      ? [{ tool: 'scrape' as const, input: { url: link.url, ...(link.from === 'search' ? {} : { from: link.from }) } }]
      : []
  })
  return chosen.length > 0 ? chosen.slice(0, planned.length) : planned
}

// The planner with a model: it may choose other steps than the rules did, with any tool of the list. It fills typed slots:
// an address goes by the number it was offered under, a button by its name on the page, and words that leave the house are
// made of the caller's. When it fails, the rules' plan stands; the run is no worse off than without a model.
import type { Llm } from '../../llm/llm.ts'
import type { Goal } from './goal.ts'
import { keyOf, type Link, type Notebook, type PageRead } from './notebook.ts'
import type { Effort, PlannedStep, Taken } from './planner.ts'
import type { AgentTool, Ground } from './tools/tool.ts'

const MAX_CANDIDATES = 60
const MAX_READ = 20
const MAX_BUTTONS = 8

export interface Choosing {
  llm: Llm
  tools: readonly AgentTool[]
  goal: Goal
  notebook: Notebook
  taken: Taken
  effort: Effort
}

export async function chosenByModel(
  { llm, tools, goal, notebook, taken, effort }: Choosing,
  planned: readonly PlannedStep[],
  signal: AbortSignal,
): Promise<readonly PlannedStep[]> {
  if (llm.by !== 'model') return planned
  const isMissing = notebook.open.length > 0 || (goal.shape === 'list' && notebook.items === 0)
  if (planned.length === 0 && (!isMissing || taken.pages >= effort.pages)) return planned
  const isNamed = planned.length > 0 && planned.every(({ tool, input }) => READS.has(tool) && !('from' in input))
  if (isNamed && goal.urls.length > 0) return planned
  const searches = planned.some(({ tool }) => tool === 'search')
  const offered = offer(notebook)
  const most = Math.min(Math.max(1, planned.length), effort.breadth)
  const { value } = await llm.extract(
    {
      // Words of a search leave the house: whoever chooses them has seen the caller's words and none of a page.
      text: () => (searches ? 'A search of the web is planned.' : said(offered)),
      schema: searches ? QUERY : choiceOf(tools),
      prompt: [
        `Choose what to do next for this task: ${goal.prompt.slice(0, 4000)}`,
        `Still missing: ${notebook.open.join(', ') || 'more of the same'}. Choose at most ${most} links or steps.`,
        ...(searches ? [] : ['Tools:', ...tools.map(({ name, use }) => `- ${name}: ${use}`)]),
      ].join('\n'),
      found: null,
    },
    signal,
  )
  const { visit, query, steps } = (value ?? {}) as { visit?: unknown; query?: unknown; steps?: unknown }
  if (searches) {
    const asked = typeof query === 'string' && query.trim() !== '' ? query.trim().slice(0, 300) : undefined
    return planned.map((step) => (step.tool === 'search' && asked ? { tool: 'search', input: { query: asked } } : step))
  }
  const ground = groundOf(goal, offered)
  const visits = listOf(visit).map((link) => ({ tool: 'scrape', link }))
  const chosen = [...listOf(steps), ...visits].flatMap((one) => filled(tools, one, ground))
  return chosen.length > 0 ? chosen.slice(0, most) : planned
}

const READS = new Set<string>(['scrape', 'parse', 'crawl', 'extract'])

const QUERY = {
  type: 'object',
  properties: { visit: { type: 'array', items: { type: 'integer' } }, query: { type: 'string' } },
}

/** Made of the tools there are: each says itself what may be chosen of it. */
const choiceOf = (tools: readonly AgentTool[]) => ({
  type: 'object',
  properties: {
    visit: { type: 'array', items: { type: 'integer' }, description: 'Numbers of the links to read next, best first.' },
    steps: {
      type: 'array',
      description: 'Steps with other tools.',
      items: {
        type: 'object',
        properties: {
          tool: { type: 'string', enum: tools.map(({ name }) => name) },
          ...Object.assign({}, ...tools.map(({ offer }) => offer.slots)),
        },
        required: ['tool'],
      },
    },
  },
})

type Offered = (Link & { from: string; page?: PageRead })[]

/** Links that could be read, and behind them the pages that were. */
function offer({ candidates, visited }: Notebook): Offered {
  const links = [...candidates.values()].filter(({ url }) => !visited.has(keyOf(url))).slice(0, MAX_CANDIDATES)
  const pages = [...new Set(visited.values())].flatMap((page) => (page && page.status < 400 ? [page] : []))
  return [
    ...links,
    ...pages.slice(-MAX_READ).map((page) => ({ url: page.url, text: page.title, from: page.url, page })),
  ]
}

function said(offered: Offered): string {
  const lines = offered.map(({ url, text, page }, at) => {
    const buttons = page?.controls?.buttons.slice(0, MAX_BUTTONS).map((name) => JSON.stringify(name)) ?? []
    const has = [...buttons, ...(page?.controls?.search ? ['a search box'] : [])]
    const read = page ? ` (read already${has.length > 0 ? `; it has ${has.join(', ')}` : ''})` : ''
    return `${at + 1}. ${text.slice(0, 120)} <${url}>${read}`
  })
  return ['Links that could be read next:', ...lines].join('\n')
}

const groundOf = (goal: Goal, offered: Offered): Ground => ({
  goal,
  at(number) {
    const link = offered[Number(number) - 1]
    // The caller or a search named it, or it was read before.
    if (!link) return undefined
    return { url: link.url, ...(link.from === 'search' || link.page ? {} : { from: link.from }) }
  },
  buttons: (number) => offered[Number(number) - 1]?.page?.controls?.buttons ?? [],
})

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The step that a choice stands for; none when its tool does not exist or takes no such input. */
function filled(tools: readonly AgentTool[], chosen: unknown, ground: Ground): PlannedStep[] {
  if (chosen === null || typeof chosen !== 'object') return []
  const { tool: name, ...slots } = chosen as Record<string, unknown>
  const tool = tools.find((one) => one.name === name)
  const input = tool?.offer.fill(slots, ground)
  if (!tool || input === undefined) return []
  const checked = tool.input.safeParse(input)
  return checked.success ? [{ tool: tool.name, input: checked.data } as PlannedStep] : []
}

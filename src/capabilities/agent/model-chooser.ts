// The chooser with a model: it may choose other steps than the rules, with any tool. It fills typed slots: URLs by
// their offered number, buttons by name, search words from the caller only. On failure, the rules' plan is used.
import type { Llm } from '../../llm/llm.ts'
import { tokenRun } from '../../llm/tokens.ts'
import { breadthFirst } from './breadth-first.ts'
import type { Chooser, RunState } from './chooser.ts'
import { type Goal, siteOf } from './goal.ts'
import { digestOf } from './history.ts'
import { keyOf, type Link, rankedLinks } from './links.ts'
import type { Notebook, PageRead } from './notebook.ts'
import type { PlannedStep } from './steps.ts'
import type { AgentTool, ToolContext } from './tools/tool.ts'

const MAX_CANDIDATES = 60
const MAX_READ = 20
const MAX_BUTTONS = 8
/** Longer URLs are not offered: they would fill the prompt. */
const MAX_ADDRESS = 1000
/** Prompt limit in characters, besides the effort's limit. */
const MAX_CHARS = 24_000
const [DIGEST_SHARE, READ_SHARE] = [0.35, 0.2]

export type Choosing = Omit<RunState, 'run'> & { llm: Llm; tools: readonly AgentTool[] }

/** `breadthFirst` plans, and the model may choose otherwise. */
export const modelChooser = (llm: Llm, tools: readonly AgentTool[]): Chooser => ({
  async next(state, signal) {
    const { steps, because } = breadthFirst.next(state)
    return { steps: await chosenByModel({ ...state, llm, tools }, steps, signal), because }
  },
})

async function chosenByModel(choosing: Choosing, planned: PlannedStep[], signal: AbortSignal): Promise<PlannedStep[]> {
  const { llm, tools, goal, notebook, progress, effort, tokens } = choosing
  if (llm.by !== 'model' || tokens.isSpent) return planned
  const isMissing = notebook.open.length > 0 || (goal.shape === 'list' && notebook.items === 0)
  if (planned.length === 0 && (!isMissing || progress.pages >= effort.pages)) return planned
  const isNamed = planned.length > 0 && planned.every(({ tool, input }) => READS.has(tool) && !('from' in input))
  if (isNamed && goal.urls.length > 0) return planned
  const searches = planned.some(({ tool }) => tool === 'search')
  const { offered, text } = promptOf(choosing)
  const most = Math.min(Math.max(1, planned.length), effort.breadth)
  const task = [
    `Choose what to do next for this task: ${goal.prompt.slice(0, 4000)}`,
    `Still missing: ${notebook.open.join(', ') || 'more of the same'}. Choose at most ${most} links or steps.`,
  ].join('\n')
  const { value } = await tokenRun.run(tokens, () =>
    searches
      ? // Search words leave the service, so the model picks them from the caller's words without page text.
        llm.extract({ text: () => 'A search of the web is planned.', schema: QUERY, prompt: task, found: null }, signal)
      : llm.choose(
          { text: () => text, prompt: task, tools: specsOf(tools), schema: choiceOf(tools), found: null },
          signal,
        ),
  )
  const { visit, query, steps } = (value ?? {}) as { visit?: unknown; query?: unknown; steps?: unknown }
  if (searches) {
    const asked = typeof query === 'string' && query.trim() !== '' ? query.trim().slice(0, 300) : undefined
    return planned.map((step) => (step.tool === 'search' && asked ? { tool: 'search', input: { query: asked } } : step))
  }
  const context = contextOf(goal, offered)
  const visits = listOf(visit).map((link) => ({ tool: 'scrape', link }))
  const chosen = [...listOf(steps), ...visits].flatMap((one) => filled(tools, one, context))
  return chosen.length > 0 ? chosen.slice(0, most) : planned
}

const READS = new Set<string>(['scrape', 'parse', 'crawl', 'extract'])

const QUERY = {
  type: 'object',
  properties: { visit: { type: 'array', items: { type: 'integer' } }, query: { type: 'string' } },
}

const specsOf = (tools: readonly AgentTool[]) =>
  tools.flatMap(({ name, use, offer }) => (offer ? [{ name, use, slots: offer.slots }] : []))

/** Built from the tools; each declares what may be chosen. */
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
          tool: { type: 'string', enum: tools.flatMap(({ name, offer }) => (offer ? [name] : [])) },
          ...Object.assign({}, ...tools.map(({ offer }) => offer?.slots ?? {})),
        },
        required: ['tool'],
      },
    },
  },
})

type Offered = (Link & { from: string; page?: PageRead })[]

/**
 * The model's prompt within one request's limit: known facts, the most promising links, the pages read last. Earlier
 * pages appear only as facts.
 */
export function promptOf({ llm, goal, notebook, tokens, earlier }: Omit<Choosing, 'tools' | 'progress' | 'effort'>) {
  const most = Math.min(MAX_CHARS, tokens.pageChars, llm.facts()?.contextTokens ?? MAX_CHARS)
  const digest = digestOf(earlier, notebook.facts, goal.terms, most * DIGEST_SHARE)
  const { pages } = notebook
  const read = pages.slice(-MAX_READ).map((page) => ({ url: page.url, text: page.title, from: page.url, page }))
  const shown = fitting(read.reverse(), most * READ_SHARE).reverse()
  const links = fitting(linksOf(goal, notebook), most * (1 - DIGEST_SHARE - READ_SHARE) - HEADINGS)
  const offered: Offered = [...links, ...shown]
  const before = pages.length - shown.length
  const text = [
    ...(digest === '' ? [] : [digest, '']),
    'Links that could be read next:',
    ...offered.map(lineOf),
    ...(before > 0 ? [`(${before} pages more were read before.)`] : []),
  ].join('\n')
  return { offered, text }
}

const HEADINGS = 120

/** Unread links, best first. */
function linksOf(goal: Goal, { candidates, visited }: Notebook): Offered {
  const unread = [...candidates.values()].filter(
    ({ url }) => url.length <= MAX_ADDRESS && !visited.has(keyOf(url)) && isOnSite(goal, url),
  )
  return rankedLinks(goal, unread)
    .slice(0, MAX_CANDIDATES)
    .map(({ link }) => link)
}

const isOnSite = ({ sites }: Goal, url: string): boolean => sites.length === 0 || sites.includes(siteOf(url))

function fitting<T extends Offered[number]>(offered: readonly T[], chars: number): T[] {
  let left = chars
  const over = offered.findIndex((one, at) => {
    left -= lineOf(one, at).length + 4
    return left < 0
  })
  return over < 0 ? [...offered] : offered.slice(0, over)
}

function lineOf({ url, text, page }: Offered[number], at: number): string {
  const buttons = page?.controls?.buttons.slice(0, MAX_BUTTONS).map((name) => JSON.stringify(name)) ?? []
  const has = [...buttons, ...(page?.controls?.search ? ['a search box'] : [])]
  const read = page ? ` (read already${has.length > 0 ? `; it has ${has.join(', ')}` : ''})` : ''
  return `${at + 1}. ${text.slice(0, 120)} <${url}>${read}`
}

const contextOf = (goal: Goal, offered: Offered): ToolContext => ({
  goal,
  at(number) {
    const link = offered[Number(number) - 1]
    // Named by the caller or a search, or already read.
    if (!link) return undefined
    return { url: link.url, ...(link.from === 'search' || link.page ? {} : { from: link.from }) }
  },
  buttons: (number) => offered[Number(number) - 1]?.page?.controls?.buttons ?? [],
})

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The step for a choice; undefined when the tool does not exist or rejects the input. */
function filled(tools: readonly AgentTool[], chosen: unknown, ground: ToolContext): PlannedStep[] {
  if (chosen === null || typeof chosen !== 'object') return []
  const { tool: name, ...slots } = chosen as Record<string, unknown>
  const tool = tools.find((one) => one.name === name)
  const input = tool?.offer?.fill(slots, ground)
  if (!tool || input === undefined) return []
  const checked = tool.input.safeParse(input)
  return checked.success ? [{ tool: tool.name, input: checked.data } as PlannedStep] : []
}

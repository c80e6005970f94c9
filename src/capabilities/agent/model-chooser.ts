// The chooser with a model, which leads the run: it sees the task, the notes and the links, and reads on, rejects notes
// or finishes. It fills typed slots only: URLs by their offered number, buttons by name, search words without page text.
// The rules plan where the model fails or its tokens are spent.
import { estimateSnapshotTokens } from '../../fetch/chrome/snapshot/snapshot-text.ts'
import type { Llm } from '../../llm/llm.ts'
import { currentTokenBudget } from '../../llm/token-budget.ts'
import { breadthFirstChooser } from './breadth-first-chooser.ts'
import { writeConversationDigest } from './conversation-digest.ts'
import { type Goal, siteOf, webSearchQueryOf } from './derive-goal.ts'
import type { Notebook, PageRead } from './notebook.ts'
import {
  type CandidateLink,
  linkKeyOf,
  mayContainText,
  rankLinks,
  urlToWords,
  withoutPageNumber,
} from './rank-links.ts'
import { stepKeyOf } from './run-progress.ts'
import type { NextSteps, StepChooser, StepChooserInput } from './step-chooser.ts'
import { MAX_PAGES_PER_EXTRACT, makeReadStep, type PlannedStep } from './steps.ts'
import type { AgentTool, ModelChoiceContext } from './tools/agent-tool.ts'
import { describeMissing, type NoteLine, writeNoteLines } from './write-notes-for-model.ts'

const MAX_READ = 8
const MAX_BUTTONS = 8
/** Longer URLs are not offered: they would fill the prompt. */
const MAX_URL_CHARS = 1000
const [MAX_TEXT, MAX_PATH] = [80, 60]
const MAX_DIGEST = 8000
/** Tokens of notes, steps and links in one request, so that a choice takes at most 2,500 with its prompt and tools. */
const MAX_CHOICE_TOKENS = 1600
const [MAX_NOTES, MAX_DONE, MAX_PAGES_READ] = [400, 200, 150]
/** Further pages of a list are never cut, but for a calendar without an end. */
const MAX_PAGERS = 60
const CHARS_PER_TOKEN = 4

type Choosing = Omit<StepChooserInput, 'run'> & { llm: Llm; tools: readonly AgentTool[] }

export const makeModelChooser = (llm: Llm, tools: readonly AgentTool[]): StepChooser => ({
  async next(state, signal) {
    const { goal, notebook, progress, effort, tokens } = state
    if (progress.isComposed) return endChoosing('The answer was composed from all pages.')
    if (tokens.isSpent) return breadthFirstChooser.next(state)
    if (goal.isFollowUp && goal.shape !== 'list' && !notebook.isEmpty && notebook.open.length === 0 && !progress.pages)
      return endChoosing('Everything was found before in this conversation.')
    const left = effort.pages - progress.pages
    const named = goal.urls.filter((url) => !notebook.visited.has(linkKeyOf(url)))
    if (named.length > 0 && left > 0)
      return { steps: reads(named, effort.breadth, left), because: 'The given URLs come first.' }
    if (goal.urls.length === 0 && !progress.isSearched) {
      const query = await queryBy({ ...state, llm, tools }, signal)
      return { steps: [{ tool: 'search', input: { query } }], because: 'No address was given.' }
    }
    if (left <= 0) return endOrCompose(state, `${effort.pages} pages were read, the limit of this effort.`)
    return chooseWithModel({ ...state, llm, tools }, left, signal)
  },
  last: (state) =>
    state.progress.isComposed ? endChoosing('') : endOrCompose(state, 'The run reached its limit of steps.'),
})

const endChoosing = (because: string): NextSteps => ({ steps: [], because })

/** The answer is composed once, when pages complete or contradict each other. */
const endOrCompose = ({ notebook, tokens }: StepChooserInput, because: string): NextSteps =>
  notebook.isDivided && !tokens.isSpent ? { steps: [{ tool: 'compose', input: {} }], because } : endChoosing(because)

/** Several pages are read in parallel, and many in one step. */
function reads(urls: readonly string[], breadth: number, left: number, from?: string): PlannedStep[] {
  const some = urls.slice(0, Math.min(left, MAX_PAGES_PER_EXTRACT))
  if (some.length > breadth)
    return [{ tool: 'extract', input: { urls: [...some], ...(from === undefined ? {} : { from }) } }]
  return some.map((url) => makeReadStep(url, from))
}

async function chooseWithModel(choosing: StepChooserInput & Choosing, left: number, signal: AbortSignal) {
  const { llm, tools, goal, notebook, effort, tokens, progress } = choosing
  const prompt = writeModelPrompt(choosing)
  const { notes, text } = prompt
  const most = Math.min(left, MAX_PAGES_PER_EXTRACT)
  const task = [
    `Task: ${goal.prompt.slice(0, 4000)}`,
    `Missing: ${describeMissing(goal, notebook) || 'nothing'}. At most ${most} links at once.`,
  ].join('\n')
  const specs = specsFor(choosing, prompt.hasMore)
  const context = contextOf(goal, prompt.offered, notes)
  const names = specs.map(({ name }) => name)
  const planOf = (value: unknown) => {
    const { visit, steps } = (value ?? {}) as { visit?: unknown; steps?: unknown }
    const calls = [...listOf(steps), ...(listOf(visit).length > 0 ? [{ tool: 'read', links: visit }] : [])]
    const numbers = calls.flatMap((call) => linksIn(call))
    const found = numbers.flatMap((number) => context.at(number) ?? [])
    const unread = found.filter(({ url }) => !notebook.visited.has(linkKeyOf(url)))
    const others = calls.flatMap((call) => fillInCall(tools, call, context) ?? [])
    const fresh = others.filter((step) => !progress.done.some(({ key }) => key === stepKeyOf(step)))
    return { calls, numbers, found, unread, others, fresh: fresh.filter(({ tool }) => names.includes(tool)) }
  }
  const respond = (value: unknown): string | undefined => {
    const { calls, numbers, found, unread, others, fresh } = planOf(value)
    if (unread.length > 0 || fresh.length > 0 || calls.length === 0) return undefined
    if (calls.some((call) => nameIn(call) === 'links') && prompt.hasMore) return prompt.more()
    if (calls.some((call) => nameIn(call) === 'finish')) return undefined
    if (found.length > 0) return 'These links were read already; what they hold is in the notes.'
    if (numbers.length > 0)
      return `There is no link ${numbers.slice(0, 5).map(String).join(', ').slice(0, 80)}: the links are 1 to ${prompt.offered.length}.`
    const known = progress.done.find(({ key }) => others.some((step) => stepKeyOf(step) === key))
    if (known) return `This was done already: ${known.text}.`
    return `That cannot be done. Tools: ${names.join(', ')}, with all their arguments; links by number, buttons by name.`
  }
  const { value, by } = await currentTokenBudget.run(tokens, () =>
    llm.choose({ text: () => text, prompt: task, tools: specs, schema: choiceOf(specs), found: null, respond }, signal),
  )
  if (by !== 'model') return breadthFirstChooser.next(choosing)
  const { calls, unread, fresh } = planOf(value)
  const others: PlannedStep[] = []
  for (const step of fresh)
    others.push(step.tool === 'search' ? { tool: 'search', input: { query: await queryBy(choosing, signal) } } : step)
  // Links of one page are read together; the policy looks at the page that has them.
  const from = unread.find((one) => one.from !== undefined)?.from
  const same = unread.filter((one) => one.from === from || unread.length <= effort.breadth)
  const readSteps =
    same.length > effort.breadth
      ? reads(urlsOf(same), effort.breadth, left, from)
      : same.slice(0, left).map(({ url, from: own }) => makeReadStep(url, own))
  const planned = [...others.slice(0, effort.breadth), ...readSteps]
  if (planned.length > 0) return { steps: planned, because: becauseOf(planned) }
  // A model that cannot choose does not end the search.
  return calls.some((call) => nameIn(call) !== 'finish')
    ? breadthFirstChooser.next(choosing)
    : endOrCompose(choosing, 'The model ended the search.')
}

const urlsOf = (links: readonly { url: string }[]): string[] => [...new Set(links.map(({ url }) => url))]

function becauseOf(steps: readonly PlannedStep[]): string {
  const [first] = steps
  if (first?.tool === 'reject') return `The model found this note wrong: ${first.input.field}, ${first.input.value}.`
  return 'The model chose these next.'
}

/** Search words leave the service, so the model writes them from the task, the hosts and the titles of its pages. */
async function queryBy({ llm, goal, notebook, tokens }: StepChooserInput & Choosing, signal: AbortSignal) {
  const pages = goal.urls.flatMap((url) => {
    const title = notebook.visited.get(linkKeyOf(url))?.title ?? ''
    return URL.canParse(url) ? [`${new URL(url).host}${title === '' ? '' : `: ${title.slice(0, 120)}`}`] : []
  })
  const prompt = goal.prompt.slice(0, 4000)
  const { value } = await currentTokenBudget.run(tokens, () =>
    llm.extract(
      { job: 'query', isSchemaKnown: true, text: () => pages.join('\n'), schema: QUERY, prompt, found: null },
      signal,
    ),
  )
  const { query } = (value ?? {}) as { query?: unknown }
  return typeof query === 'string' && query.trim() !== '' ? query.trim().slice(0, 300) : webSearchQueryOf(goal)
}

const QUERY = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] }

const READ = { name: 'read', use: 'Reads links.', slots: { links: { type: 'array', items: { type: 'integer' } } } }
const LINKS = { name: 'links', use: 'Shows more links.', slots: {} }
const FINISH = { name: 'finish', use: 'Ends the search.', slots: {} }

/** Only tools that can do something now: each costs tokens in every request. */
function specsFor({ tools, goal, notebook, progress }: Choosing, hasMoreLinks: boolean) {
  const hasControls = notebook.pages.some(({ controls }) => controls)
  const isUseful: Readonly<Record<string, boolean>> = {
    interact: hasControls,
    reject: !notebook.isEmpty,
    crawl: goal.isSite,
    map: goal.urls.some((url) => !progress.mapped.has(url)),
    search: goal.sites.length === 0,
  }
  const isUsedUp = (tool: string): boolean => {
    const last = progress.done.filter((step) => step.tool === tool).slice(-2)
    return last.length === 2 && last.every(({ isIdle }) => isIdle)
  }
  const others = tools.flatMap(({ name, use, offer }) =>
    offer && isUseful[name] !== false && !isUsedUp(name)
      ? [{ name, use, slots: offer.slots, optional: offer.optional }]
      : [],
  )
  return [READ, ...others, ...(hasMoreLinks ? [LINKS] : []), FINISH]
}

const choiceOf = (specs: readonly { name: string; slots: Readonly<Record<string, object>> }[]) => ({
  type: 'object',
  properties: {
    visit: { type: 'array', items: { type: 'integer' }, description: 'Numbers of the links to read next, best first.' },
    steps: {
      type: 'array',
      description: 'Steps with other tools.',
      items: {
        type: 'object',
        properties: {
          tool: { type: 'string', enum: specs.map(({ name }) => name) },
          ...Object.assign({}, ...specs.map(({ slots }) => slots)),
        },
        required: ['tool'],
      },
    },
  },
})

type Offered = (CandidateLink & { from: string; page?: PageRead })[]

/** The model's prompt within one request's limit: earlier turns, notes, steps done, pages read, links by promise. */
export function writeModelPrompt({
  llm,
  goal,
  notebook,
  tokens,
  earlier,
  progress,
}: Omit<Choosing, 'tools' | 'effort'>) {
  const mostDigest = Math.min(MAX_DIGEST, tokens.pageChars, llm.facts()?.contextTokens ?? MAX_DIGEST)
  const digest = earlier.length > 0 ? writeConversationDigest(earlier, [], goal.terms, mostDigest) : ''
  const home = goal.urls[0] ?? notebook.pages[0]?.url
  const line = lineFor(home)
  const allNotes = writeNoteLines(goal, notebook, MAX_NOTES * CHARS_PER_TOKEN)
  const notes = takeWhatFits(allNotes.toReversed(), ({ text }) => text, MAX_NOTES).reverse()
  const allDone = progress.done.filter(({ tool }) => tool !== 'compose').map(({ text }) => text)
  const done = takeWhatFits(allDone.toReversed(), (text) => text, MAX_DONE).reverse()
  const { pages } = notebook
  const read = pages.slice(-MAX_READ).map((page) => ({ url: page.url, text: page.title, from: page.url, page }))
  const shown = takeWhatFits(read.reverse(), line, MAX_PAGES_READ).reverse()
  // What notes, steps and pages leave free is for links.
  const used = [...notes.map(({ text }) => text), ...done, ...shown.map(line)]
  const free = MAX_CHOICE_TOKENS - used.reduce((sum, text) => sum + lineTokens(text), 0)
  const { pagers, others } = linksOf(goal, notebook)
  let left = others.slice(
    takeWhatFits(others, line, free - pagers.reduce((sum, one) => sum + lineTokens(line(one, 0)), 0)).length,
  )
  const offered: Offered = [...pagers, ...others.slice(0, others.length - left.length), ...shown]
  const before = pages.length - shown.length
  const cut = (all: number, some: number, what: string) => (all > some ? [`(${all - some} ${what})`] : [])
  const more = () => (left.length > 0 ? [`(${left.length} more links, ask for them.)`] : [])
  const text = [
    ...(digest === '' ? [] : [digest, '']),
    ...(done.length > 0
      ? [
          'Done so far → result:',
          ...cut(allDone.length, done.length, 'earlier steps'),
          ...done.map((one) => `- ${one}`),
          '',
        ]
      : []),
    ...(notes.length > 0
      ? [
          'Notes:',
          ...cut(allNotes.length, notes.length, 'earlier notes'),
          ...notes.map((note, at) => `n${at + 1}. ${note.text}`),
          '',
        ]
      : []),
    `Links${home ? ` (of ${new URL(home).origin} where none is named)` : ''}:`,
    ...offered.map(line),
    ...more(),
    ...(before > 0 ? [`(${before} pages more were read before.)`] : []),
  ].join('\n')
  return {
    offered,
    notes,
    text,
    hasMore: left.length > 0,
    /** The next links, under the numbers that follow. */
    more() {
      const next = takeWhatFits(left, line, MAX_CHOICE_TOKENS)
      const from = offered.length
      left = left.slice(next.length)
      offered.push(...next)
      return [...next.map((one, at) => line(one, from + at)), ...more()].join('\n')
    },
  }
}

/** Unread links: further pages of what was read, the best by words, and the others in their order. */
function linksOf(goal: Goal, { candidates, visited, pages }: Notebook): { pagers: Offered; others: Offered } {
  const unread = [...candidates.values()].filter(
    ({ url }) =>
      url.length <= MAX_URL_CHARS && mayContainText(url) && !visited.has(linkKeyOf(url)) && isOnSite(goal, url),
  )
  const series = new Set(pages.map(({ url }) => withoutPageNumber(url)))
  const isPager = ({ url, isNext }: CandidateLink) => isNext || series.has(withoutPageNumber(url))
  const pagers = unread.filter(isPager).slice(0, MAX_PAGERS)
  const known = new Set<CandidateLink>(pagers)
  const ranked = rankLinks(
    goal,
    unread.filter((link) => !known.has(link)),
  )
  return { pagers, others: ranked.map(({ link }) => link) }
}

const isOnSite = ({ sites }: Goal, url: string): boolean => sites.length === 0 || sites.includes(siteOf(url))

/** Tokens of one line, including its line break and its marker. */
const lineTokens = (line: string): number => estimateSnapshotTokens(line) + 2

function takeWhatFits<T>(things: readonly T[], line: (thing: T, at: number) => string, tokens: number): T[] {
  let left = tokens
  const over = things.findIndex((one, at) => {
    left -= lineTokens(line(one, at))
    return left < 0
  })
  return over < 0 ? [...things] : things.slice(0, over)
}

/** A link as a person sees it: text, address without what all have, place. */
const lineFor =
  (home: string | undefined) =>
  ({ url, text, region, isNext, page }: Offered[number], at: number): string => {
    const buttons = page?.controls?.buttons.slice(0, MAX_BUTTONS).map((name) => JSON.stringify(name)) ?? []
    const has = [...buttons, ...(page?.controls?.search ? ['a search box'] : [])]
    const label = text.trim() || `(no text: ${urlToWords(url).trim().slice(-MAX_TEXT)})`
    const marks = [
      ...(region ? [region] : []),
      ...(isNext ? ['next page'] : []),
      ...(page ? [`read already${has.length > 0 ? `; it has ${has.join(', ')}` : ''}`] : []),
    ]
    return `${at + 1}. ${label.slice(0, MAX_TEXT)} <${shortenUrl(url, home)}>${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`
  }

function shortenUrl(url: string, home: string | undefined): string {
  const own = home && URL.canParse(url) && new URL(url).origin === new URL(home).origin
  const path = own ? url.slice(new URL(url).origin.length) || '/' : url
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path
}

const contextOf = (goal: Goal, offered: Offered, notes: readonly NoteLine[]): ModelChoiceContext => ({
  goal,
  at(number) {
    const link = offered[Number(number) - 1]
    // Named by the caller or a search, or already read.
    if (!link) return undefined
    return { url: link.url, ...(link.from === 'search' || link.page ? {} : { from: link.from }) }
  },
  buttons: (number) => offered[Number(number) - 1]?.page?.controls?.buttons ?? [],
  note(number) {
    const { field, value, url } = notes[Number(number) - 1]?.rejected ?? {}
    if (field === undefined || url === undefined) return undefined
    if (value === null || value === undefined || typeof value === 'object') return undefined
    return { field, value, url }
  },
})

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const nameIn = (call: unknown): unknown => (call as { tool?: unknown } | null)?.tool

/** The link numbers of a `read` call, under any of the argument names that models use. */
function linksIn(call: unknown): unknown[] {
  if (nameIn(call) !== 'read') return []
  const { links, link, visit } = call as Record<string, unknown>
  return [links, link, visit].flat().filter((number) => number !== undefined)
}

/** The step for a choice; undefined when the tool does not exist or rejects the input. */
function fillInCall(tools: readonly AgentTool[], call: unknown, context: ModelChoiceContext): PlannedStep | undefined {
  if (call === null || typeof call !== 'object') return undefined
  const { tool: name, ...slots } = call as Record<string, unknown>
  const tool = tools.find((one) => one.name === name)
  const input = tool?.offer?.fill(slots, context)
  if (!tool || input === undefined) return undefined
  const checked = tool.input.safeParse(input)
  return checked.success ? ({ tool: tool.name, input: checked.data } as PlannedStep) : undefined
}

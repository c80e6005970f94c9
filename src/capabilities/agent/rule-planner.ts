// The planner without a model. The cheapest road first: the pages that were named, then the links that promise what is
// still missing, a map of the site, its own search box, a search of the web. A list is followed page by page, by the button
// that shows more, and into the pages of its items. Documents are parsed, many pages of one site crawled. It stops when
// everything is found, the pages are used up, or three in a row brought nothing.
import { termsOf } from '../../understanding/passages/terms.ts'
import { type Goal, hasItems, queryOf, spaced } from './goal.ts'
import { leadsStraight, nextPageOf, promise } from './links.ts'
import { keyOf, type Link, type Notebook } from './notebook.ts'
import {
  type AgentPlan,
  deedOf,
  type Effort,
  type InteractStep,
  MAX_IDLE,
  MOST_CRAWLED,
  MOST_TOGETHER,
  type PlannedStep,
  type Planner,
  type StepsTaken,
} from './planner.ts'
import { isDocument, MORE, wordsFor } from './signs.ts'

const done = (because: string): AgentPlan => ({ steps: [], because })
const visit = (url: string, from?: string, record?: string): PlannedStep => ({
  tool: isDocument(url) ? 'parse' : 'scrape',
  input: { url, ...(from === undefined ? {} : { from }), ...(record === undefined ? {} : { record }) },
})

export const rulePlanner: Planner = {
  next(goal, notebook, taken, effort) {
    if (goal.isFollowUp && goal.shape !== 'list' && !notebook.isEmpty && notebook.open.length === 0)
      return done('Everything was said before in this conversation.')
    const room = Math.min(effort.breadth, effort.pages - taken.pages)
    const named = goal.urls.filter((url) => !notebook.visited.has(keyOf(url)))
    if (named.length > 0 && room > 0) return begin(goal, named, effort, effort.pages - taken.pages, room)
    if (goal.urls.length === 0 && !taken.searched)
      return {
        steps: [{ tool: 'search', input: { query: queryOf(goal) } }],
        because: 'Nothing was given to start from.',
      }
    if (goal.shape !== 'list' && goal.shape !== 'open' && notebook.open.length === 0)
      return done('Everything was found.')
    if (goal.shape === 'open' && !notebook.isEmpty) return done('What the prompt names was found.')
    if (room <= 0) return done(`${effort.pages} pages were read, as many as this effort allows.`)
    if (goal.shape === 'list') {
      const more = listSteps(goal, notebook, taken, effort, room)
      if (more) return more
    }
    const hidden = behindClick(goal, notebook, taken)
    if (hidden) return hidden
    if (notebook.idle >= MAX_IDLE) return done(`The last ${MAX_IDLE} pages brought nothing new.`)
    return further(goal, notebook, taken, room)
  },
}

/** The addresses that were given: one by one, many of them together, or as the sites that they stand for. */
function begin(goal: Goal, named: readonly string[], effort: Effort, left: number, room: number): AgentPlan {
  const pages = named.filter((url) => !isDocument(url))
  const [site] = pages
  if (goal.isSite && site !== undefined && pages.length === 1)
    return {
      steps: [{ tool: 'crawl', input: { url: site, limit: Math.min(MOST_CRAWLED, left) } }],
      because: 'Many pages of one site are asked for.',
    }
  if (goal.shape !== 'answer' && pages.length > effort.breadth && left > effort.breadth)
    return {
      steps: [{ tool: 'extract', input: { urls: pages.slice(0, Math.min(MOST_TOGETHER, left)) } }],
      because: 'The addresses that were given come first, and they are many.',
    }
  return { steps: named.slice(0, room).map((url) => visit(url)), because: 'The addresses that were given come first.' }
}

/** The next page of the list, what a press shows of it, and the pages of items that lack something. */
function listSteps(
  goal: Goal,
  notebook: Notebook,
  taken: StepsTaken,
  effort: Effort,
  room: number,
): AgentPlan | undefined {
  if (notebook.items === 0) return undefined
  const pages = [...new Set(notebook.visited.values())].filter((page) => page !== undefined)
  const next = pages.flatMap((page) => {
    const url = hasItems(goal, page.data) ? nextPageOf(page.url, page.links) : undefined
    return url && !notebook.visited.has(keyOf(url)) ? [visit(url, page.url)] : []
  })
  if (next.length > 0 && notebook.idle < MAX_IDLE)
    return { steps: next.slice(0, room), because: 'The list goes on on another page.' }
  const press = pages.flatMap((page) =>
    hasItems(goal, page.data) && page.controls?.buttons.some((name) => MORE.test(name))
      ? fresh(taken, { url: page.url, do: 'more' })
      : [],
  )
  if (press.length > 0) return { steps: press.slice(0, 1), because: 'The list has a button that shows more of it.' }
  const links = pages.flatMap((page) => page.links.map((link) => ({ ...link, from: page.url })))
  const details = notebook.gaps.slice(0, effort.pages).flatMap(({ name }) => {
    const link = links.find(({ text, url }) => text.trim().toLowerCase() === name && !notebook.visited.has(keyOf(url)))
    return link ? [visit(link.url, link.from, name)] : []
  })
  if (details.length > 0)
    return { steps: details.slice(0, room), because: 'Items of the list lack fields that their own pages may have.' }
  return done('The list is read to its end.')
}

const fresh = (taken: StepsTaken, input: InteractStep): PlannedStep[] =>
  taken.deeds.has(deedOf(input)) ? [] : [{ tool: 'interact', input }]

const SHOWS = /^(?:show|reveal|view|display|see|unhide|anzeigen|zeige?n?|afficher|voir|mostrar|ver)\b/i

/** A button on a page about the wanted thing that says it shows what is missing. */
function behindClick(goal: Goal, notebook: Notebook, taken: StepsTaken): AgentPlan | undefined {
  const open = new Set(notebook.open.flatMap((field) => termsOf(spaced(field))))
  if (goal.shape !== 'record' || open.size === 0) return undefined
  for (const page of new Set(notebook.visited.values())) {
    if (!page?.about) continue
    const name = page.controls?.buttons.find((one) => SHOWS.test(one) && termsOf(one).some((term) => open.has(term)))
    const [step] = name === undefined ? [] : fresh(taken, { url: page.url, do: 'press', name })
    if (step) return { steps: [step], because: `A button of the page is called "${name}".` }
  }
  return undefined
}

/** The search box of the site, where the wanted thing has a name to search for. */
function ownSearch(goal: Goal, notebook: Notebook, taken: StepsTaken): AgentPlan | undefined {
  if (goal.subject.length === 0) return undefined
  const pages = [...new Set(notebook.visited.values())].flatMap((page) => (page?.controls?.search ? [page] : []))
  const isNew = pages.filter(
    ({ url }) => ![...taken.deeds].some((deed) => deed.startsWith(`search ${new URL(url).origin}`)),
  )
  const [page] = isNew
  return page
    ? {
        steps: [{ tool: 'interact', input: { url: page.url, do: 'search', words: wordsFor(goal) } }],
        because: 'The site has a search box.',
      }
    : undefined
}

/** Links that promise something, best first; then a map of the site, then its search box, then a search. */
function further(goal: Goal, notebook: Notebook, taken: StepsTaken, room: number): AgentPlan {
  const open = goal.shape === 'list' || goal.shape === 'open' ? goal.fields : notebook.open
  const ranked = [...notebook.candidates.values()]
    .filter(({ url }) => !notebook.visited.has(keyOf(url)))
    .map((link) => ({ link, score: scored(goal, open, link) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
  if (ranked.length > 0) {
    const straight = goal.shape === 'record' ? ranked.filter(({ link }) => leadsStraight(goal, link)) : []
    const best = (straight.length > 0 ? straight : ranked)
      .slice(0, room)
      .map(({ link }) => visit(link.url, link.from === 'search' ? undefined : link.from))
    const what = open.length > 0 ? open.slice(0, 4).join(', ') : 'the goal'
    return { steps: best, because: `These links promise most about ${what}.` }
  }
  const [site] = goal.urls
  if (site && !taken.mapped.has(site))
    return {
      steps: [{ tool: 'map', input: { url: site, search: queryOf(goal) } }],
      because: 'No link in sight leads on, so the site is mapped.',
    }
  const asked = ownSearch(goal, notebook, taken)
  if (asked) return asked
  if (!goal.strict && goal.urls.length > 0 && !taken.searched)
    return {
      steps: [{ tool: 'search', input: { query: queryOf(goal) } }],
      because: 'The site does not hold it, so it is searched for.',
    }
  return done('Nothing else promises to hold what is missing.')
}

/** What a search found is worth a look by its place alone; a link must promise something. */
function scored(goal: Goal, open: readonly string[], link: Link & { from: string; rank: number }): number {
  const words = promise(goal, open, link)
  if (link.from !== 'search') return words
  return words < 0 ? 0 : 3 / (1 + link.rank) + words
}

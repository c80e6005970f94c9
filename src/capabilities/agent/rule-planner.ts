// The planner without a model. The cheapest road first: the pages that were named, then the links that promise what is
// still missing, a map of the site, a search. A list is followed page by page and into the pages of its items. It stops
// when everything is found, the pages are used up, or three in a row brought nothing.
import type { Goal } from './goal.ts'
import { queryOf } from './goal.ts'
import { nextPageOf, promise } from './links.ts'
import { keyOf, type Link, type Notebook } from './notebook.ts'
import { type Effort, MAX_IDLE, type Plan, type PlannedStep, type Planner, type Taken } from './planner.ts'

const done = (because: string): Plan => ({ steps: [], because })
const visit = (url: string, from?: string, record?: string): PlannedStep => ({
  tool: 'scrape',
  input: { url, ...(from === undefined ? {} : { from }), ...(record === undefined ? {} : { record }) },
})

export const rulePlanner: Planner = {
  next(goal, notebook, taken, effort) {
    const room = Math.min(effort.breadth, effort.pages - taken.pages)
    const named = goal.urls.filter((url) => !notebook.visited.has(keyOf(url)))
    if (named.length > 0 && room > 0)
      return {
        steps: named.slice(0, room).map((url) => visit(url)),
        because: 'The addresses that were given come first.',
      }
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
      const more = listSteps(goal, notebook, effort, room)
      if (more) return more
    }
    if (notebook.idle >= MAX_IDLE) return done(`The last ${MAX_IDLE} pages brought nothing new.`)
    return further(goal, notebook, taken, room)
  },
}

/** The next page of the list, and the pages of items that lack something. */
function listSteps(goal: Goal, notebook: Notebook, effort: Effort, room: number): Plan | undefined {
  if (notebook.items === 0) return undefined
  const pages = [...new Set(notebook.visited.values())].filter((page) => page !== undefined)
  const next = pages.flatMap((page) => {
    const url = hasItems(goal, page.data) ? nextPageOf(page.url, page.links) : undefined
    return url && !notebook.visited.has(keyOf(url)) ? [visit(url, page.url)] : []
  })
  if (next.length > 0 && notebook.idle < MAX_IDLE)
    return { steps: next.slice(0, room), because: 'The list goes on on another page.' }
  const links = pages.flatMap((page) => page.links.map((link) => ({ ...link, from: page.url })))
  const details = notebook.gaps.slice(0, effort.pages).flatMap(({ name }) => {
    const link = links.find(({ text, url }) => text.trim().toLowerCase() === name && !notebook.visited.has(keyOf(url)))
    return link ? [visit(link.url, link.from, name)] : []
  })
  if (details.length > 0)
    return { steps: details.slice(0, room), because: 'Items of the list lack fields that their own pages may have.' }
  return done('The list is read to its end.')
}

function hasItems({ list }: Goal, data: unknown): boolean {
  const items = list?.path == null ? data : (data as Record<string, unknown> | null)?.[list.path]
  return Array.isArray(items) && items.length > 0
}

/** Links that promise something, best first; then a map of the site, then a search. */
function further(goal: Goal, notebook: Notebook, taken: Taken, room: number): Plan {
  const open = goal.shape === 'list' || goal.shape === 'open' ? goal.fields : notebook.open
  const ranked = [...notebook.candidates.values()]
    .filter(({ url }) => !notebook.visited.has(keyOf(url)))
    .map((link) => ({ link, score: scored(goal, open, link) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
  if (ranked.length > 0) {
    const best = ranked
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

// The chooser without a model: breadth first, best link first, on the caller's sites.
import { stemText } from '../../understanding/passages/stem-terms.ts'
import { type Goal, siteOf, siteSearchQueryOf, splitCamelCase, webSearchQueryOf } from './derive-goal.ts'
import type { Notebook } from './notebook.ts'
import { differOnlyInPageNumber, linkKeyOf, mayContainText, rankLinks } from './rank-links.ts'
import type { RunProgress } from './run-progress.ts'
import type { NextSteps, StepChooser, StepChooserInput } from './step-chooser.ts'
import {
  type EffortLimits,
  type InteractStep,
  interactionKey,
  isDocumentUrl,
  MAX_CRAWLED_PAGES,
  MAX_PAGES_PER_EXTRACT,
  makeReadStep,
  type PlannedStep,
  SHOW_MORE_BUTTON,
} from './steps.ts'

type ReadState = Pick<StepChooserInput, 'goal' | 'notebook' | 'progress' | 'effort'>

/** Pages in a row without anything new, after which links that share no word with the request are not read. */
const MAX_PAGES_WITHOUT_NEWS = 3
/** Share of the request that one passage must cover before reading ends early. */
const MIN_COVERAGE_TO_END = 0.9
const MAX_SITES = 3

const endChoosing = (because: string): NextSteps => ({ steps: [], because })

export const breadthFirstChooser = {
  next(state: ReadState): NextSteps {
    const { goal, notebook, progress, effort } = state
    if (goal.isFollowUp && goal.shape !== 'list' && !notebook.isEmpty && notebook.open.length === 0)
      return endChoosing('Everything was found before in this conversation.')
    const left = effort.pages - progress.pages
    const freeSlots = Math.min(effort.breadth, left)
    const named = goal.urls.filter((url) => !notebook.visited.has(linkKeyOf(url)))
    if (named.length > 0 && freeSlots > 0) return begin(goal, named, effort, left, freeSlots)
    if (goal.urls.length === 0 && !progress.isSearched)
      return {
        steps: [{ tool: 'search', input: { query: webSearchQueryOf(goal) } }],
        because: `No address was given.${fieldsOf(goal)}`,
      }
    if (freeSlots <= 0) return endChoosing(`${effort.pages} pages were read, the limit of this effort.`)
    return continueList(state, freeSlots) ?? revealField(state) ?? readOn(state, freeSlots)
  },
} satisfies StepChooser

const fieldsOf = ({ isFromPrompt, fields }: Goal): string =>
  isFromPrompt ? ` The request names these fields: ${fields.join(', ')}.` : ''

/** Reads the given URLs: one by one, several together, or their whole site. */
function begin(goal: Goal, named: readonly string[], effort: EffortLimits, left: number, freeSlots: number): NextSteps {
  const pages = named.filter((url) => !isDocumentUrl(url))
  const [site] = pages
  if (goal.isSite && site !== undefined && pages.length === 1)
    return {
      steps: [{ tool: 'crawl', input: { url: site, limit: Math.min(MAX_CRAWLED_PAGES, left) } }],
      because: `The request needs many pages of one site.${fieldsOf(goal)}`,
    }
  if (goal.shape !== 'answer' && pages.length > effort.breadth && left > effort.breadth)
    return {
      steps: [{ tool: 'extract', input: { urls: pages.slice(0, Math.min(MAX_PAGES_PER_EXTRACT, left)) } }],
      because: `The given URLs come first, and they are many.${fieldsOf(goal)}`,
    }
  return {
    steps: named.slice(0, freeSlots).map((url) => makeReadStep(url)),
    because: `The given URLs come first.${fieldsOf(goal)}`,
  }
}

/** Reads the list's other pages, what a click reveals of it, and the pages of incomplete items. */
function continueList({ goal, notebook, progress }: ReadState, freeSlots: number): NextSteps | undefined {
  if (notebook.items === 0) return undefined
  const pages = notebook.listPages
  const links = pages.flatMap((page) => page.links.map((link) => ({ ...link, from: page.url })))
  const unread = links.filter(({ url }) => !notebook.visited.has(linkKeyOf(url)))
  const next = unread.filter(({ url, from }) => differOnlyInPageNumber(from, url))
  if (next.length > 0) return { steps: firstOf(next, freeSlots), because: 'The list continues on other pages.' }
  const press = pages.flatMap((page) =>
    page.controls?.buttons.some((name) => SHOW_MORE_BUTTON.test(name))
      ? planUnlessDone(progress, { url: page.url, do: 'more' })
      : [],
  )
  if (press.length > 0) return { steps: press.slice(0, 1), because: 'The list has a button that shows more of it.' }
  const details = notebook.gaps.flatMap(({ name }) => {
    const link = unread.find(({ text }) => text.trim().toLowerCase() === name)
    return link ? [makeReadStep(link.url, link.from, name)] : []
  })
  if (details.length > 0 && goal.fields.length > 1)
    return {
      steps: details.slice(0, freeSlots),
      because: 'Items of the list lack fields that their own pages may have.',
    }
  return undefined
}

const firstOf = (links: readonly { url: string; from: string }[], most: number): PlannedStep[] =>
  [...new Map(links.map((link) => [linkKeyOf(link.url), link])).values()]
    .slice(0, most)
    .map(({ url, from }) => makeReadStep(url, from))

const planUnlessDone = (progress: RunProgress, input: InteractStep): PlannedStep[] =>
  progress.interactions.has(interactionKey(input)) ? [] : [{ tool: 'interact', input }]

function revealField({ goal, notebook, progress }: ReadState): NextSteps | undefined {
  if (goal.shape !== 'record') return undefined
  const missing = new Set(notebook.open.flatMap((field) => stemText(splitCamelCase(field))))
  if (missing.size === 0) return undefined
  for (const page of notebook.pages)
    for (const name of page.controls?.buttons ?? []) {
      if (!stemText(name).some((term) => missing.has(term))) continue
      const [step] = planUnlessDone(progress, { url: page.url, do: 'press', name })
      if (step) return { steps: [step], because: `A button of the page is called "${name}".` }
    }
  return undefined
}

/** Follows links, best first; when none shares a word with the request, uses the site's map and search box. */
function readOn(state: ReadState, freeSlots: number): NextSteps {
  const { goal, notebook, progress } = state
  const sites = sitesOf(goal, notebook)
  const unread = [...notebook.candidates.values()].filter(
    ({ url }) => mayContainText(url) && sites.has(siteOf(url)) && !notebook.visited.has(linkKeyOf(url)),
  )
  const ranked = rankLinks(goal, unread)
  const promising = ranked.filter(({ score }) => score > 0)
  if (isEnough(state, promising.length)) return endChoosing('The requested data was found.')
  const take = (links: readonly (typeof unread)[number][], because: string): NextSteps => ({
    steps: links.slice(0, freeSlots).map(({ url, from }) => makeReadStep(url, from === 'search' ? undefined : from)),
    because,
  })
  if (promising.length > 0) {
    const best = promising.slice(0, freeSlots).map(({ link }) => link)
    // One of several slots goes to the first unread link: menus rarely use the caller's words.
    const [first] = unread.filter((link) => !best.includes(link))
    return take(
      first && best.length > 1 ? [...best.slice(0, -1), first] : best,
      'These links share most words with the request, or come first.',
    )
  }
  const [site] = goal.urls
  if (site !== undefined && !progress.mapped.has(site))
    return {
      steps: [{ tool: 'map', input: { url: site, search: webSearchQueryOf(goal) } }],
      because: 'No unread link shares a word with the request; the site may list more pages.',
    }
  const box = searchBox(state)
  if (box) return box
  const isOpen = goal.shape === 'answer' || notebook.open.length > 0
  if (!isOpen && notebook.idle >= MAX_PAGES_WITHOUT_NEWS && !notebook.isEmpty)
    return endChoosing(`The last ${MAX_PAGES_WITHOUT_NEWS} pages brought nothing new.`)
  if (unread.length > 0) return take(unread, 'The other pages of the site, in their order.')
  return endChoosing('Every page of the site that could be found was read.')
}

/** Sites that may be read: those of the caller's URLs, or of the best search results. */
function sitesOf(goal: Goal, { candidates }: Notebook): Set<string> {
  if (goal.sites.length > 0) return new Set(goal.sites)
  const found = [...candidates.values()].filter(({ from }) => from === 'search').map(({ url }) => siteOf(url))
  return new Set([...new Set(found)].slice(0, MAX_SITES))
}

/** `promising`: unread links that share a word with the request. */
function isEnough({ goal, notebook }: ReadState, promising: number): boolean {
  if (goal.shape === 'list') return notebook.items > 0 && (promising === 0 || notebook.idle >= MAX_PAGES_WITHOUT_NEWS)
  if (notebook.open.length > 0) return false
  if (goal.shape === 'record') return promising === 0 || notebook.idle >= 1
  // Reading one more page is cheap and may yield a better passage, so questions end early only at high coverage.
  const best = Math.max(0, ...notebook.pages.map(({ coverage }) => coverage))
  return promising === 0 && notebook.idle >= MAX_PAGES_WITHOUT_NEWS && best >= MIN_COVERAGE_TO_END
}

/** Uses the site's search box, once. */
function searchBox({ goal, notebook, progress }: ReadState): NextSteps | undefined {
  const page = notebook.pages.find(({ controls }) => controls?.search)
  const isDone = [...progress.interactions].some((key) => key.startsWith('search '))
  if (!page || isDone) return undefined
  return {
    steps: [{ tool: 'interact', input: { url: page.url, do: 'search', words: siteSearchQueryOf(goal) } }],
    because: 'The site has a search box.',
  }
}

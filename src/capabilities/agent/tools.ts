// The tools of a run: our own search, map and scrape, each with the most it may cost and what it brings home. A tool knows
// nothing of plans; whoever calls it has reserved its price and stores its result.
import type { Document } from '../../base/page.ts'
import { prices } from '../../base/prices.ts'
import { asProblem, Problem } from '../../base/problem.ts'
import { deadline } from '../../base/time.ts'
import { type ScrapeBody, scrapeBody } from '../../scrape/options.ts'
import { planFor } from '../../scrape/plan.ts'
import type { Scraped } from '../../scrape/scrape.ts'
import { newId } from '../../store/id.ts'
import type { Tx } from '../../store/tables.ts'
import { type Goal, isAbout } from './goal.ts'
import type { Has } from './needs.ts'
import type { Json, Link, PageRead } from './notebook.ts'
import type { PlannedStep, ScrapeInput } from './planner.ts'
import { quoted } from './quotes.ts'

/** What the caller says about every page that is read. */
export interface PageOptions {
  threatProtection?: unknown
  auditMetadata?: unknown
}

export interface RunTeam {
  teamId: string
  keyId: string | null
  plan: string
  options: PageOptions
}

/** What a step brought home, as it is kept. */
export type StepResult =
  | { tool: 'search' | 'map'; links: Link[]; warning?: string }
  | { tool: 'scrape'; page: PageRead; dropped?: string[] }
  | { tool: string; error: string }

export interface ToolEnd {
  result: StepResult
  credits: number
  /** Stores what belongs to it, in the transaction that ends the step. */
  store?(tx: Tx): Promise<void>
}

const SEARCH_HITS = 10
const MAP_LINKS = 200
const MAX_LINKS = 400
/** Pages of a PDF that are read: a run looks into documents, it does not convert them. */
const PDF_PAGES = 5
const SCRAPE_MS = 45_000
const MAP_MS = 20_000

/** The most that a step may cost. */
export function priceOf({ tool }: PlannedStep): number {
  if (tool === 'search') return prices.search.credits
  if (tool === 'map') return prices.map
  return prices.page * PDF_PAGES + prices.formats.json! + prices.threatScan
}

export async function runTool(
  has: Has,
  team: RunTeam,
  goal: Goal,
  step: PlannedStep,
  signal: AbortSignal,
): Promise<ToolEnd> {
  try {
    if (step.tool === 'search') return await search(has, team, step.input.query, signal)
    if (step.tool === 'map') return await map(has, step.input.url, signal)
    return await scrape(has, team, goal, step.input, signal)
  } catch (error) {
    // Broken off from outside: the step is begun again by whoever goes on. Anything else is an answer, and free.
    if (signal.aborted) throw error
    return { result: { tool: step.tool, error: asProblem(error).message }, credits: 0 }
  }
}

async function search({ search }: Has, { teamId }: RunTeam, query: string, signal: AbortSignal): Promise<ToolEnd> {
  const { web, warning } = await search(query, { teamId, limit: SEARCH_HITS }, signal)
  const links = web.map(({ url, title, description }) => ({ url, text: `${title} ${description}`.slice(0, 300) }))
  return { result: { tool: 'search', links, ...(warning ? { warning } : {}) }, credits: prices.search.credits }
}

async function map({ site }: Has, url: string, client: AbortSignal): Promise<ToolEnd> {
  const { signal, clear } = deadline(MAP_MS, client)
  const links: Link[] = []
  try {
    const question = { url, sitemap: 'include', links: 'page', robots: {}, headers: {}, keptSitemaps: 'use' } as const
    for await (const found of site.discover(question, signal)) {
      links.push({ url: found.url, text: found.title ?? '' })
      if (links.length >= MAP_LINKS) break
    }
  } catch (error) {
    if (client.aborted || links.length === 0) throw error
  } finally {
    clear()
  }
  return { result: { tool: 'map', links }, credits: prices.map }
}

async function scrape(has: Has, team: RunTeam, goal: Goal, input: ScrapeInput, client: AbortSignal): Promise<ToolEnd> {
  const { scraper, admission, clock, maker, linkBase, store } = has
  const body = bodyFor(goal, input, team.options)
  const plan = planFor(body, maker)
  const call = {
    id: newId(clock.now()),
    teamId: team.teamId,
    keyId: team.keyId,
    body,
    plan,
    baseUrl: linkBase,
    queue: { limited: false, waitedMs: 0 },
  }
  const { signal, clear } = deadline(plan.timeoutMs, client)
  let scraped: Scraped
  try {
    const known = await scraper.recall(call)
    if (known) scraped = known
    else {
      const slot = await admission.admit(team, { timeoutMs: plan.timeoutMs }, signal)
      try {
        scraped = await scraper.scrape(call, signal)
      } finally {
        slot.release()
      }
    }
  } finally {
    clear()
  }
  const { page, dropped } = pageOf(goal, input, scraped.document(), has.llm.by, clock.now())
  const { record, credits } = scraped
  return {
    result: { tool: 'scrape', page, ...(dropped.length > 0 ? { dropped } : {}) },
    credits,
    ...(record ? { store: async (tx: Tx) => void (await store.pages.record(tx, record)) } : {}),
  }
}

function bodyFor(goal: Goal, { url, record }: ScrapeInput, options: PageOptions): ScrapeBody {
  const { shape, schema, list, prompt } = goal
  const wanted = record === undefined ? schema : list?.item
  const ask =
    shape === 'answer'
      ? { type: 'question', question: prompt.slice(0, 10_000) }
      : {
          type: 'json',
          ...(wanted ? { schema: wanted } : {}),
          ...(shape === 'open' ? { prompt: prompt.slice(0, 10_000) } : {}),
        }
  const body = scrapeBody.safeParse({
    url,
    formats: ['markdown', 'links', ask],
    parsers: [{ type: 'pdf', maxPages: PDF_PAGES }],
    timeout: SCRAPE_MS,
    ...options,
  })
  if (!body.success)
    throw new Problem('bad_request', { because: body.error.issues[0]?.message ?? 'the page cannot be asked for' })
  return body.data
}

const NOT_HERE = /^Not on this page\b/

function pageOf(goal: Goal, input: ScrapeInput, document: Document, by: 'model' | 'extractive', now: number) {
  const {
    markdown = '',
    links = [],
    metadata,
    json,
    answer,
  } = document as Document & {
    markdown?: string
    links?: string[]
    json?: Json
    answer?: string | null
  }
  const said = goal.shape === 'answer' ? (answer && !NOT_HERE.test(answer) ? answer : null) : (json ?? null)
  // An answer is a sentence of its own; a value must stand on the page when a model named it.
  const { data, quotes, dropped } = quoted(said, markdown, by === 'model' && goal.shape !== 'answer')
  const title = String([metadata.title].flat()[0] ?? '')
  const url = String(metadata.url ?? input.url)
  const page: PageRead = {
    url,
    title: title.slice(0, 300),
    status: Number(metadata.statusCode ?? 200),
    about: input.record !== undefined || isAbout(goal, `${title}\n${url}\n${markdown}`),
    data,
    quotes,
    links: linksOf(markdown, links),
    at: now,
    by: by === 'model' ? 'model' : 'rules',
  }
  return { page, dropped }
}

const MARKDOWN_LINK = /(?<!!)\[((?:[^[\]]|!\[[^\]]*\]\([^)]*\))*)\]\((<[^>]*>|[^)\s]+)/g

/** Links with the words they have in the text, then those that stand outside of it. */
function linksOf(markdown: string, all: readonly string[]): Link[] {
  const found = new Map<string, Link>()
  for (const [, text = '', target = ''] of markdown.matchAll(MARKDOWN_LINK)) {
    const url = target.replace(/^<|>$/g, '')
    const words = text
      .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[*_`\\]/g, '')
      .trim()
    if (/^https?:/.test(url) && !found.has(url)) found.set(url, { url, text: words.slice(0, 200) })
  }
  for (const url of all) if (!found.has(url)) found.set(url, { url, text: '' })
  return [...found.values()].slice(0, MAX_LINKS)
}

// The tool that reads a page: the formats that the goal needs, and what the page says about it. Also the links it leads to,
// with their words.
import type { Document } from '../../../base/page.ts'
import { prices } from '../../../base/prices.ts'
import { Problem } from '../../../base/problem.ts'
import { deadline } from '../../../base/time.ts'
import { type ScrapeBody, scrapeBody } from '../../../scrape/options.ts'
import { planFor } from '../../../scrape/plan.ts'
import type { Scraped } from '../../../scrape/scrape.ts'
import { newId } from '../../../store/id.ts'
import type { Tx } from '../../../store/tables.ts'
import { type Goal, isAbout } from '../goal.ts'
import type { Json, Link, PageRead } from '../notebook.ts'
import type { ScrapeInput } from '../planner.ts'
import { quoted } from '../quotes.ts'
import type { AgentTool, PageOptions, ToolCall, ToolEnd } from './tool.ts'

const MAX_LINKS = 400
/** Pages of a PDF that are read: a run looks into documents, it does not convert them. */
const PDF_PAGES = 5
const SCRAPE_MS = 45_000

export const scrapeTool: AgentTool<ScrapeInput> = {
  name: 'scrape',
  price: prices.page * PDF_PAGES + prices.formats.json! + prices.threatScan,
  call: scrape,
}

async function scrape({ has, team, goal, input }: ToolCall<ScrapeInput>, client: AbortSignal): Promise<ToolEnd> {
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

export function pageOf(goal: Goal, input: ScrapeInput, document: Document, by: 'model' | 'extractive', now: number) {
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
    tokens: tokensOf(markdown),
    at: now,
    by: by === 'model' ? 'model' : 'rules',
  }
  return { page, dropped }
}

const MAX_TOKENS = 400
const TOKEN = /[\p{L}\p{N}@._+-]{6,80}/gu

/** Whatever else a page says, these must not travel to another site in an address (policy.ts). */
function tokensOf(markdown: string): string[] {
  const bare = markdown.replace(/\]\([^)]*\)/g, ' ')
  const found = new Set<string>()
  for (const [word] of bare.matchAll(TOKEN)) {
    if (/[\p{N}@]/u.test(word)) found.add(word.replace(/^[._+-]+|[._+-]+$/g, '').toLowerCase())
    if (found.size >= MAX_TOKENS) break
  }
  return [...found].filter((word) => word.length >= 6)
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

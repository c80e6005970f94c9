// Reads a page for every tool: the formats that the goal needs, its values, its links with their texts, and its
// controls.

import { deadline } from '../../../base/clock.ts'
import type { Capture, Document } from '../../../base/page.ts'
import { prices } from '../../../base/prices.ts'
import { Problem } from '../../../base/problem.ts'
import { callTokenCounts, type TokenCounts } from '../../../llm/tokens.ts'
import { type ScrapeBody, scrapeBody } from '../../../scrape/options.ts'
import { planFor, type ScrapePlan } from '../../../scrape/plan.ts'
import type { Scraped } from '../../../scrape/scrape.ts'
import { newId } from '../../../store/id.ts'
import type { Tx } from '../../../store/tables.ts'
import type { ExplainedField } from '../../../understanding/extract/explained.ts'
import { type Passage, passagesOf } from '../../../understanding/passages/passages.ts'
import { coverageOf, PassageIndex, type Question } from '../../../understanding/passages/rank.ts'
import type { Goal } from '../goal.ts'
import type { Link } from '../links.ts'
import type { JsonValue, PageRead } from '../notebook.ts'
import { doubtedAnswer, quoted, verifiedQuotes } from '../quotes.ts'
import { isDocument, type ScrapeInput } from '../steps.ts'
import type { PageOptions, ToolCall } from './tool.ts'

const MAX_LINKS = 400
/** Maximum characters of a page kept as passages. */
const MAX_READ_CHARS = 200_000
const MAX_KEPT_CHARS = 60_000
const PICTURE = /\.(?:png|jpe?g|webp|gif|tiff?|bmp)(?:$|[?#])/i
const SCRAPE_MS = 45_000
const SCAN_MS = 120_000

/** Maximum price of a page, given the PDF page limit. */
export const mostFor = (pdfPages: number): number => prices.page * pdfPages + prices.formats.json! + prices.threatScan

interface ReadEnd {
  page: PageRead
  dropped: string[]
  credits: number
  store?(tx: Tx): Promise<void>
}

type Reading = Pick<ToolCall<unknown>, 'has' | 'team' | 'goal'>

export async function readPage(
  { has, team, goal }: Reading,
  input: ScrapeInput,
  pdfPages: number,
  client: AbortSignal,
): Promise<ReadEnd> {
  const { admission, store } = has
  const body = bodyFor(goal, input, pdfPages, team.options, has.llm.by)
  const plan = planFor(body, has.maker)
  const { signal, clear, during } = deadline(plan.timeoutMs, client)
  let scraped: Scraped
  const tokens = callTokenCounts.getStore()?.part()
  try {
    const slot = await admission.admit(team, { timeoutMs: plan.timeoutMs }, signal)
    try {
      const call = { ...callOf(has, team, body, plan), wantsControls: true }
      scraped = await during(() => callTokenCounts.run(tokens, () => has.scraper.scrape(call, signal)))
    } finally {
      slot.release()
    }
  } finally {
    clear()
  }
  const { record } = scraped
  return {
    ...endOf({ has, team, goal }, input, scraped, tokens),
    ...(record ? { store: async (tx: Tx) => void (await store.pages.record(tx, record)) } : {}),
  }
}

export async function readShown(
  { has, team, goal }: Reading,
  { url, html }: { url: string; html: string },
  client: AbortSignal,
): Promise<ReadEnd> {
  const body = bodyFor(goal, { url }, 1, team.options, has.llm.by)
  const plan = { ...planFor(body, has.maker), storeInCache: false }
  const { signal, clear, during } = deadline(plan.timeoutMs, client)
  try {
    const upload = { capture: captureOf(url, html, has.clock.now()), name: url }
    const call = { ...callOf(has, team, body, plan), upload, wantsControls: true }
    const tokens = callTokenCounts.getStore()?.part()
    const scraped = await during(() => callTokenCounts.run(tokens, () => has.scraper.scrape(call, signal)))
    return endOf({ has, team, goal }, { url }, scraped, tokens)
  } finally {
    clear()
  }
}

const callOf = ({ clock, linkBase }: Reading['has'], team: Reading['team'], body: ScrapeBody, plan: ScrapePlan) => ({
  id: newId(clock.now()),
  teamId: team.teamId,
  keyId: team.keyId,
  body,
  plan,
  baseUrl: linkBase,
  queue: { limited: false, waitedMs: 0 },
})

const captureOf = (url: string, html: string, fetchedAt: number): Capture => ({
  engine: 'upload',
  url,
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from(html),
  truncated: false,
  hops: [],
  proxyUsed: 'basic',
  timings: { totalMs: 0 },
  fetchedAt,
  warnings: [],
})

function endOf({ has, goal }: Reading, input: ScrapeInput, scraped: Scraped, tokens: TokenCounts | undefined): ReadEnd {
  // When the model gives no answer, the rules' result is used.
  const by = tokens && tokens.stoodIn > 0 ? 'extractive' : has.llm.by
  const { page, dropped } = pageOf(goal, input, scraped.document(), by, has.clock.now(), scraped)
  const { buttons = [], search = false } = scraped.controls ?? {}
  const controls = search || buttons.length > 0 ? { controls: { buttons, search } } : {}
  return { page: { ...page, ...controls }, dropped, credits: scraped.credits }
}

function bodyFor(
  goal: Goal,
  { url, record }: ScrapeInput,
  pdfPages: number,
  options: PageOptions,
  by: 'model' | 'extractive',
): ScrapeBody {
  const { shape, schema, list, prompt } = goal
  const wanted = record === undefined ? schema : list?.item
  // Without a model, passages of all pages are ranked together at the end, so pages are not questioned one by one.
  const ask =
    shape === 'answer'
      ? by === 'model' && { type: 'question', question: prompt.slice(0, 10_000) }
      : {
          type: 'json',
          ...(wanted ? { schema: wanted } : {}),
          prompt: prompt.slice(0, 10_000),
        }
  const body = scrapeBody.safeParse({
    url,
    formats: ['markdown', 'links', ...(ask ? [ask] : [])],
    parsers: [{ type: 'pdf', maxPages: pdfPages }, { type: 'image' }],
    // Footers contain addresses and opening hours; repeated text is separated when passages are ranked.
    onlyMainContent: false,
    // Scans and images need OCR.
    timeout: isDocument(url) || PICTURE.test(url) ? SCAN_MS : SCRAPE_MS,
    ...options,
  })
  if (!body.success)
    throw new Problem('bad_request', { because: body.error.issues[0]?.message ?? 'the page cannot be asked for' })
  return body.data
}

const NOT_HERE = /^Not on this page\b/

/** `seen`: what the scrape knows besides its document. */
export function pageOf(
  goal: Goal,
  input: ScrapeInput,
  document: Document,
  by: 'model' | 'extractive',
  now: number,
  seen: Pick<Scraped, 'controls' | 'record'> = { record: undefined },
) {
  const {
    markdown = '',
    links = [],
    metadata,
    json,
    answer,
  } = document as Document & {
    markdown?: string
    links?: string[]
    json?: JsonValue
    answer?: string | null
  }
  const said = goal.shape === 'answer' ? (answer && !NOT_HERE.test(answer) ? answer : null) : (json ?? null)
  const texts = () => [...Object.values(metadata).flat().map(String), markdown]
  // The format checks an answer against structured data too.
  const isSupported = answersIn(seen).some(({ isDoubted }) => isDoubted === false)
  const { data, quotes, doubted, dropped } =
    by !== 'model'
      ? quoted(said, markdown)
      : goal.shape === 'answer'
        ? doubtedAnswer(said, isSupported ? [said ?? ''].map(String) : [goal.prompt, ...texts()])
        : verifiedQuotes(said, texts(), goal.schema)
  const supported = supportedIn(seen)
  const title = String([metadata.title].flat()[0] ?? '')
  const url = String(metadata.url ?? input.url)
  const passages = keptPassages(markdown, title, goal.question)
  const unsure = doubted.filter((path) => !supported.has(path))
  const left = [...dropped, ...droppedIn(seen)]
  const page: PageRead = {
    url,
    title: title.slice(0, 300),
    status: Number(metadata.statusCode ?? 200),
    coverage: coverageOf({ url, title, passages }, goal.question),
    passages,
    data,
    quotes,
    ...(unsure.length > 0 ? { doubted: unsure } : {}),
    ...(left.length > 0 ? { dropped: left } : {}),
    links: linksOf(markdown, links, seen.controls?.links ?? []),
    tokens: tokensOf(markdown),
    at: now,
    by: by === 'model' ? 'model' : 'rules',
  }
  return { page, dropped: left }
}

type AnswerStep = { fields?: readonly ExplainedField[]; dropped?: readonly string[]; isDoubted?: boolean }

const answersIn = ({ record }: Pick<Scraped, 'record'>): readonly AnswerStep[] =>
  (JSON.parse(record?.scrape.explain ?? '{}') as { steps?: readonly AnswerStep[] }).steps ?? []

const droppedIn = (seen: Pick<Scraped, 'record'>): string[] => answersIn(seen).flatMap(({ dropped = [] }) => dropped)

/** Paths that the format verified against structured data, which the agent does not see. */
function supportedIn(seen: Pick<Scraped, 'record'>): ReadonlySet<string> {
  return new Set(
    answersIn(seen).flatMap(({ fields = [] }) =>
      fields.flatMap(({ path, found, verified }) =>
        found && verified !== false ? [path.replaceAll(/\[(\d+)\]/g, '.$1').replace(/^\./, '')] : [],
      ),
    ),
  )
}

/** The passages of a page; for a long page the most relevant ones, in page order. */
function keptPassages(markdown: string, title: string, question: Question): Passage[] {
  const all = passagesOf(markdown.slice(0, MAX_READ_CHARS))
  const total = all.reduce((sum, { text }) => sum + text.length, 0)
  if (total <= MAX_KEPT_CHARS) return all
  let left = MAX_KEPT_CHARS
  const kept = new Set<Passage>()
  for (const { passage } of new PassageIndex([{ url: '', title, passages: all }]).rank(question)) {
    left -= passage.text.length
    if (left < 0) break
    kept.add(passage)
  }
  return all.filter((passage) => kept.has(passage))
}

const MAX_TOKENS = 400
const TOKEN = /[\p{L}\p{N}@._+-]{6,80}/gu

/** Strings that must not travel to another site in a URL (policy.ts). */
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

/** Links with their text, then links outside of the main text; `seen`: as a person sees them, with their place. */
function linksOf(markdown: string, all: readonly string[], seen: readonly Link[]): Link[] {
  const found = new Map<string, Link>()
  for (const [, text = '', target = ''] of markdown.matchAll(MARKDOWN_LINK)) {
    const url = target.replace(/^<|>$/g, '')
    const words = text
      .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[*_`\\]/g, '')
      .trim()
    if (/^https?:/.test(url) && !found.has(url)) found.set(url, { url, text: words.slice(0, 200) })
  }
  for (const link of seen) found.set(link.url, { ...link, text: found.get(link.url)?.text || link.text })
  for (const url of all) if (!found.has(url)) found.set(url, { url, text: '' })
  return [...found.values()].slice(0, MAX_LINKS)
}

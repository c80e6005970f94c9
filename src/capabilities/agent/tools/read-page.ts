// Reads a page for every tool: the formats that the goal needs, its values, its links with their texts, and its
// controls.

import { startDeadline } from '../../../base/deadline.ts'
import { withoutPageState } from '../../../base/page-state.ts'
import { prices } from '../../../base/prices.ts'
import { Problem } from '../../../base/problem.ts'
import { type Capture, type Document, makeUploadCapture } from '../../../base/visit-and-capture-types.ts'
import { currentTokenBudget, type TokenBudget } from '../../../llm/token-budget.ts'
import type { ScrapedPage } from '../../../scrape/scrape.ts'
import { type ScrapeBody, scrapeBody } from '../../../scrape/scrape-options.ts'
import { makeScrapePlan, type ScrapePlan } from '../../../scrape/scrape-plan.ts'
import { newId } from '../../../store/id.ts'
import type { Tx } from '../../../store/tables.ts'
import { workInSlot } from '../../../teams/concurrency-slots.ts'
import type { ExplainedField } from '../../../understanding/extract/explain-fields.ts'
import { coverageOfPage, type ParsedQuestion, PassageIndex } from '../../../understanding/passages/rank-passages.ts'
import { type Passage, splitIntoPassages } from '../../../understanding/passages/split-into-passages.ts'
import type { Goal } from '../derive-goal.ts'
import type { JsonValue, PageRead } from '../notebook.ts'
import type { CandidateLink } from '../rank-links.ts'
import { DOCUMENT_SECONDS, isDocumentUrl, PAGE_SECONDS, type ScrapeInput } from '../steps.ts'
import { findQuotes, verifyAnswer, verifyValuesByQuotes } from '../verify-values-by-quotes.ts'
import type { ThreatAndAuditOptions, ToolCall } from './agent-tool.ts'

const MAX_LINKS = 400
const MAX_READ_CHARS = 200_000
const MAX_KEPT_CHARS = 60_000
const PICTURE = /\.(?:png|jpe?g|webp|gif|tiff?|bmp)(?:$|[?#])/i

export const maxPriceOfPage = (pdfPages: number): number =>
  prices.page * pdfPages + prices.formats.json! + prices.threatScan

type ReadEnd = { page: PageRead; dropped: string[]; credits: number; store?(tx: Tx): Promise<void> }

type Reading = Pick<ToolCall<unknown>, 'has' | 'team' | 'goal'>

export async function readPage(
  { has, team, goal }: Reading,
  input: ScrapeInput,
  pdfPages: number,
  client: AbortSignal,
): Promise<ReadEnd> {
  const { admission, store } = has
  const body = bodyFor(goal, input, pdfPages, team.options, has.llm.by)
  const plan = makeScrapePlan(body, has.maker)
  const tokens = currentTokenBudget.getStore()?.part()
  const time = { timeoutMs: plan.timeoutMs, because: lateBecause(plan) }
  const scraped = await workInSlot(admission, team, time, client, (signal) => {
    const call = { ...callOf(has, team, body, plan), wantsControls: true, usesExtractors: true }
    return currentTokenBudget.run(tokens, () => has.scraper.scrape(call, signal))
  })
  const { record } = scraped
  return {
    ...endOf({ has, team, goal }, input, scraped, tokens),
    ...(record ? { store: async (tx: Tx) => void (await store.pages.record(tx, record)) } : {}),
  }
}

export async function readRenderedPage(
  { has, team, goal }: Reading,
  { url, html }: { url: string; html: string },
  client: AbortSignal,
): Promise<ReadEnd> {
  const body = bodyFor(goal, { url }, 1, team.options, has.llm.by)
  const plan = { ...makeScrapePlan(body, has.maker), storeInCache: false }
  const { signal, clear, during } = startDeadline(plan.timeoutMs, client, lateBecause(plan))
  try {
    const upload = { capture: captureOf(url, html, has.clock.now()), name: url }
    const call = { ...callOf(has, team, body, plan), upload, wantsControls: true, usesExtractors: true }
    const tokens = currentTokenBudget.getStore()?.part()
    const scraped = await during(() => currentTokenBudget.run(tokens, () => has.scraper.scrape(call, signal)))
    return endOf({ has, team, goal }, { url }, scraped, tokens)
  } finally {
    clear()
  }
}

const lateBecause = ({ timeoutMs }: ScrapePlan): string =>
  `the page took longer than the ${timeoutMs / 1000} s that a run waits for one; name other start pages in \`urls\``

const callOf = ({ clock, linkBase }: Reading['has'], team: Reading['team'], body: ScrapeBody, plan: ScrapePlan) => ({
  id: newId(clock.now()),
  teamId: team.teamId,
  keyId: team.keyId,
  body,
  plan,
  baseUrl: linkBase,
  queue: { limited: false, waitedMs: 0 },
})

const captureOf = (url: string, html: string, fetchedAt: number): Capture =>
  makeUploadCapture({ url, contentType: 'text/html; charset=utf-8', body: Buffer.from(html), fetchedAt })

function endOf({ has, goal }: Reading, input: ScrapeInput, scraped: ScrapedPage, tokens: TokenBudget | undefined) {
  // When the model gives no answer, the rules' result is used.
  const by = tokens && tokens.stoodIn > 0 ? 'extractive' : has.llm.by
  const { page, dropped } = makePageRead(goal, input, scraped.document(), by, has.clock.now(), scraped)
  const { buttons = [], search = false } = scraped.controls ?? {}
  const controls = search || buttons.length > 0 ? { controls: { buttons, search } } : {}
  return { page: { ...page, ...controls }, dropped, credits: scraped.credits }
}

function bodyFor(
  goal: Goal,
  { url, record }: ScrapeInput,
  pdfPages: number,
  options: ThreatAndAuditOptions,
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
    // A page that was read must not choose what is pressed.
    url: goal.urls.includes(url) ? url : withoutPageState(url),
    formats: ['markdown', 'links', ...(ask ? [ask] : [])],
    parsers: [{ type: 'pdf', maxPages: pdfPages }, { type: 'image' }],
    // Footers contain addresses and opening hours; repeated text is separated when passages are ranked.
    onlyMainContent: false,
    // Scans and images need OCR.
    timeout: (isDocumentUrl(url) || PICTURE.test(url) ? DOCUMENT_SECONDS : PAGE_SECONDS) * 1000,
    ...options,
  })
  if (!body.success)
    throw new Problem('bad_request', { because: body.error.issues[0]?.message ?? 'the page cannot be asked for' })
  return body.data
}

const NOT_HERE = /^Not on this page\b/

/** `seen`: results of the scrape besides its document. */
export function makePageRead(
  goal: Goal,
  input: ScrapeInput,
  document: Document,
  by: 'model' | 'extractive',
  now: number,
  seen: Pick<ScrapedPage, 'controls' | 'record'> = { record: undefined },
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
      ? findQuotes(said, markdown)
      : goal.shape === 'answer'
        ? verifyAnswer(said, isSupported ? [said ?? ''].map(String) : [goal.prompt, ...texts()])
        : verifyValuesByQuotes(said, texts(), goal.schema)
  const supported = supportedIn(seen)
  const title = String([metadata.title].flat()[0] ?? '')
  const url = String(metadata.url ?? input.url)
  const passages = keptPassages(markdown, title, goal.question)
  const unsure = doubted.filter((path) => !supported.has(path))
  const left = [...dropped, ...droppedIn(seen)]
  const fields = answersIn(seen).flatMap((step) => step.fields ?? [])
  const byRules = fields.flatMap((field) => (field.by === 'rules' ? [dottedPathOf(field)] : []))
  const isOfModel =
    by === 'model' && !(byRules.length > 0 && fields.every((field) => field.by === 'rules' || !field.found))
  const page: PageRead = {
    url,
    title: title.slice(0, 300),
    status: Number(metadata.statusCode ?? 200),
    coverage: coverageOfPage({ url, title, passages }, goal.question),
    passages,
    data,
    quotes,
    ...(unsure.length > 0 ? { doubted: unsure } : {}),
    ...(left.length > 0 ? { dropped: left } : {}),
    ...(byRules.length > 0 ? { byRules } : {}),
    links: linksOf(markdown, links, seen.controls?.links ?? []),
    tokens: tokensOf(markdown),
    at: now,
    by: isOfModel ? 'model' : 'rules',
  }
  return { page, dropped: left }
}

type AnswerStep = { fields?: readonly ExplainedField[]; dropped?: readonly string[]; isDoubted?: boolean }

const answersIn = ({ record }: Pick<ScrapedPage, 'record'>): readonly AnswerStep[] =>
  (JSON.parse(record?.scrape.explain ?? '{}') as { steps?: readonly AnswerStep[] }).steps ?? []

const droppedIn = (seen: Pick<ScrapedPage, 'record'>): string[] =>
  answersIn(seen).flatMap(({ dropped = [] }) => dropped)

/** Paths that the format verified against structured data, which the agent does not see. */
function supportedIn(seen: Pick<ScrapedPage, 'record'>): ReadonlySet<string> {
  return new Set(
    answersIn(seen).flatMap(({ fields = [] }) =>
      fields.flatMap((field) => (field.found && field.verified !== false ? [dottedPathOf(field)] : [])),
    ),
  )
}

const dottedPathOf = ({ path }: ExplainedField): string => path.replaceAll(/\[(\d+)\]/g, '.$1').replace(/^\./, '')

/** The passages of a page; for a long page the most relevant ones, in page order. */
function keptPassages(markdown: string, title: string, question: ParsedQuestion): Passage[] {
  const all = splitIntoPassages(markdown.slice(0, MAX_READ_CHARS))
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

/** Strings that must not travel to another site in a URL (reason-to-refuse-visit.ts). */
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
function linksOf(markdown: string, all: readonly string[], seen: readonly CandidateLink[]): CandidateLink[] {
  const found = new Map<string, CandidateLink>()
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
